package main

import "context"

// uids hands out numbers for elements: each once, over all tabs, runs and daemons.
type uids struct {
	next      int64
	base, end int64 // of the newest block
}

// takeUIDs gives a block of numbers. Whoever took one gives back what it did not use, if
// nobody came after it.
func (d *daemon) takeUIDs(_ context.Context, r *request) (any, error) {
	d.mu.Lock()
	u := &d.uids
	base := u.next
	switch {
	case r.Base > 0 && r.Used >= 0:
		if base = r.Base; u.next == u.end && base >= u.base && base+r.Used <= u.next {
			u.next, u.end = base+r.Used, 0
		}
	case r.Count > 0 && r.Count <= 1<<20:
		u.next += r.Count
		u.base, u.end = base, u.next
	default:
		d.mu.Unlock()
		return nil, failf("bad_request", "uids: count must be 1 to %d", 1<<20)
	}
	d.mu.Unlock()
	d.save()
	return answer{"base": base}, nil
}
