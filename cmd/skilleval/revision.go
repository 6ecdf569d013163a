package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// gitPrefix marks a path inside a git revision: git:REV[:PATH].
const gitPrefix = "git:"

// readRevision reads a file as it is in a revision of the git repository of the working directory; path is relative to
// the working directory. It runs the git program, without a shell, and changes nothing. limit bounds the file, in bytes.
func readRevision(ctx context.Context, rev, path string, limit int64) ([]byte, error) {
	switch {
	case rev == "":
		return nil, errors.New("no revision is given: write git:REV or git:REV:FILE, such as git:main")
	case strings.HasPrefix(rev, "-"):
		return nil, fmt.Errorf("revision %q: it must not start with a dash", rev)
	case strings.ContainsAny(rev, "\x00\n"):
		return nil, errors.New("the revision holds a line break or a null byte")
	case path == "" || filepath.IsAbs(path) || strings.Contains(path, "\x00"):
		return nil, fmt.Errorf("path %q: want one relative to the working directory", path)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, fmt.Errorf("the git program is needed to read a revision: %w", err)
	}
	if _, err := gitOutput(ctx, "rev-parse", "--is-inside-work-tree"); err != nil {
		return nil, fmt.Errorf("the working directory is in no git repository: %w", err)
	}
	commit, err := gitOutput(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return nil, unknownRevision(ctx, rev)
	}
	object := strings.TrimSpace(string(commit)) + ":./" + filepath.ToSlash(filepath.Clean(path))
	size, err := gitOutput(ctx, "cat-file", "-s", object)
	if err != nil {
		return nil, fmt.Errorf("revision %q has no file %s (relative to the working directory): %w", rev, path, err)
	}
	var n int64
	if _, err := fmt.Sscan(string(size), &n); err != nil || n > limit {
		return nil, fmt.Errorf("%s in revision %q has %s bytes, more than the %d such a file has", path, rev, bytes.TrimSpace(size), limit)
	}
	data, err := gitOutput(ctx, "cat-file", "blob", object)
	if err != nil {
		return nil, fmt.Errorf("%s in revision %q is no file: %w", path, rev, err)
	}
	return data, nil
}

// unknownRevision says why a revision cannot be found: a shallow clone, or a wrong name.
func unknownRevision(ctx context.Context, rev string) error {
	shallow, err := gitOutput(ctx, "rev-parse", "--is-shallow-repository")
	if err == nil && strings.TrimSpace(string(shallow)) == "true" {
		return fmt.Errorf("the clone is shallow and does not hold revision %q: fetch it first (git fetch --unshallow, or fetch-depth: 0 in CI)", rev)
	}
	return fmt.Errorf("there is no revision %q: write a commit, a tag or a branch such as origin/main", rev)
}

// gitOutput runs one git command and returns its output; the error holds the first line of what it said.
func gitOutput(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
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
