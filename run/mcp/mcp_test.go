//go:build unix

package main_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testchrome.Clean()
	os.RemoveAll(installed.root)
	os.Exit(code)
}

var installed struct {
	sync.Once
	root string
	err  error
}

// layout is a folder with the three programs, helpers and SKILL.md, as an archive has them.
func layout(t *testing.T) (root string) {
	t.Helper()
	bin := testchrome.Build(t)
	i := &installed
	i.Do(func() {
		if i.root, i.err = os.MkdirTemp("", "bu-mcp-"); i.err != nil {
			return
		}
		skill, err := os.ReadFile(filepath.Join(testchrome.Root(), "SKILL.md"))
		i.err = errors.Join(err,
			os.CopyFS(filepath.Join(i.root, "bin"), os.DirFS(bin)),
			os.CopyFS(filepath.Join(i.root, "helpers"), os.DirFS(filepath.Join(testchrome.Root(), "helpers"))),
			os.WriteFile(filepath.Join(i.root, "SKILL.md"), skill, 0o600))
		build := exec.Command("go", "build", "-o", filepath.Join(i.root, "bin", "bu-mcp"), "./run/mcp")
		build.Dir = testchrome.Root()
		if out, err := build.CombinedOutput(); err != nil {
			i.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if i.err != nil {
		t.Fatal(i.err)
	}
	return i.root
}

// server is a bu-mcp that runs.
type server struct {
	*exec.Cmd
	stdin  io.Closer // its end is the client's hang-up
	killed bool      // by its test
}

// client starts bu-mcp, with a browser at hand if there is one, and connects to it.
func client(t *testing.T, chrome *testchrome.Chrome, options *mcp.ClientOptions) (*mcp.ClientSession, *server) {
	t.Helper()
	root, home := layout(t), t.TempDir()
	if chrome != nil {
		home = chrome.Home
	}
	name := fmt.Sprintf("m-%d-%s", os.Getpid(), t.Name())
	env := append(os.Environ(), "HOME="+home, "BU_NAME="+name, "BU_HELPERS=", "BU_CDP_WS=", "BU_CDP_URL=", "BU_TAB=")
	cmd := exec.Command(filepath.Join(root, "bin", "bu-mcp"))
	cmd.Env, cmd.Stderr = env, os.Stderr
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, options).Connect(t.Context(), &mcp.IOTransport{Reader: stdout, Writer: stdin}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &server{Cmd: cmd, stdin: stdin}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil && !b.killed {
			t.Errorf("bu-mcp ended with %v", err)
		}
		end := exec.Command(filepath.Join(root, "bin", "run"), "killDaemon()")
		end.Env = env
		end.Run()
		s.Close()
		files, _ := filepath.Glob("/tmp/bu-" + name + ".*")
		for _, f := range files {
			os.Remove(f)
		}
	})
	return s, b
}

// call is the tool's answer: its texts, the kinds of its pictures.
func call(t *testing.T, s *mcp.ClientSession, arguments map[string]any) (text string, pictures []string, failed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: arguments})
	if err != nil {
		t.Fatalf("%.200v: %v", arguments, err)
	}
	for _, c := range result.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			text += c.Text + "\n"
		case *mcp.ImageContent:
			pictures = append(pictures, fmt.Sprintf("%s %.4q", c.MIMEType, c.Data))
		}
	}
	return text, pictures, result.IsError
}

type args = map[string]any

