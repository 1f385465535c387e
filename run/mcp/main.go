// bu-mcp gives bu to clients that have no shell: an MCP server over standard input and
// output with one tool, run, which is bin/run with the snippet on its standard input.
// Nothing of it is linked into run or daemon.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const skillURI = "bu://SKILL.md"

const about = `Run a Go snippet that drives the user's own running Chrome: open and read pages, click, type, fill forms, download, take screenshots.
For example: newTab("https://example.com"); waitForLoad(); fmt.Println(extract()["markdown"])
The value of the last expression is printed. Pictures that it takes are shown. The server's instructions, also the resource ` + skillURI + `, list the helpers.`

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "bu-mcp:", err)
		os.Exit(1)
	}
}

// serve answers the client until it hangs up or a signal comes, and leaves once the
// snippets that still ran have ended.
func serve() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	run := filepath.Join(filepath.Dir(exe), "run"+filepath.Ext(exe))
	if _, err := os.Stat(run); err != nil {
		return errors.New(run + " is missing; it belongs beside bu-mcp: `make build` puts both into bin/, and an archive has both")
	}
	root := filepath.Dir(filepath.Dir(exe))
	skill := filepath.Join(root, "SKILL.md")
	text, err := os.ReadFile(skill)
	if err != nil {
		return fmt.Errorf("cannot read the instructions for the model: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := mcp.NewServer(&mcp.Implementation{Name: "bu", Title: "bu: the user's own Chrome", Version: version()}, &mcp.ServerOptions{
		Instructions: instructions(root, string(text)),
	})
	r := &runner{path: run, stop: ctx}
	mcp.AddTool(s, &mcp.Tool{Name: "run", Description: about}, r.call)
	s.AddResource(&mcp.Resource{URI: skillURI, Name: "SKILL.md", MIMEType: "text/markdown", Description: "How to drive the browser: the loop, the helpers, what to do on an error."},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			text, err := os.ReadFile(skill) // afresh: the model may have edited it
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: skillURI, MIMEType: "text/markdown", Text: string(text)}}}, nil
		})
	err = s.Run(ctx, &mcp.StdioTransport{})
	stop()
	r.calls.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// instructions is SKILL.md with what is different without a shell in front of it.
func instructions(root, skill string) string {
	if _, body, ok := strings.Cut(strings.TrimPrefix(skill, "---\n"), "\n---\n"); ok && strings.HasPrefix(skill, "---\n") {
		skill = strings.TrimSpace(body)
	}
	return "Below, run 'SNIPPET' in a shell is the tool run here: snippet is the SNIPPET, tab is BU_TAB, timeout is BU_TIMEOUT. " +
		"There is no shell, but a snippet reads and edits files with os.ReadFile and os.WriteFile; the helpers are in " + filepath.Join(root, "helpers") + ".\n\n" + skill
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "devel"
}
