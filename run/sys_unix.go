//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach gives the daemon a session of its own: no Ctrl-C, no hang-up of the
// terminal that happened to start it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
