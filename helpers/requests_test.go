package helpers_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bu/daemon/wire"
)

// counted is a socket between runs and the daemon that notes each request.
type counted struct {
	name string // BU_NAME of it
	mu   sync.Mutex
	all  []string
}

func counting(t *testing.T) *counted {
	t.Helper()
	start(t)
	c := &counted{name: world.name + "-c"}
	ours, err := wire.PathsOf(c.name)
	if err != nil {
		t.Fatal(err)
	}
	daemons, err := wire.PathsOf(world.name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", ours.Sock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		files, _ := filepath.Glob(strings.TrimSuffix(ours.Sock, "sock") + "*")
		for _, f := range files {
			os.Remove(f)
		}
	})
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(t, from, daemons.Sock)
		}
	}()
	return c
}

func (c *counted) pass(t *testing.T, from net.Conn, sock string) {
	defer from.Close()
	to, err := net.Dial("unix", sock)
	if err != nil {
		t.Error(err)
		return
	}
	defer to.Close()
	go io.Copy(from, to)
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r struct {
			Method, Meta string
			Methods      []string
		}
		json.Unmarshal(line, &r)
		// Whether Chrome asks the person for a permission is asked after each wait that is
		// late, and so depends on the machine.
		if !slices.Equal(r.Methods, []string{""}) {
			c.mu.Lock()
			c.all = append(c.all, r.Method+r.Meta)
			c.mu.Unlock()
		}
		to.Write(line)
	}
}

// of are the requests of a run, but for the one that greets the daemon.
func (c *counted) of(t *testing.T, snippet string) []string {
	t.Helper()
	c.mu.Lock()
	c.all = nil
	c.mu.Unlock()
	out(t, snippet, "BU_NAME="+c.name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 || c.all[0] != "session" {
		t.Fatalf("%s: a run that did not greet: %q", snippet, c.all)
	}
	return c.all[1:]
}

// What a call costs is counted in requests to the daemon, its own too, which do not depend
// on the machine. The second run in a document is told of the world that the first made, and finds
// the page side there; the first puts it there, with one more, and with another gets numbers
// for the elements that it names.
func TestRequests(t *testing.T) {
	framed := `<iframe src="OTHER` + html(`<p>of another site`) + `" width=200 height=100></iframe>`
	page := `<button id=b>Press</button><input id=i><p>text</p>` + framed
	c := counting(t)
	for _, call := range []struct {
		snippet     string
		most, again int
	}{
		{`js("document.title")`, 1, 1},
		{`js("({a: [1, new Map([[1, 2]])]})")`, 1, 1},
		{`clickOn("#b")`, 6, 5},
		{`hoverOn("#b")`, 8, 7},
		{`fill("#i", "text")`, 4, 3},
		{`typeInto("#i", "text")`, 19, 12},
		{`waitFor("#b")`, 2, 1},
		{`screenshot()`, 5, 5},
		{`extract()`, 2, 1},
	} {
		body := page
		if call.snippet == `screenshot()` || call.snippet == `extract()` {
			body = page[:len(page)-len(framed)] // a frame that is to be read or drawn is asked for it
		}
		open(t, html(body))
		first := 1
		if strings.HasPrefix(call.snippet, "extract") {
			first = 2
		}
		if got := c.of(t, call.snippet); len(got) > call.most+first {
			t.Errorf("%s in a new document: %d requests, want at most %d: %q", call.snippet, len(got), call.most+first, got)
		}
		if got := c.of(t, call.snippet); len(got) > call.again || len(got) == 0 {
			t.Errorf("%s: %d requests, want at most %d: %q", call.snippet, len(got), call.again, got)
		}
	}
	open(t, html(page[:len(page)-len(framed)]))
	uid := strings.TrimSpace(out(t, `extract()["elements"].([]any)[0].(M)["uid"]`))
	if got := c.of(t, `clickOn("`+uid+`")`); len(got) > 5 || len(got) == 0 {
		t.Errorf("clickOn of a uid: %d requests, want at most 5: %q", len(got), got)
	}
}
