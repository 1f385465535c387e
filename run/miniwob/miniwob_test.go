package miniwob

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testchrome.Clean()
	os.Exit(code)
}

// episodes plays ten seeds of a task in one run and prints how many gave the reward 1.
const episodes = `
solved := 0
newTab("PAGE"); waitForLoad()
for seed := 0; seed < 10; seed++ {
	js(fmt.Sprintf("core.EPISODE_MAX_TIME = 1e9; Math.seedrandom('k%d'); core.startEpisodeReal()", seed))
	if err := try(solve); err != nil { fmt.Printf("seed %d: %s: %s\n", seed, query(), err.Message) }
	for i := 0; i < 20 && js("WOB_DONE_GLOBAL") != true; i++ { wait(0.1) }
	if js("WOB_DONE_GLOBAL") != true { fmt.Printf("seed %d is not over: %s\n", seed, query()); continue }
	if r := as[float64](js("WOB_RAW_REWARD_GLOBAL")); r == 1 { solved++ } else { fmt.Printf("seed %d: reward %v: %s\n", seed, r, query()) }
}
closeTab()
fmt.Printf("%d of ten\n", solved)
`

func TestTasks(t *testing.T) {
	folder := os.Getenv("MINIWOB")
	if folder == "" {
		t.Skip("MINIWOB does not name the folder of the MiniWoB++ pages")
	}
	if _, err := os.Stat(folder + "/miniwob/click-test.html"); err != nil {
		t.Fatalf("MINIWOB: %v", err)
	}
	bin := testchrome.Build(t)
	chrome := testchrome.Start(t)
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(site.Close)
	run := func(snippet string) (string, error) {
		cmd := exec.Command(bin+"/run", snippet)
		cmd.Dir, cmd.WaitDelay = testchrome.Root(), time.Second
		cmd.Env = append(os.Environ(), "HOME="+chrome.Home, fmt.Sprintf("BU_NAME=c-miniwob-%d", os.Getpid()))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() { run("killDaemon()") })
	var names []string
	for name := range solutions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			page := site.URL + "/miniwob/" + name + ".html"
			out, err := run(prelude + "func solve() {\n" + solutions[name] + "\n}\n" + strings.ReplaceAll(episodes, "PAGE", page))
			lines := strings.Split(strings.TrimSpace(out), "\n")
			last := lines[len(lines)-1]
			fmt.Printf("%-32s %-10s %.1f s\n", name, last, time.Since(begin).Seconds())
			if err != nil || last != "10 of ten" {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
