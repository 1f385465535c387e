package script

import (
	"bytes"
	"runtime"
	"strconv"
)

// places are where goroutines note what they are at. Another process may read them after
// this one has died: then there are three numbers for each goroutine, its own and the
// positions, after one that positions are counted from.
type places struct {
	shared []int
	taken  map[uintptr]int // by goroutine
}

func (p *places) of(shared []int, anchor int) {
	if p.shared, p.taken = shared, map[uintptr]int{}; shared != nil {
		shared[0] = anchor
	}
}

// take gives a goroutine two numbers to note its positions in.
func (p *places) take(g uintptr) (at, in *int) {
	for i := 1; i+3 <= len(p.shared); i += 3 {
		if p.shared[i] == 0 {
			p.shared[i], p.shared[i+1], p.shared[i+2] = goroutineNumber(), 0, 0
			p.taken[g] = i
			return &p.shared[i+1], &p.shared[i+2]
		}
	}
	return new(int), new(int)
}

// leave lets another goroutine have what g took.
func (p *places) leave(g uintptr) {
	if i := p.taken[g]; i > 0 {
		p.shared[i] = 0
		delete(p.taken, g)
	}
}

// lookUp is the position of the snippet that a goroutine of another process noted, as one
// of this process.
func lookUp(places []int, goroutine, anchor int) int {
	for i := 1; i+3 <= len(places); i += 3 {
		if places[i] == goroutine && places[i+2] > 0 {
			return places[i+2] - places[0] + anchor
		}
	}
	return 0
}

// goroutineNumber is the number of this goroutine that Go prints.
func goroutineNumber() int {
	var b [40]byte
	s := b[len("goroutine "):runtime.Stack(b[:], false)]
	n, _ := strconv.Atoi(string(s[:max(bytes.IndexByte(s, ' '), 0)]))
	return n
}
