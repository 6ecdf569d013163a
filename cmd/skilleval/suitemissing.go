package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// likeSuiteFile are names that people give a suite file, in lower case, and that are not its name.
var likeSuiteFile = []string{"skilleval.yml", ".skilleval.yml", ".skilleval.yaml", "skilleval.json", "skilleval.toml", "skill-eval.yaml", "skill-eval.yml", "skilleval.yaml.txt"}

// useSample decides whether the built-in sample suite may stand in where no suite is named and none lies in the working
// directory. It is refused where the user has a suite that was not found, and where an exit code depends on the outcome.
func (a *app) useSample(flags *pflag.FlagSet, s *settings) error {
	if found := strayedSuite("."); found != "" {
		return fmt.Errorf("no %s in this directory, but %s; to use the built-in sample suite all the same, name %s", suiteFile, found, sampleName)
	}
	if f := flags.Lookup("fail-on"); f != nil || flags.Lookup("fail-level") != nil { // lint and similar judge what lies here
		if found := suitesBelow("."); len(found) > 0 {
			return fmt.Errorf("no %s in this directory, but in %s: name it, as PATH; to look at the built-in sample suite, name %s", suiteFile, strings.Join(found, ", "), sampleName)
		}
	}
	if f := flags.Lookup("output"); f != nil && f.Changed && strings.Contains(f.Value.String(), "github") {
		return fmt.Errorf("no %s in this directory, and annotations of the built-in sample suite are of no use: name the suite, or %s", suiteFile, sampleName)
	}
	for _, name := range []string{"gate", "require", "fail-on", "fail-level"} {
		if f := flags.Lookup(name); f != nil && f.Changed {
			return fmt.Errorf(`no %s in this directory, and --%s would hold the built-in sample suite in place of yours: name the suite, as SUITE or with --config DIR, or name %s`,
				suiteFile, name, sampleName)
		}
	}
	if s.decides {
		return fmt.Errorf("no %s in this directory: name what is to be checked; to look at the built-in sample suite, name %s", suiteFile, sampleName)
	}
	if !s.quiet {
		a.say("no %s in this directory: the built-in sample suite is used", suiteFile)
	}
	return nil
}

// strayedSuite says what looks like a suite in or above a directory, and how to name it; "" when nothing does.
func strayedSuite(dir string) string {
	entries, _ := os.ReadDir(dir) // what cannot be read is no suite
	for _, e := range entries {
		if lower := strings.ToLower(e.Name()); e.Name() != suiteFile && (lower == suiteFile || slices.Contains(likeSuiteFile, lower)) {
			return fmt.Sprintf("%s is here: rename it to %s", e.Name(), suiteFile)
		}
	}
	cases, skills := exists(filepath.Join(dir, "cases.jsonl")), holdsSkills(filepath.Join(dir, "skills"))
	switch {
	case cases && skills:
		return `the folder skills and the file cases.jsonl are here: name the suite, as in "skilleval run ." or with --config .`
	case cases:
		return "the file cases.jsonl is here: name it and its skills, with --dataset cases.jsonl --skills DIR"
	case skills:
		return "the folder skills is here: name it with --skills skills, and its cases with --dataset FILE"
	}
	return suiteAbove(dir)
}

// suitesBelow lists the folders right inside a directory that are suites.
func suitesBelow(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if p := filepath.Join(dir, e.Name()); exists(filepath.Join(p, suiteFile)) {
			out = append(out, p)
		}
	}
	return out
}

// suiteAbove finds a suite file in the directories above, up to the top of the repository where there is one.
func suiteAbove(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	up := ""
	for !exists(filepath.Join(abs, ".git")) && abs != filepath.Dir(abs) {
		abs, up = filepath.Dir(abs), filepath.Join(up, "..")
		if exists(filepath.Join(abs, suiteFile)) {
			return fmt.Sprintf(`%s is there: name the suite, as in "skilleval run %s" or with --config %s`, filepath.Join(up, suiteFile), up, up)
		}
	}
	return ""
}

// holdsSkills reports a folder with a skill right inside.
func holdsSkills(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return holdsSkill(filepath.Join(dir, e.Name())) })
}

// holdsSkill reports a folder that is a skill.
func holdsSkill(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.EqualFold(e.Name(), "SKILL.md") })
}

// otherInput says what a file or directory is that was named as a suite and is none; "" where it is not known.
func otherInput(name string, isDir bool) string {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case isDir && (holdsSkill(name) || holdsSkills(name)):
		return fmt.Sprintf("that is a folder of skills: use --skills %s, with --dataset FILE for the cases", name)
	case isDir && exists(filepath.Join(name, "run.json")):
		return fmt.Sprintf(`that is a run: "skilleval report %s" shows it`, name)
	case isDir:
		return ""
	case slices.Contains([]string{".jsonl", ".ndjson", ".json", ".csv"}, ext):
		return fmt.Sprintf("that is a dataset: use --dataset %s, with --skills DIR for the skills", name)
	case ext == ".md":
		return fmt.Sprintf("that is a skill or a text: use --skills %s for the folder it is in", filepath.Dir(name))
	}
	return ""
}
