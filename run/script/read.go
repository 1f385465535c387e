package script

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// texts gives the Go files of a folder, tests aside, by name. Most runs read all of
// them, so it is done with the fewest system calls (os.ReadFile makes twice as many)
// and into one buffer, whose pages are most of the cost: half of it for 1+2.
func texts(dir string) (names, srcs []string, err error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	free := make([]byte, 256<<10)
	for _, n := range all {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		size, err := slurp(n, free)
		if err == io.ErrShortBuffer {
			var text []byte
			if text, err = os.ReadFile(n); err == nil {
				names, srcs = append(names, n), append(srcs, string(text))
				continue
			}
		}
		if err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(unsafe.String(unsafe.SliceData(free), size), "// Code generated ") {
			continue // the table of what was built in
		}
		names, srcs = append(names, n), append(srcs, unsafe.String(unsafe.SliceData(free), size)) // never written again
		free = free[size:]
	}
	return names, srcs, nil
}

// slurp reads a whole file into b.
func slurp(path string, b []byte) (n int, err error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	for n < len(b) {
		m, err := syscall.Read(fd, b[n:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return 0, &os.PathError{Op: "read", Path: path, Err: err}
		}
		n += m
		if n < len(b) { // a file gives less only at its end
			return n, nil
		}
	}
	return 0, io.ErrShortBuffer
}
