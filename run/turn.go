package main

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// calls names the functions that a snippet calls, for those who wait for it: its text, and
// what stands in its strings and comments, must not be readable in a file.
func calls(snippet string) string {
	var names []string
	var s scanner.Scanner
	src := []byte(snippet)
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	for before := ""; ; {
		_, what, text := s.Scan()
		if what == token.EOF {
			return strings.Join(names, ", ")
		}
		if what == token.LPAREN && before != "" && !slices.Contains(names, before) {
			names = append(names, before)
		}
		before = ""
		if what == token.IDENT {
			before = text
		}
	}
}
