package engine

// tab.go: the run's tab, and sessions on others.

// Tab gives the target and the session of the tab that this run acts on, as the daemon's
// greeting or the last Use told them.
func Tab() (target, session string) {
	run.Lock()
	known := run.target != ""
	run.Unlock()
	if !known {
		settled(host.Hello())
	}
	run.Lock()
	defer run.Unlock()
	return run.target, run.session
}

// Now asks the daemon for the tab as it is now: {session_id, target_id, seq, dialog?, …}.
func Now() M { return settled(Call(M{"meta": "session"})) }

// Use makes the tab of a session the run's. force: also one of another BU_TAB.
func Use(session string, force bool) {
	settled(Call(M{"meta": "set_session", "session_id": session, "force": force}))
}

// Open makes a new tab the run's, and runs f in it. If the run ends before f does (Ctrl-C,
// kill), the tab is closed and the one before is the run's again.
func Open(f func()) (target string) {
	target = text(CDP("Target.createTarget", M{"url": "about:blank", "background": true}, M{"tied": true})["targetId"])
	session := Attach(target, false)
	settled(Call(M{"meta": "set_session", "session_id": session, "tied": true}))
	defer Try(func() { Use(session, false) })
	f()
	return target
}

func settled(here M) M {
	run.Lock()
	defer run.Unlock()
	run.target, run.session = text(here["target_id"]), text(here["session_id"])
	run.seq = max(run.seq, int(number(here["seq"])))
	run.world, run.greeted = here["world"], int(number(here["seq"]))
	run.headless = run.headless || here["headless"] == true
	return here
}

// Attach makes a session on a target and gives its id. It lasts until it is detached or the
// tab ends. Errors: tab_closed, not_allowed.
func Attach(target string, force bool) string {
	return attach(target, M{"force": force})
}

func attach(target string, options M) string {
	return text(CDP("Target.attachToTarget", M{"targetId": target, "flatten": true}, options)["sessionId"])
}

// Visit runs f with a session of its own on a target. The session ends with f, or with the
// run if that is killed, and with it whatever f switched on in the page.
func Visit(target string, f func(session string)) {
	session := attach(target, M{"tied": true})
	defer Try(func() { CDP("Target.detachFromTarget", M{"sessionId": session}, nil) })
	f(session)
}

// Drawn runs f while the tab draws frames as one in front does. In the background Chrome
// gives a tab one frame a second at most, and no screenshot at all; a screencast, here of
// one pixel and no frame, changes that.
func Drawn(f func(session string)) {
	target, _ := Tab()
	Visit(target, func(session string) {
		CDP("Page.startScreencast", M{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1 << 20}, M{"session": session})
		f(session)
	})
}

// Close closes a tab and returns once it is gone. force: also one of another BU_TAB.
func Close(target string, force bool) {
	session, from := Attach(target, force), int(number(at(Call(M{"meta": "status"}), "events", "seq")))
	CDP("Target.closeTarget", M{"targetId": target}, M{"force": force})
	for end := after(3); left(end) > 0; {
		var found []any
		found, from = sinceIn("", from, left(end), "Target.detachedFromTarget")
		for _, e := range found {
			if at(e, "params", "sessionId") == session {
				return
			}
		}
	}
	Fail("timeout", "tab %s is still open after 3 s; its page may be asking before it closes: switch to it and see pendingDialog()", target)
}

// Forget forgets the browser and the tabs of a daemon that is dead. The state file keeps only
// the element numbers, so that an old e4 never names a new element.
func Forget() { host.Forget() }
