package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"bu/daemon/testchrome"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testchrome.Clean()
	os.Exit(code)
}

// The varied ones, over fewer seeds; `make miniwob` plays all.
var varied = []string{"click-button", "click-checkboxes", "click-tab-2", "click-scroll-list", "enter-date", "login-user", "multi-layouts",
	"read-table", "navigate-tree", "drag-items", "count-shape", "use-slider"}

func TestVariedTasks(t *testing.T) {
	all, err := solutions()
	if err != nil {
		t.Fatal(err)
	}
	if len(all.body) < 100 {
		t.Errorf("only %d tasks have a solution", len(all.body))
	}
	folder, err := pages()
	if errors.Is(err, errNoPages) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name := range all.body {
		if _, err := os.Stat(filepath.Join(folder, "miniwob", name+".html")); err != nil {
			t.Errorf("a solution without a page: %v", err)
		}
	}
	chrome := testchrome.Start(t)
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(site.Close)
	p := &player{bin: testchrome.Build(t), home: chrome.Home, site: site.URL, tasks: all}
	t.Cleanup(p.end)
	for _, name := range varied {
		if r := p.play(t.Context(), name, 2); r.solved != 2 {
			t.Errorf("%s: %d of 2\n%s", name, r.solved, r.told)
		}
	}
}