func TestInstructions(t *testing.T) {
	s, _ := client(t, nil, nil)
	says := s.InitializeResult().Instructions
	if !strings.Contains(says, "## The loop: read, act, check") || !strings.Contains(says, filepath.Join(layout(t), "helpers")) || strings.Contains(says, "name: bu\n") {
		t.Errorf("instructions: %.500q", says)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "run" {
		t.Errorf("tools: %+v, %v", tools, err)
	}
	got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "bu://SKILL.md"})
	want, _ := os.ReadFile(filepath.Join(testchrome.Root(), "SKILL.md"))
	if err != nil || len(got.Contents) != 1 || got.Contents[0].Text != string(want) {
		t.Errorf("the resource is not SKILL.md: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	s, _ := client(t, nil, nil)
	for _, c := range []struct {
		in     args
		want   string
		failed bool
	}{
		{args{"snippet": "1+2"}, "3\n", false},
		{args{"snippet": "x := 1; _ = x"}, "done, nothing printed\n", false},
		{args{"snippet": "fmt.Println(`a`); panic(`oh`)"}, "a\nsnippet:1: panic: oh\nexit code 1: ", true},
		{args{"snippet": "\nnothing()"}, "snippet:2:", true},
		{args{"snippet": "os.Exit(7)"}, "exit code 7: ", true},
		{args{"snippet": " "}, "exit code 2: ", true},
		{args{"snippet": "pageInfo()"}, "exit code 3: no browser", true},
		{args{"snippet": "for {}", "timeout": 0.5}, "exit code 124: ", true},
		{args{"snippet": "1", "timeout": -1}, "BU_TIMEOUT", true},
		{args{"snippet": "1", "tab": "a b"}, "BU_TAB", true},
		{args{"snippet": "os.Getenv(`BU_TAB`) + os.Getenv(`BU_TIMEOUT`)", "tab": "mine", "timeout": 4.5}, "mine4.5\n", false},
		{args{"snippet": "for i := range 9000 { fmt.Fprintln(os.Stderr, `line`, i) }"}, "more bytes on standard error are left out", false},
		{args{}, "snippet", true},
	} {
		text, pictures, failed := call(t, s, c.in)
		if failed != c.failed || !strings.Contains(text, c.want) || len(pictures) > 0 || len(text) > 100_000 {
			t.Errorf("%v: failed %v, %.300q, want %q", c.in, failed, text, c.want)
		}
	}
}

// A snippet of 2 MB is no other than a small one.
func TestLongSnippet(t *testing.T) {
	s, _ := client(t, nil, nil)
	text, _, failed := call(t, s, args{"snippet": "len(`" + strings.Repeat("0123456789", 200_000) + "`)"})
	if failed || text != "2000000\n" {
		t.Errorf("failed %v: %.300q", failed, text)
	}
	if text, _, _ := call(t, s, args{"snippet": "1+2"}); text != "3\n" {
		t.Errorf("after it: %q", text)
	}
}

func TestInBrowser(t *testing.T) {
	c := testchrome.Start(t)
	s, _ := client(t, c, nil)
	const page = `data:text/html,<title>one</title><button onclick="document.title='clicked'">Go on</button>`
	text, pictures, failed := call(t, s, args{"snippet": "newTab(" + strconv.Quote(page) + "); waitForLoad(); clickOn(`button`); screenshot(); screenshot(`" + t.TempDir() + "/a.jpg`); pdf(); js(`document.title`)"})
	if failed || !strings.HasPrefix(text, "clicked\n") || len(pictures) != 2 || !strings.HasPrefix(pictures[0], "image/png") || !strings.HasPrefix(pictures[1], "image/jpeg") {
		t.Errorf("failed %v, %q, %q", failed, text, pictures)
	}
	if text, pictures, failed = call(t, s, args{"snippet": "clickOn(`#none`)"}); !failed || !strings.Contains(text, "element_not_found") || len(pictures) > 0 {
		t.Errorf("failed %v, %q, %q", failed, text, pictures)
	}
	if text, pictures, _ = call(t, s, args{"snippet": "get(screenshotMarks(), `elements`, 0, `name`)"}); text != "Go on\n" || len(pictures) != 1 {
		t.Errorf("%q, %q", text, pictures)
	}
	// Each waits for what the other does: they run at once, on tabs of their own.
	dir := t.TempDir()
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() {
			other := string("ba"[name[0]-'a'])
			text, _, _ := call(t, s, args{"tab": name, "snippet": fmt.Sprintf(`js("window.who = '%s'"); os.WriteFile(%q, nil, 0o600)
for { if _, err := os.Stat(%q); err == nil { break }; wait(0.02) }
js("window.who")`, name, dir+"/"+name, dir+"/"+other)})
			if !strings.HasPrefix(text, name+"\n") { // a word that it waits for a tab may follow
				t.Errorf("tab %s: %q", name, text)
			}
		})
	}
	wg.Wait()

	// A cancelled call ends what it does in the page.
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		await(t, "the loop", func() bool { _, err := os.Stat(dir + "/loop"); return err == nil })
		cancel()
	}()
	_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: args{"timeout": 300, "snippet": fmt.Sprintf("js(`1`); os.WriteFile(%q, nil, 0o600); js(`for(;;){}`)", dir+"/loop")}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if text, _, failed := call(t, s, args{"snippet": "js(`6*7`)"}); failed || text != "42\n" {
		t.Errorf("after the cancelled call: %q", text)
	}
}

// idler is a snippet that says its own process id and that of a child in a file.
func idler(file string) args {
	return args{"timeout": 300, "snippet": fmt.Sprintf("c := exec.Command(`sleep`, `300`); c.Start(); os.WriteFile(%q, []byte(fmt.Sprintln(os.Getpid(), c.Process.Pid)), 0o600); time.Sleep(5*time.Minute)", file)}
}

func pids(t *testing.T, file string) (run, child int) {
	t.Helper()
	await(t, "the snippet", func() bool {
		text, _ := os.ReadFile(file)
		n, _ := fmt.Sscan(string(text), &run, &child)
		return n == 2
	})
	return run, child
}

func gone(pid int) bool {
	state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(state), ") ")
	return syscall.Kill(pid, 0) != nil || strings.HasPrefix(after, "Z")
}

func await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("waited 20 s for %s", what)
			return
		}
	}
}

