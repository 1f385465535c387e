// Package testchrome gives tests and benchmarks a real Chromium of their own: its
// own HOME, profile and port, gone with the test. Nothing of the product imports it.
package testchrome

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Chrome is a running Chromium whose profile lies where bu looks for it:
// $HOME/.config/chromium, with DevToolsActivePort inside.
type Chrome struct {
	Home    string // HOME for whatever should find this browser
	Profile string // its user data directory
	Address string // host:port of its DevTools server
	WS      string // its WebSocket address

	path string
	args []string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has been reaped
}

// Look returns the path of a Chromium or Chrome, or the way to get one.
func Look() (string, error) {
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(n); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no Chromium found: apt-get install chromium (Debian) or brew install chromium (macOS)")
}

// Find is Look for a test, which is skipped without a browser; under CI it fails.
func Find(tb testing.TB) string {
	tb.Helper()
	p, err := Look()
	if err != nil && os.Getenv("CI") != "" {
		tb.Fatal(err)
	}
	if err != nil {
		tb.Skip(err)
	}
	return p
}

// Start runs a headless Chromium with args added, until the test ends.
func Start(tb testing.TB, args ...string) *Chrome {
	tb.Helper()
	c, err := New(Find(tb), args...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// New runs the Chromium at path, headless, with a HOME of its own; for programs
// that are no tests.
func New(path string, args ...string) (*Chrome, error) {
	home, err := os.MkdirTemp("", "bu-home-")
	if err != nil {
		return nil, err
	}
	c := &Chrome{Home: home, Profile: filepath.Join(home, ".config", "chromium"), path: path, args: append([]string{"--headless"}, args...)}
	if err := c.launch(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// StartWindow is Start for a Chromium with a window, on the screen that DISPLAY names, whose
// profile has these preferences (JSON).
func StartWindow(tb testing.TB, preferences string, args ...string) *Chrome {
	tb.Helper()
	home := tb.TempDir()
	c := &Chrome{Home: home, Profile: filepath.Join(home, ".config", "chromium"), path: Find(tb), args: args}
	err := os.MkdirAll(filepath.Join(c.Profile, "Default"), 0o700)
	if err == nil && preferences != "" {
		err = os.WriteFile(filepath.Join(c.Profile, "Default", "Preferences"), []byte(preferences), 0o600)
	}
	if err == nil {
		err = c.launch()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Kill)
	return c
}

// Close ends the browser and removes its HOME.
func (c *Chrome) Close() {
	c.Kill()
	os.RemoveAll(c.Home)
}

// Launch starts the process again, after Kill, on the same profile and on
// another port that the system picks.
func (c *Chrome) Launch(tb testing.TB) {
	tb.Helper()
	if err := c.launch(); err != nil {
		tb.Fatal(err)
	}
}

func (c *Chrome) launch() error {
	if err := os.MkdirAll(c.Profile, 0o700); err != nil {
		return err
	}
	port := filepath.Join(c.Profile, "DevToolsActivePort")
	os.Remove(port)
	args := append([]string{"--user-data-dir=" + c.Profile, "--remote-debugging-port=0",
		"--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-quic", "--disable-sync",
		"--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
		"--password-store=basic", "--window-size=1200,900"}, c.args...)
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to run as root otherwise
	}
	var log bytes.Buffer
	c.cmd = exec.Command(c.path, append(args, "about:blank")...)
	c.cmd.Env = append(os.Environ(), "HOME="+c.Home)
	c.cmd.Stderr = &log
	c.cmd.WaitDelay = time.Second // its helpers may outlive it holding stderr
	ownGroup(c.cmd)
	if err := c.cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	c.done = done
	go func(cmd *exec.Cmd) { cmd.Wait(); close(done) }(c.cmd)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(port)
		if p, path, ok := strings.Cut(strings.TrimSpace(string(b)), "\n"); err == nil && ok {
			c.Address = "127.0.0.1:" + p
			c.WS = "ws://" + c.Address + path
			return nil
		}
		select {
		case <-done:
			return fmt.Errorf("chromium exited: %s", log.String())
		default:
		}
	}
	c.Kill()
	return errors.New("chromium wrote no DevToolsActivePort within 30 s")
}

// Pid is the browser process's id.
func (c *Chrome) Pid() int { return c.cmd.Process.Pid }

// Running says whether the browser process lives.
func (c *Chrome) Running() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// Kill ends the browser and its helpers at once. Its DevToolsActivePort stays, as
// after a crash.
func (c *Chrome) Kill() {
	if c.cmd == nil || c.cmd.Process == nil {
		return
	}
	killGroup(c.cmd)
	<-c.done
}

// Root is the module's folder.
func Root() string {
	_, f, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(f)))
}

var build struct {
	sync.Once
	dir string
	err error
}

// Build compiles daemon and run, once a test process, and returns their folder.
// The daemon has the race detector in it when the test has.
func Build(tb testing.TB) string {
	tb.Helper()
	build.Do(func() {
		build.dir, build.err = os.MkdirTemp("", "bu-bin-")
		if build.err != nil {
			return
		}
		daemon := []string{"build", "-o", build.dir + "/"}
		if raceEnabled {
			daemon = append(daemon, "-race")
		}
		for _, a := range [][]string{append(daemon, "./daemon"), {"build", "-o", build.dir + "/", "./run"}} {
			cmd := exec.Command("go", a...)
			cmd.Dir = Root()
			if out, err := cmd.CombinedOutput(); err != nil {
				build.err = fmt.Errorf("go %v: %w\n%s", a, err, out)
				return
			}
		}
	})
	if build.err != nil {
		tb.Fatal(build.err)
	}
	return build.dir
}

// Clean removes what Build made; for TestMain.
func Clean() { os.RemoveAll(build.dir) }
