//go:build unix

package testchrome

import (
	"os/exec"
	"syscall"
)

// Chromium forks; a group of its own lets one signal end all of it.
func ownGroup(cmd *exec.Cmd)  { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
