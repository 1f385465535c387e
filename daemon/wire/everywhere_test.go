package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
)

// What every system must do, Windows too: one daemon a name, a line there and back, and a
// socket whose daemon is dead is nobody's.
func TestEverywhere(t *testing.T) {
	name := fmt.Sprintf("e-%d", os.Getpid())
	ctx := context.Background()
	if _, err := Dial(ctx, name); !errors.Is(err, ErrNoDaemon) {
		t.Fatalf("before: %v", err)
	}
	l, err := Listen(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { l.lock.Close(); os.Remove(l.Paths.Sock); os.Remove(l.Paths.Lock) }()
	if _, err := Listen(name); !errors.Is(err, ErrRunning) {
		t.Errorf("a second daemon: %v", err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		line, _ := ReadLine(bufio.NewReader(c))
		fmt.Fprintf(c, "%s\n", line)
	}()
	c, err := Dial(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if answer, err := c.CallLine(ctx, []byte(`{"meta":"status"}`)); err != nil || string(answer) != `{"meta":"status"}` {
		t.Errorf("%s, %v", answer, err)
	}
	if err := WriteFile(l.Paths.State, []byte("one")); err != nil {
		t.Error(err)
	}
	defer os.Remove(l.Paths.State)
	if err := WriteFile(l.Paths.State, []byte("two")); err != nil {
		t.Error(err)
	}
	if text, err := ReadFile(l.Paths.State); err != nil || string(text) != "two" {
		t.Errorf("%s, %v", text, err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if _, err := Dial(ctx, name); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("its daemon is dead: %v", err)
	}
}