// Whatever ends a call before its time, cancelling, a hang-up or a signal, leaves no process.
func TestNothingLeft(t *testing.T) {
	for what, finish := range map[string]func(*server, context.CancelFunc){
		"cancelled": func(_ *server, cancel context.CancelFunc) { cancel() },
		"hung up":   func(c *server, _ context.CancelFunc) { c.stdin.Close() },
		"signalled": func(c *server, _ context.CancelFunc) { c.Process.Signal(syscall.SIGTERM) },
	} {
		s, server := client(t, nil, nil)
		file := filepath.Join(t.TempDir(), "pids")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: idler(file)})
			ended <- err
		}()
		run, child := pids(t, file)
		finish(server, cancel)
		await(t, "the end of the run when "+what, func() bool { return gone(run) && gone(child) })
		if what != "cancelled" {
			await(t, "the end of the server when "+what, func() bool { return gone(server.Process.Pid) })
		} else if text, _, _ := call(t, s, args{"snippet": "1+2"}); text != "3\n" {
			t.Errorf("after a cancelled call: %q", text)
		}
		if err := <-ended; err == nil {
			t.Errorf("%s: the call ended well", what)
		}
		cancel()
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "bu-pictures-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A server that is killed takes its snippets with it, what they started and what they do in
// the page; their tab is there for the next.
func TestKilled(t *testing.T) {
	c := testchrome.Start(t)
	s, server := client(t, c, nil)
	server.killed = true
	file := filepath.Join(t.TempDir(), "pids")
	in := idler(file)
	in["tab"], in["snippet"] = "mine", "js(`window.mine = 1`); go func() { for { fmt.Println(`still here`) } }()\n"+
		strings.Replace(in["snippet"].(string), "time.Sleep(5*time.Minute)", "js(`for (;;) {}`)", 1)
	ended := make(chan error, 1)
	go func() {
		_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "run", Arguments: in})
		ended <- err
	}()
	run, child := pids(t, file)
	server.Process.Kill()
	await(t, "the end of the run", func() bool { return gone(run) && gone(child) })
	if err := <-ended; err == nil {
		t.Error("the call ended well")
	}
	await(t, "the file for pictures to be gone", func() bool {
		left, _ := filepath.Glob(filepath.Join(os.TempDir(), "bu-pictures-*"))
		return len(left) == 0
	})
	next := exec.Command(filepath.Join(layout(t), "bin", "run"), "js(`window.mine + 1`)")
	next.Env = append(server.Env, "BU_TAB=mine", "BU_TIMEOUT=20")
	if out, err := next.Output(); err != nil || string(out) != "2\n" {
		t.Errorf("the next run on its tab: %v, %q", err, out)
	}
}

// A snippet that broke off, as its writer was killed, does nothing.
func TestBrokenOff(t *testing.T) {
	file := filepath.Join(t.TempDir(), "made")
	cmd := exec.Command(filepath.Join(layout(t), "bin", "run"))
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	cmd.ExtraFiles, cmd.Stdin = []*os.File{theirs}, strings.NewReader(fmt.Sprintf("os.WriteFile(%q, nil, 0o600)", file))
	cmd.Env = append(os.Environ(), "BU_PARENT=3 2000000")
	out, err := cmd.CombinedOutput()
	if _, made := os.Stat(file); err == nil || made == nil || !strings.Contains(string(out), "cut off") {
		t.Errorf("%v, made %v, %s", err, made, out)
	}
}

// A long snippet that is cancelled at once, at whatever point of its start, leaves nothing.
func TestCancelledAtOnce(t *testing.T) {
	s, server := client(t, nil, nil)
	long := "time.Sleep(5*time.Minute); len(`" + strings.Repeat("0123456789", 200_000) + "`)"
	for i := range 8 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*10*time.Millisecond)
		if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: args{"snippet": long, "timeout": 300}}); err == nil {
			t.Error("a cancelled call ended well")
		}
		cancel()
	}
	if text, _, _ := call(t, s, args{"snippet": "1+2"}); text != "3\n" {
		t.Errorf("after it: %q", text)
	}
	await(t, "the end of its runs", func() bool {
		left, _ := filepath.Glob(filepath.Join(os.TempDir(), "bu-pictures-*"))
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", server.Process.Pid))
		return len(left) == 0 && (err != nil || len(children) == 0)
	})
}

// What run says on the way reaches a client that asks for progress.
func TestProgress(t *testing.T) {
	lines := make(chan string, 10)
	s, _ := client(t, nil, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		lines <- req.Params.Message
	}})
	params := &mcp.CallToolParams{Name: "run", Arguments: args{"snippet": "fmt.Fprintln(os.Stderr, `click Allow`); wait(0.1)"}}
	params.SetProgressToken("p")
	if _, err := s.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	select {
	case line := <-lines:
		if line != "click Allow" {
			t.Errorf("progress: %q", line)
		}
	case <-time.After(20 * time.Second):
		t.Error("no progress")
	}
}

func TestNotLinkedIntoOthers(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./run", "./daemon")
	list.Dir = testchrome.Root()
	out, err := list.Output()
	if err != nil || !strings.Contains(string(out), "bu/daemon/wire") || strings.Contains(string(out), "modelcontextprotocol") {
		t.Errorf("%v\n%s", err, out)
	}
}
