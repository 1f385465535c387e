//go:build !unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func own(*exec.Cmd) {}

// end has nothing to do: a killed run is all that can be ended here.
func end(*exec.Cmd) {}

// tie gives a run the end of a pipe whose other end is ours, and so ends with us, a kill
// included. It tells the run the length of the snippet too, which breaks off there and then.
func tie(cmd *exec.Cmd, bytes int) (release func(), err error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	release = func() { theirs.Close(); ours.Close() }
	handle := syscall.Handle(theirs.Fd())
	if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
		release()
		return nil, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{handle}}
	cmd.Env = append(cmd.Env, fmt.Sprintf("BU_PARENT=%d %d", handle, bytes))
	return release, nil
}
