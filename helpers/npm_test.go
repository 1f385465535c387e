package helpers_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// editorPackages are what TestEditors and TestDragInJQueryUI try bu on, at these versions.
const editorPackages = `monaco-editor@0.57.0 codemirror@5.65.21 cm6@npm:codemirror@6.0.2 @codemirror/lang-javascript@6.2.5 ace-builds@1.45.2
 prosemirror-state@1.4.4 prosemirror-view@1.44.0 prosemirror-model@1.25.13 prosemirror-schema-basic@1.2.5 prosemirror-schema-list@1.6.1 prosemirror-example-setup@1.2.3
 lexical@0.52.0 @lexical/rich-text@0.52.0 quill@2.0.3 esbuild@0.28.2 jquery@3.7.1 jquery-ui@1.14.2`

// morePackages are those of TestMoreEditors, in a folder of their own.
const morePackages = `react@18.3.1 react-dom@18.3.1 slate@0.146.0 slate-react@0.146.1 slate-dom@0.146.1 draft-js@0.11.7
 @tiptap/core@3.35.0 @tiptap/starter-kit@3.35.0 @tiptap/pm@3.35.0 ckeditor5@48.5.2 tinymce@8.9.2 esbuild@0.28.2`

var editorFiles = sync.OnceValues(func() (string, error) { return installEditors(editorPackages, "editors.js") })
var moreFiles = sync.OnceValues(func() (string, error) { return installEditors(morePackages, "editors2.js") })

// editorsOfNPM is a folder with those in node_modules, and in bundle.js what testdata/editors.js
// makes of them. They are fetched once, into the user's cache. Without npm, or with no way to its
// registry, the test is skipped and says so.
func editorsOfNPM(t *testing.T) string { return fromNPM(t, editorFiles) }

func fromNPM(t *testing.T, files func() (string, error)) string {
	t.Helper()
	folder, err := files()
	if err != nil {
		t.Skip("not tried on the editors of npm: ", err)
	}
	return folder
}

func installEditors(packages, file string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("there is no npm here (.ci/install npm brings it)")
	}
	entry, err := os.ReadFile(testchrome.Root() + "/helpers/testdata/" + file)
	cache, err2 := os.UserCacheDir()
	if err = errors.Join(err, err2); err != nil {
		return "", err
	}
	sum := fnv.New64a()
	sum.Write([]byte(packages + string(entry)))
	folder := filepath.Join(cache, "bu-tests", fmt.Sprintf("editors-%x", sum.Sum64()))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	os.MkdirAll(filepath.Dir(folder), 0o755)
	fresh, err := os.MkdirTemp(filepath.Dir(folder), "fresh-") // a broken one never has the name of a whole one
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	err = errors.Join(os.WriteFile(fresh+"/package.json", []byte("{}"), 0o644), os.WriteFile(fresh+"/editors.js", entry, 0o644))
	install := append([]string{npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--legacy-peer-deps"}, strings.Fields(packages)...)
	for _, c := range [][]string{install, {"node_modules/.bin/esbuild", "editors.js", "--bundle", "--minify", "--charset=utf8", "--log-level=warning", `--define:process.env.NODE_ENV="production"`, "--define:global=globalThis", "--outfile=bundle.js"}} {
		if err == nil {
			err = inFolder(fresh, c)
		}
	}
	if err == nil {
		if err = os.Rename(fresh, folder); err != nil {
			if _, there := os.Stat(folder); there == nil { // another test was faster
				err = nil
			}
		}
	}
	return folder, err
}

func inFolder(folder string, command []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = folder, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(command[0]), strings.Join(command[1:], " "), err, out)
	}
	return nil
}
