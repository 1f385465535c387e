package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// repo is the folder that this executable belongs to, a checkout or an unpacked archive:
// it holds helpers/ and, perhaps, a .env. An executable in a bin/ beside helpers/ belongs
// there. Any other, such as that of `go run ./run`, belongs to the checkout it was built
// from, which -trimpath leaves out. The working directory plays no part: what lies in or
// above it may be anyone's, and would run with the user's rights.
func repo() (root string, err error) {
	exe, err := executable()
	if err != nil {
		return "", err
	}
	if bin := filepath.Dir(exe); filepath.Base(bin) == "bin" && isFolder(filepath.Join(bin, "..", "helpers")) {
		return filepath.Dir(bin), nil
	}
	if root := source(); root != "" {
		return root, nil
	}
	return "", errors.New("no helpers/ beside the bin/ of " + exe + ": run it in the folder that was unpacked, or through a link to it there, or set BU_HELPERS to the helpers' folder")
}

// executable is the path of this program, with links followed: it is usually called by a
// link on PATH.
func executable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return exe, nil
}

// source is the checkout that this program was built from, "" where that is not known or
// no longer there.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(file))
	if !filepath.IsAbs(file) || !isFolder(filepath.Join(root, "helpers")) {
		return ""
	}
	return root
}

// folder finds the helpers: BU_HELPERS, else those of the executable's repo. Looked up
// on each run, as all of it may be edited between two.
func folder(repo string) (string, error) {
	dir := os.Getenv("BU_HELPERS")
	if dir == "" {
		return filepath.Join(repo, "helpers"), nil
	}
	if _, err := os.ReadDir(dir); err != nil {
		return "", errors.New("BU_HELPERS does not name a readable folder: " + err.Error())
	}
	return dir, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
