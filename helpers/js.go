package helpers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// js runs JavaScript in the page, or in the target given (see iframeTarget), as the
// console of the developer tools does, and gives its value: the last expression's, what
// return gives, what a promise comes to, what a function returns that is all of the code.
// Values come as JSON has them (dates as text, a Map or Set as a list, a BigInt as a text
// of digits); a bare NaN, Infinity or -0 is that float64; undefined is nil; a symbol, a
// function or a DOM node is a text that describes it.
// Errors: javascript_error with what was thrown and where, dialog_open, timeout (30 s).
func js(code string, target ...string) any {
	session := ""
	if len(target) > 0 {
		session = attach(target[0])
	}
	var value any
	err := try(func() { value = evaluate(code, session) })
	if len(target) > 0 {
		try(func() { cdp("Target.detachFromTarget", M{"sessionId": session}) })
	}
	if err != nil {
		panic(err)
	}
	return value
}

var isFunction = regexp.MustCompile(`^\s*(async\s*)?(function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)`)

func evaluate(code, session string) any {
	in := M{"session": session}
	got := execute(code, in)
	id := get(got, "result", "objectId")
	switch {
	case got["exceptionDetails"] != nil:
	case get(got, "result", "subtype") == "promise":
		got = cdp("Runtime.awaitPromise", M{"promiseObjectId": id}, in)
	case get(got, "result", "type") == "function" && isFunction.MatchString(code):
		got = cdp("Runtime.callFunctionOn", M{"functionDeclaration": "function() { return this() }", "objectId": id, "awaitPromise": true, "objectGroup": "js"}, in)
	}
	if got["exceptionDetails"] != nil {
		panic(&Error{Code: "javascript_error", Message: thrown(as[M](got["exceptionDetails"]), in)})
	}
	return plain(as[M](got["result"]), in)
}

// execute runs code as a script. When that does not compile, so that nothing of it has run,
// it may be the body of a function, with a return.
func execute(code string, in M) (got M) {
	forms := []string{code, "(async () => {" + code + "\n})()"}
	if isFunction.MatchString(code) {
		forms = []string{"(" + strings.TrimRight(code, "; \t\r\n") + "\n)", code, forms[1]}
	}
	for _, form := range forms {
		last := got
		got = cdp("Runtime.evaluate", M{"expression": form, "replMode": true, "awaitPromise": true, "objectGroup": "js"}, in)
		details := or(got["exceptionDetails"], M{})
		if get(details, "exception", "className") != "SyntaxError" || get(details, "stackTrace") != nil {
			return got
		}
		if last != nil && as[int](get(details, "lineNumber")) > strings.Count(code, "\n") { // in the line that is ours
			got = last
		}
	}
	return got
}

// plain makes a JSON value of CDP's RemoteObject.
func plain(r, in M) any {
	special, _ := r["unserializableValue"].(string)
	switch {
	case r["type"] == "bigint":
		return strings.TrimSuffix(special, "n")
	case special != "":
		f, _ := strconv.ParseFloat(special, 64)
		return f
	case r["type"] == "symbol" || r["type"] == "function" || r["subtype"] == "node":
		return r["description"]
	case r["objectId"] == nil:
		return r["value"]
	}
	return inJSON(r, in)
}

const toJSON = `function() {
 return JSON.stringify(this, (k, v) => typeof v == 'bigint' ? String(v) : v instanceof Map || v instanceof Set ? [...v] : v)
}`

func inJSON(r, in M) (value any) {
	got := cdp("Runtime.callFunctionOn", M{"functionDeclaration": toJSON, "objectId": r["objectId"], "returnByValue": true}, in)
	cdp("Runtime.releaseObjectGroup", M{"objectGroup": "js"}, in)
	text, _ := get(got, "result", "value").(string)
	if json.Unmarshal([]byte(text), &value) != nil {
		why := get(got, "exceptionDetails", "exception", "description")
		panic(&Error{Code: "javascript_error", Message: fmt.Sprintf("the value, %v, has no JSON form; ask for its parts. %v", r["description"], why)})
	}
	return value
}

// thrown is the text of CDP's ExceptionDetails: what was thrown, and from where.
func thrown(details, in M) string {
	exception := as[M](or(details["exception"], M{"value": details["text"]}))
	if exception["subtype"] == "error" { // its description has the stack in it
		lines := strings.Split(as[string](exception["description"]), "\n")
		return strings.Join(lines[:min(4, len(lines))], "\n")
	}
	var value any
	if try(func() { value = plain(exception, in) }) != nil {
		value = exception["description"]
	}
	text, _ := json.Marshal(value)
	return fmt.Sprintf("thrown: %s, line %v", text, as[float64](or(details["lineNumber"], 0))+1)
}
