package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// changes are the files of a repository that differ from a revision.
type changes struct {
	top   string          // the top of the work tree, links resolved
	names map[string]bool // of files, and of what git does not look into: submodules and other repositories
}

// changedSince tells which files differ from a revision: those changed by commits since the merge base of the revision
// and HEAD, those with changes that are not committed, and untracked ones. A renamed file counts under both names, a
// deleted one under its old name. It runs the git program, without a shell, and changes nothing.
func changedSince(ctx context.Context, rev string) (*changes, error) {
	base, err := mergeBase(ctx, rev)
	if err != nil {
		return nil, err
	}
	top, err := repositoryRoot(ctx)
	if err != nil {
		return nil, err
	}
	c := &changes{top: top, names: map[string]bool{}}
	for _, args := range [][]string{
		{"diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=none", base, "--"},
		{"ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/"},
	} {
		out, err := gitOutput(ctx, args...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			if name = strings.TrimSuffix(name, "/"); name != "" { // another repository ends with a slash
				c.names[name] = true
			}
		}
	}
	return c, nil
}

// has reports a file that changed. Paths are as reached from the working directory, or absolute; a path that leads
// through links counts when the file behind them does. All below a submodule or a link that changed has changed, and so
// has what lies outside the repository, of which nothing is known.
func (c *changes) has(p string) bool {
	if c.outside(p) {
		return true
	}
	for _, spelling := range spellings(p) {
		rel, err := filepath.Rel(c.top, spelling)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		for name := filepath.ToSlash(rel); name != "."; name = path.Dir(name) {
			if c.names[name] {
				return true
			}
		}
	}
	return false
}

// outside reports a file that lies outside the repository, links resolved.
func (c *changes) outside(p string) bool {
	all := spellings(p)
	if len(all) == 0 {
		return false
	}
	rel, err := filepath.Rel(c.top, all[len(all)-1])
	return err != nil || !filepath.IsLocal(rel)
}

// sayOutside says how many skills count as changed because git knows nothing of them. c may be nil.
func (a *app) sayOutside(c *changes, list []*skills.Skill) {
	if c == nil {
		return
	}
	n := 0
	for _, s := range list {
		if c.outside(s.Path) {
			n++
		}
	}
	switch {
	case n == 1:
		a.say("1 skill lies outside the repository: it counts as changed")
	case n > 1:
		a.say("%d skills lie outside the repository: all of them count as changed", n)
	}
}

// touched reports whether a file changed that a text came from: SKILL.md, parameters.json, or the description set.
func (su *suite) touched(has func(string) bool, t *similarity.Text) bool {
	if has(t.ID) || has(path.Join(path.Dir(t.ID), "parameters.json")) {
		return true
	}
	at, ok := su.described[t.ID]
	return ok && has(at.Path)
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
