//go:build unix

package main

import (
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
