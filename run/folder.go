package main

import (
	"errors"
	"os"
	"path/filepath"
)

// mark tells a folder of bu's helpers from one that only has the name: it is
// the file that stands at its beginning.
const mark = "core.go"

// folder finds the helpers: BU_HELPERS, else helpers/ in the working directory or
// above it, else beside this executable's repo. Looked up on each run, as all of
// it may be edited between two.
func folder() (string, error) {
	if dir := os.Getenv("BU_HELPERS"); dir != "" {
		if _, err := os.ReadDir(dir); err != nil {
			return "", errors.New("BU_HELPERS names no readable folder: " + err.Error())
		}
		return dir, nil
	}
	var starts []string
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		starts = append(starts, filepath.Dir(exe))
	}
	for _, dir := range starts {
		for {
			h := filepath.Join(dir, "helpers")
			if _, err := os.Stat(filepath.Join(h, mark)); err == nil {
				return h, nil
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return "", errors.New("no helpers folder in the working directory, above it, or beside run: set BU_HELPERS to it")
}
