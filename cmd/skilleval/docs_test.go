package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
)

// TestEveryDocumentedCommandRuns executes every command line of the README and of each command's examples, in a
// directory that holds what they name, with a loopback server in place of the servers they name.
func TestEveryDocumentedCommandRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	commands := map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		collect(commands, block[1])
	}
	require.NotEmpty(t, commands, "the README shows no command")
	everyCommand(newRoot(&app{}), func(c *cobra.Command) {
		assert.NotEmpty(t, c.Example, "%s has no example", c.CommandPath())
		collect(commands, c.Example)
	})
	server := httptest.NewServer(lexicalServer(0))
	t.Cleanup(server.Close)
	for _, line := range sortedKeys(commands) {
		t.Run(line, func(t *testing.T) {
			args := shellWords(t, line)
			prepareDocs(t)
			if strings.Contains(line, "HEAD~1") {
				prepareRepository(t)
			}
			for i, arg := range args {
				args[i] = regexp.MustCompile(`^http://localhost:\d+`).ReplaceAllString(arg, server.URL)
			}
			var out, errs strings.Builder
			code := Main(context.Background(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, func(name string) (string, bool) {
				return map[string]string{"OPENAI_API_KEY": ""}[name], false
			})
			want := []int{exitPassed}
			if strings.Contains(line, "--gate") || strings.Contains(line, "--require") {
				want = append(want, exitFailed)
			}
			assert.Contains(t, want, code, "%s\n%s", line, errs.String())
		})
	}
}

// TestTheReadmesCIRunsAsWritten runs the section on CI from top to bottom on a fresh suite: what reads a run comes after
// what writes it.
func TestTheReadmesCIRunsAsWritten(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(readme), "\n## In CI\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	t.Chdir(t.TempDir())
	code, _, stderr := invoke(t, nil, "init", "my-suite")
	require.Equal(t, exitPassed, code, stderr)
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		for line := range lines(block[1]) {
			line, _, _ = strings.Cut(line, " #")
			args := shellWords(t, line)
			require.Equal(t, "skilleval", args[0], line)
			code, _, stderr := invoke(t, nil, args[1:]...)
			require.Equal(t, exitPassed, code, "%s\n%s", line, stderr)
			ran++
		}
	}
	assert.GreaterOrEqual(t, ran, 5)
}

// everyCommand visits the commands a user can call.
func everyCommand(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		everyCommand(sub, visit)
	}
}

// collect adds the skilleval command lines of a text, without comments and redirections.
func collect(into map[string]bool, text string) {
	for line := range lines(text) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(line, "go run ./cmd/")
		if rest, ok := strings.CutPrefix(line, "skilleval "); ok {
			rest, _, _ = strings.Cut(rest, " #")
			rest, _, _ = strings.Cut(rest, " > ")
			into[strings.TrimSpace(rest)] = true
		}
	}
}

// shellWords splits a command line at spaces outside double quotes.
func shellWords(t *testing.T, line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`(?:[^\s"]|"[^"]*")+`).FindAllString(line, -1) {
		words = append(words, strings.ReplaceAll(m, `"`, ""))
	}
	require.NotEmpty(t, words)
	return words
}

// prepareRepository puts the working directory under version control, with two commits.
func prepareRepository(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs the git program")
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "my-skills"}, {"commit", "--quiet", "-m", "one"}, {"commit", "--quiet", "--allow-empty", "-m", "two"}} {
		out, err := exec.Command("git", append([]string{"-c", "user.name=someone", "-c", "user.email=someone@example.org"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// prepareDocs makes a working directory with everything the documentation names.
func prepareDocs(t *testing.T) {
	t.Helper()
	small, err := filepath.Abs("testdata/suites/small")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	sample, err := os.MkdirTemp(".", "sample")
	require.NoError(t, err)
	_, err = writeSuite(datasets.Sample, "sample", sample)
	require.NoError(t, err)
	if !strings.Contains(t.Name(), "init") {
		require.NoError(t, os.Rename(sample, "my-suite"))
	}
	require.NoError(t, os.CopyFS("my-skills", os.DirFS(filepath.Join(small, "skills"))))
	require.NoError(t, os.MkdirAll("my-skills/pdf/references", 0o755))
	require.NoError(t, os.WriteFile("my-skills/pdf/SKILL.md", []byte("---\nname: pdf\ndescription: Read and fill PDF files.\n---\n"), 0o644))
	require.NoError(t, os.WriteFile("my-skills/pdf/references/forms.md", []byte("# Forms\n"), 0o644))
	require.NoError(t, os.CopyFS(".", os.DirFS(small+"/..")))
	data, err := os.ReadFile("small/cases.jsonl")
	require.NoError(t, err)
	if strings.Contains(t.Name(), "cases.jsonl") { // beside no skilleval.yaml it would be taken for a suite that is not named
		require.NoError(t, os.WriteFile("cases.jsonl", data, 0o644))
	}
	for file, text := range map[string]string{"old.md": "Weather of a place.", "new.md": "Current weather and rain forecast for a city."} {
		require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o644))
	}
	for _, dir := range []string{"my-run", "my-next-run", "base-run", "head-run", ".skilleval/runs/20260302-101500-1f2e3d"} {
		if strings.Contains(t.Name(), "--out_"+dir) {
			continue // the line makes it
		}
		code, _, stderr := invoke(t, nil, "run", sampleName, "--quiet", "--limit", "3", "--out", dir)
		require.Equal(t, 0, code, stderr)
	}
	code, _, stderr := invoke(t, nil, "baseline", "set", "base-run")
	require.Equal(t, 0, code, stderr)
}
