//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// own gives a run a process group of its own, so that what a cancelled snippet started
// can be ended with it.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends what is left of that group. A daemon that it started is in a session of its own.
func end(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// tie gives a run the end of a pipe whose other end is ours, and so ends with us, a kill
// included. It tells the run the length of the snippet too, which breaks off there and then.
func tie(cmd *exec.Cmd, bytes int) (release func(), err error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.Env = append(cmd.Env, fmt.Sprintf("BU_PARENT=3 %d", bytes))
	return func() { theirs.Close(); ours.Close() }, nil
}
