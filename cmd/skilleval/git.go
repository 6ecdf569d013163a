package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// commitOf finds the commit that a revision names, in the repository of the working directory.
func commitOf(ctx context.Context, rev string) (string, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return "", fmt.Errorf("the git program is needed to read a revision: %w", err)
	}
	if _, err := gitOutput(ctx, "rev-parse", "--is-inside-work-tree"); err != nil {
		return "", fmt.Errorf("the working directory is in no git repository: %w", err)
	}
	commit, err := gitOutput(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", unknownRevision(ctx, rev)
	}
	return strings.TrimSpace(string(commit)), nil
}

// isShallow reports a clone that holds a part of the history.
func isShallow(ctx context.Context) bool {
	out, err := gitOutput(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// gitOutput runs one git command and returns its output; the error holds the first line of what it said.
func gitOutput(ctx context.Context, args ...string) ([]byte, error) {
	return gitAsk(ctx, nil, args...)
}

// gitAsk is gitOutput for a command that reads its standard input.
func gitAsk(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stdin = in
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		if said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n"); said != "" {
			return nil, fmt.Errorf("git: %s", strings.TrimPrefix(said, "fatal: "))
		}
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// unknownRevision says why a revision cannot be found: a shallow clone, or a wrong name.
func unknownRevision(ctx context.Context, rev string) error {
	if isShallow(ctx) {
		return fmt.Errorf("the clone is shallow and does not hold revision %q: fetch it first (git fetch --unshallow, or fetch-depth: 0 in CI)", rev)
	}
	return fmt.Errorf("there is no revision %q: write a commit, a tag or a branch such as origin/main", rev)
}

// repositoryRoot is the top of the work tree of the working directory, links resolved.
func repositoryRoot(ctx context.Context) (string, error) {
	out, err := gitOutput(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	top := filepath.FromSlash(strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"))
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	return top, nil
}
