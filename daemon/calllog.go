package main

import (
	"sync"
	"time"
)

const callsKept = 1000

// record is one command that a caller gave: what it was and how it went, never what
// was in it.
type record struct {
	Time   time.Time `json:"time"`
	Tab    string    `json:"tab"`
	Method string    `json:"method"`
	MS     float64   `json:"ms"`
	Bytes  int       `json:"bytes"` // of the request and the answer
	Code   string    `json:"code,omitempty"`
}

// callLog keeps the newest records.
type callLog struct {
	mu    sync.Mutex
	ring  [callsKept]record
	count int
}

func (c *callLog) add(r record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ring[c.count%callsKept] = r
	c.count++
}

// last gives the newest n, oldest first.
func (c *callLog) last(n int) []record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n <= 0 || n > callsKept {
		n = callsKept
	}
	out := []record{}
	for i := max(0, c.count-n, c.count-callsKept); i < c.count; i++ {
		out = append(out, c.ring[i%callsKept])
	}
	return out
}
