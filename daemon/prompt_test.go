//go:build linux

package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// window is a Chromium as a person has it: with a window, without a debugging port on
// its command line, remote debugging switched on in chrome://inspect/#remote-debugging.
// Its screen is an Xvfb, whose pixels tell whether it asks "Allow remote debugging?".
type window struct {
	t       *testing.T
	home    string
	display string
	screen  string // the file that Xvfb draws into
}

// newScreen is a screen without a browser.
func newScreen(t *testing.T) *window {
	t.Helper()
	testchrome.Find(t)
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(tool, " is missing: apt-get install xvfb xdotool")
			}
			t.Skip(tool, " is missing: apt-get install xvfb xdotool")
		}
	}
	w := &window{t: t, home: alone(t)}
	w.startScreen()
	return w
}

func newWindow(t *testing.T) *window {
	t.Helper()
	w := newScreen(t)
	profile := filepath.Join(w.home, ".config", "chromium")
	os.MkdirAll(profile, 0o700)
	on := []byte(`{"devtools":{"remote_debugging":{"user-enabled":true}}}`)
	if err := os.WriteFile(filepath.Join(profile, "Local State"), on, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check", "--disable-gpu",
		"--password-store=basic", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(testchrome.Find(t), append(args, "about:blank")...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.display)
	w.spawn(cmd)
	w.until("Chromium has its DevTools port", func() bool {
		_, err := os.Stat(filepath.Join(profile, "DevToolsActivePort"))
		return err == nil
	})
	w.until("the window is drawn", func() bool { _, dim := w.look(); return !dim })
	return w
}

func (w *window) startScreen() {
	dir := w.t.TempDir()
	r, out, err := os.Pipe()
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-fbdir", dir, "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{out}
	w.spawn(cmd)
	out.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		w.t.Fatal("Xvfb did not start: ", err)
	}
	w.display = ":" + strings.TrimSpace(number)
	w.screen = filepath.Join(dir, "Xvfb_screen0")
}

// spawn starts a process with a group of its own, which ends with the test.
func (w *window) spawn(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
}

func (w *window) until(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("waited in vain until ", what)
		}
	}
}

// look reads the screen: the prompt is a white box on a page that is dimmed around it.
// dim is also true of a screen on which there is no page yet.
func (w *window) look() (prompt image.Rectangle, dim bool) {
	b, err := os.ReadFile(w.screen) // XWD: 25 big-endian words, then a name, colours and the pixels
	if err != nil || len(b) < 100 {
		return prompt, true
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	width, height, line := word(4), word(5), word(12)
	pixels := b[word(0)+12*word(19):]
	if len(pixels) < line*height {
		return prompt, true
	}
	white := func(x, y int) bool { p := pixels[y*line+4*x:]; return p[0] == 255 && p[1] == 255 && p[2] == 255 }
	if white(100, height-100) {
		return prompt, false
	}
	for y := range height {
		for x, run := 0, 0; x < width; x++ {
			if run++; !white(x, y) {
				run = 0
			}
			if run >= 200 { // not the mouse pointer, which is white too
				prompt = prompt.Union(image.Rect(x-run+1, y, x+1, y+1))
			}
		}
	}
	return prompt, true
}

func (w *window) asks() bool {
	prompt, _ := w.look()
	return prompt.Dx() > 300 && prompt.Dy() > 150
}

// click clicks the button so many pixels left of the prompt's right end, and waits until
// the prompt is gone. Whoever asks a second time shows at once: prompts wait in line.
func (w *window) click(fromRight int) {
	w.t.Helper()
	w.until("Chromium asks", w.asks)
	time.Sleep(time.Second) // a prompt takes no click in its first moments, against clicks not meant for it
	prompt, _ := w.look()
	at := []string{"mousemove", fmt.Sprint(prompt.Max.X - fromRight), fmt.Sprint(prompt.Max.Y - 39), "click", "1"}
	cmd := exec.Command("xdotool", at...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("xdotool: %v: %s", err, out)
	}
	w.until("the prompt is gone", func() bool { return !w.asks() })
}

const allow, cancel = 61, 150 // pixels

// told starts a run, and returns once it has told its user to click Allow.
func (w *window) told(name, snippet string, env ...string) (ended chan ran) {
	w.t.Helper()
	r, out := io.Pipe()
	ended = make(chan ran, 1)
	go func() {
		ended <- runs(w.t, name, snippet, out, env...)
		out.Close()
	}()
	said := make(chan bool, 1)
	go func() {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			if strings.Contains(lines.Text(), "click Allow") {
				said <- true
			}
		}
		close(said)
	}()
	select {
	case ok := <-said:
		if !ok {
			w.t.Fatalf("the run ended before it told to click Allow: %+v", <-ended)
		}
	case <-time.After(time.Minute):
		w.t.Fatal("the run does not tell to click Allow")
	}
	return ended
}

// The Allow prompt, for real.
func TestPrompt(t *testing.T) {
	w := newWindow(t)

	// Cancel: exit 3, with the reason and what to do.
	first := w.told(newName(t), `js("1")`)
	w.click(cancel)
	if r := <-first; r.code != 3 || !strings.Contains(r.errs, "Cancel") || !strings.Contains(r.errs, "run again and click Allow") {
		t.Errorf("after Cancel: exit %d: %s", r.code, r.errs)
	}
	if w.asks() {
		t.Error("Chromium asks again after Cancel")
	}

	// A run whose time is up leaves the question open for the next one: no second prompt.
	name := newName(t)
	if r := <-w.told(name, `js("1")`, "BU_TIMEOUT=4"); r.code == 0 || !strings.Contains(r.errs, "click Allow") {
		t.Errorf("nobody clicked: exit %d: %s", r.code, r.errs)
	}
	w.until("the question stands", w.asks)

	// Twenty runs wait for one click, and go on by themselves.
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if r := runs(t, name, fmt.Sprintf(`js("100+%d")`, i), nil, "BU_TAB="+[]string{"a", "b"}[i%2]); r.code != 0 || r.out != fmt.Sprint(100+i) {
				t.Errorf("run %d: exit %d, %q: %s", i, r.code, r.out, r.errs)
			}
		})
	}
	ready := w.told(name, `js("7")`)
	w.click(allow)
	if r := <-ready; r.code != 0 || r.out != "7" {
		t.Errorf("after Allow: exit %d, %q: %s", r.code, r.out, r.errs)
	}
	all.Wait()
	if w.asks() {
		t.Error("Chromium asks again: there was more than one connection")
	}

	// It stays allowed for as long as the daemon lives.
	if r := runs(t, name, `js("8")`, nil); r.code != 0 || r.out != "8" || w.asks() {
		t.Errorf("later: exit %d, %q: %s", r.code, r.out, r.errs)
	}
}
