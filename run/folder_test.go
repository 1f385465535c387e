package main_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

// tree is a folder laid out as a checkout or an unpacked archive is: bin/ with both
// programs, helpers/ beside it with one more in it, which says where it is from.
func tree(t *testing.T, from string) (root string) {
	t.Helper()
	root = t.TempDir()
	err := errors.Join(
		os.CopyFS(filepath.Join(root, "bin"), os.DirFS(testchrome.Build(t))),
		os.CopyFS(filepath.Join(root, "helpers"), os.DirFS(filepath.Join(testchrome.Root(), "helpers"))),
		os.WriteFile(filepath.Join(root, "helpers", "mine.go"), []byte("package helpers\n\nfunc mine() string { return \""+from+"\" }\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// as is c by another executable.
func (c call) as(t *testing.T, path string) outcome {
	t.Helper()
	cmd := c.command(t)
	cmd.Path = path
	return finish(t, cmd)
}

func exe(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// Field case 64: run uses the helpers and the .env of its own repo, and of no folder that
// it merely is called in, however much that looks like a repo of bu's.
func TestOwnRepoOnly(t *testing.T) {
	own, foreign := tree(t, "own"), tree(t, "foreign")
	deep := filepath.Join(foreign, "a", "b")
	os.MkdirAll(deep, 0o700)
	os.WriteFile(filepath.Join(foreign, ".env"), []byte("BU_FROM=foreign\nBU_TIMEOUT=nonsense\n"), 0o600)
	os.WriteFile(filepath.Join(own, ".env"), []byte("BU_FROM=own\nOTHER_FROM=own\nLD_PRELOAD=/nowhere.so\n"), 0o600)
	run := filepath.Join(own, "bin", exe("run"))
	const says = `fmt.Println(mine(), os.Getenv("BU_FROM"), os.Getenv("OTHER_FROM"), os.Getenv("LD_PRELOAD"))`
	for _, dir := range []string{foreign, deep, filepath.Join(foreign, "helpers"), own} {
		if got := (call{snippet: says, dir: dir}).as(t, run); got.stdout != "own own  \n" {
			t.Errorf("in %s: %+v", dir, got)
		}
	}
	named := call{snippet: says, dir: own, env: []string{"BU_HELPERS=" + filepath.Join(foreign, "helpers")}}
	if got := named.as(t, run); got.stdout != "foreign own  \n" {
		t.Errorf("BU_HELPERS: %+v", got)
	}
	// The run of these tests lies in no repo: it belongs to the checkout that it was built from.
	if got := (call{snippet: says, dir: deep}).do(t); got.code != 2 || !strings.Contains(got.stderr, "mine") {
		t.Errorf("run of this checkout, in a foreign folder: %+v", got)
	}
	if runtime.GOOS != "windows" { // where a link wants rights
		link := filepath.Join(t.TempDir(), "bu")
		if err := os.Symlink(run, link); err != nil {
			t.Fatal(err)
		}
		if got := (call{snippet: says, dir: deep}).as(t, link); got.stdout != "own own  \n" {
			t.Errorf("through a link: %+v", got)
		}
	}
}

// lone builds run as archives have it, which says nothing of the checkout, and puts it
// where nothing of bu lies beside it.
func lone(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bin", exe("run"))
	build := exec.Command("go", "build", "-trimpath", "-o", path, "./run")
	build.Dir = testchrome.Root()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// A run that has lost its folder says so, instead of taking what lies around.
func TestLostRun(t *testing.T) {
	run, foreign := lone(t), tree(t, "foreign")
	got := call{snippet: "1", dir: foreign}.as(t, run)
	if got.code != 2 || !strings.Contains(got.stderr, "no helpers/ beside the bin/") || !strings.Contains(got.stderr, "BU_HELPERS") {
		t.Errorf("%+v", got)
	}
	if got := (call{snippet: "mine()", env: []string{"BU_HELPERS=" + filepath.Join(foreign, "helpers")}}).as(t, run); got.stdout != "foreign\n" {
		t.Errorf("with BU_HELPERS: %+v", got)
	}
	// A program called daemon on PATH is somebody else's, and so is a module called bu in
	// the working directory.
	path, ran := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	os.WriteFile(filepath.Join(path, "daemon"), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700)
	os.WriteFile(filepath.Join(foreign, "go.mod"), []byte("module bu\n"), 0o600)
	os.Mkdir(filepath.Join(foreign, "daemon"), 0o700)
	os.WriteFile(filepath.Join(foreign, "daemon", "main.go"), []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Create(`"+ran+"`) }\n"), 0o600)
	got = call{snippet: "pageInfo()", dir: foreign, env: []string{"BU_HELPERS=" + filepath.Join(foreign, "helpers"),
		"PATH=" + path + string(os.PathListSeparator) + os.Getenv("PATH")}}.as(t, run)
	if got.code != 3 || !strings.Contains(got.stderr, "no_daemon") || !strings.Contains(got.stderr, "make build") {
		t.Errorf("without a daemon: %+v", got)
	}
	if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
		t.Error("somebody else's daemon was started")
	}
}
