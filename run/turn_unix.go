//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Runs on one tab go one after another, in the order in which they came. Each
// draws a number from the tab's file, locks the byte that stands for it, and has
// its turn once nobody holds an earlier byte. The kernel lets go of the bytes of
// a process that dies, however it dies, waiting or at work.
//
// These are fcntl locks and not flock, which has no order among those who wait.
// They belong to the process: a child does not keep its parent's turn alive.

const (
	counterByte = 0       // held while a number is drawn
	firstTicket = 1 << 20 // the byte of number 0: past anything the file holds
)

// turn waits for this run's turn on its tab and keeps it until the process ends.
// While it waits it asks mayWait every turnCheck, with who is at work, and gives up
// on an error.
func turn(name, tab, what string, mayWait func(waited time.Duration, who string) error) error {
	f, path, err := turnFile(name, tab)
	if err != nil {
		return err
	}
	held = f
	if ours(path, f) {
		return nil
	}
	if err := lock(f, syscall.F_SETLKW, syscall.F_WRLCK, counterByte, 1); err != nil {
		return err
	}
	head := make([]byte, 20)
	io.ReadFull(f, head)
	number, _ := strconv.ParseInt(strings.TrimSpace(string(head)), 10, 64)
	_, err = f.WriteAt([]byte(fmt.Sprintf("%19d\n", number+1)), 0)
	if err == nil {
		err = lock(f, syscall.F_SETLK, syscall.F_WRLCK, firstTicket+number, 1)
	}
	if e := lock(f, syscall.F_SETLK, syscall.F_UNLCK, counterByte, 1); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if number > 0 && lock(f, syscall.F_SETLK, syscall.F_RDLCK, firstTicket, number) != nil {
		got := make(chan error, 1)
		go func() { got <- lock(f, syscall.F_SETLKW, syscall.F_RDLCK, firstTicket, number) }()
		err = patiently(got, func(waited time.Duration) error { return mayWait(waited, wrote(f, 20)) })
	}
	if err == nil {
		err = f.Truncate(20)
	}
	if err == nil {
		_, err = f.WriteAt([]byte(fmt.Sprintf("pid %d: %s", os.Getpid(), what)), 20)
		over = func() { f.Truncate(20) }
	}
	os.Setenv(turnVariable, strings.TrimSpace(fmt.Sprintf("%s %d,%d,%s", os.Getenv(turnVariable), os.Getpid(), number, path)))
	return err
}

func patiently(got <-chan error, mayWait func(waited time.Duration) error) error {
	check := time.NewTicker(turnCheck)
	defer check.Stop()
	for waited := turnCheck; ; waited += turnCheck {
		select {
		case err := <-got:
			return err
		case <-check.C:
			if err := mayWait(waited); err != nil {
				return err
			}
		}
	}
}

// over takes what this run wrote about itself out of the file again.
var over = func() {}

// turnOver removes what others read about this turn; the lock itself goes with the process.
func turnOver() { over() }

// ours says whether a process that started this one has the turn.
func ours(path string, f *os.File) bool {
	for _, turn := range strings.Fields(os.Getenv(turnVariable)) {
		var pid int32
		var number int64
		var of string
		fmt.Sscanf(turn, "%d,%d,%s", &pid, &number, &of)
		l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: firstTicket + number, Len: 1}
		if of == path && syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &l) == nil && l.Type != syscall.F_UNLCK && l.Pid == pid {
			return true
		}
	}
	return false
}

func lock(f *os.File, cmd int, kind int16, start, size int64) error {
	for {
		err := syscall.FcntlFlock(f.Fd(), cmd, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: start, Len: size})
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("wait for the turn on the tab: %w", err)
		}
		return nil
	}
}
