package main

import (
	"bufio"
	"os"
	"strings"
)

// loadEnv reads NAME=VALUE lines, the .env of the executable's repo, into the environment
// of this process and the daemon it starts: settings of bu and of Browser Use, nothing
// else, as other names (PATH, LD_PRELOAD) change how other programs run. A name that is
// set already, even to the empty string, keeps its value. A missing file is no error.
func loadEnv(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, ok := envLine(lines.Text())
		if _, set := os.LookupEnv(name); ok && !set {
			os.Setenv(name, value)
		}
	}
}

// envLine takes a line apart as shells and dotenv readers agree on: comments, an
// "export" in front, a value in quotes.
func envLine(line string) (name, value string, ok bool) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
	name, value, ok = strings.Cut(line, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !strings.HasPrefix(name, "BU_") && !strings.HasPrefix(name, "BROWSER_USE_") || strings.ContainsAny(name, "# \t") {
		return "", "", false
	}
	if q := value[:min(1, len(value))]; q == `"` || q == "'" {
		if quoted, _, closed := strings.Cut(value[1:], q); closed {
			return name, quoted, true
		}
	}
	value, _, _ = strings.Cut(value, " #")
	return name, strings.TrimSpace(value), true
}
