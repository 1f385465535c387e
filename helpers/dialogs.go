package helpers

import "bu/helpers/engine"

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

// captureDialogs makes the tab's alert, confirm, prompt and print return at once, in this
// page and those it goes to, without a dialog or window: confirm with the first answer
// (true), prompt with the second (what it proposes). dialogs() gives what they said. It ends
// with the run, or earlier with releaseDialogs(); with M{"stay": true} as the last argument
// only with that.
func captureDialogs(answers ...any) {
	stay := false
	if options, is := get(answers, -1).(M); is {
		stay, answers = options["stay"] == true, answers[:len(answers)-1]
	}
	engine.CaptureDialogs(append(answers, []any{true, nil}[min(len(answers), 2):]...), stay)
}

// releaseDialogs ends captureDialogs: the page's dialogs open as usual again.
func releaseDialogs() { engine.ReleaseDialogs() }

// dialogs gives what the page said through captured dialogs, oldest first: [{type, message,
// answer, url}], of earlier runs too. They are kept across navigations within a site.
func dialogs() []any {
	return as[[]any](js("typeof alert.said == 'function' ? alert.said() : JSON.parse(globalThis.sessionStorage?.getItem('bu-dialogs') ?? '[]')"))
}
