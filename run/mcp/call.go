package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	textLimit    = 32 << 10 // bytes of standard error that are passed on; run limits standard output itself
	pictureLimit = 4 << 20  // bytes of a picture that is shown
	picturesMost = 10
	grace        = 2 * time.Second // from the interrupt to the kill
)

// arguments are what the tool takes; the schema is made from them.
type arguments struct {
	Snippet string  `json:"snippet" jsonschema:"Go: statements, functions, types and imports in any order, the helpers, the standard library without imports"`
	Tab     string  `json:"tab,omitempty" jsonschema:"a label: a tab of your own in the same browser. Calls on one tab wait for each other, those on several run at once"`
	Timeout float64 `json:"timeout,omitempty" jsonschema:"seconds that the snippet may take; 60"`
}

// runner makes the calls of the tool.
type runner struct {
	path  string          // of bin/run
	stop  context.Context // over when the server is to end
	calls sync.WaitGroup
}

// call is one run of bin/run. A snippet that failed is a result with isError, as a model
// should read what it says.
func (r *runner) call(ctx context.Context, req *mcp.CallToolRequest, in arguments) (*mcp.CallToolResult, any, error) {
	r.calls.Add(1)
	defer r.calls.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.stop, cancel)()
	list, err := os.CreateTemp("", "bu-pictures-*")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot create a file for the names of pictures: %w", err)
	}
	list.Close()
	defer os.Remove(list.Name())

	cmd := exec.CommandContext(ctx, r.path)
	cmd.Stdin = strings.NewReader(in.Snippet)
	cmd.Env = append(os.Environ(), "BU_PICTURES="+list.Name())
	if in.Tab != "" {
		cmd.Env = append(cmd.Env, "BU_TAB="+in.Tab)
	}
	if in.Timeout != 0 {
		cmd.Env = append(cmd.Env, "BU_TIMEOUT="+strconv.FormatFloat(in.Timeout, 'f', -1, 64))
	}
	var out bytes.Buffer
	says := &told{say: progress(ctx, req)}
	cmd.Stdout, cmd.Stderr = &out, says
	own(cmd)
	release, err := tie(cmd, len(in.Snippet))
	if err != nil {
		return nil, nil, fmt.Errorf("cannot create a pipe to the snippet: %w", err)
	}
	defer release()
	cmd.Cancel = func() error { return interrupt(cmd) }
	cmd.WaitDelay = grace // then it is killed, and what it left behind no longer waited for
	err = cmd.Run()
	if ctx.Err() != nil {
		end(cmd)
		return nil, nil, ctx.Err()
	}
	if err != nil && cmd.ProcessState == nil {
		return nil, nil, fmt.Errorf("cannot start %s: %w", r.path, err)
	}
	result := &mcp.CallToolResult{}
	add := func(text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			result.Content = append(result.Content, &mcp.TextContent{Text: text})
		}
	}
	add(out.String())
	add(says.String())
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		result.IsError = true
		add(fmt.Sprintf("exit code %d: %s", code, meaning(code)))
	}
	result.Content = append(result.Content, pictures(list.Name())...)
	if len(result.Content) == 0 {
		add("done, nothing printed")
	}
	return result, nil, nil
}

// meaning is what run's exit codes say.
func meaning(code int) string {
	switch code {
	case 1:
		return "the snippet failed; what was done before stands"
	case 2:
		return "nothing was done: correct the snippet, or tab and timeout"
	case 3:
		return "no browser"
	case 124:
		return "the timeout was reached; what was done stands"
	case -1:
		return "ended by a signal"
	}
	return "the snippet ended with this code"
}

// pictures are those that a snippet saved, by the paths in the file list, as content.
func pictures(list string) (content []mcp.Content) {
	text, _ := os.ReadFile(list)
	var seen []string
	for path := range strings.Lines(string(text)) {
		path = strings.TrimSuffix(path, "\n")
		info, err := os.Stat(path)
		if err != nil || slices.Contains(seen, path) {
			continue // the snippet removed it again, or took it anew
		}
		seen = append(seen, path)
		if info.Size() > pictureLimit || len(seen) > picturesMost {
			content = append(content, &mcp.TextContent{Text: fmt.Sprintf("%s (%d bytes) is not shown: at most %d pictures of %d bytes are", path, info.Size(), picturesMost, pictureLimit)})
			continue
		}
		data, err := os.ReadFile(path)
		if kind := http.DetectContentType(data); err == nil && strings.HasPrefix(kind, "image/") {
			content = append(content, &mcp.ImageContent{Data: data, MIMEType: kind})
		}
	}
	return content
}

// progress tells a client that asked for it what run says on the way, such as that the
// user has to click Allow. Nil for one that did not ask.
func progress(ctx context.Context, req *mcp.CallToolRequest) func(line string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	n := 0.0
	return func(line string) {
		n++
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: line})
	}
}

// told keeps the beginning of what is written to it and passes its lines on. It belongs
// to one exec.Cmd, which writes from one goroutine.
type told struct {
	kept, line bytes.Buffer
	left       int
	say        func(line string)
}

func (t *told) Write(b []byte) (int, error) {
	room := min(len(b), max(0, textLimit-t.kept.Len()))
	t.kept.Write(b[:room])
	t.left += len(b) - room
	if t.say != nil && t.left == 0 {
		t.line.Write(b)
		for lines := bufio.NewReader(&t.line); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.line.WriteString(line) // the rest comes with a later write
				break
			}
			t.say(strings.TrimSpace(line))
		}
	}
	return len(b), nil
}

func (t *told) String() string {
	if t.left == 0 {
		return t.kept.String()
	}
	return fmt.Sprintf("%s\n… %d more bytes on standard error are left out", t.kept.String(), t.left)
}

// interrupt asks a run to end, as Ctrl-C does: what runs in the page ends with it.
func interrupt(cmd *exec.Cmd) error {
	if err := cmd.Process.Signal(os.Interrupt); err == nil || errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return cmd.Process.Kill() // Windows has no interrupt for it; the daemon sees its connections close
}
