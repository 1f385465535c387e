// demo shows bu's main job on a Chromium of its own: a page is opened, a form
// filled with real input, the result read. It is what `make demo` runs.
package main

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"

	"bu/daemon/testchrome"
)

//go:embed form.html
var form []byte

const snippet = `newTab(%q)
waitForLoad()
box := js("(r => ({x: r.x + r.width/2, y: r.y + r.height/2}))(document.querySelector('input').getBoundingClientRect())").(M)
click(box["x"].(float64), box["y"].(float64))
typeText("Ada")
pressKey("Enter")
waitForLoad()
fmt.Println("the page says:", js("document.querySelector('output').textContent"))
fmt.Println("a screenshot: ", screenshot(%q))
pageInfo()`

func main() {
	if err := demo(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo() error {
	chromium, err := testchrome.Look()
	if err != nil {
		return err
	}
	fmt.Println("starting a throwaway Chromium with a profile of its own …")
	chrome, err := testchrome.New(chromium)
	if err != nil {
		return err
	}
	defer chrome.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(form) }))
	defer page.Close()

	dir, err := os.MkdirTemp("", "bu-demo-") // stays, for the picture in it
	if err != nil {
		return err
	}
	src := fmt.Sprintf(snippet, page.URL+"/form.html", filepath.Join(dir, "welcome.png"))
	name := fmt.Sprintf("demo-%d", os.Getpid())
	defer forget(name)
	fmt.Printf("\n$ run '%s'\n\n", src)
	if err := run(name, chrome.Home, src); err != nil {
		return fmt.Errorf("the snippet failed: %w", err)
	}
	if err := run(name, chrome.Home, "killDaemon()"); err != nil {
		return fmt.Errorf("the daemon did not stop: %w", err)
	}
	fmt.Println("\nThat was bu. To let it drive your own Chrome, see README.md.")
	return nil
}

// forget removes what a daemon leaves for its next run.
func forget(name string) {
	files, _ := filepath.Glob("/tmp/bu-" + name + ".*")
	for _, f := range files {
		os.Remove(f)
	}
}

// run is what a model does: bin/run with a snippet.
func run(name, home, src string) error {
	cmd := exec.Command(filepath.Join(testchrome.Root(), "bin", "run"), src)
	// Only the throwaway Chromium can be found in this HOME.
	cmd.Env = append(os.Environ(), "HOME="+home, "BU_NAME="+name, "BU_CDP_WS=", "BU_CDP_URL=", "BU_TAB=", "BU_HELPERS=")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
