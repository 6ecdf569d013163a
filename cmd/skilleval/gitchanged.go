package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skilleval/skilleval/reports"
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
	if _, err := exec.LookPath("git"); err != nil {
		return "", fmt.Errorf("the git program is needed to know what changed: %w", err)
	}
	if _, err := gitOutput(ctx, "rev-parse", "--is-inside-work-tree"); err != nil {
		return "", fmt.Errorf("the working directory is in no git repository: %w", err)
	}
	commit, err := gitOutput(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", unknownRevision(ctx, rev)
	}
	base, err := gitOutput(ctx, "merge-base", strings.TrimSpace(string(commit)), "HEAD")
	if err != nil {
		shallow, _ := gitOutput(ctx, "rev-parse", "--is-shallow-repository")
		if strings.TrimSpace(string(shallow)) == "true" {
			return "", fmt.Errorf("the clone is shallow and does not reach the commit at which HEAD left %q: fetch more of it first (git fetch --unshallow, or fetch-depth: 0 in CI)", rev)
		}
		return "", fmt.Errorf("revision %q and HEAD have no history in common", rev)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(base)), "\n")
	return first, nil
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

// placeReport tells a report where its paths start from, and where the repository they belong to has its root.
func placeReport(ctx context.Context, r *reports.Report) {
	wd, err := os.Getwd()
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(wd); err == nil {
		wd = real
	}
	r.ToolVersion, r.WorkDir, r.SourceRoot = version(), filepath.ToSlash(wd), filepath.ToSlash(wd)
	if _, err := exec.LookPath("git"); err != nil {
		return
	}
	if top, err := repositoryRoot(ctx); err == nil && filepath.IsAbs(top) {
		r.SourceRoot = filepath.ToSlash(top)
	}
}
