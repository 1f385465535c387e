//go:build !unix

package testchrome

import "os/exec"

func ownGroup(*exec.Cmd)      {}
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
