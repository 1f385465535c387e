package engine

import (
	"fmt"
	"strings"
)

// answer.go: what the server answered to a navigation, and what came of it other than a page: a
// file to save (perhaps in a tab of its own), nothing at all, or a request for a password.

// answer is the server's to the navigation with that loader.
type answer struct {
	loader string
	status int
	realm  string // it asks for a name and a password
	asks   bool
	reason string // of Chrome, when there is none
	page   bool   // a page came
}

// of begins to look for the answer of another navigation.
func (a *answer) of(loader string) {
	if loader != "" && loader != a.loader {
		*a = answer{loader: loader}
	}
}

var realm = Pattern(`(?i)realm="([^"]*)"|realm=([^\s,]+)`)

func (a *answer) note(method string, p M) {
	if a.loader == "" || p["requestId"] != a.loader {
		return
	}
	if method == "Network.loadingFailed" {
		a.reason = text(p["errorText"])
		return
	}
	status, headers := p["statusCode"], object(p["headers"])
	if method == "Network.responseReceived" {
		status, headers = at(p, "response", "status"), object(at(p, "response", "headers"))
	}
	a.status, a.asks = int(number(status)), a.asks && number(status) == 401
	for name, value := range headers {
		if a.status == 401 && strings.EqualFold(name, "WWW-Authenticate") {
			found := append(realm().FindStringSubmatch(text(value)), "", "", "")
			a.asks, a.realm = true, found[1]+found[2]
		}
	}
}

// known: the final answer is there.
func (a *answer) known() bool { return a.status >= 200 && (a.status < 300 || a.status >= 400) }

// methods are the events to ask for: every request of the page has an answer, so only for
// as long as the document's own is wanted.
func (e *effects) methods() []string {
	if e.answer.known() {
		return told
	}
	return append(told[:len(told):len(told)], "Network.responseReceived", "Network.responseReceivedExtraInfo")
}

// answered tells what a page that loaded well does not show of the server's answer.
func (e *effects) answered() {
	a := &e.answer
	if e.told["navigated"] == nil && (a.status == 204 || a.status == 205) {
		e.told["note"] = fmt.Sprintf("%d: no content, still on %v", a.status, Bare(fmt.Sprint(url(e.target))))
		e.told["status"] = a.status
	}
	if e.told["navigated"] != nil && a.status != 0 && a.status != 200 && a.status != 304 {
		e.told["status"] = a.status
	}
	if e.told["failed"] == true && a.reason != "" {
		e.told["reason"] = a.reason
	}
	if a.asks {
		e.told["status"], e.told["auth"] = 401, fmt.Sprintf("the server asks for a name and password (realm %q): use httpAuth(name, password)", a.realm)
	}
	if address, is := e.told["navigated"].(string); is {
		e.told["navigated"] = Bare(address)
	}
}

var secret = Pattern(`^([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#]*@`)

// Bare is an address without the name and password in it.
func Bare(address string) string { return secret().ReplaceAllString(address, "$1") }

// download reports a download. Its handle is for waitForDownload, in a later run too.
func (e *effects) download(p M) {
	e.told["download"] = M{"url": Bare(text(p["url"])), "name": p["suggestedFilename"], "handle": p["guid"]}
	e.going = false
}

// opened waits until a new tab has a page, or turns out to be a download, which closes it: told
// after the act began, and perhaps before we could look at the tab.
func (e *effects) opened(begun int, seconds float64) {
	tab := text(e.told["newTab"])
	if e.saved(tab, begun) {
		return
	}
	Try(func() {
		session := attach(tab, M{"tied": true, "spare": true})
		Try(func() {
			answer := CDP("Runtime.evaluate", M{"expression": isBlank}, M{"session": session, "timeout": max(seconds, 0.05), "spare": true})
			if at(answer, "result", "value") == true {
				e.told["note"] = "the new tab is blank so far: what it is for may come later, or be another program, which Chrome asks its user about"
			}
		})
		CDP("Target.detachFromTarget", M{"sessionId": session}, M{"spare": true})
	})
	e.saved(tab, begun)
}

const isBlank = "location.href == 'about:blank' && !(document.body && document.body.innerHTML)"

// saved says whether a new tab was only there for a download.
func (e *effects) saved(tab string, begun int) bool {
	found, _ := sinceIn(e.session, begun, 0, "Browser.downloadWillBegin")
	for _, event := range found {
		if at(event, "params", "frameId") == tab {
			e.download(object(at(event, "params")))
			delete(e.told, "newTab")
			return true
		}
	}
	return false
}

// Reload loads the tab's page again. Between the answer to a navigation and its page Chrome
// refuses that ("Not attached to an active page"), and holds Settle's answer back for as long.
func Reload(options M) {
	Settle(1)
	CDP("Page.reload", nil, options)
}

// Authenticate loads the tab's page again and answers its server's question for a name and
// a password, once. Chrome knows them from then on, for that server and realm.
func Authenticate(name, password string) (got M) {
	tab, _ := Tab()
	Visit(tab, func(session string) {
		CDP("Fetch.enable", M{"handleAuthRequests": true, "patterns": []M{{"urlPattern": "*", "resourceType": "Document"}}}, M{"session": session})
		from := int(number(Now()["seq"]))
		Reload(M{"spare": true})
		for end, asked, loaded := after(20), false, false; !loaded; {
			var found []any
			found, from = sinceIn(session, from, min(left(end), 1), "Fetch.requestPaused", "Fetch.authRequired")
			for _, e := range found {
				id := at(e, "params", "requestId")
				if at(e, "method") == "Fetch.requestPaused" {
					CDP("Fetch.continueRequest", M{"requestId": id}, M{"session": session})
					continue
				}
				if asked {
					CDP("Fetch.continueWithAuth", M{"requestId": id, "authChallengeResponse": M{"response": "CancelAuth"}}, M{"session": session})
					Settle(2)
					Fail("navigation_failed", "%s rejected that name and password; ask the user for the right ones", Bare(text(at(e, "params", "request", "url"))))
				}
				asked = true
				CDP("Fetch.continueWithAuth", M{"requestId": id, "authChallengeResponse": M{"response": "ProvideCredentials", "username": name, "password": password}}, M{"session": session})
			}
			loaded = len(found) == 0 && Try(func() { WaitLoaded(0.2) }) == nil
			if left(end) < 0 {
				Fail("timeout", "the page did not arrive within 20 s; call waitForLoad()")
			}
		}
	})
	return M{"navigated": Bare(fmt.Sprint(url(tab)))}
}
