package testchrome

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// DevTools is a DevTools server that answers /json/version as told, and nothing else.
func DevTools(t *testing.T, answer http.HandlerFunc) (port string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// NoHome makes an empty home the only place to look in.
func NoHome(t *testing.T) (home string) {
	home = t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"BU_CDP_WS", "BU_CDP_URL", "BU_BROWSER_ID", "XDG_CONFIG_HOME", "CHROME_CONFIG_HOME", "CHROME_USER_DATA_DIR"} {
		t.Setenv(name, "") // so that the end of the test restores it
		os.Unsetenv(name)  // Chromium takes an empty XDG_CONFIG_HOME for the working directory
	}
	return home
}

// WritePort makes a profile folder with a DevToolsActivePort in it, older by age.
func WritePort(t *testing.T, dir, text string, age time.Duration) {
	t.Helper()
	file := filepath.Join(dir, "DevToolsActivePort")
	when := time.Now().Add(-age)
	for _, err := range []error{os.MkdirAll(dir, 0o700), os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, when, when)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// DeadPort is a port that nobody listens on.
func DeadPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
