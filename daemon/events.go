package main

import (
	"encoding/json"
	"slices"
	"sync"
)

const (
	ringEvents = 500     // events held for each label
	ringBytes  = 4 << 20 // … and how many bytes they may have: one event can be 100 MB
)

// event is a message that the browser sent unasked.
type event struct {
	Seq     int64           `json:"seq"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Session string          `json:"session_id,omitempty"`
}

// ring holds the newest events of one label's tabs: a noisy page of one agent must
// not push out what another one waits for.
type ring struct {
	mu      sync.Mutex
	events  []event // by rising Seq
	bytes   int
	dropped int64         // since the last drain
	total   int64         // dropped, ever
	asked   int64         // the newest Seq when untold was last called
	missed  int64         // newer ones than that, dropped
	lost    []int64       // the newest of those dropped, by rising Seq
	wake    chan struct{} // closed when an event comes, if somebody waits
}

func (r *ring) add(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	r.bytes += len(e.Params)
	n := 0
	for len(r.events)-n > ringEvents || (r.bytes > ringBytes && len(r.events)-n > 1) {
		r.bytes -= len(r.events[n].Params)
		r.lost = append(r.lost, r.events[n].Seq)
		if r.events[n].Seq > r.asked {
			r.missed++
		}
		r.events[n] = event{}
		n++
	}
	r.events = r.events[n:]
	if len(r.lost) > 4*ringEvents { // of older ones it is enough to know that there were some
		r.lost = slices.Clone(r.lost[2*ringEvents:])
	}
	r.dropped += int64(n)
	r.total += int64(n)
	if r.wake != nil {
		close(r.wake)
		r.wake = nil
	}
}

// drain takes all events out.
func (r *ring) drain() (events []event, dropped int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events, dropped = r.events, r.dropped
	r.events, r.bytes, r.dropped = nil, 0, 0
	return events, dropped
}

// after gives the events after since that match, how many after it are lost, and a
// channel that is closed when the next event comes.
func (r *ring) after(since int64, match func(*event) bool) (found []event, dropped int64, wake <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, _ := slices.BinarySearchFunc(r.events, since+1, func(e event, seq int64) int { return int(e.Seq - seq) })
	for ; i < len(r.events); i++ {
		if match(&r.events[i]) {
			found = append(found, r.events[i])
		}
	}
	j, _ := slices.BinarySearch(r.lost, since+1)
	if dropped = int64(len(r.lost) - j); j == 0 && dropped > 0 {
		dropped = min(r.total, r.lastLost()-since)
	}
	if r.wake == nil {
		r.wake = make(chan struct{})
	}
	return found, dropped, r.wake
}

func (r *ring) lastLost() int64 {
	if len(r.lost) == 0 {
		return 0
	}
	return r.lost[len(r.lost)-1]
}

func (r *ring) stats() (held int, dropped int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.events), r.total
}

// untold counts the events that came after the last call and were dropped before anybody
// could read them. Older ones that a full ring drops do not count: the label could have read them.
func (r *ring) untold() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.missed
	r.missed, r.asked = 0, max(r.asked, r.lastLost(), lastSeq(r.events))
	return n
}
