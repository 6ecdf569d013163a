package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// changedSince tells which files differ from a revision: those changed by commits since the merge base of the revision
// and HEAD, those with changes that are not committed, and untracked ones. A renamed file counts under both names, a
// deleted one under its old name. Paths are as reached from the working directory, or absolute; a path that leads
// through links counts when the file behind them does. It runs the git program, without a shell, and changes nothing.
func changedSince(ctx context.Context, rev string) (func(path string) bool, error) {
	base, err := mergeBase(ctx, rev)
	if err != nil {
		return nil, err
	}
	top, err := repositoryRoot(ctx)
	if err != nil {
		return nil, err
	}
	changed := map[string]bool{}
	for _, args := range [][]string{
		{"diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules", base, "--"},
		{"ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/"},
	} {
		out, err := gitOutput(ctx, args...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			if name != "" {
				changed[name] = true
			}
		}
	}
	return func(p string) bool {
		for _, spelling := range spellings(p) {
			if rel, err := filepath.Rel(top, spelling); err == nil && changed[filepath.ToSlash(rel)] {
				return true
			}
		}
		return false
	}, nil
}

// mergeBase gives the commit at which HEAD left the history of a revision.
func mergeBase(ctx context.Context, rev string) (string, error) {
	switch {
	case rev == "" || strings.HasPrefix(rev, "-"):
		return "", fmt.Errorf("revision %q: write a commit, a tag or a branch such as origin/main", rev)
	case strings.ContainsAny(rev, "\x00\n"):
		return "", errors.New("the revision holds a line break or a null byte")
	}
	commit, err := commitOf(ctx, rev)
	if err != nil {
		return "", err
	}
	base, err := gitOutput(ctx, "merge-base", commit, "HEAD")
	if err != nil {
		if isShallow(ctx) {
			return "", fmt.Errorf("the clone is shallow and does not reach the commit at which HEAD left %q: fetch more of it first (git fetch --unshallow, or fetch-depth: 0 in CI)", rev)
		}
		return "", fmt.Errorf("revision %q and HEAD have no history in common", rev)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(base)), "\n")
	return first, nil
}

// spellings are the absolute paths under which git may know a file: as it is named, and with all links resolved. Of a
// file that is gone the links of its folder are.
func spellings(p string) []string {
	abs, err := filepath.Abs(filepath.FromSlash(p))
	if err != nil {
		return nil
	}
	out := []string{abs}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return append(out, filepath.Join(real, rest))
		}
		if dir == filepath.Dir(dir) {
			return out
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
