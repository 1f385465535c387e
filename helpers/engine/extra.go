package engine

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
)

// extra.go: what helpers/extra.go stands on: what a tab is made to be, requests that are
// answered here, tools of pages.

var devices = map[string]M{
	"phone":   {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": true},
	"tablet":  {"width": 820, "height": 1180, "deviceScaleFactor": 2, "mobile": true},
	"desktop": {"width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": false},
}

// Emulate sets all that can be emulated in the tab's own session, which outlives the run.
func Emulate(how M) {
	steps := emulation(how) // before anything is set
	for _, s := range steps {
		CDP(text(s["method"]), object(s["params"]), nil)
	}
}

func emulation(how M) []M {
	screen := screenOf(how)
	metrics := M{"method": "Emulation.clearDeviceMetricsOverride"}
	if screen != nil {
		metrics = M{"method": "Emulation.setDeviceMetricsOverride", "params": screen}
	}
	agent, mobile := "", screen["mobile"] == true
	if mobile {
		own := text(CDP("Browser.getVersion", nil, nil)["userAgent"])
		agent = regexp.MustCompile(`\([^)]*\)`).ReplaceAllStringFunc(own, once("(Linux; Android 10; K)"))
		agent = regexp.MustCompile(`(Chrome/[\d.]+) `).ReplaceAllString(agent, "$1 Mobile ")
	}
	scheme, zone := "", ""
	for key, value := range how {
		switch v := value.(type) {
		case bool:
			if key == "dark" && v {
				scheme = "dark"
			}
		case string:
			if key == "timezone" {
				zone = v
			}
		}
		if !settings[key] {
			Fail("bad_value", "emulate has no option %q; use device, size, dark, offline, slow, place, timezone", key)
		}
	}
	network := M{"offline": how["offline"] == true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
	if how["slow"] == true {
		network["latency"], network["downloadThroughput"], network["uploadThroughput"] = 400, 50*1024, 50*1024
	}
	return []M{metrics,
		{"method": "Emulation.setTouchEmulationEnabled", "params": M{"enabled": mobile}},
		{"method": "Emulation.setUserAgentOverride", "params": M{"userAgent": agent}},
		{"method": "Emulation.setEmulatedMedia", "params": M{"features": []M{{"name": "prefers-color-scheme", "value": scheme}}}},
		{"method": "Emulation.setTimezoneOverride", "params": M{"timezoneId": zone}},
		{"method": "Network.emulateNetworkConditions", "params": network}, placeOf(how)}
}

var settings = map[string]bool{"device": true, "size": true, "dark": true, "offline": true, "slow": true, "place": true, "timezone": true}

// once replaces the first match only: the parentheses that name the system.
func once(by string) func(string) string {
	done := false
	return func(found string) string {
		if done {
			return found
		}
		done = true
		return by
	}
}

func screenOf(how M) M {
	name, is := how["device"].(string)
	screen := M{}
	for k, v := range devices[name] {
		screen[k] = v
	}
	if how["device"] != nil && (!is || len(screen) == 0) {
		Fail("bad_value", "no device %v; use phone, tablet or desktop, or \"size\": []int{width, height}", how["device"])
	}
	if size := numbers(how, "size"); size != nil {
		screen["width"], screen["height"] = int(size[0]), int(size[1])
		if name == "" {
			screen["deviceScaleFactor"], screen["mobile"] = 0, false
		}
	}
	if len(screen) == 0 {
		return nil
	}
	return screen
}

func placeOf(how M) M {
	place := numbers(how, "place")
	if place == nil {
		return M{"method": "Emulation.clearGeolocationOverride"}
	}
	return M{"method": "Emulation.setGeolocationOverride", "params": M{"latitude": place[0], "longitude": place[1], "accuracy": 10}}
}

// numbers gives the two numbers of a setting, nil where it is not set.
func numbers(how M, key string) (two []float64) {
	if how[key] == nil {
		return nil
	}
	form, err := json.Marshal(how[key])
	if err == nil {
		err = json.Unmarshal(form, &two)
	}
	if err != nil || len(two) != 2 {
		Fail("bad_value", "%q needs two numbers, not %v", key, how[key])
	}
	return two
}

// Mock answers requests of the tab in the server's place until the run ends: its session ends
// with the run, and Chrome then sends pending requests on to the server.
func Mock(pattern string, answer any) {
	reply := mocked(answer)
	target, _ := Tab()
	from := int(number(Now()["seq"]))
	session := attach(target, M{"tied": true})
	CDP("Fetch.enable", M{"patterns": []M{{"urlPattern": pattern}}}, M{"session": session})
	go func() {
		for err := (*Error)(nil); err == nil; {
			err = Try(func() {
				var found []any
				found, from = sinceIn(session, from, 20, "Fetch.requestPaused")
				for _, e := range found {
					fulfil := M{"requestId": at(e, "params", "requestId")}
					for k, v := range reply {
						fulfil[k] = v
					}
					Try(func() { CDP("Fetch.fulfillRequest", fulfil, M{"session": session}) }) // it may have been cancelled
				}
			})
		}
	}()
}

// mocked gives the params of Fetch.fulfillRequest.
func mocked(answer any) M {
	status, kind, body, headers := 200, "text/plain; charset=utf-8", answer, M{}
	m := object(answer)
	if m["status"] != nil || m["body"] != nil && m["headers"] != nil {
		body, headers = m["body"], object(m["headers"])
		if m["status"] != nil {
			status = int(number(m["status"]))
		}
	}
	said, is := body.(string)
	if !is && body != nil {
		form, err := json.Marshal(body)
		if err != nil {
			Fail("bad_value", "mock: %v", err)
		}
		said, kind = string(form), "application/json"
	}
	list := []M{{"name": "Content-Type", "value": kind}, {"name": "Access-Control-Allow-Origin", "value": "*"}}
	for name, value := range headers {
		list = append(list, M{"name": name, "value": fmt.Sprint(value)})
	}
	return M{"responseCode": status, "responseHeaders": list, "body": base64.StdEncoding.EncodeToString([]byte(said))}
}

// withTools runs f with the page's tools, in a session that is told about them.
func withTools(f func(session string, tools []any)) {
	target, _ := Tab()
	Visit(target, func(session string) {
		from := int(number(Now()["seq"]))
		if err := Try(func() { CDP("WebMCP.enable", nil, M{"session": session}) }); err != nil {
			Fail("bad_request", "this Chrome does not support WebMCP, by which pages offer tools: %s", err.Message)
		}
		var tools []any
		found, _ := sinceIn(session, from, 0.3, "WebMCP.toolsAdded")
		for _, e := range found {
			tools = append(tools, list(at(e, "params", "tools"))...)
		}
		f(session, tools)
	})
}

// PageTools are the tools that the page offers.
func PageTools() []any {
	all := []any{}
	withTools(func(_ string, tools []any) {
		for _, t := range tools {
			delete(object(t), "stackTrace")
			all = append(all, t)
		}
	})
	return all
}

// CallTool calls one and gives its output.
func CallTool(name string, input M) (output any) {
	withTools(func(session string, tools []any) {
		names := []string{}
		for _, t := range tools {
			names = append(names, text(at(t, "name")))
			if at(t, "name") == name {
				output = called(session, t, input)
				return
			}
		}
		Fail("element_not_found", "the page offers no tool %q; it offers %q", name, names)
	})
	return output
}

func called(session string, tool any, input M) any {
	from := int(number(Now()["seq"]))
	if input == nil {
		input = M{}
	}
	id := CDP("WebMCP.invokeTool", M{"frameId": at(tool, "frameId"), "toolName": at(tool, "name"), "input": input}, M{"session": session})["invocationId"]
	for end := after(30); left(end) > 0; {
		var found []any
		found, from = sinceIn(session, from, left(end), "WebMCP.toolResponded")
		for _, e := range found {
			p := object(at(e, "params"))
			if p["invocationId"] != id {
				continue
			}
			if p["status"] != "Completed" {
				Fail("javascript_error", "the tool %v failed: %v %v", at(tool, "name"), p["status"], p["errorText"])
			}
			return p["output"]
		}
	}
	panic(&Error{Code: "timeout", Message: fmt.Sprintf("the tool %v has not answered after 30 s", at(tool, "name"))})
}

// Scrolled is what a wheel would scroll: that of a target, "" for what lies in the middle of
// the page: {x, y, by, what, at, end}.
func Scrolled(target string) M {
	if target == "" {
		return object(Ask("scrolls", ""))
	}
	got, w := on("scrolls", target)
	to := w.toWindow(object(got)).inWindow()
	return with(with(object(got), "x", to.x), "y", to.y)
}

// Far tells how far something was scrolled from where it was first.
func Far(first any, now M) string {
	if first == nil {
		first = now["at"]
	}
	how := fmt.Sprintf("from %.0f to %.0f px", number(first), number(now["at"]))
	if now["end"] == true {
		return how + ", its end"
	}
	return how + ", not its end"
}
