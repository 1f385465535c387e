package script

import (
	"encoding/json"
	"io"
	"os"
	"testing"
)

// output runs a snippet and returns what it prints.
func output(t testing.TB, cfg Config, snippet string) (string, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = w
	done := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		done <- string(b)
	}()
	err = Run(cfg, snippet)
	os.Stdout = was
	w.Close()
	return <-done, err
}

func TestProbes(t *testing.T) {
	b, err := os.ReadFile("testdata/probes.json")
	if err != nil {
		t.Fatal(err)
	}
	var probes []struct{ Name, Snippet, Stdout string }
	if err := json.Unmarshal(b, &probes); err != nil {
		t.Fatal(err)
	}
	for _, p := range probes {
		t.Run(p.Name, func(t *testing.T) {
			got, err := output(t, Config{}, p.Snippet)
			if err != nil || got != p.Stdout {
				t.Errorf("%s\n%v\ngot  %s\nwant %s", p.Snippet, err, got, p.Stdout)
			}
		})
	}
}
