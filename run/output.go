package main

import (
	"fmt"
	"os"
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
	to   *os.File // the real standard output
	r, w *os.File // what os.Stdout is meanwhile
	done chan struct{}

	chars int      // so far
	head  []byte   // what has been shown
	file  *os.File // everything, once there is too much
	err   error    // why there is no file
}

// capture replaces os.Stdout, so that whatever prints is counted, a child
// process of the snippet too.
func capture() (*output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the output: %w", err)
	}
	o := &output{to: os.Stdout, r: r, w: w, done: make(chan struct{})}
	os.Stdout = w
	go func() {
		defer close(o.done)
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			o.take(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return o, nil
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
	if o.file == nil && o.err == nil {
		if o.file, o.err = os.CreateTemp("", "bu-output-*.txt"); o.err == nil { // 0600
			_, o.err = o.file.Write(o.head)
		}
	}
	if o.err == nil {
		_, o.err = o.file.Write(b[show:])
	}
}

// finish puts the real standard output back once all that was written has
// passed, and says what was left out.
func (o *output) finish() {
	os.Stdout = o.to
	o.w.Close()
	// A process that the snippet left behind may hold the pipe open for ever.
	o.r.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	<-o.done
	if o.chars <= outputLimit {
		return
	}
	where := "all of it is in "
	if o.err != nil {
		where = "the rest is lost: " + o.err.Error()
	} else {
		where += o.file.Name()
		o.file.Close()
	}
	fmt.Fprintf(o.to, "\n… cut after %d of %d characters; %s\n", outputLimit, o.chars, where)
}
