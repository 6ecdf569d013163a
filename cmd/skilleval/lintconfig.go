package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/skills/lint"
)

// lintConfigFile is the name of a configuration of lint where none is named.
const lintConfigFile = ".skilleval-lint.yaml"

// lintConfigPath is the file that configures the rules; "" where there is none. further are those that lie farther away.
func (o *lintOptions) lintConfigPath(su *suite) (file string, further []string) {
	switch {
	case o.origin["lint-config"] == fromFile && !su.embedded("lint-config"):
		return su.path(o.lintConfig), nil
	case o.lintConfig != "":
		return o.lintConfig, nil
	}
	for _, dir := range lintConfigDirs(su) {
		if p := filepath.Join(dir, lintConfigFile); exists(p) {
			further = append(further, p)
		}
	}
	if len(further) == 0 {
		return "", nil
	}
	return further[0], further[1:]
}

// lintConfigDirs are the folders in which a configuration is looked for, the nearest to the skills first: that of the
// skills and those above it, up to the working directory; that of the suite; the working directory.
func lintConfigDirs(su *suite) []string {
	var dirs []string
	if !su.embedded("skills") {
		for _, root := range su.paths("skills", su.set.skills, "skills") {
			dirs = append(dirs, upToHere(root)...)
		}
	}
	if su.base != "" && !su.builtin {
		dirs = append(dirs, upToHere(su.base)...)
	}
	var out []string
	for _, dir := range append(dirs, ".") {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// upToHere lists a folder and those above it that lie in the working directory. A file stands for its folder.
func upToHere(dir string) []string {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	dir = filepath.Clean(dir)
	if filepath.IsAbs(dir) {
		if wd, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
				dir = rel
			}
		}
	}
	if !filepath.IsLocal(dir) {
		return []string{dir}
	}
	var out []string
	for ; dir != "."; dir = filepath.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

// lintOptions reads the configuration, says which one it is, and finds out what changed.
func (a *app) lintOptions(ctx context.Context, o *lintOptions, file string, further []string) (lint.Options, error) {
	var lo lint.Options
	if file != "" {
		data, err := readSmall(file, maxSettings)
		if err != nil {
			return lo, fmt.Errorf("%s: %w", o.where("lint-config"), err)
		}
		if lo.Config, err = lint.ParseConfig(file, data); err != nil {
			return lo, err
		}
		unused := ""
		if len(further) > 0 {
			unused = " (" + strings.Join(further, ", ") + " is not used)"
		}
		a.say("rules as set in %s%s", file, unused)
	}
	if o.given("changed-since") {
		since, err := changedSince(ctx, o.changedSince)
		if err != nil {
			return lo, fmt.Errorf("%s: %w", o.where("changed-since"), err)
		}
		o.since, lo.Only = since, since.has
	}
	return lo, nil
}

// leastListed is the lowest severity that is listed. A level of similar, which a suite file or the environment may hold,
// is none of lint's.
func (o *lintOptions) leastListed() (lint.Severity, error) {
	switch s := lint.Severity(o.level); {
	case slices.Contains(listedSeverities, s):
		return s, nil
	case o.origin["level"] != fromFlag:
		return lint.Note, nil
	}
	return "", failWith(exitUsage, fmt.Errorf("%s: %q is not known: write error, warning or note", o.where("level"), o.level))
}

var listedSeverities = []lint.Severity{lint.Error, lint.Warning, lint.Note}

// listFrom keeps what weighs at least so much, and says how much else there is.
func listFrom(found lint.Report, least lint.Severity) (listed lint.Report, left string) {
	listed = found
	listed.Findings = slices.DeleteFunc(slices.Clone(found.Findings), func(f lint.Finding) bool { return !f.Severity.AtLeast(least) })
	var parts []string
	for _, s := range listedSeverities {
		if n := found.Count(s); n > 0 && !s.AtLeast(least) {
			parts = append(parts, reports.Counted(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return listed, ""
	}
	return listed, fmt.Sprintf("not listed for --level %s: %s", least, strings.Join(parts, ", "))
}
