package main

import "strings"

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
