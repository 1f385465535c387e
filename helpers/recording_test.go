package helpers_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A login is recorded over several runs, one of which fails and one of which is killed; then
// the page is opened in the browser and played.
func TestRecording(t *testing.T) {
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=recorded"
	welcome := html(`<title>Welcome</title><h1>Welcome, Jane</h1><div style="height:3000px"></div><button id=far style="margin-left:300px">Far away</button>`)
	inner := html(`<button style="margin:20px" onclick="this.innerText='pressed'">Inside</button>`)
	login := html(`<title>Log in</title><form action="SITE` + welcome + `"><label>E-mail <input id=user></label><label>Password <input type=password id=p></label>
<label>One-time code <input id=code inputmode=numeric></label><label><input type=checkbox id=keep> Keep me in</label>
<select id=lang aria-label=Language><option>English<option>Deutsch</select><button id=go>Login</button></form>
<iframe src="OTHER` + inner + `" style="position:absolute;left:200px;top:200px;width:300px;height:120px;border:0"></iframe>`)
	labelled(t, "recorded", login)
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	if path != filepath.Join(dir, "index.html") {
		t.Fatal(path)
	}
	out(t, `extract(); where := js("(r => JSON.stringify([r.x, r.y, r.width, r.height]))(document.querySelector('#go').getBoundingClientRect())")
fill("#user", "jane@example.com"); fill("#p", "hunter2secret"); typeInto("#code", "493817"); setChecked("#keep", true); selectOption("#lang", "Deutsch"); clickOn("text=Inside")
clickOn("#go"); fmt.Println("pressed it"); waitForLoad(); os.WriteFile("`+filepath.Join(dir, "where")+`", []byte(fmt.Sprint(where)), 0o600)`, env)
	run(t, `clickOn("#not-there")`, env)
	out(t, `clickOn("#far"); click(50, 60); pressKey("Home"); cdp("Emulation.setScrollbarsHidden", M{"hidden": false})`, env)
	out(t, "pageInfo()", "BU_TAB=unrecorded")
	killed := invoke(`hover(70, 80); for { wait(1) }`, env)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	read := func() string { return must(readFile(path)) }
	eventually(t, "the step of a run that goes on", func() bool { return strings.Contains(read(), `"name":"hover"`) })
	killed.Process.Kill()
	killed.Wait()
	half, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	half.WriteString(`<script>add({"kind":"st`) // what a kill in the middle leaves
	half.Close()
	if got := out(t, "fmt.Println(`the last run`); stopRecording()", env); got != "the last run\n"+path {
		t.Error(got)
	}
	out(t, "fmt.Println(`after the end`)", env)
	for word, want := range map[string]bool{"pressed it": true, "jane@example.com": true, "••••": true, "hunter2secret": false, "493817": false, "after the end": false} {
		if strings.Contains(read(), word) != want {
			t.Errorf("%q in the recording: %v, want %v", word, !want, want)
		}
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o600 {
		t.Errorf("%v", fi.Mode())
	}
	var where [4]float64
	json.Unmarshal([]byte(must(readFile(filepath.Join(dir, "where")))), &where)
	plays(t, path, where)

	if _, stderr, code := run(t, "startRecording(`/proc/nowhere/x`)", env); code != 1 || !strings.Contains(stderr, "cannot be written") {
		t.Errorf("a folder that cannot be made: exit %d %s", code, stderr)
	}
	if _, stderr, code := run(t, "stopRecording()", env); code != 1 || !strings.Contains(stderr, "not being recorded") {
		t.Errorf("stopRecording without one: exit %d %s", code, stderr)
	}
}

func readFile(path string) (string, error) {
	b, err := os.ReadFile(path)
	return string(b), err
}

// plays opens a recording of TestRecording and looks at each step of it.
func plays(t *testing.T, path string, login [4]float64) {
	t.Helper()
	env := "BU_TAB=player"
	const look = `(() => { const i = document.getElementById('shot'), f = document.getElementById('frame').getBoundingClientRect(), v = views[now], at = q => { const m = document.querySelector(q); if (!m) return null; const b = m.getBoundingClientRect(), k = v.size[0] / f.width;
  return [(b.x - f.x) * k, (b.y - f.y) * k, b.width * k, b.height * k].map(Math.round) }
 return {n: now, caption: document.getElementById('caption').innerText, shown: i.complete && i.naturalWidth > 0 && !f.hidden, box: at('i.box'), point: at('i.point')} })()`
	var said []struct {
		N          int
		Caption    string
		Shown      bool
		Box, Point []float64
	}
	text := out(t, fmt.Sprintf(`newTab("file://%s"); waitForLoad()
all := []any{}
for i := range int(as[float64](js("views.length"))) { if i > 0 { pressKey("ArrowRight") }; waitFor("document.getElementById('shot').complete"); all = append(all, js(%q)) }
js("show(views.length - 4)"); clickOn("#play"); waitFor("now === views.length - 1 && !timer", 60)
clickOn("#back"); if as[float64](js("views.length - now")) != 2 { panic("no step back") }
pressKey("Home"); if js("now") != 0.0 { panic("not at the start") }
js("list.querySelectorAll('.step')[2].focus()"); pressKey("Enter"); if js("document.activeElement.classList.contains('on')") != true { panic("Enter shows no step") }
emulate(M{"size": []int{390, 844}, "dark": true}); waitFor("innerWidth === 390")
waitFor("document.documentElement.scrollWidth <= 390"); waitFor("list.getBoundingClientRect().top >= stage.getBoundingClientRect().bottom"); waitFor("matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(list).backgroundColor === 'rgb(26, 32, 44)'")
closeTab(); all`, path, look), env, "BU_TIMEOUT=110")
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err, text)
	}
	marked := 0
	for n, wanted := range []string{`fill #user textbox "E-mail" jane@example.com`, `fill #p textbox "Password" ••••`, `typeInto #code textbox "One-time code" ••••`, `setChecked #keep checkbox "Keep me in" true`,
		`selectOption #lang combobox "Language" Deutsch`, `clickOn text=Inside button "Inside"`, `clickOn #go button "Login"`, "clickOn #not-there", `clickOn #far button "Far away"`, "click 50 60", "pressKey Home",
		"cdp Emulation.setScrollbarsHidden", "hover 70 80", "the run has ended"} {
		found := false
		for _, s := range said {
			same := strings.Contains(strings.Join(strings.Fields(uidless(s.Caption)), " "), wanted)
			found = found || same
			at := func(p []float64) []float64 { return []float64{p[0] + p[2]/2, p[1] + p[3]/2} }
			switch {
			case !same || s.Point == nil:
			case strings.HasPrefix(wanted, "clickOn #go"):
				if c := at(s.Point); abs(c[0]-login[0]-login[2]/2) > 3 || abs(c[1]-login[1]-login[3]/2) > 3 || abs(s.Box[0]-login[0]) > 3 || abs(s.Box[2]-login[2]) > 3 {
					t.Errorf("%s at %v in %v, want %v", wanted, s.Point, s.Box, login)
				}
			case strings.HasPrefix(wanted, "click 50"):
				if c := at(s.Point); abs(c[0]-50) > 2 || abs(c[1]-60) > 2 {
					t.Errorf("%s at %v", wanted, c)
				}
			case strings.Contains(wanted, "Inside"):
				if c := at(s.Point); c[0] < 220 || c[0] > 300 || c[1] < 220 || c[1] > 250 || s.Box[0] < 210 {
					t.Errorf("%s at %v in %v", wanted, c, s.Box)
				}
			}
			if same && s.Point != nil {
				marked++
			}
			if same && !s.Shown && s.N > 0 { // nothing was to be seen yet while it was begun
				t.Errorf("%d: %s has no picture", n, wanted)
			}
		}
		if !found {
			t.Errorf("no step %q in %s", wanted, text)
		}
	}
	if marked < 6 {
		t.Errorf("%d steps have a mark where they went", marked)
	}
}

