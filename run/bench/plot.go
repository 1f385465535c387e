package main

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"
)

// The plot: a row for each time, a point for each tool, on a logarithmic axis (the
// times lie from milliseconds to seconds), and the floor as a line through all.
const (
	left, right, top, step = 400.0, 60.0, 92.0, 44.0 // pixels
	width                  = 1000.0
	buColour, peerColour   = "#0b6e4f", "#c2571a"
)

func (r *report) plot() string {
	hello := median(r.hello)
	low, high := hello, hello
	var rows []line
	for _, l := range r.lines {
		if l.took[0] > 0 {
			rows = append(rows, l)
			low, high = min(low, l.took[0], l.took[1]), max(high, l.took[0], l.took[1])
		}
	}
	at := axis(low, high)
	bottom := top + step*float64(len(rows))
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="system-ui, sans-serif" font-size="14" fill="#222">`+"\n", width, bottom+92)
	s.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	text := func(x, y float64, anchor, style, content string) {
		fmt.Fprintf(&s, `<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>`+"\n", x, y, anchor, style, html.EscapeString(content))
	}
	upright := func(x float64, style string) {
		fmt.Fprintf(&s, `<line x1="%.1f" x2="%.1f" y1="%g" y2="%g" %s/>`+"\n", x, x, top-10, bottom, style)
	}
	text(20, 32, "start", `font-size="19" font-weight="600"`, "How long a command takes: bu and agent-browser")
	fmt.Fprintf(&s, `<circle cx="27" cy="56" r="6" fill="%s"/><circle cx="87" cy="56" r="6" fill="%s"/>`+"\n", buColour, peerColour)
	text(40, 61, "start", "", "bu")
	text(100, 61, "start", "", "agent-browser (its native program)")
	for _, tick := range ticks(low, high) {
		x := at(tick)
		upright(x, `stroke="#ddd"`)
		text(x, bottom+20, "middle", `fill="#555"`, label(tick))
	}
	text((left+width-right)/2, bottom+42, "middle", `fill="#555"`, "milliseconds, median, logarithmic; further left is faster")
	upright(at(hello), `stroke="#888" stroke-dasharray="4 4"`)
	text(at(hello)-6, top-16, "start", `fill="#555" font-size="12"`, "a Go program that prints 3: "+ms(hello))
	for i, l := range rows {
		y := top + step*(float64(i)+0.5)
		what, how, _ := strings.Cut(l.what, ": ")
		if how == "" {
			text(left-24, y+5, "end", "", what)
		} else {
			text(left-24, y-3, "end", "", what)
			text(left-24, y+14, "end", `font-size="12" fill="#555"`, how)
		}
		x := [2]float64{at(l.took[0]), at(l.took[1])}
		fmt.Fprintf(&s, `<line x1="%.1f" x2="%.1f" y1="%g" y2="%g" stroke="#aaa" stroke-width="3"/>`+"\n", x[0], x[1], y, y)
		for t, colour := range []string{buColour, peerColour} {
			fmt.Fprintf(&s, `<circle cx="%.1f" cy="%g" r="6" fill="%s"/>`+"\n", x[t], y, colour)
			// Each figure stands on its point's outer side.
			side, anchor := 11.0, "start"
			if x[t] < x[1-t] || x[t] == x[1-t] && t == 0 {
				side, anchor = -11, "end"
			}
			text(x[t]+side, y+5, anchor, `font-weight="600" fill="`+colour+`"`, strings.TrimSuffix(l.figures[t], " ms"))
		}
	}
	caption := strings.SplitN(r.caption(), "; ", 2)
	text(20, bottom+66, "start", `font-size="12" fill="#555"`, caption[0]+";")
	text(20, bottom+82, "start", `font-size="12" fill="#555"`, caption[1])
	s.WriteString("</svg>\n")
	return s.String()
}

// axis is where a time stands, between low and high with room for the figures.
func axis(low, high time.Duration) func(time.Duration) float64 {
	from, to := math.Log(float64(low)/1.25), math.Log(float64(high)*1.5)
	return func(d time.Duration) float64 {
		return left + (math.Log(float64(d))-from)/(to-from)*(width-right-left)
	}
}

// ticks are the 1, 2 and 5 of each power of ten.
func ticks(low, high time.Duration) (all []time.Duration) {
	for ten := 100 * time.Microsecond; ten < high*2; ten *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d := n * ten; d > low*4/5 && d < high*3/2 {
				all = append(all, d)
			}
		}
	}
	return all
}

func label(d time.Duration) string { return fmt.Sprintf("%g", float64(d)/float64(time.Millisecond)) }
