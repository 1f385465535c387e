//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the daemon a session of its own: no Ctrl-C, no hang-up of the
// terminal that happened to start it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// inheritNot keeps a file from what this process starts.
func inheritNot(file int) { syscall.CloseOnExec(file) }

// endAll ends this process and what it started: all of its group, where that is its own.
func endAll() {
	if pid := os.Getpid(); syscall.Getpgrp() == pid {
		syscall.Kill(-pid, syscall.SIGKILL)
	}
	os.Exit(exitSignal)
}
