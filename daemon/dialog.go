package main

import (
	"context"
	"strings"
	"time"
)

// dialog is a JavaScript dialog that is open on a page.
type dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	URL     string `json:"url"`
	Default string `json:"default"`
}

// unblocked are the commands that the browser does by itself while a dialog keeps
// the page's scripts from running, as tried one by one on Chromium 156. All others
// get no answer, or (input) do nothing and say nothing.
var unblocked = map[string]bool{
	"Page.handleJavaScriptDialog": true, "Page.getNavigationHistory": true, "Page.bringToFront": true, "Page.close": true,
	"Page.stopLoading": true, "Page.startScreencast": true, "Page.stopScreencast": true, "Page.screencastFrameAck": true,
	"Network.getCookies": true, "Network.getAllCookies": true, "Network.setCookie": true, "Network.setCookies": true,
	"Network.deleteCookies": true, "Network.clearBrowserCookies": true, "Inspector.enable": true,
	"Target": true, "Browser": true, "Storage": true, "Fetch": true, "IO": true, "Tracing": true, "SystemInfo": true,
	"Security": true, "ServiceWorker": true, "WebAuthn": true, "Schema": true,
}

// hangs says whether a command gets no answer while a dialog is open.
func hangs(method string) bool {
	domain, _, _ := strings.Cut(method, ".")
	return !unblocked[method] && !unblocked[domain]
}

// patience is how long a page may leave a command unanswered, after its caller gave
// up, before the script that it runs is ended.
const patience = 150 * time.Millisecond

// runsScript says whether a command can start a script that does not end.
func runsScript(method string) bool {
	return strings.HasPrefix(method, "Runtime.") || strings.HasPrefix(method, "Input.") || strings.HasPrefix(method, "Debugger.")
}

// mend ends the script that keeps a page from answering, when the caller who started
// it has gone. A page that answers is left alone, whatever promise was waited for:
// the request would hit whatever script came next. Until it is over, later commands
// for the session wait, so that none of them is hit either.
func (d *daemon) mend(s *session) {
	d.mu.Lock()
	if s.mending != nil || s.target.page().dialog != nil {
		d.mu.Unlock()
		return
	}
	done := make(chan struct{})
	s.mending = done
	d.mu.Unlock()
	go func() {
		ctx, cancel := context.WithTimeout(d.ctx, answersIn)
		defer cancel()
		alive := make(chan struct{})
		go func() {
			d.ask(ctx, s.id, "Runtime.evaluate", obj{"expression": "0"}, nil)
			close(alive)
		}()
		select {
		case <-alive:
		case <-time.After(patience):
			d.ask(ctx, s.id, "Runtime.terminateExecution", nil, nil)
			<-alive
		}
		d.mu.Lock()
		s.mending = nil
		d.mu.Unlock()
		close(done)
	}()
}
