//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// A fatal error of Go's runtime, such as concurrent map writes, ends a process with code 2,
// which here means that the snippet does not compile, and nothing in the process can catch
// it. So a snippet that may come to one runs in a process of its own, and this one waits
// for it: with the same standard input and output, the person's signals and its exit code.
//
// A file is that process's standard error number 2, where only Go's runtime writes; before
// that text it holds where each goroutine of the snippet is. Its os.Stderr is number 3, and
// number 4 ends when this process does.

const (
	supervised = "BU_SUPERVISED"
	placesSize = 1 << 16
)

// places is where a supervised process notes what its goroutines do; nil in others.
var places = func() []int {
	if os.Getenv(supervised) == "" {
		return nil
	}
	os.Unsetenv(supervised)
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	number2 := os.Stderr
	os.Stderr = os.NewFile(3, "/dev/stderr")
	above := os.NewFile(4, "above")
	go func() {
		above.Read(make([]byte, 1))
		runtime.KeepAlive(number2) // else the garbage collector would have closed it
		os.Exit(exitSignal)
	}()
	mem, err := syscall.Mmap(2, 0, placesSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return make([]int, 4)
	}
	return ints(mem)
}()

func ints(mem []byte) []int {
	return unsafe.Slice((*int)(unsafe.Pointer(&mem[0])), len(mem)/strconv.IntSize*8)
}

// supervise runs the snippet in a process of its own and ends as that one does; where tells
// which position a goroutine noted. It returns if such a process cannot be started.
func (b *browser) supervise(where func(goroutine int, places []int) string) {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	file, err := os.CreateTemp("", "bu-run-*")
	if err != nil {
		return
	}
	os.Remove(file.Name())
	err = file.Truncate(placesSize)
	if _, e := file.Seek(placesSize, 0); err != nil || e != nil {
		return
	}
	below, above, err := os.Pipe() // the pipe closes when this process ends, however that comes
	if err != nil {
		return
	}
	cmd := exec.Command(exe, os.Args[1:]...)
	cmd.Env = append(os.Environ(), supervised+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, b.stdout, file, []*os.File{os.Stderr, below}
	if len(os.Args) < 2 {
		cmd.Stdin = strings.NewReader(b.snippet)
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if cmd.Start() != nil {
		signal.Stop(signals)
		return
	}
	b.expired.Stop() // it has its own
	go func() {
		for s := range signals {
			cmd.Process.Signal(s)
		}
	}()
	cmd.Wait()
	runtime.KeepAlive(above)
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	code := status.ExitStatus()
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	all := make([]byte, placesSize+1<<20)
	n, _ := file.ReadAt(all, 0)
	text := string(all[min(placesSize, n):n])
	if code != exitCompile || text == "" {
		fmt.Fprint(os.Stderr, text)
		os.Exit(code)
	}
	fmt.Fprintln(os.Stderr, fatal(text, func(g int) string { return where(g, ints(all[:placesSize])) }))
	os.Exit(exitFailed)
}

var crash = regexp.MustCompile(`(?m)^((?:fatal error|panic): .*)\n(?s:.*?)^goroutine (\d+) `)

// fatal is what the snippet's user reads instead of the text that Go's runtime ended with.
func fatal(text string, where func(goroutine int) string) string {
	m := crash.FindStringSubmatch(text)
	if m == nil {
		return strings.TrimSpace(text)
	}
	g, _ := strconv.Atoi(m[2])
	hint := ""
	if strings.Contains(m[1], "concurrent map") {
		hint = ": goroutines use one map at once; let each hold a sync.Mutex meanwhile"
	}
	return where(g) + ": " + m[1] + hint
}
