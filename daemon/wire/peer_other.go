//go:build !linux

package wire

import "net"

// The standard library has no way to ask here; the owner of the socket's file, in a
// folder where nobody can rename another's files, has to do.
func peerIsMe(*net.UnixConn) bool { return true }
