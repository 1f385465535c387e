package engine

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
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
	status, body, headers := mocked(answer)
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
					status, body, headers := permitted(object(at(e, "params", "request")), status, body, headers)
					reply := M{"requestId": at(e, "params", "requestId"), "responseCode": status, "responseHeaders": headers, "body": body}
					Try(func() { CDP("Fetch.fulfillRequest", reply, M{"session": session}) }) // it may have been cancelled
				}
			})
		}
	}()
}

// mocked is what to answer. An M with nothing but status, body and headers says how; any other,
// such as {"status": "shipped", "id": 3}, is itself the JSON.
func mocked(answer any) (status int, body string, headers M) {
	status, headers = 200, M{"content-type": "application/json"}
	m, content := object(answer), answer
	other := slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(k string) bool { return k != "status" && k != "body" && k != "headers" })
	if n := number(m["status"]); !other && (n >= 200 && n < 600 || m["status"] == nil && m["headers"] != nil) {
		status, content = cmp.Or(int(n), 200), m["body"]
	} else {
		m = nil
	}
	text, is := content.(string)
	if is {
		headers["content-type"] = "text/plain; charset=utf-8"
	} else if content != nil {
		form, err := json.Marshal(content)
		if err != nil {
			Fail("bad_value", "mock: %v", err)
		}
		text = string(form)
	}
	for name, value := range object(m["headers"]) {
		headers[strings.ToLower(name)] = value
	}
	return status, base64.StdEncoding.EncodeToString([]byte(text)), headers
}

// permitted is an answer with the headers that let a page of another origin have it. Such a page
// may ask first, with OPTIONS, whether it may send the request.
func permitted(request M, status int, body string, headers M) (int, string, []M) {
	asked := M{}
	for name, value := range object(request["headers"]) {
		asked[strings.ToLower(name)] = value
	}
	allow := M{"access-control-allow-origin": "*", "access-control-expose-headers": "*"}
	if origin := asked["origin"]; origin != nil { // with cookies * is not enough
		allow = M{"access-control-allow-origin": origin, "access-control-allow-credentials": "true", "access-control-expose-headers": strings.Join(slices.Sorted(maps.Keys(headers)), ", ")}
	}
	if method := asked["access-control-request-method"]; method != nil && request["method"] == "OPTIONS" {
		allow["access-control-allow-methods"], allow["access-control-allow-headers"] = method, asked["access-control-request-headers"]
		status, body, headers = 204, "", nil
	}
	maps.Copy(allow, headers)
	list := []M{}
	for name, value := range allow {
		if value != nil {
			list = append(list, M{"name": name, "value": fmt.Sprint(value)})
		}
	}
	return status, body, list
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
