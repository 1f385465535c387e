package helpers

import (
	"encoding/json"

	"bu/helpers/engine"
)

// pendingDialog gives the dialog that is open in the tab, nil when there is none:
// {type: alert|confirm|prompt|beforeunload, message, url, default}.
func pendingDialog() M {
	dialog, _ := engine.Now()["dialog"].(M)
	return dialog
}

// acceptDialog answers the open dialog with OK, a prompt with text (by default what it
// proposes). It gives what that caused, as click does.
func acceptDialog(text ...string) M {
	dialog := pendingDialog()
	answer := M{"accept": true}
	if dialog["type"] == "prompt" {
		answer["promptText"] = or(dialog["default"], "")
	}
	if len(text) > 0 {
		answer["promptText"] = text[0]
	}
	held := dialog["type"] == "beforeunload" // a navigation, which goes on
	accept := func() M { return engine.Leaving(held, func() { answerDialog(answer) }) }
	return engine.Step(accept, "acceptDialog", "", answer["promptText"])
}

// dismissDialog answers the open dialog with Cancel, or closes an alert. It gives what
// that caused, as click does.
func dismissDialog() M {
	dismiss := func() M { return engine.Caused(func() { answerDialog(M{"accept": false}) }) }
	return engine.Step(dismiss, "dismissDialog", "")
}

func answerDialog(answer M) {
	from := as[int](engine.Now()["seq"])
	cdp("Page.handleJavaScriptDialog", answer)
	engine.Since(from, 3, "Page.javascriptDialogClosed") // until then the daemon refuses commands
}

// captureDialogs makes the tab's alert, confirm and prompt answer by themselves from now
// on, in this page and those it goes to, without a dialog: confirm with the first answer
// (true), prompt with the second (what it proposes). dialogs() gives what they said.
func captureDialogs(answers ...any) {
	text, err := json.Marshal(append(answers, []any{true, nil}[min(len(answers), 2):]...))
	if err != nil {
		panic(err)
	}
	source := "(" + engine.Asset("ui/dialogs.js") + ")(..." + string(text) + ")"
	cdp("Page.addScriptToEvaluateOnNewDocument", M{"source": source, "runImmediately": true})
}

// dialogs gives what the page said through captured dialogs, oldest first:
// [{type, message, answer, url}]. It stays over the navigations within a site.
func dialogs() []any {
	return as[[]any](js("(typeof alert.said == 'function') ? alert.said() : []"))
}
