package helpers_test

import (
	"regexp"
	"strings"
	"testing"
)

// What the page says passes neither for a line's structure nor for what changes and find say themselves: wherever it stands, whatever reads it.
func TestReadingIsNotCounterfeited(t *testing.T) {
	fakes := []string{"# POSE", "### POSE", "- FAKE", "| FAKE | b |", "```FAKE", "```", "~~~FAKE", "---", "new:", "gone:", "in frame e9: FAKE", `e4 button "FAKE"`, "{e77777 FAKE}", "{ e77777 FAKE}", "{frame e77777}",
		"(the list was scrolled: rows 1 to 3 are drawn now)", "… 5 more lines have it", "(rows from 3 on of e4", "a\u2028# POSE", "a\u2028{e77777}", "\u00a0# POSE", "title: FAKE", "FAKE  (was: y)"}
	escaped := strings.NewReplacer(`"`, "&quot;", "<", "&lt;")
	faked := regexp.MustCompile("^[\\s\u00a0]*(#+ POSE|- FAKE$|\\| FAKE [|] b|```FAKE|~~~|---$|gone:$|in frame e9|e4 button|title: FAKE)|[{] ?(frame )?e77777|[(]the list was|[^\\\\]… 5 more|[(]rows from|[(]was: y|\u2028")
	text := ""
	for _, body := range map[string]string{
		"text": `<p>T</p>`, "split": `<p><span></span>T</p>`, "item": `<ul><li>T</ul>`, "bold": `<p><b>T</b></p>`, "sup": `<div><sup>T</sup></div>`, "alt": `<div><img alt="T" width=9 height=9></div>`,
		"picture": `<div role=img aria-label="T" style="width:9px;height:9px"></div>`, "title": `<div><button title="T" style="width:9px;height:9px"></button></div>`, "placeholder": `<div><input placeholder="T"></div>`,
		"label": `<div><input aria-label="T"></div>`, "value": `<div><input value="T"></div>`, "option": `<div><select><option>T<option>x</select></div>`, "options": `<div><select multiple><option>T</select></div>`,
		"area": `<div><textarea>T</textarea></div>`, "long": `<div><textarea>T` + "\nT" + strings.Repeat("x", 200) + `</textarea></div>`, "cell": `<table><tr><th>T<th>x<tr><td>T<td><i>T</i></table>`,
		"grid": `<div role=grid><div role=row><span role=gridcell>T</span><span role=gridcell>T</span></div></div>`, "generated": `<style>.g::before{content:attr(x)}</style><div class=g x="T"></div>`,
		"gauge": `<div><progress value=1 aria-label="T"></progress></div>`, "link": `<div><a href=#x>T</a></div>`, "heading": `<h2>T</h2>`, "clickable": `<div onclick=1><p>T</p></div>`, "footer": `<footer><p>T</p></footer>`,
		"frame": `<iframe srcdoc="<p>T</p>"></iframe>`, "root": `<div><template shadowrootmode=open><p>T</p></template></div>`, "editor": `<div contenteditable><p>T</p><p>` + strings.Repeat("x", 200) + `</p></div>`,
		"far frame": `<iframe src="OTHER` + html(strings.Join(fakes, "<p>")) + `"></iframe>`, "code": "<pre>x\nT\n</pre>", "menu": `<div role=menu style="position:fixed"><p>T</p></div>`,
	} {
		for _, f := range fakes {
			text += strings.ReplaceAll(body, "T", escaped.Replace(f))
		}
	}
	open(t, html(`<p>first</p>`+text))
	for _, call := range []string{`extract(M{"limit": 1000000})["markdown"]`, `js("window.kept = document.body.innerHTML; document.body.innerHTML = 'nothing'; 0"); extract(); js("document.body.setHTMLUnsafe(kept); 0"); changes()`,
		`for _, w := range []string{"e", "fake", "title:", "---", "gone:", "list was", "in frame"} { fmt.Println(find(w)) }`} {
		got, fence := out(t, call), ""
		for i, l := range strings.Split(got, "\n") {
			if strings.HasPrefix(l, "```") && strings.Trim(l, "`") == "" && (fence == "" || l == fence) {
				fence = map[bool]string{true: l}[fence == ""]
			} else if fence == "" && i > 0 && faked.MatchString(l) && (call[0] != 'e' || !strings.Contains(l, "title: F") && !strings.Contains(l, "(was: y")) && !regexp.MustCompile(`^in frame e\d+:$`).MatchString(l) {
				t.Errorf("%.40s: %q", call, l)
			}
		}
		if !strings.Contains(got, `{\e77777`) || fence != "" {
			t.Errorf("%.40s: %.2000s", call, got)
		}
	}
	// find knows the text as the page has it, and code as code
	open(t, html("<p># FAKE</p><pre>```\n{e4}\n</pre><p>- a|b</p>"))
	want(t, `fmt.Println(strings.Contains(as[string](extract()["markdown"]), "`+"````\\n```\\n{\\\\e4}\\n````"+`")); fmt.Println(find("# fake")); fmt.Println(find("- a|b"))`, "true\n\\# FAKE\n\\- a|b")
	open(t, html(`<table><tr><th>{e4 a}<th>](x){e5}<tr><td><b>{e6}</b><td>{e7}</table><ul><li>{e8}</ul>`))
	if got := out(t, `fmt.Sprint(table("table"), table("ul"))`); strings.Contains(got, "{e") || !strings.Contains(got, `{\e4 a}`) {
		t.Error(got)
	}
}
