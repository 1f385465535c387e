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
func js(code string, target ...string) (value any) {
	if len(target) == 0 {
		return evaluate(code, "")
	}
	visit(target[0], func(session string) { value = evaluate(code, session) })
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

// execute runs code in the first of its forms that compiles: of the others nothing has run.
func execute(code string, in M) (got M) {
	for _, form := range forms(code) {
		last := got
		got = cdp("Runtime.evaluate", M{"expression": form, "replMode": true, "awaitPromise": true, "objectGroup": "js"}, in)
		bad := got["exceptionDetails"]
		if get(bad, "exception", "className") != "SyntaxError" || get(bad, "stackTrace") != nil {
			break
		}
		if last != nil && as[int](get(bad, "lineNumber")) > strings.Count(code, "\n") { // in the line that is ours
			got = last
		}
	}
	return got
}

// forms are what code may be: a script, or the body of a function, with a return.
func forms(code string) []string {
	body := "(async () => {" + code + "\n})()"
	if isFunction.MatchString(code) {
		return []string{"(" + strings.TrimRight(code, "; \t\r\n") + "\n)", code, body}
	}
	return []string{code, body}
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
