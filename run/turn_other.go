//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"bu/daemon/wire"
)

// turn waits until no other run has this tab, and keeps it until the process ends: Windows
// lets go of the file's lock then, however that comes. Unlike elsewhere, those who wait
// have no order. Once each turnCheck it asks mayWait, and gives up on an error.
func turn(name, tab, what string, mayWait func(waited time.Duration, who string) error) error {
	f, _, err := turnFile(name, tab)
	if err != nil {
		return err
	}
	const often = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += often {
		err := wire.Lock(f)
		if err == nil {
			break
		}
		if !errors.Is(err, wire.ErrLocked) {
			return fmt.Errorf("wait for the turn on the tab: %w", err)
		}
		who := wrote(f, 0)
		if pid, _, _ := strings.Cut(strings.TrimPrefix(who, "pid "), ":"); slices.Contains(strings.Fields(os.Getenv(turnVariable)), pid) {
			return nil // a run around this one has the turn
		}
		if waited > 0 && waited%turnCheck == 0 {
			if err := mayWait(waited, who); err != nil {
				return err
			}
		}
		time.Sleep(often)
	}
	held = f
	os.Setenv(turnVariable, strings.TrimSpace(fmt.Sprint(os.Getenv(turnVariable), " ", os.Getpid())))
	f.Truncate(0)
	_, err = f.WriteAt(fmt.Appendf(nil, "pid %d: %s", os.Getpid(), what), 0)
	return err
}

// turnOver removes what others read about this turn; the lock itself goes with the process.
func turnOver() {
	if held != nil {
		held.Truncate(0)
	}
}
