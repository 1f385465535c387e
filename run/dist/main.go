// dist builds what people without Go unpack: for each platform an archive in dist/ with
// the programs in bin/, helpers/ beside it, and the documents. Arguments name platforms
// (linux/amd64); without any it builds all of them.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// programs by the name that they have in bin/.
var programs = map[string]string{"run": "./run", "daemon": "./daemon", "bu-mcp": "./run/mcp"}

func main() {
	wanted := platforms
	if len(os.Args) > 1 {
		wanted = os.Args[1:]
	}
	for _, p := range wanted {
		file, err := archive(p)
		if err != nil {
			fmt.Fprintf(os.Stderr, "dist: %s: %v\n", p, err)
			os.Exit(1)
		}
		fmt.Println(file)
	}
}

// archive builds the one for a platform, and gives its path.
func archive(platform string) (file string, err error) {
	goos, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return "", errors.New("not a platform; write one like linux/amd64")
	}
	files, err := contents()
	if err != nil {
		return "", err
	}
	built, err := os.MkdirTemp("", "bu-dist-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(built)
	for name, pkg := range programs {
		if goos == "windows" {
			name += ".exe"
		}
		files["bin/"+name] = filepath.Join(built, name)
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", files["bin/"+name], pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	file = filepath.Join("dist", "bu-"+goos+"-"+arch+".tar.gz")
	pack := packTar
	if goos == "windows" {
		file, pack = strings.TrimSuffix(file, ".tar.gz")+".zip", packZip
	}
	if err := os.MkdirAll("dist", 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp("dist", ".bu-*") // a broken archive never has the name of a whole one
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	err = errors.Join(pack(f, files), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	return file, err
}

// contents is what every platform has: where it is in the archive, and where here. Of
// helpers/ all but tests and what a model or a person made here for themselves.
func contents() (map[string]string, error) {
	files := map[string]string{"install.sh": "run/dist/install.sh"}
	for _, name := range []string{"SKILL.md", "README.md", "run/bench/peers.svg", "run/record/recording.png", "LICENSE"} {
		files[name] = name
	}
	err := filepath.WalkDir("helpers", func(at string, d fs.DirEntry, err error) error {
		name := d.Name()
		own := strings.HasPrefix(name, "my") && strings.HasSuffix(name, ".go")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "sites"):
			return filepath.SkipDir
		case d.Type().IsRegular() && !own && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "_test.go"):
			files[filepath.ToSlash(at)] = at
		}
		return nil
	})
	return files, err
}

// each calls add for every file, with its text. All have one time: a helper that is newer
// than run is one that was edited.
func each(files map[string]string, add func(name string, mode fs.FileMode, text []byte) error) error {
	for name, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") || path.Ext(name) == ".sh" {
			mode = 0o755
		}
		if err := add("bu/"+name, mode, text); err != nil {
			return err
		}
	}
	return nil
}

func packTar(w io.Writer, files map[string]string) error {
	zipped := gzip.NewWriter(w)
	t, now := tar.NewWriter(zipped), time.Now().Truncate(time.Second)
	err := each(files, func(name string, mode fs.FileMode, text []byte) error {
		err := t.WriteHeader(&tar.Header{Name: name, Mode: int64(mode), Size: int64(len(text)), ModTime: now})
		if err == nil {
			_, err = t.Write(text)
		}
		return err
	})
	return errors.Join(err, t.Close(), zipped.Close())
}

func packZip(w io.Writer, files map[string]string) error {
	z, now := zip.NewWriter(w), time.Now().Truncate(2*time.Second)
	err := each(files, func(name string, mode fs.FileMode, text []byte) error {
		head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: now}
		head.SetMode(mode)
		f, err := z.CreateHeader(head)
		if err == nil {
			_, err = f.Write(text)
		}
		return err
	})
	return errors.Join(err, z.Close())
}
