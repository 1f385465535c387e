package script

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// texts gives the Go files of a folder, tests aside, by name. Most runs read all of
// them, so it is done with the fewest system calls (os.ReadFile makes twice as many)
// and into one buffer: fresh pages are most of the cost. What is as it was built in
// is given as that text.
func texts(dir string, built func(file string) string) (names, srcs []string, err error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	all, err := folder.Readdirnames(-1)
	folder.Close()
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(all)
	buffer := make([]byte, 64<<10)
	for _, n := range all {
		if !strings.HasSuffix(n, ".go") || strings.HasSuffix(n, "_test.go") || n[0] == '.' || n[0] == '_' { // as Go has it: an editor's lock is .#act.go
			continue
		}
		path := filepath.Join(dir, n)
		size, err := Slurp(path, buffer)
		text := buffer[:size]
		if err == io.ErrShortBuffer {
			text, err = os.ReadFile(path)
		}
		if err != nil {
			return nil, nil, err
		}
		if bytes.HasPrefix(text, []byte("// Code generated ")) {
			continue // the table of what was built in
		}
		src := built(n)
		if src != string(text) {
			src = string(text)
		}
		names, srcs = append(names, n), append(srcs, src)
	}
	return names, srcs, nil
}

// Slurp reads a whole file into b; io.ErrShortBuffer says that it is longer.
func Slurp(path string, b []byte) (n int, err error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0) // else a pipe waits for a writer
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
