//go:build linux

package helpers_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// screened gives a browser with a window, on a screen of its own, and what runs a snippet there.
func screened(t *testing.T, preferences string, args ...string) (do func(snippet string) (stdout, stderr string, code int)) {
	t.Helper()
	start(t)
	if _, err := exec.LookPath("Xvfb"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Xvfb is missing: apt-get install xvfb")
		}
		t.Skip("Xvfb is missing: apt-get install xvfb")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	screen.ExtraFiles = []*os.File{w}
	if err := screen.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { screen.Process.Kill(); screen.Wait() })
	number, _ := bufio.NewReader(r).ReadString('\n')
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	chrome := testchrome.StartWindow(t, preferences, args...)
	env := []string{"BU_NAME=" + fmt.Sprintf("c-window-%d", os.Getpid()), "BU_CDP_WS=" + chrome.WS}
	do = func(snippet string) (string, string, int) { return run(t, snippet, env...) }
	t.Cleanup(func() { do(`killDaemon()`) })
	return do
}

// Field case 77: a window that Chrome opens by itself is told at once, and the page can be used afterwards.
func TestNativeWindows(t *testing.T) {
	do := screened(t, "", "--use-fake-device-for-media-stream")
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="vault"`)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.WriteHeader(401)
	}))
	t.Cleanup(func() { closed.CloseClientConnections(); closed.Close() })
	page := html(`<button id=plain onclick="window.hits = (window.hits || 0) + 1">plain</button><script>
const button = (id, act) => document.body.append(Object.assign(document.createElement('button'), {id, textContent: id, onclick: act}));
const file = Object.assign(document.createElement('input'), {type: 'file', multiple: true});
button('input', () => file.click());
button('open', () => showOpenFilePicker().catch(e => window.said = e.message));
button('save', () => showSaveFilePicker().catch(e => window.said = e.message));
button('folder', () => showDirectoryPicker().catch(e => window.said = e.message));
button('print', () => print());
button('later', () => setTimeout(print, 100));
button('scheme', () => location.href = 'vscode://x');
document.body.insertAdjacentHTML('beforeend', '<a id=link href="vscode://y">link</a> <a id=mail href="mailto:a@b.c">mail</a>');
button('popup', () => window.open('vscode://popup'));
button('popmail', () => window.open('mailto:a@b.c'));
button('hidden', () => document.body.append(Object.assign(document.createElement('iframe'), {src: 'vscode://hidden'})));
document.body.insertAdjacentHTML('beforeend', '<form action="mailto:x@y.z" target=_blank><button id=form>form</button></form><form action="mailto:x@y.z"><button id=here>here</button></form>');
button('place', () => navigator.geolocation.getCurrentPosition(() => {}));
button('notes', () => Notification.requestPermission());
button('paste', () => navigator.clipboard.readText());
button('frame', () => document.body.append(Object.assign(document.createElement('iframe'), {src: '` + closed.URL + `'})));
</script>`)
	for _, c := range []struct{ act, says string }{
		{`clickOn("#input")`, `"fileChooser":{"multiple":true`},
		{`uploadFile("#input", "go.mod"); js("file.files[0].name")`, `go.mod`},
		{`clickOn("#open")`, `showOpenFilePicker`},
		{`clickOn("#save")`, `fileChooser`},
		{`clickOn("#folder")`, `fileChooser`},
		{`clickOn("#print")`, `pdf(path)`},
		{`js("print(); 7")`, `7`},
		{`clickOn("#later"); wait(0.3); js("8")`, `8`},
		{`clickOn("#scheme")`, `"url":"vscode://x"`},
		{`clickOn("#link")`, `"url":"vscode://y"`},
		{`clickOn("#mail")`, `"url":"mailto:a@b.c"`},
		{`n := len(listTabs()); r := clickOn("#popup"); fmt.Println(r, len(r), len(listTabs()) - n)`, `url:vscode://popup]] 1 0`},
		{`n := len(listTabs()); r := clickOn("#popmail"); fmt.Println(r, len(r), len(listTabs()) - n)`, `url:mailto:a@b.c]] 1 0`},
		{`n := len(listTabs()); r := clickOn("#form"); fmt.Println(r, len(r), len(listTabs()) - n)`, `url:mailto:x@y.z?]] 1 0`},
		{`r := clickOn("#here"); fmt.Println(r, len(r))`, `url:mailto:x@y.z?]] 1`},
		{`r := clickOn("#hidden"); fmt.Println(r, len(r)); reload()`, `url:vscode://hidden]] 1`},
		{`clickOn("#place")`, `"asks":["geolocation"]`},
		{`js("new Promise(navigator.geolocation.getCurrentPosition.bind(navigator.geolocation))")`, `grant("geolocation") and reload()`},
		{`js("setTimeout(() => navigator.geolocation.getCurrentPosition(() => {}), 50)"); waitFor("#nothing")`, `geolocation`},
		{`js("navigator.mediaDevices.getUserMedia({video: true}).then(() => 1)")`, `grant("camera")`},
		{`clickOn("#notes")`, `"asks":["notifications"]`},
		{`clickOn("#paste")`, `"asks":["clipboard-read"]`},
		{`clickOn("#frame"); wait(0.5); clickOn("#plain")`, closed.URL},
	} {
		begun := time.Now()
		stdout, stderr, _ := do(`newTab("SITE` + page + `"); activateTab(); waitForLoad(); ` + c.act)
		took := time.Since(begun)
		if !strings.Contains(stdout+stderr, c.says) || took > 20*time.Second {
			t.Errorf("%s after %v\nwant    %s\nstdout: %s\nstderr: %s", c.act, took, c.says, stdout, stderr)
		}
		if strings.Contains(c.act, "#frame") {
			continue
		}
		stdout, stderr, _ = do(`clickOn("#plain"); js("hits")`)
		// An address for another program may leave Chrome's question open: then the press is lost, and that is said.
		asked := strings.Contains(c.says, "url") && strings.Contains(stderr, "element_covered: ") && strings.Contains(stderr, "window of Chrome's own")
		if strings.TrimSpace(stdout) != "1" && !asked {
			t.Errorf("after %s: a click gives %s%s", c.act, stdout, stderr)
		}
	}
}

// What opens after its run was over is told to the next one, and choosers are the person's again.
func TestNativeWindowsLater(t *testing.T) {
	do := screened(t, "")
	page := html(`<button id=b onclick="setTimeout(() => f.click(), 400); setTimeout(() => navigator.geolocation.getCurrentPosition(() => {}), 300)">b</button><input type=file id=f>`)
	do(`newTab("SITE` + page + `"); activateTab(); waitForLoad(); clickOn("#b")`)
	time.Sleep(2 * time.Second)
	_, stderr, _ := do(`js("1")`)
	if !strings.Contains(stderr, "asked for a file") || !strings.Contains(stderr, "geolocation") {
		t.Errorf("told %q", stderr)
	}
}
