package engine

import "encoding/json"

// dialogs.go: the tab's dialogs, captured for the run or until they are released.

// CaptureDialogs makes alert, confirm, prompt and print of the tab answer by themselves, in this
// page and those it goes to, until the run ends, however that comes; with stay, until ReleaseDialogs.
func CaptureDialogs(answers []any, stay bool) {
	if stay {
		inPages("", "stay", answers)
		return
	}
	target, _ := Tab()
	end := M{"method": onNewDocument, "params": M{"source": capturing("run", nil), "runImmediately": true}}
	session := attach(target, M{"tied": true, "undo": []M{end}})
	run.Lock()
	run.captures = append(run.captures, session)
	run.Unlock()
	CDP("Page.enable", nil, M{"session": session})
	inPages(session, "run", answers)
}

// ReleaseDialogs ends what CaptureDialogs began, in this run or an earlier one.
func ReleaseDialogs() {
	run.Lock()
	sessions := run.captures
	run.captures = nil
	run.Unlock()
	for _, s := range sessions {
		Try(func() { CDP("Target.detachFromTarget", M{"sessionId": s}, nil) })
	}
	inPages("", "stay", nil)
	CDP("Runtime.evaluate", M{"expression": capturing("run", nil)}, nil)
}

const onNewDocument = "Page.addScriptToEvaluateOnNewDocument"

func inPages(session, who string, answers []any) {
	CDP(onNewDocument, M{"source": capturing(who, answers), "runImmediately": true}, M{"session": session})
}

func capturing(who string, answers []any) string {
	args, err := json.Marshal([]any{who, answers})
	if err != nil {
		Fail("bad_value", "captureDialogs: %v", err)
	}
	return "(" + Asset("ui/dialogs.js") + ")(..." + string(args) + ")"
}
