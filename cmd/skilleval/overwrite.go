package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// written is a file that a flag has a command write.
type written struct {
	flag string // as it is given: "-o json=", "--events "
	path string
}

// writtenBy lists the files that reports go to.
func writtenBy(outs []output) []written {
	var files []written
	for _, o := range outs {
		if o.path != "" && o.path != "-" {
			files = append(files, written{"-o " + o.format.Name + "=", o.path})
		}
	}
	return files
}

// spare refuses reports that would take the place of an input file or of a file of the run.
func spare(outs []output, inputs []string, runDir string) error {
	return spareFiles(writtenBy(outs), inputs, runDir)
}

// spareFiles refuses to write over an input, into a folder that is one, or among the files of a run, and to write two
// things into one file.
func spareFiles(files []written, inputs []string, runDir string) error {
	var faults []error
	taken := map[string]written{}
	for _, f := range files {
		if isSpecial(f.path) || isStream(f.path) {
			continue
		}
		name := f.flag + f.path
		at := spelled(f.path)
		if runDir != "" && filepath.Dir(at) == spelled(runDir) {
			faults = append(faults, fmt.Errorf("%s: %s holds the run: put it elsewhere", name, runDir))
		}
		if other, twice := taken[at]; twice {
			faults = append(faults, fmt.Errorf("%s: %s%s is the same file: give each its own", name, other.flag, other.path))
		}
		taken[at] = f
		for _, in := range inputs {
			if sameFile(f.path, in) || isInside(at, in) {
				faults = append(faults, fmt.Errorf("%s: this is an input file, which is not overwritten", name))
				break
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// spelled is one spelling for all of a path's, links followed; "" is standard output.
func spelled(path string) string {
	if path == "" || path == "-" {
		return ""
	}
	if target, err := targetOf(path); err == nil {
		path = target
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(folder, filepath.Base(abs))
	}
	return abs
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// isInside reports whether a path, as spelled gives it, lies in a folder.
func isInside(path, folder string) bool {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return false
	}
	rel, err := filepath.Rel(spelled(folder), path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// skillFiles lists the files and folders that skills are read from.
func skillFiles(c *skills.Catalog) []string {
	var files []string
	for _, s := range slices.Concat(c.Skills, c.Broken) {
		if s.Dir == "" {
			continue
		}
		files = append(files, s.Path)
		for _, name := range []string{"parameters.json", "scripts", "references", "assets"} {
			files = append(files, filepath.Join(s.Dir, name))
		}
	}
	return files
}

// writes lists the files that a run writes beside its own.
func (s *settings) writes(outs []output) []written {
	files := writtenBy(outs)
	if s.events != "" {
		files = append(files, written{"--events ", s.events})
	}
	return files
}

// sparePlaces refuses settings by which a run would write over what it reads, or mix its files with others.
func (s *settings) sparePlaces(outs []output, inputs []string) error {
	if s.events != "" {
		if s.events == "-" {
			return failWith(exitUsage, errors.New("--events -: name a file: standard output is for reports"))
		}
		if err := writable(s.events); err != nil {
			return failWith(exitUsage, fmt.Errorf("--events %s: %w", s.events, err))
		}
	}
	if err := spareFiles(s.writes(outs), inputs, s.out); err != nil {
		return err
	}
	var faults []error
	for _, d := range []struct{ flag, dir string }{{"--out", s.out}, {"--record", s.record}, {"--cache-dir", s.cacheDir}} {
		switch {
		case d.dir == "" || d.flag == "--cache-dir" && s.cache == "off":
		case d.dir == "-":
			faults = append(faults, fmt.Errorf("%s -: name a directory: it does not go to standard output", d.flag))
		case d.flag != "--out" && holdsRun(d.dir):
			faults = append(faults, fmt.Errorf("%s %s: this directory holds a run: name another one", d.flag, d.dir))
		case d.flag != "--out" && s.out != "" && spelled(d.dir) == spelled(s.out):
			faults = append(faults, fmt.Errorf("%s %s: --out is the same directory: give each its own", d.flag, d.dir))
		}
	}
	faults = append(faults, spareOut(s.out, inputs))
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// spareOut refuses a directory for a run whose files of that name are something else.
func spareOut(dir string, inputs []string) error {
	if dir == "" || dir == "-" {
		return nil
	}
	cases := filepath.Join(dir, "cases.jsonl")
	for _, in := range inputs {
		if sameFile(cases, in) {
			return fmt.Errorf("--out %s: the run's cases would take the place of %s, which is an input: name another directory", dir, in)
		}
	}
	if exists(cases) && !exists(filepath.Join(dir, "trials.jsonl")) {
		return fmt.Errorf("--out %s: %s is there already and of no run: name another directory", dir, cases)
	}
	return nil
}
