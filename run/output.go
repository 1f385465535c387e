package main

import (
	"fmt"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

// outputLimit is how many characters of output a model gets to see: more would
// push its own work out of its context.
const outputLimit = 24_000

// output stands in for standard output while a snippet runs: the first
// outputLimit characters pass at once, and when there are more, all of them go
// to a file that the last line names.
type output struct {
	to *os.File // the real standard output

	mu    sync.Mutex
	chars int      // so far
	head  []byte   // what has been shown
	all   *os.File // everything, once there is too much
	err   error    // why there is no such file

	r, w *os.File // what os.Stdout is for a snippet that names it
	done chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	if o.w == nil {
		defer o.mu.Unlock()
		o.take(b)
		return len(b), nil
	}
	o.mu.Unlock()             // the pipe's reader takes it
	return os.Stdout.Write(b) // the snippet may have put its own file there
}

// file puts a pipe in the place of os.Stdout, for a snippet that names it, so that
// what it passes it to, a child process say, is counted too; all output then goes through
// the pipe, in order. Most snippets never do, and a pipe with its reader takes a tenth of a
// short run's time.
func (o *output) file() {
	r, w, err := os.Pipe()
	if err != nil {
		return // no reason to end the run: what goes there is not counted
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.r, o.w, o.done = r, w, make(chan struct{})
	os.Stdout = w
	go func() {
		defer close(o.done)
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			o.mu.Lock()
			o.take(buf[:n])
			o.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}

// take shows what is within the limit and files the rest. It counts the first
// bytes of characters, so that one cut in two by the pipe counts once.
func (o *output) take(b []byte) {
	show := len(b)
	if o.chars > outputLimit {
		show = 0
	}
	for i, c := range b {
		if utf8.RuneStart(c) {
			if o.chars++; o.chars == outputLimit+1 {
				show = i
			}
		}
	}
	o.to.Write(b[:show])
	o.head = append(o.head, b[:show]...)
	if show == len(b) {
		return
	}
	if o.all == nil && o.err == nil {
		if o.all, o.err = os.CreateTemp("", "bu-output-*.txt"); o.err == nil { // 0600
			_, o.err = o.all.Write(o.head)
		}
	}
	if o.err == nil {
		_, o.err = o.all.Write(b[show:])
	}
}

// finish waits until all that was written has gone out, and says what was left out. A
// process that the snippet left behind is not waited for.
func (o *output) finish() {
	o.mu.Lock()
	w := o.w
	o.mu.Unlock()
	if w != nil {
		os.Stdout = o.to
		w.Close()
		o.r.SetReadDeadline(time.Now().Add(200 * time.Millisecond)) // others may hold it open for ever
		<-o.done
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.chars <= outputLimit {
		return
	}
	where := "all of it is in "
	if o.err != nil {
		where = "the rest is lost: " + o.err.Error()
	} else {
		where += o.all.Name()
		o.all.Close()
	}
	fmt.Fprintf(o.to, "\n… cut after %d of %d characters; %s\n", outputLimit, o.chars, where)
}
