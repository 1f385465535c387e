package engine

import (
	"os"
	"slices"
)

// upload.go: files into file inputs, through choosers that the page opens, and by a drop.

// Upload puts files into a file input, hidden or not, its label, or a button that asks for
// files; or drops them where the page takes files that are dropped. An input for a folder
// takes one folder.
func Upload(target string, files []string) M {
	input, w := on("fileInput", target)
	if at(input, "chooser") == true {
		return w.uploadByChooser(target, files, at(input, "drops") == true)
	}
	fits(target, files, at(input, "multiple") == true, at(input, "directory") == true)
	picked := w.eval(30, false, "bu.picked()")["objectId"]
	var came any
	got := Caused(func() {
		CDP("DOM.setFileInputFiles", M{"files": files, "objectId": picked}, M{"session": w.session})
		if at(input, "directory") == true {
			came = w.ask("folderTaken")
		}
	})
	if got == nil && at(input, "directory") == true && came != true {
		Fail("timeout", "no file of the folder has come to %s within 10 s: it is empty, or very large, or Chrome, which reads none for a tab that was never in front, wants activateTab() before", target)
	}
	return got
}

// fits fails if an input would leave files out: Chrome says nothing then.
func fits(target string, files []string, multiple, folder bool) {
	isFolder := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	switch {
	case len(files) > 1 && (folder || !multiple):
		Fail("bad_value", "%s takes one %s, not %d", target, map[bool]string{true: "folder", false: "file"}[folder], len(files))
	case folder && !slices.ContainsFunc(files, isFolder):
		Fail("bad_value", "%s takes a folder, with all that is in it, and no single files", target)
	case !folder && slices.ContainsFunc(files, isFolder):
		Fail("bad_value", "%s takes files and no folder", target)
	}
}

// uploadByChooser clicks what opens a file chooser, which is kept from opening, and answers
// that in its place; what opens none may be a place to drop files on.
func (w *world) uploadByChooser(target string, files []string, drops bool) M {
	from := int(number(Now()["seq"]))
	got := Click(target, Mouse{"left", 1, 0})
	opened, _ := sinceIn(w.inSession(), from, 2, chooserOpened)
	Try(func() { w.ask("chosen") })
	switch {
	case len(opened) > 0:
		input := at(opened[0], "params", "backendNodeId")
		if input == nil {
			Fail("bad_request", "%s opens a file picker that only a person can answer (showOpenFilePicker or similar): use handoff(message)", target)
		}
		node := CDP("DOM.describeNode", M{"backendNodeId": input}, M{"session": w.session, "spare": true})
		has := func(name string) bool { return slices.Contains(list(at(node, "node", "attributes")), any(name)) }
		fits(target, files, has("multiple"), has("webkitdirectory"))
		return Caused(func() {
			CDP("DOM.setFileInputFiles", M{"files": files, "backendNodeId": input}, M{"session": w.session})
		})
	case got["dialog"] != nil || got["navigated"] != nil || got["newTab"] != nil:
		Fail("bad_request", "%s is not a file input, and clicking it opened no file chooser but caused %v", target, got)
	case !drops: // into a text field the path would go
		Fail("bad_request", "%s is not a file input, and clicking it opened no file chooser", target)
	}
	return dropFiles(target, files)
}

// inSession is the session whose events tell of the world's page.
func (w *world) inSession() string {
	if w.session != "" {
		return w.session
	}
	_, session := Tab()
	return session
}

// dropFiles lets go of files over a target, if the page takes them: what it does not take
// Chrome opens in a tab.
func dropFiles(target string, files []string) M {
	at, w := pointOf(target, false)
	w.ask("dropStart", target)
	data, takes := M{"items": []any{}, "files": files, "dragOperationsMask": 1}, false
	got := follow(beginHere(), func() {
		Drawn(func(string) {
			over(at.inWindow(), data, "dragEnter", "dragOver", "dragOver")
			if takes = w.askFor(5, "takes") == true; takes {
				over(at.inWindow(), data, "drop")
			} else {
				over(at.inWindow(), data, "dragCancel")
			}
		})
	}, &effects{}, nil)
	if got == nil && !takes {
		Fail("bad_request", "%s is not a file input, clicking it opened no file chooser, and it does not accept dropped files", target)
	}
	return got
}

// chooserSince tells of a file chooser that a frame with a process of its own asked for, by
// showPicker or its like, of which the page side hears nothing.
func (w *world) chooserSince(seq int) any {
	if !w.separate() {
		return nil
	}
	opened, _ := sinceIn(w.session, seq, 0, chooserOpened)
	if len(opened) == 0 {
		return nil
	}
	e := effects{told: M{}}
	e.note(chooserOpened, object(at(opened[0], "params")))
	return e.told["fileChooser"]
}
