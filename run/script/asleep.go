package script

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Go's runtime reports that all goroutines are asleep only if there are none but the script's.
// Here others wait beside them, for the network, a signal or a tick, so the stacks are
// inspected: the script is deadlocked if each of its goroutines waits in an instruction
// of its own for another one, and nothing outside can wake one. What is not known to be
// asleep for good counts as awake.

// wakers are symbols that let something outside wake the script at a time that nobody can know.
var wakers = map[string]bool{"time.Tick": true, "time.NewTicker": true, "time.NewTimer": true, "os/signal.Notify": true, "os/signal.NotifyContext": true, "context.WithTimeoutCause": true, "context.WithDeadlineCause": true}

// timed are those that wake it after a duration: replaced notes the last such time.
func (b *boxes) timed(d time.Duration) {
	b.state.Lock()
	defer b.state.Unlock()
	if until := time.Now().Add(d); until.After(b.wakes) {
		b.wakes = until
	}
}

// asleep says whether every goroutine waits for ever.
func (b *boxes) asleep() bool {
	b.state.Lock()
	waits := time.Now().Before(b.wakes.Add(50 * time.Millisecond))
	b.state.Unlock()
	if b.woken || waits {
		return false
	}
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		if len(buf) >= 16<<20 {
			return false
		}
		buf = make([]byte, 2*len(buf))
	}
	for _, stack := range bytes.Split(buf, []byte("\n\n")) {
		if !asleepForGood(string(stack)) {
			return false
		}
	}
	return true
}

// asleepForGood says whether the goroutine with that stack waits for another goroutine of
// the script, or is one of the runtime's that never wake it.
func asleepForGood(stack string) bool {
	lines := strings.Split(stack, "\n")
	_, state, _ := strings.Cut(strings.TrimSuffix(lines[0], "]:"), "[")
	state, _, _ = strings.Cut(state, ",")
	first := "" // function of the goroutine's own
	scripts := false
	for i := 1; i < len(lines) && !strings.HasPrefix(lines[i], "created by "); i += 2 {
		pkg, _, _ := strings.Cut(lines[i], "(")
		if strings.HasPrefix(pkg, "github.com/traefik/yaegi/") {
			scripts = true
		}
		if first == "" && !slices.ContainsFunc([]string{"runtime.", "internal/", "sync.", "reflect.", interruptible}, func(p string) bool { return strings.HasPrefix(pkg, p) }) {
			first = lines[i]
		}
	}
	if !scripts {
		creator := lines[max(0, len(lines)-2)]
		by, created := strings.CutPrefix(creator, "created by ")
		return !created || slices.ContainsFunc([]string{"main.", "bu/run/script.", "bu/daemon/wire.", "testing.", "os/signal."}, func(p string) bool { return strings.HasPrefix(by, p) })
	}
	switch state {
	case "chan receive", "chan send", "select", "chan receive (nil chan)", "chan send (nil chan)", "select (no cases)", "semacquire", "coroutine", "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "sync.Cond.Wait":
		return strings.HasPrefix(first, "github.com/traefik/yaegi/")
	}
	return false
}

// interruptible is choose, which a script's select becomes.
const interruptible = "bu/run/script.choose"
