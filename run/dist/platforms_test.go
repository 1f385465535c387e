package main_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/macho"
	"debug/pe"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

// packed builds the archive of a platform, and gives what is in it by name, and the modes.
func packed(t *testing.T, platform string) (texts map[string][]byte, modes map[string]os.FileMode) {
	t.Helper()
	build := exec.Command("go", "run", "./run/dist", platform)
	build.Dir = testchrome.Root()
	out, err := build.Output()
	if err != nil {
		t.Fatalf("%s: %v", platform, err)
	}
	file := filepath.Join(testchrome.Root(), strings.TrimSpace(string(out)))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	texts, modes = map[string][]byte{}, map[string]os.FileMode{}
	if strings.HasSuffix(file, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			texts[f.Name], _ = io.ReadAll(r)
			modes[f.Name] = f.Mode()
		}
		return texts, modes
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		if err == io.EOF {
			return texts, modes
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[head.Name], _ = io.ReadAll(archive)
		modes[head.Name] = head.FileInfo().Mode()
	}
}

// The archives that this machine cannot try have the same files as the one that it can, and
// programs for their system.
func TestOtherPlatforms(t *testing.T) {
	mine, _ := packed(t, runtime.GOOS+"/"+runtime.GOARCH)
	want := slices.Sorted(maps.Keys(mine))
	for _, name := range []string{"bu/bin/run", "bu/bin/daemon", "bu/bin/bu-mcp", "bu/SKILL.md", "bu/README.md", "bu/LICENSE", "bu/install.sh", "bu/helpers/page.go", "bu/helpers/engine/js/see/dom.js"} {
		if !slices.Contains(want, name) {
			t.Errorf("not in this machine's archive: %s", name)
		}
	}
	for platform, made := range map[string]func(io.ReaderAt) bool{
		"windows/arm64": func(r io.ReaderAt) bool {
			f, err := pe.NewFile(r)
			return err == nil && f.Machine == pe.IMAGE_FILE_MACHINE_ARM64
		},
		"darwin/arm64": func(r io.ReaderAt) bool {
			f, err := macho.NewFile(r)
			return err == nil && f.Cpu == macho.CpuArm64
		},
	} {
		texts, modes := packed(t, platform)
		var names []string
		for name := range texts {
			plain := strings.TrimSuffix(name, ".exe")
			program := strings.HasPrefix(name, "bu/bin/")
			if program && (plain != name) != strings.HasPrefix(platform, "windows") {
				t.Errorf("%s: %s", platform, name)
			}
			if program && (!made(bytes.NewReader(texts[name])) || modes[name]&0o111 != 0o111) {
				t.Errorf("%s: %s is no program for it (mode %v)", platform, name, modes[name])
			}
			if !program && !bytes.Equal(texts[name], mine[name]) {
				t.Errorf("%s: %s is not as in this machine's archive", platform, name)
			}
			names = append(names, plain)
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s has\n%s\nwant\n%s", platform, strings.Join(names, "\n"), strings.Join(want, "\n"))
		}
	}
}
