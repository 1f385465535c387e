//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The archives of two systems that this machine is not, run under an emulator: Debian's
// qemu-user-static and wine64. It is asked for, as it takes minutes: BU_EMULATED=1.
func TestEmulated(t *testing.T) {
	if os.Getenv("BU_EMULATED") == "" {
		t.Skip("it takes minutes: set BU_EMULATED=1 to run the archives of linux/arm64 and windows/amd64 under qemu-aarch64-static and wine")
	}
	for platform, emulator := range map[string]string{"linux/arm64": "qemu-aarch64-static", "windows/amd64": "wine"} {
		t.Run(platform, func(t *testing.T) {
			if _, err := exec.LookPath(emulator); err != nil {
				t.Skip("no " + emulator + " here")
			}
			root, home := t.TempDir(), t.TempDir()
			texts, modes := packed(t, platform)
			for name, text := range texts {
				path := filepath.Join(root, name)
				os.MkdirAll(filepath.Dir(path), 0o755)
				if err := os.WriteFile(path, text, modes[name]); err != nil {
					t.Fatal(err)
				}
			}
			bin, ext := root+"/bu/bin/", ""
			if emulator == "wine" {
				ext = ".exe"
			} else { // the kernel does not start its programs by themselves
				os.Rename(bin+"daemon", bin+"real")
				write(t, bin+"daemon", "#!/bin/sh\nexec "+emulator+" "+bin+"real\n")
				os.Chmod(bin+"daemon", 0o755)
			}
			do := func(snippet string) (string, int) {
				return sh(t, home, []string{"WINEDEBUG=-all", "WINEPREFIX=" + home + "/.wine", "BU_TIMEOUT=50"}, emulator, bin+"run"+ext, snippet)
			}
			out, code := do("1+2")
			if strings.Contains(out, "bcryptprimitives.dll") {
				t.Skip("this wine is too old for programs in Go: it has no bcryptprimitives.dll")
			}
			if code != 0 || out != "3\n" {
				t.Fatalf("1+2: exit %d: %s", code, out)
			}
			if out, code = do("fmt.Println(1)\npanic(`no`)"); code != 1 || !strings.Contains(out, "snippet:2: panic: no") {
				t.Errorf("a panic: exit %d: %s", code, out)
			}
			write(t, root+"/bu/helpers/my.go", "package helpers\r\n\r\nfunc mine() int {\r\n\tvar none []int\r\n\treturn none[0]\r\n}\r\n")
			if out, code = do("mine()"); code != 1 || !strings.Contains(out, "helpers/my.go:5") {
				t.Errorf("a helper that fails: exit %d: %s", code, out)
			}
			page, err := os.ReadFile(root + "/bu/helpers/page.go")
			if err != nil {
				t.Fatal(err)
			}
			out, code = do("pageInfo()") // wine has had no Unix sockets up to 8
			if none := code == 3 && strings.Contains(out, "no browser to attach to"); !none && !strings.Contains(out, "winapi error #10047") {
				t.Errorf("no browser: exit %d: %s", code, out)
			}
			write(t, root+"/bu/helpers/page.go", strings.Replace(string(page), "func pageInfo() M {\n", "func pageInfo() M {\n\treturn M{\"title\": \"edited\"}\n", 1))
			if out, code = do("pageInfo()[`title`]"); code != 0 || out != "edited\n" {
				t.Errorf("an edit: exit %d: %s", code, out)
			}
		})
	}
}
