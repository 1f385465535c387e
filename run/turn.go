package main

import (
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strings"

	"bu/daemon/wire"
)

// turnVariable tells a run inside a run which turns those around it have, on other tabs
// too: waiting for one of those would be waiting for itself.
const turnVariable = "BU_TURN"

// held keeps the file from being closed, which would drop the lock.
//
//lint:ignore U1000 it only has to be reachable
var held *os.File

// turnFile opens the file that stands for a tab, by which runs on it wait for each other.
func turnFile(name, tab string) (*os.File, string, error) {
	paths, err := wire.PathsOf(name)
	if err != nil {
		return nil, "", err
	}
	path := strings.TrimSuffix(paths.Sock, ".sock") + ".turn"
	if tab != "" {
		path += "-" + tab
	}
	f, err := wire.OpenOwn(path, os.O_RDWR|os.O_CREATE)
	return f, path, err
}

// wrote is what the run that has the turn wrote about itself, from that byte on.
func wrote(f *os.File, from int64) string {
	who := make([]byte, 200)
	n, _ := f.ReadAt(who, from)
	return string(who[:n])
}

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
