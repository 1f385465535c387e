package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// dialog is a JavaScript dialog that is open on a page.
type dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	URL     string `json:"url"`
	Default string `json:"default"`
}

func errDialog(g *dialog, what string) *fail {
	return &fail{"dialog_open", fmt.Sprintf("a %s dialog is open (%.200q); %s. Answer it with acceptDialog() or dismissDialog()", g.Type, g.Message, what), map[string]any{"dialog": g}}
}

// dialogOpenedLocked: while a dialog is open the page's scripts stand still, and with
// them every command that needs the page. Those under way hear of it now.
func (d *daemon) dialogOpenedLocked(t *target, params json.RawMessage) {
	var p struct{ URL, Message, Type, DefaultPrompt string }
	json.Unmarshal(params, &p)
	t.dialog = &dialog{p.Type, p.Message, p.URL, p.DefaultPrompt}
	d.chrome.fail(func(k *call) bool { return k.target == t && hangs(k.method) },
		errDialog(t.dialog, "the command was sent and may still take effect"))
}

// hangs says whether a command gets no answer while a dialog is open.
func hangs(method string) bool {
	switch method {
	case "Page.handleJavaScriptDialog":
		return false
	}
	domain, _, _ := strings.Cut(method, ".")
	switch domain {
	case "Target", "Browser", "Fetch", "Storage", "Network", "IO":
		return false
	}
	return true
}
