package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// pages serves what the rows drive.
func pages(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/rows":
		fmt.Fprint(w, "<!doctype html><title>rows</title><h1>Candidates</h1><table><tr><th>Name<th>Mail<th>City<th>")
		for i := range 1000 {
			fmt.Fprintf(w, "<tr><td>Person %d<td>p%d@example.com<td>City %d<td><button>View</button>", i, i, i%50)
		}
	case "/buttons":
		fmt.Fprint(w, "<!doctype html><title>buttons</title>")
		for i := range 10 {
			fmt.Fprintf(w, "<p><button onclick=\"this.textContent='done'\">Press %d</button>", i)
		}
	case "/wait": // at the server, as real pages have
		time.Sleep(400 * time.Millisecond)
		fmt.Fprint(w, "<!doctype html><title>wait</title>")
	case "/late.css":
		w.Header().Set("Content-Type", "text/css")
		time.Sleep(150 * time.Millisecond)
	case "/late":
		fmt.Fprint(w, "<!doctype html><title>late</title><link rel=stylesheet href=/late.css><p>late")
	default:
		fmt.Fprint(w, "<!doctype html><title>page</title><textarea></textarea>")
	}
}

// process: whole commands beside a Go program that prints 3.
func (b *bench) process() error {
	if _, err := b.run(`newTab("SITE/"); waitForLoad()`); err != nil {
		return err
	}
	var bare, sum, info []time.Duration
	for range 60 {
		d, err := timed(exec.Command(b.bare).Run)
		if err != nil {
			return err
		}
		bare = append(bare, d)
		for snippet, to := range map[string]*[]time.Duration{"1+2": &sum, "pageInfo()": &info} {
			d, err := timed(func() error { _, err := b.run(snippet); return err })
			if err != nil {
				return err
			}
			*to = append(*to, d)
		}
	}
	b.slow = float64(median(bare)) / reference
	b.ratio("process run '1+2' / a Go program that prints 3", median(sum), median(bare), 2.5)
	b.within("process run 'pageInfo()', daemon up", median(info), 8)
	return nil
}

// attach: a whole first command, with no daemon.
func (b *bench) attach() error {
	var cold []time.Duration
	for range 9 {
		if _, err := b.run(`killDaemon()`); err != nil {
			return err
		}
		d, err := timed(func() error { _, err := b.run("pageInfo()"); return err })
		if err != nil {
			return err
		}
		cold = append(cold, d)
	}
	b.within("attach, cold: process run 'pageInfo()'", median(cold), 150)
	return nil
}

// calls: a cdp() inside a snippet beside the same on a WebSocket of our own.
func (b *bench) calls() error {
	url, err := b.run(`newTab("SITE/"); waitForLoad(); call(M{"meta": "session"})["target_id"]`)
	if err != nil {
		return err
	}
	ws, res, err := websocket.DefaultDialer.Dial("ws://"+b.chrome.Address+"/devtools/page/"+url, nil)
	if err != nil {
		return err
	}
	res.Body.Close()
	defer ws.Close()
	const n = 300
	var ours, bare []time.Duration
	for range 9 {
		out, err := b.run(fmt.Sprintf(`for range 50 { cdp("Runtime.evaluate", M{"expression": "1"}) }
start := time.Now()
for range %d { cdp("Runtime.evaluate", M{"expression": "1"}) }
time.Since(start).Nanoseconds()`, n))
		if err != nil {
			return err
		}
		ns, _ := strconv.Atoi(out)
		ours = append(ours, time.Duration(ns/n))
		d, err := timed(func() error { return evaluate(ws, n) })
		if err != nil {
			return err
		}
		bare = append(bare, d/n)
	}
	b.ratio("a cdp() in a snippet / on a bare WebSocket", median(ours), median(bare), 1.3)
	return nil
}

func evaluate(ws *websocket.Conn, n int) error {
	for i := range n {
		if err := ws.WriteJSON(map[string]any{"id": i + 1, "method": "Runtime.evaluate", "params": map[string]any{"expression": "1"}}); err != nil {
			return err
		}
		for {
			var answer struct{ ID int }
			if err := ws.ReadJSON(&answer); err != nil {
				return err
			}
			if answer.ID == i+1 {
				break
			}
		}
	}
	return nil
}

