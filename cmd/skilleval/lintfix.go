package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

// fixSkills mends the SKILL.md of every skill that was read from a file, and says what it did. A file that cannot be
// mended does not keep the others from it.
func (a *app) fixSkills(c *skills.Catalog, o lint.Options) error {
	var faults []error
	for _, s := range slices.Concat(c.Skills, c.Broken) { // of a skill with a broken parameters.json, SKILL.md can be mended
		if s.Dir == "" || o.Only != nil && !o.Only(s.Path) {
			continue
		}
		fixed, err := fixFile(s.Path, o)
		if err != nil {
			faults = append(faults, fmt.Errorf("--fix: %s: %w", s.Path, err))
		}
		if len(fixed) > 0 {
			a.say("fixed %s: %s", s.Path, strings.Join(fixed, ", "))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitServer, err)
	}
	return nil
}

// fixFile mends one SKILL.md and returns the rules that gave cause. A link is followed: the file behind it is mended.
func fixFile(file string, o lint.Options) (rules []string, err error) {
	real, err := filepath.EvalSymlinks(filepath.FromSlash(file))
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return nil, err
	}
	fixed, err := lint.ApplyFixes(file, data, o)
	if err != nil {
		return nil, nil // what keeps the file from being read by itself is a finding
	}
	if !bytes.Equal(data, fixed.Data) {
		if err := replaceUnchanged(real, data, fixed.Data); err != nil {
			return nil, err
		}
	}
	if fixed.Rename != "" {
		if err := renameFile(file, path.Join(path.Dir(file), fixed.Rename)); err != nil {
			return nil, err
		}
	}
	for _, f := range fixed.Applied {
		rules = append(rules, f.Rule)
	}
	return rules, nil
}

var errChanged = errors.New("the file changed while it was being fixed and is left alone: run lint --fix again")

// replaceUnchanged puts new bytes in the place of a file, at once, unless it no longer holds the old ones.
func replaceUnchanged(file string, old, data []byte) error {
	return replaceFile(file, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return err
		}
		now, err := os.ReadFile(file)
		if err == nil && !bytes.Equal(now, old) {
			err = errChanged
		}
		return err
	})
}

// renameFile gives a file another name, unless another file has it. On systems that fold case, the name may be taken by
// the file itself.
func renameFile(from, to string) error {
	from, to = filepath.FromSlash(from), filepath.FromSlash(to)
	old, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if taken, err := os.Lstat(to); err == nil && !os.SameFile(old, taken) {
		return fmt.Errorf("cannot be renamed: %s is there already", filepath.ToSlash(to))
	}
	return os.Rename(from, to)
}
