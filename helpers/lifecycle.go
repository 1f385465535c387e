package helpers

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// daemonAlive says whether a daemon runs for this BU_NAME. It starts none.
func daemonAlive() bool {
	err := try(func() { call(M{"meta": "status", "start": false}) })
	return err == nil || err.Code != "no_daemon"
}

// killDaemon stops the daemon, if one runs, and forgets which browser and tabs it had, so
// that the next call looks for a browser afresh. Chrome stays as it is. Nothing is
// signalled: a daemon that does not answer makes it panic with timeout.
func killDaemon() {
	err := try(func() { call(M{"meta": "shutdown", "start": false, "timeout_ms": 5000}) })
	if err != nil && err.Code != "no_daemon" && err.Code != "browser_gone" {
		panic(err)
	}
	for end := after(5); daemonAlive() && left(end) > 0; {
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		forgetBrowser()
	}
}

// forgetBrowser does for killDaemon what a daemon that lives does itself: of what the state
// file remembers only the element numbers live on, so that an old e4 is never something new.
func forgetBrowser() {
	name, set := os.LookupEnv("BU_NAME")
	if !set {
		name = "default"
	}
	path, was := "/tmp/bu-"+name+".state", M{}
	text, _ := os.ReadFile(path)
	json.Unmarshal(text, &was)
	os.Remove(path)
	if uid, _ := was["uid"].(float64); uid > 1 {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // through no link
		if err == nil {
			fmt.Fprintf(f, `{"uid":%.0f}`, uid)
			f.Close()
		}
	}
}
