package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"bu/daemon/cdp"
)

// create is Target.createTarget for a label; driven says that the tab is the one that the
// label drives, to is the connection that it ends with. Under limits the tab opens empty, and goes where it should once it is guarded.
func (d *daemon) create(ctx context.Context, l *label, params json.RawMessage, to *lease, driven bool) (*target, json.RawMessage, error) {
	if t, result := d.spare(l, params, to); t != nil && !driven {
		return t, result, nil
	}
	params, from, err := d.placed(l, params)
	if err != nil {
		return nil, nil, err
	}
	params, url := d.emptied(l, params)
	hook := d.opened(l, to, driven)
	result, err := d.made(ctx, &cdp.Call{Method: "Target.createTarget", Hook: hook}, params, d.closeAgain)
	if refused := (*cdp.Error)(nil); from != nil && errors.As(err, &refused) {
		url = cmp.Or(url, addressIn(params))
		result, err = d.finished(ctx, func(ctx context.Context) (json.RawMessage, error) { return d.sprout(ctx, from, hook) }, d.closeAgain)
		if err != nil && ctx.Err() == nil {
			err = failf("not_allowed", "no new tab: Chrome opens tabs only in the profile whose window was used last. Your tab is in another profile, and no tab could be opened from it either (%v). Use the tab that you have, or ask the person to click on a window of that profile", err)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	t := d.targetIn(result)
	if err := d.guarded(ctx, t, l); err != nil {
		if !driven {
			go d.closeAgain(result)
		}
		return nil, nil, err
	}
	if url == "" || url == t.url {
		return t, result, nil
	}
	s, err := d.attachTo(ctx, t, nil, ofGuard)
	if err != nil {
		return nil, nil, err
	}
	if url == "about:blank" { // is there at once
		defer d.detach(s)
		return t, result, d.ask(ctx, s.id, "Page.navigate", obj{"url": url}, nil)
	}
	go func() { // as createTarget does: it does not wait for the page
		ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
		defer cancel()
		d.ask(ctx, s.id, "Page.navigate", obj{"url": url}, nil)
		d.detach(s)
	}()
	return t, result, nil
}

// spare gives the empty tab in the background that was made for a label and is still unused,
// so that no other need be made.
func (d *daemon) spare(l *label, params json.RawMessage, to *lease) (*target, json.RawMessage) {
	var p obj
	json.Unmarshal(params, &p)
	d.mu.Lock()
	defer d.mu.Unlock()
	t := l.tab
	if len(p) != 2 || p["url"] != "about:blank" || p["background"] != true || l.phase != driving || !t.unused || t.gone {
		return nil, nil
	}
	t.unused = false
	t.tie(to)
	result, _ := json.Marshal(obj{"targetId": t.id})
	return t, result
}

// opened takes the result of Target.createTarget: the new tab is the label's. The tab that it
// is to drive is saved as such at once, not when it is attached: a daemon that was killed in
// between would leave it behind, and the next one would open another.
func (d *daemon) opened(l *label, to *lease, driven bool) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ TargetID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		t := d.target(r.TargetID)
		t.owner = l
		t.tie(to)
		if driven {
			l.tab, l.phase, l.others = t, driving, nil
		}
		d.saveSoon()
	}
}

// made does a command that makes something in the browser, see finished.
func (d *daemon) made(ctx context.Context, k *cdp.Call, params json.RawMessage, undo func(json.RawMessage)) (json.RawMessage, error) {
	return d.finished(ctx, func(ctx context.Context) (json.RawMessage, error) { return d.chrome.Do(ctx, k, params) }, undo)
}

// finished does what makes something in the browser. When its caller leaves before it is
// done, what it made belongs to nobody, and undo takes it away.
func (d *daemon) finished(ctx context.Context, do func(context.Context) (json.RawMessage, error), undo func(json.RawMessage)) (json.RawMessage, error) {
	type outcome struct {
		result json.RawMessage
		err    error
	}
	done := make(chan outcome, 1)
	own, cancel := context.WithTimeoutCause(d.ctx, defaultTimeout, errDeadline)
	go func() {
		defer cancel()
		result, err := do(own)
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				undo(o.result)
			}
		}()
		return nil, &cdp.Late{Cause: context.Cause(ctx), Sent: true}
	}
}

// targetIn is the tab that a Target.createTarget made.
func (d *daemon) targetIn(result json.RawMessage) *target {
	var r struct{ TargetID string }
	json.Unmarshal(result, &r)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.target(r.TargetID)
}

func (d *daemon) closeAgain(result json.RawMessage) {
	t := d.targetIn(result)
	d.mu.Lock()
	d.unmade(t) // nobody needs to hear of it
	d.mu.Unlock()
	d.drop(t)
}
