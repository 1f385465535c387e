package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"bu/daemon/wire"
)

// startDaemon starts a daemon called name and returns once one serves its
// socket, this one or that of a run that was quicker. env is added to its
// environment.
func startDaemon(name string, env []string) error {
	path, err := daemonPath()
	if err != nil {
		return &Error{Code: "no_daemon", Message: err.Error()}
	}
	// Its standard error is a file, not a pipe: a pipe would kill it once nobody reads.
	// Windows removes no file that a process has open: there the next start does it.
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "bu-start-*"))
	for _, file := range left {
		os.Remove(file)
	}
	says, err := os.CreateTemp("", "bu-start-*")
	if err != nil {
		return fmt.Errorf("cannot create a file for the daemon's messages: %w", err)
	}
	os.Remove(says.Name())
	defer func() { says.Close(); os.Remove(says.Name()) }()
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), append(env, "BU_NAME="+name)...)
	cmd.Dir = "/" // it outlives us, and must keep nobody's folder busy
	cmd.Stderr = says
	detach(cmd)
	ready, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &Error{Code: "no_daemon", Message: "cannot start the daemon: " + err.Error()}
	}
	late := time.AfterFunc(10*time.Second, func() { ready.Close() })
	defer late.Stop()
	line, _ := bufio.NewReader(ready).ReadString('\n')
	ready.Close()
	if line == "ready\n" {
		return nil
	}
	said, _ := io.ReadAll(io.NewSectionReader(says, 0, 4096))
	if len(said) == 0 {
		said = []byte("it said nothing within 10 s")
	}
	return &Error{Code: "no_daemon", Message: "the daemon did not start: " + strings.TrimSpace(string(said))}
}

// daemonPath finds the daemon beside this executable; under `go run ./run` there is none,
// so it is built from the same checkout. A program of that name on PATH is another one.
func daemonPath() (string, error) {
	exe, err := executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(exe), "daemon"+filepath.Ext(exe))
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	root := source()
	cache, err := os.UserCacheDir()
	if root == "" || err != nil {
		return "", errors.New(beside + " is missing; it belongs beside run: `make build` puts both into bin/, and an archive has both")
	}
	built := filepath.Join(cache, "bu", "daemon"+filepath.Ext(exe))
	build := exec.Command("go", "build", "-o", built, "./daemon")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s is missing, and building it failed: %w\n%s", beside, err, out)
	}
	return built, nil
}

// explain tells the person what is waited for, once attaching takes longer than
// Chrome needs without them. The stop that it gives must be called.
func (b *browser) explain() (stop func()) {
	late := time.AfterFunc(time.Second, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		conn, err := wire.Dial(ctx, b.name)
		if err != nil {
			return
		}
		defer conn.Close()
		status, err := ask(ctx, conn, []byte(`{"meta":"status"}`))
		if waits, _ := status["waiting_for"].(string); err == nil && waits != "" {
			b.progress.say("run: waiting for " + waits)
		}
	})
	return func() { late.Stop() }
}
