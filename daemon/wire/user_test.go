//go:build unix

package wire

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A second user can neither connect, nor pass for the daemon, nor make it write.
func TestSecondUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	nobody := func(args ...string) *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = "/tmp"
		return cmd
	}
	t.Run("cannot connect", func(t *testing.T) {
		l, err := Listen(newName(t))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		exe := filepath.Join(t.TempDir(), "test")
		b, _ := os.ReadFile(os.Args[0])
		os.WriteFile(exe, b, 0o755)
		for d := filepath.Dir(exe); len(d) > len("/tmp"); d = filepath.Dir(d) {
			os.Chmod(d, 0o755)
		}
		cmd := nobody(exe, "-test.run", "TestConnectHelper")
		cmd.Env = []string{"BU_CONNECT=" + l.Paths.Sock}
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "permission denied") {
			t.Errorf("%v: %s", err, out)
		}
	})
	for _, file := range []string{"lock", "sock", "log", "state", "pid"} {
		t.Run("made the "+file+" first", func(t *testing.T) {
			name := newName(t)
			p, _ := PathsOf(name)
			path := map[string]string{"lock": p.Lock, "sock": p.Sock, "log": p.Log, "state": p.State, "pid": p.Pid}[file]
			if out, err := nobody("sh", "-c", "echo {} > "+path+"; chmod 666 "+path).CombinedOutput(); err != nil {
				t.Fatal(err, string(out))
			}
			// We are root, who may do everything; what counts is that nothing is believed.
			if _, err := Dial(context.Background(), name); err == nil {
				t.Error("connected")
			}
			if file == "state" {
				if _, err := ReadFile(path); err == nil {
					t.Error("it was read")
				}
			}
			if file == "log" {
				if _, err := OpenLog(path); err == nil {
					t.Error("it was opened")
				}
			}
			if l, err := Listen(name); file == "lock" && err == nil {
				t.Error("it was taken as the lock")
			} else if err == nil {
				l.Close()
			}
		})
	}
	t.Run("serves the socket", func(t *testing.T) {
		name := newName(t)
		p, _ := PathsOf(name)
		l, err := net.Listen("unix", p.Sock)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		os.Chown(p.Sock, 65534, 65534)
		var e *Error
		if _, err := Dial(context.Background(), name); !errors.As(err, &e) || e.Code != "not_allowed" {
			t.Errorf("got %v", err)
		}
	})
}

// TestConnectHelper is what TestSecondUser runs as somebody else.
func TestConnectHelper(t *testing.T) {
	sock := os.Getenv("BU_CONNECT")
	if sock == "" {
		t.Skip("no test of its own")
	}
	c, err := net.Dial("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
