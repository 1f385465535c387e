package main

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"time"
)

// scripts: what the interpreter makes of loops that once cost far more than others.
func (b *bench) scripts() error {
	const tell = "\ntime.Since(start).Nanoseconds()"
	const loop = "xs, start := make([]int, 100), time.Now()\nfor i := range 1_000_000 { xs[i%100] += i }" + tell
	const plain = "s, xs, start := 0, make([]int, 100_000), time.Now()\nfor i := range xs { xs[i] += i; s += xs[i] }" + tell
	const closures = "s, start := 0, time.Now()\nfor i := range 100_000 { f := func(n int) int { return n + i }; s += f(i) }" + tell
	var many string
	for i := range 60 {
		many += fmt.Sprintf("v%d := %d\n_ = v%d\n", i, i, i)
	}
	for _, r := range []struct{ what, snippet, floor, than string }{
		{"10^6 turns of a loop, in a script with a goroutine", "go func() {}()\n" + loop, "in one without", loop},
		{"10^5 turns that take a pointer", "s, xs, start := 0, make([]int, 100_000), time.Now()\nfor i := range xs { p := &xs[i]; *p += i; s += *p }" + tell, "10^5 turns that take none", plain},
		{"10^5 turns that make and call a closure", closures, "10^5 turns without", plain},
		{"10^5 such turns after 60 variables", many + closures, "after none", closures},
	} {
		var got, least []time.Duration
		for range 7 {
			for snippet, to := range map[string]*[]time.Duration{r.snippet: &got, r.than: &least} {
				ds, err := b.inside(snippet)
				if err != nil {
					return err
				}
				*to = append(*to, ds...)
			}
		}
		b.ratio(r.what, got, r.floor, least)
	}
	var got, least []time.Duration
	for range 7 {
		ds, err := b.inside("xs := rand.New(rand.NewSource(1)).Perm(100_000)\nstart := time.Now()\nslices.Sort(xs)" + tell)
		if err != nil {
			return err
		}
		got = append(got, ds...)
		xs := slices.Clone(rand.New(rand.NewSource(1)).Perm(100_000))
		d, _ := timed(func() error { sort.Ints(xs); return nil })
		least = append(least, d)
	}
	b.ratio("slices.Sort of 10^5 ints in a script", got, "sort.Ints compiled", least)
	return nil
}
