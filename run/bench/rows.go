package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pages serves what is driven.
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
			fmt.Fprintf(w, "<p><button id=b%d onclick='this.n = (this.n || 0) + 1; this.textContent = `pressed ${this.n}`'>Press</button>", i+1)
		}
	case "/form":
		fmt.Fprint(w, "<!doctype html><title>form</title><form>")
		for _, f := range fields {
			fmt.Fprintf(w, "<p><label>%s <input name=%s id=%s></label>", f, f, f)
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

var fields = strings.Fields("given family company street city region postcode country phone mail website remarks")

// process: whole commands, daemon up, beside a Go program that prints 3.
func (b *bench) process() error {
	if _, err := b.run(`navigate("SITE/buttons"); waitForLoad()`); err != nil {
		return err
	}
	snippets := []string{`1+2`, `js("document.title")`, `pageInfo()`, `clickOn("#b1")`}
	took := map[string][]time.Duration{}
	var hello []time.Duration
	for round := range 44 {
		d, err := timed(exec.CommandContext(b.ctx, b.hello).Run)
		if err != nil {
			return err
		}
		hello = append(hello, d)
		for _, s := range snippets {
			d, err := timed(func() error { _, err := b.run(s); return err })
			if err != nil {
				return err
			}
			if round > 3 {
				took[s] = append(took[s], d)
			}
		}
	}
	for _, s := range snippets {
		b.ratio("process run '"+s+"'", took[s], "a Go program that prints 3", hello)
	}
	return nil
}

// attach: a whole first command, with no daemon.
func (b *bench) attach() error {
	var cold, bare []time.Duration
	for range 11 {
		if _, err := b.run(`killDaemon()`); err != nil {
			return err
		}
		d, err := timed(func() error { _, err := b.run(`js("document.title")`); return err })
		if err != nil {
			return err
		}
		cold = append(cold, d)
		d, err = timed(func() error {
			p, err := attachBare(b.bu.chrome, "")
			if err != nil {
				return err
			}
			defer p.ws.Close()
			return p.js("document.title", nil)
		})
		if err != nil {
			return err
		}
		bare = append(bare, d)
	}
	b.ratio("attach, cold: process run 'js(\"document.title\")'", cold, "attaching on a bare WebSocket", bare)
	return nil
}

// page opens one of the pages in bu's tab, and a bare WebSocket to the same tab.
func (b *bench) page(path string) (*bare, error) {
	target, err := b.run(`navigate("SITE` + path + `"); waitForLoad(); currentTab()["id"]`)
	if err != nil {
		return nil, err
	}
	return attachBare(b.bu.chrome, target)
}

// inside runs a snippet that prints nanoseconds, one number a line.
func (b *bench) inside(snippet string) (ds []time.Duration, err error) {
	out, err := b.run(snippet)
	for _, line := range strings.Fields(out) {
		ns, bad := strconv.ParseFloat(line, 64)
		if bad != nil {
			return nil, fmt.Errorf("no number of nanoseconds: %s", out)
		}
		ds = append(ds, time.Duration(ns))
	}
	return ds, err
}

// calls: a cdp() inside a snippet beside the same on a WebSocket of our own.
func (b *bench) calls() error {
	page, err := b.page("/")
	if err != nil {
		return err
	}
	defer page.ws.Close()
	const n = 300
	var ours, bare []time.Duration
	for range 9 {
		ds, err := b.inside(fmt.Sprintf(`for range 50 { cdp("Runtime.evaluate", M{"expression": "1"}) }
start := time.Now()
for range %d { cdp("Runtime.evaluate", M{"expression": "1"}) }
time.Since(start).Nanoseconds() / %d`, n, n))
		if err != nil {
			return err
		}
		ours = append(ours, ds...)
		d, err := timed(func() error {
			for range n {
				if err := page.call("Runtime.evaluate", map[string]any{"expression": "1"}, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		bare = append(bare, d/n)
	}
	b.ratio("a cdp() in a snippet", ours, "the same on a bare WebSocket", bare)
	return nil
}

// waits: from what the page saw until the snippet goes on.
func (b *bench) waits() error {
	for _, w := range []struct{ what, event, snippet string }{
		{"waitForLoad", "after the page's load event", `navigate("SITE/late"); waitForLoad()
now := float64(time.Now().UnixNano())
now - 1e6*js("performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventStart").(float64)`},
		{"waitFor", "after the element is there", `navigate("SITE/"); waitForLoad()
js("setTimeout(() => { document.body.append(Object.assign(document.createElement('p'), {id: 'x', textContent: 'x'})); window.at = performance.timeOrigin + performance.now() }, 150); 1")
waitFor("#x")
now := float64(time.Now().UnixNano())
now - 1e6*js("window.at").(float64)`},
	} {
		var late []time.Duration
		for range 15 {
			ds, err := b.inside(w.snippet)
			if err != nil {
				return err
			}
			late = append(late, ds...)
		}
		b.rows = append(b.rows, row{what: w.what, figure: ms(median(late)), floor: w.event})
	}
	return nil
}

// reading: extract on a page of 1,000 rows with a button each, beside asking each of
// its elements for style and place, and for the text of the page.
func (b *bench) reading() error {
	page, err := b.page("/rows")
	if err != nil {
		return err
	}
	defer page.ws.Close()
	const visit = `(() => {
	let seen = 0
	for (const e of document.querySelectorAll("*")) seen += getComputedStyle(e).visibility == "visible" && e.getBoundingClientRect().width > 0
	return [seen, document.body.innerText]
})()`
	var first, firstBare, again, againBare []time.Duration
	for range 9 {
		ds, err := b.inside(`navigate("SITE/rows"); waitForLoad()
for range 4 {
	start := time.Now()
	extract()
	fmt.Println(time.Since(start).Nanoseconds())
}`)
		if err != nil {
			return err
		}
		first, again = append(first, ds[0]), append(again, ds[1:]...)
		if _, err := b.run(`navigate("SITE/rows"); waitForLoad()`); err != nil {
			return err
		}
		for i := range 4 {
			d, err := timed(func() error { return page.js(visit, nil) })
			if err != nil {
				return err
			}
			if i == 0 {
				firstBare = append(firstBare, d)
			} else {
				againBare = append(againBare, d)
			}
		}
	}
	const floor = "style, place and text on a bare WebSocket"
	b.ratio("extract(), 1,000 rows, first in a document", first, floor, firstBare)
	b.ratio("extract(), 1,000 rows, repeated", again, floor, againBare)
	return nil
}

// acting: ten clicks with a check after each, and a long text.
func (b *bench) acting() error {
	page, err := b.page("/buttons")
	if err != nil {
		return err
	}
	defer page.ws.Close()
	var ten, tenBare, fill, fillBare []time.Duration
	text := strings.Repeat("twenty thousand bytes ", 910)
	for range 11 {
		if _, err := b.run(`navigate("SITE/buttons"); waitForLoad()`); err != nil {
			return err
		}
		ds, err := b.inside(`start := time.Now()
for i := range 10 {
	sel := fmt.Sprint("#b", i+1)
	clickOn(sel)
	if js("document.querySelector('" + sel + "').textContent") != "pressed 1" { panic("not pressed") }
}
time.Since(start).Nanoseconds()`)
		if err != nil {
			return err
		}
		ten = append(ten, ds...)
		d, err := timed(func() error {
			for i := range 10 {
				sel, said := fmt.Sprint("#b", i+1), ""
				if err := page.click(sel); err != nil {
					return err
				}
				if err := page.js("document.querySelector('"+sel+"').textContent", &said); err != nil || said != "pressed 2" {
					return fmt.Errorf("not pressed on the bare WebSocket: %q, %w", said, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		tenBare = append(tenBare, d)
		ds, err = b.inside(fmt.Sprintf(`navigate("SITE/"); waitForLoad()
text := %q
start := time.Now()
fill("textarea", text)
took := time.Since(start).Nanoseconds()
if js("document.querySelector('textarea').value") != text { panic("not filled") }
took`, text))
		if err != nil {
			return err
		}
		fill = append(fill, ds...)
		d, err = timed(func() error {
			if err := page.js(`document.querySelector("textarea").select()`, nil); err != nil {
				return err
			}
			return page.call("Input.insertText", map[string]any{"text": text}, nil)
		})
		if err != nil {
			return err
		}
		fillBare = append(fillBare, d)
	}
	b.ratio("ten times clickOn and js, inside a snippet", ten, "ten real clicks, each read, on a bare WebSocket", tenBare)
	b.ratio("fill of 20 kB into a textarea", fill, "Input.insertText on a bare WebSocket", fillBare)
	return nil
}

// agents: ten labels at once on pages that wait for the network, beside one.
func (b *bench) agents() error {
	const pages = 10
	// An address of its own each time: Chrome asks for the same one only once at a time.
	work := fmt.Sprintf(`for i := range %d { navigate(fmt.Sprint("SITE/wait?", os.Getenv("BU_TAB"), i)); waitForLoad() }`, pages)
	for i := range 10 {
		if _, err := b.run(`pageInfo()`, fmt.Sprintf("BU_TAB=agent%d", i)); err != nil {
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
	b.rows = append(b.rows, row{"ten agents at once, 10 pages each", ms(all), ms(one) + "  one agent (a tenth of the pages)", times(float64(all) / float64(one))})
	return nil
}

// memory: the daemon after 500 events and a result of 16 MB.
func (b *bench) memory() error {
	_, err := b.run(`navigate("SITE/"); waitForLoad()
js("for (let i = 0; i < 600; i++) console.log('event ' + i)")
cdp("Runtime.evaluate", M{"expression": "'x'.repeat(16 << 20)", "returnByValue": true})
wait(2)`)
	if err != nil {
		return err
	}
	mb, err := b.bu.memory()
	if err == nil {
		b.rows = append(b.rows, row{what: "the daemon's memory, after 500 events and a 16 MB result", figure: fmt.Sprintf("%.1f MB", mb)})
	}
	return err
}
