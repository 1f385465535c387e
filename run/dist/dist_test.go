//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bu/daemon/testchrome"
)

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(world.dir)
	os.Exit(code)
}

var world struct {
	sync.Once
	dir string
	err error
}

// unpack gives a fresh copy of this machine's archive, as tar leaves it.
func unpack(t *testing.T) (root string) {
	t.Helper()
	w := &world
	w.Do(func() {
		if w.dir, w.err = os.MkdirTemp("", "bu-dist-test-"); w.err != nil {
			return
		}
		build := exec.Command("go", "run", "./run/dist", runtime.GOOS+"/"+runtime.GOARCH)
		build.Dir = testchrome.Root()
		out, err := build.CombinedOutput()
		if err == nil {
			var text []byte
			text, err = os.ReadFile(filepath.Join(testchrome.Root(), strings.TrimSpace(string(out))))
			err = errors.Join(err, os.WriteFile(w.dir+"/a.tar.gz", text, 0o644), os.Chmod(w.dir, 0o755))
		}
		if err != nil {
			w.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if w.err != nil {
		t.Fatal(w.err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", w.dir+"/a.tar.gz", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "bu")
}

// sh runs a program in an environment with nothing of this machine's user in it.
func sh(t *testing.T, home string, env []string, args ...string) (out string, code int) {
	t.Helper()
	return finish(t, command(home, env, args...))
}

func command(home string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "BU_NAME=" + fmt.Sprintf("d-%d", os.Getpid())}, env...)
	cmd.Dir = home
	return cmd
}

func finish(t *testing.T, cmd *exec.Cmd) (out string, code int) {
	t.Helper()
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return text.String(), cmd.ProcessState.ExitCode()
}

// files are the paths below root, with the targets of links.
func files(t *testing.T, root string) (all []string) {
	t.Helper()
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			to, _ := os.Readlink(path)
			all = append(all, strings.TrimSuffix(path+" "+to, " "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// The archive for this machine, in an empty home, without Go: it does the main job, and
// an edit of a helper counts at the next call.
func TestArchive(t *testing.T) {
	chrome, root := testchrome.Start(t), unpack(t)
	run := filepath.Join(root, "bin", "run")
	do := func(snippet string) (string, int) {
		return sh(t, chrome.Home, []string{"PATH=/usr/bin:/bin"}, run, snippet)
	}
	t.Cleanup(func() {
		do("killDaemon()")
		left, _ := filepath.Glob(fmt.Sprintf("/tmp/bu-d-%d.*", os.Getpid()))
		for _, f := range left {
			os.Remove(f)
		}
	})
	const job = "newTab(`data:text/html,<title>one</title><button onclick=\"document.title='clicked'\">Go on</button>`); waitForLoad()\n" +
		"fmt.Println(strings.Contains(as[string](extract()[`markdown`]), `Go on`)); clickOn(`button`); fmt.Println(js(`document.title`))"
	if out, code := do(job); code != 0 || out != "true\nclicked\n" {
		t.Fatalf("exit %d: %s", code, out)
	}
	page, err := os.ReadFile(filepath.Join(root, "helpers", "page.go"))
	edited := strings.Replace(string(page), "func pageInfo() M {\n", "func pageInfo() M {\n\treturn M{\"title\": \"edited\"}\n", 1)
	if err != nil || edited == string(page) {
		t.Fatalf("pageInfo is no longer in helpers/page.go: %v", err)
	}
	if out, _ := do("pageInfo()[`title`]"); out != "clicked\n" {
		t.Errorf("before the edit: %s", out)
	}
	write(t, filepath.Join(root, "helpers", "page.go"), edited)
	if out, _ := do("pageInfo()[`title`]"); out != "edited\n" {
		t.Errorf("after the edit: %s", out)
	}
	for _, f := range files(t, root) {
		if strings.HasSuffix(f, "_test.go") || strings.Contains(f, "testdata") {
			t.Errorf("in the archive: %s", f)
		}
	}
	for _, want := range []string{"SKILL.md", "README.md", "LICENSE", "bin/daemon", "bin/bu-mcp"} {
		if !exists(filepath.Join(root, want)) {
			t.Errorf("not in the archive: %s", want)
		}
	}
}

// README's first commands, as somebody new gives them in an empty home.
func TestReadme(t *testing.T) {
	chrome := testchrome.Start(t)
	unpack(t)
	readme, err := os.ReadFile(filepath.Join(testchrome.Root(), "README.md"))
	_, block, _ := strings.Cut(string(readme), "```sh\n")
	block, _, ok := strings.Cut(block, "```")
	if err != nil || !ok || !strings.Contains(block, "install.sh") {
		t.Fatalf("README.md's first commands are not those that install it: %v %s", err, block)
	}
	local := strings.NewReplacer("bu-linux-amd64.tar.gz", world.dir+"/a.tar.gz", "https://example.com", "data:text/html,<title>Example Domain</title>")
	out, code := sh(t, chrome.Home, nil, "sh", "-ec", local.Replace(block))
	t.Cleanup(func() {
		sh(t, chrome.Home, nil, chrome.Home+"/.local/bin/bu", "killDaemon()")
		left, _ := filepath.Glob(fmt.Sprintf("/tmp/bu-d-%d.*", os.Getpid()))
		for _, f := range left {
			os.Remove(f)
		}
	})
	if code != 0 || !strings.HasSuffix(out, "\nExample Domain\n") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// make install and make uninstall, into a PREFIX of their own.
func TestMakeInstall(t *testing.T) {
	prefix, home := filepath.Join(t.TempDir(), "p"), t.TempDir()
	for _, goal := range []string{"install", "uninstall"} {
		cmd := exec.Command("make", "-s", "-C", testchrome.Root(), goal, "PREFIX="+prefix)
		cmd.Env = append(os.Environ(), "HOME="+home, "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOENV="+goEnv(t, "GOENV"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("make %s: %v %s", goal, err, out)
		}
		got, _ := exec.Command(prefix+"/bin/bu", "1+2").Output()
		if there := string(got) == "3\n"; there != (goal == "install") {
			t.Errorf("after make %s bu prints %q", goal, got)
		}
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Installed and taken back again, the home is as it was.
func TestInstall(t *testing.T) {
	root, home := unpack(t), filepath.Join(t.TempDir(), "a home")
	for _, d := range []string{".claude/skills/other", ".codex", "bin"} {
		os.MkdirAll(filepath.Join(home, d), 0o755)
	}
	before := files(t, home)
	out, code := sh(t, home, nil, "sh", root+"/install.sh")
	if code != 0 || !strings.Contains(out, "put "+home+"/.local/bin on your PATH") {
		t.Fatalf("exit %d: %s", code, out)
	}
	if got, code := sh(t, home, nil, home+"/.local/bin/bu", "1+2"); code != 0 || got != "3\n" {
		t.Errorf("bu: %d %s", code, got)
	}
	tree := home + "/.local/share/bu"
	for _, agent := range []string{".claude", ".codex"} {
		if to, _ := os.Readlink(home + "/" + agent + "/skills/bu"); to != tree || !strings.Contains(out, home+"/"+agent+"/skills/bu") {
			t.Errorf("%s: a link to %q, told as: %s", agent, to, out)
		}
	}
	if exists(home + "/.agents") {
		t.Error("a folder was made for an agent that is not there")
	}
	if again, code := sh(t, home, nil, "sh", root+"/install.sh"); code != 0 {
		t.Errorf("once more: %d %s", code, again)
	}
	if out, code = sh(t, home, nil, "sh", tree+"/install.sh", "uninstall"); code != 0 {
		t.Errorf("uninstall: %d %s", code, out)
	}
	if after := files(t, home); !slices.Equal(after, before) {
		t.Errorf("left:\n%s\nwant:\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	if out, code = sh(t, home, nil, "sh", root+"/install.sh", "uninstall"); code == 0 || !strings.Contains(out, "nothing was done") {
		t.Errorf("once more: %d %s", code, out)
	}
}

// Over an older version: what was added or edited there is kept, through the end of it too.
func TestUpgrade(t *testing.T) {
	root, home := unpack(t), t.TempDir()
	tree := home + "/.local/share/bu"
	write(t, root+"/helpers/gone.go", "package helpers\n") // the older version has one file more
	sh(t, home, nil, "sh", root+"/install.sh")
	write(t, tree+"/helpers/my.go", "package helpers\n\nfunc mine() string { return \"mine\" }\n")
	write(t, tree+"/helpers/sites/shop.example.md", "notes")
	write(t, tree+"/SKILL.md", "edited")
	out, code := sh(t, home, nil, "sh", unpack(t)+"/install.sh")
	if code != 0 || !strings.Contains(out, "you had changed ./SKILL.md") {
		t.Fatalf("exit %d: %s", code, out)
	}
	if got, _ := sh(t, home, nil, home+"/.local/bin/bu", "mine()"); got != "mine\n" {
		t.Errorf("the model's own helper: %s", got)
	}
	kept, _ := filepath.Glob(tree + "/kept/*/SKILL.md")
	if text, _ := os.ReadFile(strings.Join(kept, "")); string(text) != "edited" {
		t.Errorf("the edited file is in %v: %q", kept, text)
	}
	if text, _ := os.ReadFile(tree + "/SKILL.md"); len(text) < 1000 {
		t.Errorf("the new SKILL.md: %q", text)
	}
	if exists(tree + "/helpers/gone.go") {
		t.Error("a file of the older version is still there")
	}
	write(t, tree+"/helpers/core.go", "package helpers\n")
	out, code = sh(t, home, nil, "sh", tree+"/install.sh", "uninstall")
	if code != 0 || !strings.Contains(out, "kept, because you changed it: "+tree+"/helpers/core.go") {
		t.Errorf("exit %d: %s", code, out)
	}
	for path, left := range map[string]bool{"/helpers/my.go": true, "/helpers/sites/shop.example.md": true, "/helpers/core.go": true, "/helpers/page.go": false, "/bin": false} {
		if exists(tree+path) != left {
			t.Errorf("%s is there: %v", path, !left)
		}
	}
	if exists(home + "/.local/bin") {
		t.Error("the command is still there")
	}
}

// What is in the way, or cannot be written: a clear answer, and nothing has changed.
func TestInstallRefused(t *testing.T) {
	root := unpack(t)
	for what, c := range map[string]struct {
		prepare func(home string)
		env     string
		says    string
	}{
		"a foreign bu":           {func(h string) { write(t, h+"/.local/bin/bu", "theirs") }, "", "/.local/bin/bu exists and was not installed by this script; nothing was done"},
		"a link to a foreign bu": {func(h string) { os.MkdirAll(h+"/.local/bin", 0o755); os.Symlink("/nowhere/bu", h+"/.local/bin/bu") }, "", "not installed by this script; nothing was done"},
		"a folder called bu":     {func(h string) { os.MkdirAll(h+"/.local/bin/bu", 0o755) }, "", "not installed by this script; nothing was done"},
		"a foreign share/bu":     {func(h string) { write(t, h+"/.local/share/bu/theirs", "theirs") }, "", "/.local/share/bu exists and was not installed by this script; nothing was done"},
		"a link at share/bu":     {func(h string) { os.MkdirAll(h+"/.local/share", 0o755); os.Symlink(h, h+"/.local/share/bu") }, "", "not installed by this script; nothing was done"},
		"a file for a folder":    {func(h string) { write(t, h+"/.local/share", "a file") }, "", "/.local/share is not a folder; nothing was done"},
		"no permission":          {func(h string) { os.MkdirAll(h+"/.local/bin", 0o755); os.Chmod(h+"/.local", 0o555) }, "", "no permission to write into"},
		"no permission for bin": {func(h string) {
			os.MkdirAll(h+"/.local/bin", 0o555)
			os.MkdirAll(h+"/.local/share", 0o755)
			os.Chmod(h+"/.local/share", 0o777)
		}, "", "/.local/bin; nothing was done"},
		"no permission at PREFIX": {func(h string) { os.MkdirAll(h+"/closed", 0o555) }, "PREFIX=closed/deep", "no permission to write into"},
	} {
		home := t.TempDir()
		c.prepare(home)
		cmd := command(home, []string{c.env}, "sh", root+"/install.sh")
		if os.Getuid() == 0 { // who may write everywhere
			for dir := home; dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
				os.Chmod(dir, 0o755)
			}
			for dir := root; dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
				os.Chmod(dir, 0o755)
			}
			if strings.HasPrefix(what, "no permission") {
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
		}
		before := files(t, home)
		out, code := finish(t, cmd)
		if code != 1 || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d: %s", what, code, out)
		}
		if after := files(t, home); !slices.Equal(after, before) {
			t.Errorf("%s: now there is\n%s", what, strings.Join(after, "\n"))
		}
	}
	// What is in a skill folder's way is left alone, and no reason to fail.
	home := t.TempDir()
	write(t, home+"/.claude/skills/bu/SKILL.md", "theirs")
	if out, code := sh(t, home, nil, "sh", root+"/install.sh"); code != 0 || !strings.Contains(out, "left alone: "+home+"/.claude/skills/bu") {
		t.Errorf("a foreign skill: exit %d: %s", code, out)
	}
	sh(t, home, nil, "sh", root+"/install.sh", "uninstall")
	if text, _ := os.ReadFile(home + "/.claude/skills/bu/SKILL.md"); string(text) != "theirs" {
		t.Errorf("the foreign skill is now %q", text)
	}
}

// An install that fails in the middle puts back what was there.
func TestInstallFailsInTheMiddle(t *testing.T) {
	root, home := unpack(t), t.TempDir()
	bin := t.TempDir()
	write(t, bin+"/ln", "#!/bin/sh\nexit 1\n")
	write(t, bin+"/cp", "#!/bin/sh\ncase $* in *LICENSE*) exit 1;; esac\nexec /bin/cp \"$@\"\n")
	for _, fails := range []string{"ln", "cp"} {
		os.Chmod(bin+"/ln", 0o644)
		os.Chmod(bin+"/cp", 0o644)
		os.Chmod(bin+"/"+fails, 0o755)
		broken := []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
		before := files(t, home)
		out, code := sh(t, home, broken, "sh", root+"/install.sh")
		if code != 1 || !strings.Contains(out, "not installed; everything is as it was before") {
			t.Errorf("%s fails: exit %d: %s", fails, code, out)
		}
		if after := files(t, home); !slices.Equal(after, before) {
			t.Errorf("%s fails: now there is\n%s", fails, strings.Join(after, "\n"))
		}
		// Over an older one.
		sh(t, home, nil, "sh", root+"/install.sh")
		os.Remove(home + "/.local/bin/bu")
		before = files(t, home)
		if out, code = sh(t, home, broken, "sh", root+"/install.sh"); code != 1 {
			t.Errorf("%s fails over an older one: exit %d: %s", fails, code, out)
		}
		if after := files(t, home); !slices.Equal(after, before) {
			t.Errorf("%s fails over an older one: now there is\n%s", fails, strings.Join(after, "\n"))
		}
		sh(t, home, nil, "sh", root+"/install.sh", "uninstall")
	}
}
