package helpers

// record starts a recording in a folder, or ends the one that is on for "". Compiled
// into bin/run, which has to see the whole of a run.
var record func(folder string) string

// startRecording keeps, from now on and over any number of runs, every snippet of this
// BU_TAB, what it printed, and pictures of the page around each action, in a page that
// plays them back. name is a folder to make, below recordings/ here unless it has a
// slash in it. Gives the page's path. Passwords in password fields are masked.
func startRecording(name string) string {
	if name == "" {
		panic(&Error{Code: "bad_request", Message: `startRecording wants a name: startRecording("checkout")`})
	}
	return record(name)
}

// stopRecording ends the recording; this run is its last. Gives the page's path.
func stopRecording() string { return record("") }
