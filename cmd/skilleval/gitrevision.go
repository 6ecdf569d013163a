package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	case path == "" || filepath.IsAbs(path) || strings.ContainsAny(path, "\x00\n"):
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
	object, size, err := blobAt(ctx, strings.TrimSpace(string(commit)), path)
	if err != nil {
		return nil, fmt.Errorf("revision %q has no file %s (relative to the working directory): %w", rev, path, err)
	}
	if size > limit {
		return nil, fmt.Errorf("%s in revision %q has %d bytes, more than the %d such a file has", path, rev, size, limit)
	}
	data, err := gitOutput(ctx, "cat-file", "blob", object)
	if err != nil {
		return nil, fmt.Errorf("%s in revision %q is no file: %w", path, rev, err)
	}
	return data, nil
}

// blobAt finds a file in a commit and gives its object and size. Links are followed where they lead to a file of the same
// commit; what they lead to outside of it was never in the repository.
func blobAt(ctx context.Context, commit, path string) (object string, size int64, err error) {
	name := commit + ":./" + filepath.ToSlash(filepath.Clean(path))
	out, err := gitAsk(ctx, strings.NewReader(name+"\n"), "cat-file", "--batch-check", "--follow-symlinks")
	if err != nil {
		return "", 0, err
	}
	answer, rest, _ := strings.Cut(string(out), "\n")
	words := strings.Fields(answer)
	if len(words) == 3 && words[1] == "blob" {
		if size, err = strconv.ParseInt(words[2], 10, 64); err == nil {
			return words[0], size, nil
		}
	}
	switch {
	case len(words) == 3 && words[1] == "tree":
		return "", 0, errors.New("it is no file but a directory")
	case strings.HasPrefix(answer, "symlink "):
		return "", 0, fmt.Errorf("it is a link that leads out of the repository, to %q: name a file in it", strings.TrimSuffix(rest, "\n"))
	case strings.HasPrefix(answer, "dangling "):
		return "", 0, errors.New("it is a link to a file that is not there")
	case strings.HasPrefix(answer, "loop "):
		return "", 0, errors.New("it is a link that leads back to itself")
	}
	return "", 0, errors.New("there is no such file")
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
