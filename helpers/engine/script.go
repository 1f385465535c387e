package engine

import (
	"encoding/json"
	"strconv"
	"strings"
)

// script.go: JavaScript of the caller's, in the page's own world.

var functionForm = Pattern(`^\s*(async\s*)?(function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)`)

// isFunction says whether code begins with a function. Most code has no word of one in it,
// and is told without making the pattern, which a short run pays for.
func isFunction(code string) bool {
	return (strings.Contains(code, "=>") || strings.Contains(code, "function")) && functionForm().MatchString(code)
}

// inJSON makes a text of a value that has a JSON form, in the page, so that one request is
// enough; what has none (undefined, a number, a symbol, a function, a DOM node) comes as it is.
const inJSON = `(v => { const t = typeof v; if (v === null || t != 'object' && t != 'string' || t == 'object' && typeof Node == 'function' && v instanceof Node) return v;
 return JSON.stringify(v, (k, x) => typeof x == 'bigint' ? String(x) : x instanceof Map || x instanceof Set ? [...x] : x) })`

// JS runs code as the console of the developer tools does, in a session ("": the tab's own),
// and gives its value as JSON has it.
func JS(code, session string) any {
	options := M{"session": session}
	var whole bool
	got := heldUp(func() (got M) { got, whole = execute(code, options); return got })
	if got["exceptionDetails"] != nil {
		Fail("javascript_error", "%s", thrown(object(got["exceptionDetails"]), options))
	}
	if whole {
		return value(object(got["result"]))
	}
	return heldUp(func() any { return late(got, isFunction(code), options) })
}

// execute runs code in the first of its forms that compiles: of the others nothing has run.
// whole: the form gave the value in JSON.
func execute(code string, options M) (got M, whole bool) {
	for i, form := range forms(code) {
		last := got
		params := M{"expression": form, "awaitPromise": true, "objectGroup": "js"}
		if i > 0 || strings.Contains(code, "await") {
			params["replMode"] = true // which an expression does without, and Chrome is quicker
		}
		got = CDP("Runtime.evaluate", params, options)
		bad := got["exceptionDetails"]
		if at(bad, "exception", "className") != "SyntaxError" || at(bad, "stackTrace") != nil {
			return got, i != 1
		}
		if i > 1 && int(number(at(bad, "lineNumber"))) > strings.Count(code, "\n") { // in the line that the engine added
			got = last
		}
	}
	return got, false
}

// forms are what code may be: an expression, a script, or the body of a function, with a
// return. A function that is all of the code is called.
func forms(code string) []string {
	expression := "(" + strings.TrimRight(code, "; \t\r\n") + "\n)"
	if isFunction(code) {
		expression = "(f => typeof f == 'function' ? f() : f)" + expression
	}
	if strings.Contains(code, "await") {
		expression = inJSON + "(await " + expression + ")"
	} else {
		expression = "((f, v) => typeof v?.then == 'function' ? (async () => f(await v))() : f(v))(" + inJSON + ", " + expression + ")"
	}
	return []string{expression, code, inJSON + "(await (async () => {" + code + "\n})())"}
}

// late gives the value of a script, which is known only once it has run.
func late(got M, called bool, options M) any {
	result := object(got["result"])
	id := result["objectId"]
	if id == nil {
		if is, text := result["value"].(string); text {
			return is
		}
		return value(result)
	}
	function := "async function() { return " + inJSON + "(await this) }"
	if called && result["type"] == "function" {
		function = "async function() { return " + inJSON + "(await this()) }"
	}
	got = CDP("Runtime.callFunctionOn", M{"functionDeclaration": function, "objectId": id, "awaitPromise": true, "objectGroup": "js"}, options)
	CDP("Runtime.releaseObjectGroup", M{"objectGroup": "js"}, options)
	if got["exceptionDetails"] != nil {
		Fail("javascript_error", "%s", thrown(object(got["exceptionDetails"]), options))
	}
	return value(object(got["result"]))
}

// value makes a JSON value of CDP's RemoteObject, in which a text is JSON.
func value(r M) (v any) {
	special := text(r["unserializableValue"])
	switch {
	case r["type"] == "bigint":
		return strings.TrimSuffix(special, "n")
	case special != "":
		f, _ := strconv.ParseFloat(special, 64)
		return f
	case r["type"] == "string":
		if json.Unmarshal([]byte(text(r["value"])), &v) != nil {
			Fail("javascript_error", "the value cannot be written as JSON; return the parts of it that you need")
		}
		return v
	case r["type"] == "symbol" || r["type"] == "function" || r["subtype"] == "node":
		return r["description"]
	}
	return r["value"]
}

// thrown is the text of CDP's ExceptionDetails: what was thrown, and from where.
func thrown(details, options M) string {
	exception := object(details["exception"])
	description := text(exception["description"])
	if exception["subtype"] == "error" { // its description has the stack in it
		if strings.HasPrefix(description, "TypeError: Converting circular structure") || strings.Contains(description, "at JSON.stringify") {
			return "the value cannot be written as JSON; return the parts of it that you need. " + description
		}
		lines := strings.Split(description, "\n")
		return strings.Join(lines[:min(4, len(lines))], "\n")
	}
	var told any = details["text"]
	switch {
	case exception["value"] != nil:
		told = exception["value"]
	case exception["objectId"] != nil:
		told = description
		Try(func() {
			got := CDP("Runtime.callFunctionOn", M{"functionDeclaration": "function() { return JSON.stringify(this) }", "objectId": exception["objectId"]}, options)
			if form := text(at(got, "result", "value")); form != "" {
				told = json.RawMessage(form)
			}
		})
	case description != "":
		told = description
	}
	said, _ := json.Marshal(told)
	return "thrown: " + string(said) + ", line " + strconv.Itoa(int(number(details["lineNumber"]))+1)
}