// waits: from what the page saw until the snippet goes on.
func (b *bench) waits() error {
	for _, w := range []struct{ what, snippet string }{
		{"waitForLoad: after the load event", `navigate("SITE/late"); waitForLoad()
now := float64(time.Now().UnixNano()) / 1e6
now - js("performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventStart").(float64)`},
		{"waitFor: after the element", `navigate("SITE/"); waitForLoad()
js("setTimeout(() => { document.body.append(Object.assign(document.createElement('p'), {id: 'x'})); window.at = performance.timeOrigin + performance.now() }, 150); 1")
waitFor("#x")
now := float64(time.Now().UnixNano()) / 1e6
now - js("window.at").(float64)`},
	} {
		var late []time.Duration
		for range 15 {
			out, err := b.run(w.snippet)
			if err != nil {
				return err
			}
			f, err := strconv.ParseFloat(out, 64)
			if err != nil {
				return err
			}
			late = append(late, time.Duration(f*float64(time.Millisecond)))
		}
		b.within(w.what, median(late), 20)
	}
	return nil
}

// reading: extract on a page of 1,000 rows with a button each.
func (b *bench) reading() error {
	var first, again []time.Duration
	for range 7 {
		out, err := b.run(`navigate("SITE/rows"); waitForLoad()
for range 4 {
	start := time.Now()
	extract()
	fmt.Println(time.Since(start).Nanoseconds())
}`)
		if err != nil {
			return err
		}
		for i, line := range strings.Fields(out) {
			ns, _ := strconv.Atoi(line)
			if i == 0 {
				first = append(first, time.Duration(ns))
			} else {
				again = append(again, time.Duration(ns))
			}
		}
	}
	b.within("extract(), 1,000 rows, first in a document", median(first), 200)
	b.within("extract(), 1,000 rows, repeated", median(again), 120)
	return nil
}

// acting: ten clicks with a check after each, and a long text.
func (b *bench) acting() error {
	var ten, fill []time.Duration
	for range 9 {
		if _, err := b.run(`navigate("SITE/buttons"); waitForLoad()`); err != nil {
			return err
		}
		d, err := timed(func() error {
			out, err := b.run(`for i := range 10 {
	sel := fmt.Sprintf("p:nth-of-type(%d) button", i+1)
	clickOn(sel)
	if js("document.querySelector('" + sel + "').textContent") != "done" { panic("not pressed") }
}
"ok"`)
			if err == nil && out != "ok" {
				err = fmt.Errorf("ten actions: %s", out)
			}
			return err
		})
		if err != nil {
			return err
		}
		ten = append(ten, d)
		out, err := b.run(`navigate("SITE/"); waitForLoad()
text := strings.Repeat("twenty thousand bytes ", 910)
start := time.Now()
fill("textarea", text)
took := time.Since(start).Nanoseconds()
if js("document.querySelector('textarea').value") != text { panic("not filled") }
took`)
		if err != nil {
			return err
		}
		ns, _ := strconv.Atoi(out)
		fill = append(fill, time.Duration(ns))
	}
	b.within("ten clickOn with a check after each, one run (half of agent-browser's ten calls)", median(ten), 115)
	b.within("fill of 20 kB into a textarea", median(fill), 1000)
	return nil
}

// agents: ten labels at once on pages that wait for the network, beside one.
func (b *bench) agents() error {
	const pages = 10
	// An address of its own each time: Chrome asks for the same one only once at a time.
	work := fmt.Sprintf(`for i := range %d { navigate(fmt.Sprint("SITE/wait?", os.Getenv("BU_TAB"), i)); waitForLoad() }`, pages)
	warm := func(i int) error { _, err := b.run(`pageInfo()`, fmt.Sprintf("BU_TAB=agent%d", i)); return err }
	for i := range 10 {
		if err := warm(i); err != nil {
			return err
		}
	}
	one, err := timed(func() error { _, err := b.run(work, "BU_TAB=agent0"); return err })
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, 10)
	all, _ := timed(func() error {
		for i := range errs {
			wg.Go(func() { _, errs[i] = b.run(work, fmt.Sprintf("BU_TAB=agent%d", i)) })
		}
		wg.Wait()
		return nil
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	gain := 10 * float64(one) / float64(all)
	b.rows = append(b.rows, row{"ten agents at once: pages a second, beside one agent", fmt.Sprintf("%.1f ×", gain), "at least 3 ×", gain >= 3})
	return nil
}

// memory: the daemon after 500 events and a result of 16 MB.
func (b *bench) memory() error {
	out, err := b.run(`navigate("SITE/"); waitForLoad()
js("for (let i = 0; i < 600; i++) console.log('event ' + i)")
cdp("Runtime.evaluate", M{"expression": "'x'.repeat(16 << 20)", "returnByValue": true})
wait(2)
call(M{"meta": "status"})["pid"]`)
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/" + out + "/status")
	if err != nil {
		return err
	}
	_, rss, _ := strings.Cut(string(status), "VmRSS:")
	var kb float64
	fmt.Sscan(rss, &kb)
	b.rows = append(b.rows, row{"the daemon's memory, after 500 events and a 16 MB result", fmt.Sprintf("%.1f MB", kb/1024), "30 MB", kb/1024 <= 30})
	return nil
}
