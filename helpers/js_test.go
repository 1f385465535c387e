package helpers_test

import (
	"fmt"
	"testing"
)

// Field cases 33 to 35: what code gives, however it is written.
func TestJS(t *testing.T) {
	open(t, html(`<p id=p>hello`))
	for code, printed := range map[string]string{
		`1+1`:                                  "2",
		`return 1`:                             "1",
		`const f=()=>{return 1};f()`:           "1",
		`'return ' + 1`:                        "return 1",
		"// return x\n5":                       "5",
		"5 // the end":                         "5",
		"return 5 // the end":                  "5",
		`const a = 1; return a + 1`:            "2",
		`let b = 2; b`:                         "2",
		`if (true) { 'yes' } else 'no'`:        "yes",
		`await Promise.resolve(4)`:             "4",
		`Promise.resolve({a: 1})`:              `{"a":1}`,
		`return await Promise.resolve({a: 1})`: `{"a":1}`,
		`() => 7`:                              "7",
		`async () => { return 8 }`:             "8",
		`function () { return 9 }`:             "9",
		`x => typeof x`:                        "undefined",
		`({a: [1, 'x', null, true]})`:          `{"a":[1,"x",null,true]}`,
		`undefined`:                            "",
		`null`:                                 "",
		`''`:                                   "",
		`false`:                                "false",
		`NaN`:                                  "NaN",
		`Infinity`:                             "+Inf",
		`-Infinity`:                            "-Inf",
		`-0`:                                   "-0",
		`10n**20n`:                             "100000000000000000000",
		`({n: 10n**20n})`:                      `{"n":"100000000000000000000"}`,
		`Symbol('sym')`:                        "Symbol(sym)",
		`document.getElementById('p')`:         "p#p",
		`new Map([['k', new Set([1, 2])]])`:    `[["k",[1,2]]]`,
		`new Date(0)`:                          "1970-01-01T00:00:00.000Z",
		`new DOMRect(1, 2, 3, 4)`:              `{"bottom":6,"height":4,"left":1,"right":4,"top":2,"width":3,"x":1,"y":2}`,
		`'日本語 😀 "quoted" \u2028'`:              "日本語 😀 \"quoted\" \u2028",
		`document.title = 'x'; window.onfoo = () => 1`:   "() => 1",
		`(await fetch('/json?q=hi')).json()`:             `{"q":"hi"}`,
		`new Promise(r => setTimeout(r, 50, 'in time'))`: "in time",
	} {
		if got := out(t, fmt.Sprintf("js(%q)", code)); got != printed {
			t.Errorf("js(%q) printed %q, want %q", code, got, printed)
		}
	}
	want(t, `js("const twice = 1; twice"); js("const twice = 2; twice")`, "2")
	want(t, "v := js(`NaN`).(float64); fmt.Println(v != v, 1/js(`-0`).(float64) < 0)", "true true")
}

func TestJSErrors(t *testing.T) {
	open(t, html(`<p>hello<script>function deep() { undefined.field }</script>`))
	for code, words := range map[string]string{
		`throw 'plain text'`:                    "plain text",
		`throw {reason: 'an object'}`:           "an object",
		`throw new TypeError('no such thing')`:  "TypeError: no such thing",
		`Promise.reject(new Error('rejected'))`: "Error: rejected",
		`Promise.reject('only text')`:           "only text",
		`await Promise.reject(5)`:               "5",
		`() => { throw new Error('inside') }`:   "Error: inside",
		`deep()`:                                "SITE/page/",
		`nothing.there`:                         "nothing is not defined",
		`return }`:                              "SyntaxError",
		`foo(`:                                  "Unexpected end of input",
		"if (true) {\n":                         "Unexpected end of input",
		`() => { foo(`:                          "SyntaxError",
		`JSON.parse('{')`:                       "SyntaxError",
		`window`:                                "Window",
		`const o = {}; o.o = o; o`:              "circular",
	} {
		fails(t, fmt.Sprintf("js(%q)", code), "javascript_error", words)
	}
	// A run-time SyntaxError is no reason to run the code again.
	want(t, "try(func() { js(`window.times = (window.times || 0) + 1; JSON.parse('{')`) }); js(`times`)", "1")
}

func TestJSInIframe(t *testing.T) {
	open(t, html(`<title>outer</title><iframe src="OTHER`+html(`<title>inner</title><p>in`)+`"></iframe>`))
	want(t, `id := iframeTarget("localhost"); fmt.Println(js("document.title", id), js("document.title"))`, "inner outer")
	want(t, `js("await 1; return location.hostname", iframeTarget("/page/"))`, "localhost")
	fails(t, `js("throw 'framed'", iframeTarget("localhost"))`, "javascript_error", "framed")
	fails(t, `js("1", "nonsense")`, "tab_closed", "nonsense")
	fails(t, `iframeTarget("nowhere")`, "element_not_found", "OTHER/page/")
}
