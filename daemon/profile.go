package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"
)

// placed puts a new tab into the profile of the label's own tab, or, for the label's first tab,
// of the first label (by name) that has one. Chrome itself would take the profile whose window
// was used last. from is a tab of that profile, nil where there is only one profile.
func (d *daemon) placed(l *label, params json.RawMessage) (_ json.RawMessage, from *target, err error) {
	var p obj
	if json.Unmarshal(params, &p) != nil || p == nil || p["browserContextId"] != nil {
		return params, nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	own := l.tab
	for _, t := range d.targets {
		if o := t.owner; l.tab == nil && o != nil && (own == nil || o.name < own.owner.name || o.name == own.owner.name && t == o.tab) {
			own = t
		}
	}
	if own == nil || own.context == "" {
		return params, nil, nil
	}
	others := false
	for _, t := range d.targets {
		switch {
		case t.kind != "page" || t.context == "":
		case t.context != own.context:
			others = true
		case from == nil || t == own || t.owner != nil && from != own:
			from = t
		}
	}
	switch {
	case !others:
		return params, nil, nil
	case from == nil:
		return nil, nil, failf("not_allowed", "no new tab: the profile that your tab was in has no open window any more, and another profile has other logins. Ask the person to open a window of it, or take a tab of listTabs() with switchTab(id)")
	}
	p["browserContextId"] = own.context
	params, err = json.Marshal(p)
	return params, from, err
}

// sprout makes a page open an empty tab in the background, which is then in the page's profile:
// it clicks a link that is in no document, with the key held that means a background tab. The
// new tab is known by its address.
func (d *daemon) sprout(ctx context.Context, from *target, hook func(json.RawMessage)) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 3*time.Second, errDeadline)
	defer cancel()
	s, err := d.attachTo(ctx, from, nil, ofGuard)
	if err != nil {
		return nil, err
	}
	defer func() { go d.detach(s) }()
	var world struct{ ExecutionContextID int }
	if err := d.ask(ctx, s.id, "Page.createIsolatedWorld", obj{"frameId": from.id}, &world); err != nil {
		return nil, err
	}
	address, there := "about:blank#"+rand.Text(), make(chan string, 1)
	d.mu.Lock()
	d.sprouts[address] = there
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.sprouts, address)
		d.mu.Unlock()
	}()
	if front := d.glance(ctx); front != nil { // the window of what opens a tab is raised
		defer d.ask(ctx, "", "Target.activateTarget", obj{"targetId": front.id}, nil)
	}
	click := fmt.Sprintf(`Object.assign(document.createElement("a"), {href: %q, target: "_blank", rel: "noopener"})
.dispatchEvent(new MouseEvent("click", {ctrlKey: true, metaKey: true, cancelable: true, view: window}))`, address)
	if err := d.ask(ctx, s.id, "Runtime.evaluate", obj{"expression": click, "contextId": world.ExecutionContextID, "userGesture": true}, nil); err != nil {
		return nil, err
	}
	select {
	case id := <-there:
		result, _ := json.Marshal(obj{"targetId": id})
		hook(result)
		return result, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// addressIn is the address that a Target.createTarget asks for.
func addressIn(params json.RawMessage) string {
	var p struct{ URL string }
	json.Unmarshal(params, &p)
	return p.URL
}