// uidless is a caption without the uids in it, which depend on what was read before.
func uidless(s string) string {
	var words []string
	for _, w := range strings.Fields(s) {
		if len(w) < 2 || w[0] != 'e' || strings.Trim(w[1:], "0123456789") != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

func abs(x float64) float64 { return max(x, -x) }

// However a password gets into a field, wherever that is, the recording does not say it.
func TestRecordingMasks(t *testing.T) {
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=masked"
	inner := html(`<input type=password id=inner autofocus>`)
	page := html(`<input id=user><input type=password id=p><div id=open></div><div id=closed></div>
<iframe src="SITE` + inner + `"></iframe><iframe id=other src="OTHER` + inner + `"></iframe>
<script>
document.getElementById('open').attachShadow({mode: 'open'}).innerHTML = '<input type=password id=s>'
document.getElementById('closed').attachShadow({mode: 'closed'}).innerHTML = '<input type=password style="width:200px">'
p.oninput = () => { if (p.value == '86420') p.remove() }
</script>`)
	labelled(t, "masked", page)
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	fresh := `reload(); waitForLoad(); `
	middle := `box := as[M](js("(() => { const b = document.querySelector('%s').getBoundingClientRect(); return {x: b.x + 40, y: b.y + 15} })()")); click(as[float64](box["x"]), as[float64](box["y"])); `
	for _, snippet := range []string{
		`fill("#user", "jane"); fill("#p", "fil\"led<1>"); fmt.Println(M{"v": js("p.value")}, js("p.value"))`,
		fresh + `typeInto("#s", "shadowed2")`,
		fresh + `typeInto("#inner", "inframe3")`,
		fresh + `clickOn("#p"); for _, k := range "key4" { pressKey(string(k)) }; for _, k := range []string{"w", "q"} { pressKey(k) }`,
		fresh + `js("p.value = 'script\\'fives'"); reload()`,
		fresh + `clickOn("#p"); typeText("86420")`, // gone with its last letter
		fresh + fmt.Sprintf(middle, "#closed") + `typeText("closed6")`,
		fresh + fmt.Sprintf(middle, "#other") + `typeText("elsewhere7")`,
	} {
		out(t, snippet, env)
	}
	out(t, "stopRecording(); closeTab()", env)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{"jane": true, "#user": true, `fil\"led`: false, "led<1>": false, `led\u003c1`: false, "shadowed2": false,
		"inframe3": false, "key4": false, `\"w\"`: false, `\"q\"`: false, "fives": false, "86420": false, "closed6": false, "elsewhere7": false} {
		if strings.Contains(string(text), word) != want {
			at := max(0, strings.Index(string(text), word)-200)
			t.Errorf("%q in the recording: %v, want %v: %.400s", word, !want, want, text[at:])
		}
	}
}

// What turns out to be a password is gone from the page at once, not when the run ends.
func TestRecordingLateSecret(t *testing.T) {
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=late"
	labelled(t, "late", html(`<input id=user><input type=password id=p>`))
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	for _, types := range []string{`fill("#p", "latest"+"5")`, `clickOn("#p"); typeText("latest"+"5")`, `js("p.value = 'latest' + 5"); clickOn("#user")`} {
		got := out(t, fmt.Sprintf(`holds := func() bool { b, _ := os.ReadFile(%q); return strings.Contains(string(b), "latest"+"5") }
fill("#user", "latest"+"5"); before := holds(); %s; fmt.Print(before, " ", holds()); _ = reload()`, path, types), env)
		if got != "true false" {
			t.Errorf("%s: it is in the page before and after: %s", types, got)
		}
	}
	out(t, "stopRecording()", env)
}

// A run ends with a look at the page: the picture that its steps led to, and passwords that
// came into the page in no other way.
func TestRecordingEnds(t *testing.T) {
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=ends"
	labelled(t, "ends", html(`<input type=password id=p>`))
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	out(t, `fmt.Println("ending" + "5"); js("p.value = 'ending' + 5")`, env)
	page := must(readFile(path))
	if strings.Contains(page, "ending5") {
		t.Error("the recording says a password that was in the page when the run ended")
	}
	if !strings.Contains(page, `"after":`) {
		t.Error("the run's end has no picture")
	}
	out(t, "stopRecording()", env)
}

// The pictures do not show what a field holds that is private without hiding it, nor a known
// password anywhere else.
func TestRecordingPaints(t *testing.T) {
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=painted"
	inner := html(`<body style="margin:0"><input id=inner autocomplete=one-time-code style="` + black + `">`)
	labelled(t, "painted", html(`<body style="margin:0"><input id=plain style="top:0;`+black+`"><input id=code autocomplete=one-time-code style="top:60px;`+black+`">
<input id=again style="top:120px;`+black+`"><iframe src="OTHER`+inner+`" style="position:absolute;border:0;left:0;top:180px;width:400px;height:50px"></iframe>`))
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	out(t, `fill("#plain", "seen"); fill("#code", "314159"); fill("#again", "314159"); fill("#inner", "271828")`, env)
	out(t, "stopRecording()", env)
	text, err := os.ReadFile(path)
	all := regexp.MustCompile(`"after":"data:image/jpeg;base64,([^"]+)"`).FindAllSubmatch(text, -1)
	if err != nil || len(all) == 0 {
		t.Fatalf("no picture: %v", err)
	}
	data, _ := base64.StdEncoding.DecodeString(string(all[len(all)-1][1]))
	picture, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	k := float64(picture.Bounds().Dx()) / numbered(out(t, "js(`innerWidth`)", env))
	for _, c := range []struct {
		what  string
		y     float64
		shown bool
	}{{"an ordinary field", 25, true}, {"a field for a code", 85, false}, {"a field that shows the code again", 145, false}, {"one in a frame of another site", 205, false}} {
		r, g, b, _ := picture.At(int(200*k), int(c.y*k)).RGBA()
		grey := near(r, 0x5b) && near(g, 0x64) && near(b, 0x72)
		if black := near(r, 0) && near(g, 0) && near(b, 0); black != c.shown || grey == c.shown {
			t.Errorf("%s is shown: %v, want %v (colour %x %x %x)", c.what, black, c.shown, r>>8, g>>8, b>>8)
		}
	}
}

// black fills a field, so that its pixels tell whether it is covered.
const black = "position:absolute;left:0;width:400px;height:50px;border:0;padding:0;background:#000;color:#fff"

// near says whether a colour's 16 bits are about this byte: a JPEG is not exact.
func near(colour uint32, to int) bool { return max(int(colour>>8)-to, to-int(colour>>8)) < 16 }

func numbered(number string) float64 {
	n, _ := strconv.ParseFloat(number, 64)
	return n
}

// A disk that is full ends a recording, not the run.
func TestRecordingDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	env := "BU_TAB=fulldisk"
	labelled(t, "fulldisk", html("x"))
	path := out(t, fmt.Sprintf("startRecording(%q)", filepath.Join(t.TempDir(), "rec")), env)
	os.Remove(path)
	if err := os.Symlink("/dev/full", path); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, `click(5, 5); "done"`, env)
	if code != 0 || stdout != "done" || strings.Count(stderr, "notice: the recording in "+path+" has ended") != 1 {
		t.Errorf("exit %d %q %s", code, stdout, stderr)
	}
	if stdout, stderr, code := run(t, `click(5, 5); closeTab(); "done"`, env); code != 0 || stdout != "done" || stderr != "" {
		t.Errorf("the run after: exit %d %q %s", code, stdout, stderr)
	}
}

