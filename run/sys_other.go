//go:build !unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the daemon no console: no Ctrl-C of the one that happened to
// start it.
func detach(cmd *exec.Cmd) {
	const newProcessGroup, detachedProcess = 0x200, 0x8
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: newProcessGroup | detachedProcess}
}

// inheritNot keeps a file from what this process starts.
func inheritNot(file int) { syscall.CloseOnExec(syscall.Handle(file)) }

// endAll ends this process.
func endAll() { os.Exit(exitSignal) }
