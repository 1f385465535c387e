package main

import (
	"context"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"bu/daemon/testchrome"
)

//go:embed testdata/*.go
var sources embed.FS

// tasks is the solutions: what all of them share, and by a task's name the function that solves it.
type tasks struct {
	shared string
	body   map[string]string // the function's source
	solve  map[string]string // the function's name
}

func (t tasks) names() []string { return slices.Sorted(maps.Keys(t.body)) }

var solves = regexp.MustCompile(`^[a-z0-9-]+(,\s[a-z0-9-]+)*:`)

// solutions reads testdata: a function whose comment begins with names of tasks and a colon solves
// these; every other one is shared.
func solutions() (tasks, error) {
	all := tasks{body: map[string]string{}, solve: map[string]string{}}
	files, _ := sources.ReadDir("testdata")
	for _, f := range files {
		text, err := sources.ReadFile("testdata/" + f.Name())
		if err != nil {
			return all, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.Name(), text, parser.ParseComments)
		if err != nil {
			return all, err
		}
		for _, d := range tree.Decls {
			source := string(text[set.Position(d.Pos()).Offset:set.Position(d.End()).Offset]) + "\n"
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !solves.MatchString(fn.Doc.Text()) {
				all.shared += source
				continue
			}
			names, _, _ := strings.Cut(fn.Doc.Text(), ":")
			for _, name := range strings.Fields(strings.ReplaceAll(names, ",", " ")) {
				if all.body[name] != "" {
					return all, fmt.Errorf("%s: %s is solved twice", f.Name(), name)
				}
				all.body[name], all.solve[name] = source, fn.Name.Name
			}
		}
	}
	return all, nil
}

// player runs snippets in one browser.
type player struct {
	bin, home, site string
	tasks           tasks
}

func (p *player) env() []string {
	return append(os.Environ(), "HOME="+p.home, fmt.Sprintf("BU_NAME=c-miniwob-%d", os.Getpid()), "BU_TIMEOUT=200")
}

func (p *player) snippet(ctx context.Context, text string) (string, error) {
	cmd := exec.CommandContext(ctx, p.bin+"/run", text)
	cmd.Dir, cmd.WaitDelay, cmd.Env = testchrome.Root(), time.Second, p.env()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (p *player) end() { p.snippet(context.Background(), "killDaemon()") }

// episodes plays the seeds of a task in one run. It prints what went wrong in one, and at the end how
// many gave the reward 1, how many characters were read and how many commands reached the daemon.
const episodes = `
solved, commands := 0, 0
newTab(PAGE); activateTab(); waitForLoad(); waitForQuiet() // one that draws, as a person has it
for seed := 0; seed < SEEDS; seed++ {
	js(fmt.Sprintf("core.EPISODE_MAX_TIME = 1e9; Math.seedrandom('k%d'); core.startEpisodeReal()", seed))
	begin := time.Now()
	err := try(SOLVE)
	for _, c := range debugLog(1000) { if t, e := time.Parse(time.RFC3339Nano, as[string](get(c, "time"))); e == nil && t.After(begin) { commands++ } }
	if err != nil { fmt.Printf("seed %d: %s: %s\n", seed, query(), err.Message) }
	for i := 0; i < 20 && js("WOB_DONE_GLOBAL") != true; i++ { wait(0.1) }
	if js("WOB_DONE_GLOBAL") != true { fmt.Printf("seed %d is not over: %s\n", seed, query()); continue }
	if r := as[float64](js("WOB_RAW_REWARD_GLOBAL")); r == 1 { solved++ } else { fmt.Printf("seed %d: reward %v: %s\n", seed, r, query()) }
}
closeTab()
fmt.Printf("end %d %d %d\n", solved, chars, commands)
`

// result is how the seeds of a task went; told is the output.
type result struct {
	solved, read, commands int
	told                   string
}

func (p *player) play(ctx context.Context, name string, seeds int) (r result) {
	if p.tasks.body[name] == "" {
		return result{told: "no such task, or none with a solution"}
	}
	fill := strings.NewReplacer("PAGE", fmt.Sprintf("%q", p.site+"/miniwob/"+name+".html"), "SEEDS", fmt.Sprint(seeds), "SOLVE", p.tasks.solve[name])
	out, err := p.snippet(ctx, p.tasks.shared+p.tasks.body[name]+fill.Replace(episodes))
	if i := strings.LastIndex(out, "end "); i >= 0 {
		fmt.Sscanf(out[i:], "end %d %d %d", &r.solved, &r.read, &r.commands)
	}
	r.told = out
	if err != nil {
		r.told += err.Error()
	}
	return r
}