// make recording.png: the picture in README.md, of a real recording.
func TestRecordingPicture(t *testing.T) {
	picture := os.Getenv("BU_RECORDING_PNG")
	if picture == "" {
		t.Skip("BU_RECORDING_PNG names the file to write")
	}
	dir, env := filepath.Join(t.TempDir(), "rec"), "BU_TAB=picture"
	style := `<style>body{font:16px system-ui;margin:60px auto;width:340px;color:#223}label{display:block;margin:12px 0 4px}input{font:inherit;width:100%;box-sizing:border-box;padding:8px;border:1px solid #99a;border-radius:6px}button{font:inherit;margin-top:20px;padding:8px 28px;border:0;border-radius:6px;background:#1b6b4a;color:#fff}</style>`
	orders := html(`<title>Orders</title>` + style + `<h1>Your orders</h1><p>2 bicycles, on their way</p>`)
	labelled(t, "picture", html(`<title>Shop</title>`+style+`<h1>Bicycle shop</h1><form action="SITE`+orders+`"><label for=u>E-mail</label><input id=u><label for=p>Password</label><input id=p type=password><label for=c>One-time code</label><input id=c><button>Log in</button></form>`))
	size := `cdp("Emulation.setDeviceMetricsOverride", M{"width": %d, "height": %d, "deviceScaleFactor": 1, "mobile": false})`
	out(t, fmt.Sprintf(size, 760, 520), env)
	path := out(t, fmt.Sprintf("startRecording(%q)", dir), env)
	out(t, fmt.Sprintf(size, 760, 520)+`; extract(); fill("#u", "jane@example.com"); fill("#p", "correct horse"); typeInto("#c", "493817"); clickOn("button"); waitForLoad(); fmt.Println(js("document.querySelector('p').innerText"))`, env)
	out(t, "stopRecording(); closeTab()", env)
	out(t, fmt.Sprintf(`newTab("file://%s"); `+size+`
waitFor("views.length > 6"); js("const at = views.findIndex(v => v.caption.startsWith('clickOn') && v.marks.points); list.querySelectorAll('h2')[0].textContent = 'run of 2 December 2026, 18:00:00'; list.querySelectorAll('details')[3]?.setAttribute('open', ''); show(at)"); waitFor("document.images[0].complete"); screenshot(%q); closeTab()`, path, 1080, 600, picture), "BU_TAB=player")
}
