package script

import (
	"go/token"
	"runtime"
	"runtime/metrics"
	"time"
)

// deepest is how much stack one goroutine may use, in bytes: calls 100,000 deep or more.
const deepest = 96 << 20

// watch ends the run when calls go too deep. Go would end the process at ten times that,
// after gigabytes, in a way that nothing can catch; and to count the calls would make
// each of them dearer. The script goes on until the process ends.
func (p *panics) watch(over <-chan struct{}) {
	stacks := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		metrics.Read(stacks)
		if stacks[0].Value.Uint64() < deepest+64<<10*uint64(runtime.NumGoroutine()) {
			continue
		}
		p.finish(&Error{Kind: Panic, Pos: p.now(), Msg: "stack overflow: calls are more than 100,000 deep; does a function call itself without end?"})
		return
	}
}

// now is about where the script is while it runs, "" if goroutines keep that apart.
//
//go:norace
func (p *panics) now() string {
	if p.at == nil {
		return ""
	}
	if pos := place(p.fset.Position(token.Pos(*p.in))); pos != "" {
		return pos
	}
	return place(p.fset.Position(token.Pos(*p.at)))
}
