package helpers

import (
	"time"

	"bu/helpers/engine"
)

// daemonAlive says whether a daemon runs for this BU_NAME. It starts none.
func daemonAlive() bool {
	err := try(func() { call(M{"meta": "status", "start": false}) })
	return err == nil || err.Code != "no_daemon"
}

// killDaemon stops the daemon, if one runs, and forgets which browser and tabs it had, so
// that the next call looks for a browser afresh. Chrome stays as it is. It sends no signal:
// if the daemon does not answer, killDaemon panics with timeout.
func killDaemon() {
	err := try(func() { call(M{"meta": "shutdown", "start": false, "timeout_ms": 5000}) })
	if err != nil && err.Code != "no_daemon" && err.Code != "browser_gone" {
		panic(err)
	}
	for end := time.Now().Add(5 * time.Second); daemonAlive() && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	if err != nil {
		engine.Forget() // what a daemon that lives does itself
	}
}
