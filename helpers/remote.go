package helpers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"bu/helpers/engine"
)

// startRemoteDaemon rents a browser from the Browser Use cloud and starts the daemon called
// name on it; later runs reach it by BU_NAME=name. The key is BROWSER_USE_API_KEY, from the
// environment or the .env beside this folder. Options are the API's own:
// M{"proxyCountryCode": "de", "timeout": 30 (minutes), "profileId": "…"}. Gives {name, id,
// liveUrl}. The browser is stopped when its daemon ends, however that happens, so that it
// costs no more. Errors: bad_request, http_error, no_browser; then no rented browser is
// left.
func startRemoteDaemon(name string, options ...M) M {
	if err := try(func() { engine.Other(name, M{"meta": "status"}) }); err == nil || err.Code != "no_daemon" {
		panic(&Error{Code: "bad_request", Message: "the name " + name + " is taken by a running daemon: end it with stopRemoteDaemon(name), or use another name"})
	}
	rented := cloud("POST", "/browsers", append(options, M{})[0])
	env := M{"BU_CDP_WS": "", "BU_CDP_HEADERS": "", "BU_CDP_URL": rented["cdpUrl"], "BU_BROWSER_ID": rented["id"]}
	err := try(func() { engine.Other(name, M{"meta": "session"}, env) })
	if err == nil && get(engine.Other(name, M{"meta": "status"}), "browser", "rented") != rented["id"] {
		err = &Error{Code: "bad_request", Message: "another daemon called " + name + " was started meanwhile; use another name"}
	}
	if err != nil {
		giveBack(name, rented["id"], err)
	}
	return M{"name": name, "id": rented["id"], "liveUrl": rented["liveUrl"]}
}

// stopRemoteDaemon ends the daemon called name and with it the browser rented for it, and
// returns when both have ended. It is no error if no such daemon runs: then its browser has
// been stopped already. Errors: http_error if the cloud did not stop the browser; the
// message has its id.
func stopRemoteDaemon(name string) {
	err := try(func() { engine.Other(name, M{"meta": "shutdown"}) })
	for end := time.Now().Add(10 * time.Second); err == nil && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		err = try(func() { engine.Other(name, M{"meta": "status"}) })
	}
	if err != nil && err.Code != "no_daemon" && err.Code != "browser_gone" {
		panic(err)
	}
}

// giveBack stops a rented browser for which no daemon could be started, and panics with the
// reason. A daemon that had the browser stops it itself, at the latest when asked to shut
// down.
func giveBack(name string, id any, why *Error) {
	if why.Code == "no_daemon" || why.Code == "bad_request" {
		if err := try(func() { cloud("PATCH", fmt.Sprint("/browsers/", id), M{"action": "stop"}) }); err != nil {
			why.Message += fmt.Sprintf("; and cloud browser %v was not stopped: %s", id, err.Message)
		}
	} else if err := try(func() { stopRemoteDaemon(name) }); err != nil {
		why.Message += "; " + err.Message
	}
	panic(why)
}

// cloud calls the Browser Use cloud's API, version 3, or what BROWSER_USE_API_URL names, and
// gives the JSON object that it answers. Errors: http_error.
func cloud(method, path string, body M) M {
	base, key := cmp.Or(os.Getenv("BROWSER_USE_API_URL"), "https://api.browser-use.com/api/v3"), os.Getenv("BROWSER_USE_API_KEY")
	if key == "" {
		panic(&Error{Code: "http_error", Message: "BROWSER_USE_API_KEY is not set: set it, or put it into the .env beside the helpers' folder"})
	}
	status, text, err := sendCloud(method, strings.TrimSuffix(base, "/")+path, key, body)
	answer := M{}
	if err == nil && (status >= 300 || json.Unmarshal([]byte(text), &answer) != nil) {
		err = fmt.Errorf("%d %s: %.300s", status, http.StatusText(status), text)
	}
	if err != nil {
		panic(&Error{Code: "http_error", Message: method + " " + path + ": " + err.Error(), Data: M{"status": float64(status)}})
	}
	return answer
}

func sendCloud(method, url, key string, body M) (status int, text string, err error) {
	data, err := json.Marshal(body)
	request, wrong := http.NewRequest(method, url, bytes.NewReader(data))
	if err = errors.Join(err, wrong); err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Browser-Use-API-Key", key)
	answer, err := (&http.Client{Timeout: 30 * time.Second}).Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(all), err
}
