package wire

import "os"

// OpenOwn opens a file of this user and of nobody else, for what a caller keeps
// beside the socket: no link is followed, and it is 0600 from birth.
func OpenOwn(path string, flag int) (*os.File, error) { return openOwn(path, flag) }
