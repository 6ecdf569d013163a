package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/skills"
)

// sampleName is how the built-in suite is named on the command line and in reports.
const sampleName = "builtin:sample"

// suiteFile is the name of a suite's configuration inside its directory.
const suiteFile = "skilleval.yaml"

// suite is where a command's skills and cases come from.
type suite struct {
	name    string // as the user named it
	builtin bool   // the embedded sample suite
	unnamed bool   // because nothing else was named
	base    string // directory that paths in the suite file are relative to
	set     *settings

	// described says where the description of a skill stands, by the path of its SKILL.md, when a description set gives it.
	// catalogue fills it.
	described map[string]skills.Note
}

// openSuite finds the suite a command is about, reads its configuration and resolves the settings: the SUITE
// argument, --config, a skilleval.yaml in the working directory, skills or cases given by flag, or else the built-in
// sample suite.
func (a *app) openSuite(args []string, s *settings, flags *pflag.FlagSet) (*suite, error) {
	if err := s.resolveEnvironment(flags, a.env); err != nil {
		return nil, failWith(exitUsage, err)
	}
	su := &suite{set: s}
	file, err := su.locate(args)
	if err == nil && su.unnamed {
		err = a.useSample(flags, s)
	}
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	if err := s.resolveFile(flags, file); err != nil {
		return nil, failWith(exitUsage, err)
	}
	return su, nil
}

// locate decides which suite is meant and returns its configuration, if it has one.
func (su *suite) locate(args []string) (*configFile, error) {
	s := su.set
	switch {
	case len(args) > 0 && s.config != "":
		return nil, fmt.Errorf("both SUITE %q and --config %q are given: name the suite once", args[0], s.config)
	case len(args) > 0 && args[0] != sampleName:
		return su.open(args[0])
	case s.config != "":
		return su.open(s.config)
	case len(args) > 0:
		return su.openSample()
	}
	if _, err := os.Stat(suiteFile); err == nil {
		return su.open(suiteFile)
	}
	if len(s.skills) > 0 || len(s.dataset) > 0 {
		su.name = "command line"
		return nil, nil
	}
	su.unnamed = true
	return su.openSample()
}

func (su *suite) openSample() (*configFile, error) {
	su.name, su.builtin, su.base = sampleName, true, "sample"
	data, err := fs.ReadFile(datasets.Sample, "sample/"+suiteFile)
	if err != nil {
		return nil, err
	}
	return readConfig(sampleName+"/"+suiteFile, data)
}

// open reads a suite that is a file or a directory. A directory without skilleval.yaml is a suite when it has a
// folder skills and a file cases.jsonl.
func (su *suite) open(name string) (*configFile, error) {
	su.name = name
	if name == suiteFile { // inside the suite: its folder has the name
		if dir, err := os.Getwd(); err == nil {
			su.name = filepath.Base(dir)
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w: name a skilleval.yaml, or a directory with one", name, errors.Unwrap(err))
	}
	if is := otherInput(name, info.IsDir()); is != "" && !isSuite(name) {
		return nil, fmt.Errorf("suite %s: %s", name, is)
	}
	file := name
	if info.IsDir() {
		file = filepath.Join(name, suiteFile)
	}
	su.base = filepath.Dir(file)
	data, err := readSmall(file, maxSettings)
	if info.IsDir() && isNotExist(err) {
		if isSuite(name) {
			return &configFile{path: file, values: map[string][]string{}}, nil
		}
		return nil, fmt.Errorf("suite %s: no %s in it, nor a folder skills with a cases.jsonl beside it: \"skilleval init DIR\" writes a suite to start from", name, suiteFile)
	}
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", name, err)
	}
	return readConfig(file, data)
}

// isSuite reports a directory with a suite file, or with a folder skills and a file cases.jsonl.
func isSuite(dir string) bool {
	return exists(filepath.Join(dir, suiteFile)) || exists(filepath.Join(dir, "skills")) && exists(filepath.Join(dir, "cases.jsonl"))
}

// paths returns a list setting, with entries from the suite file taken relative to it, and the fallback inside the
// suite where nothing names any.
func (su *suite) paths(flag string, values []string, fallback string) []string {
	if len(values) == 0 && su.base != "" {
		return []string{filepath.Join(su.base, fallback)}
	}
	if su.set.origin[flag] != fromFile {
		return values
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = su.path(v)
	}
	return out
}

// embedded reports that a setting of the built-in suite was not replaced by the user.
func (su *suite) embedded(flag string) bool {
	o := su.set.origin[flag]
	return su.builtin && (o == fromFile || o == fromDefault)
}

// path resolves a path that is written in the suite file.
func (su *suite) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(su.base, p)
}

// catalogue loads the suite's skills, under the description set that was asked for.
func (su *suite) catalogue() (*skills.Catalog, error) {
	var c *skills.Catalog
	var err error
	switch roots := su.paths("skills", su.set.skills, "skills"); {
	case len(roots) == 0:
		err = errors.New("no skills are named: give --skills DIR, or a SUITE")
	case su.embedded("skills"):
		c, err = skills.LoadFS(datasets.Sample, path.Clean(filepath.ToSlash(roots[0])), skills.LoadOptions{})
	default:
		c, err = skills.Load(roots, skills.LoadOptions{})
	}
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	if su.set.descriptions == "" {
		return c, nil
	}
	set, at, err := su.descriptionSet(su.set.descriptions)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	su.described = map[string]skills.Note{}
	for _, s := range c.Skills {
		if place, ok := at[s.Name]; ok {
			su.described[s.Path] = place
		}
	}
	if c, err = c.WithDescriptions(set); err != nil {
		return nil, failWith(exitUsage, fmt.Errorf("description set %s: %w", su.set.descriptions, err))
	}
	return c, nil
}

// availableSkills are the skills whose requirements are met.
func availableSkills(c *skills.Catalog) []*skills.Skill {
	var list []*skills.Skill
	for _, sk := range c.Skills {
		if sk.Unavailable == "" {
			list = append(list, sk)
		}
	}
	return list
}

// descriptionSet reads a set by its name in the suite file, or from a YAML file, and says where each name stands in it.
func (su *suite) descriptionSet(name string) (set map[string]string, at map[string]skills.Note, err error) {
	var names []string
	if su.set.file != nil {
		if file, ok := su.set.file.descriptions[name]; ok {
			p := su.path(file)
			data, err := su.readFile(p)
			if err != nil {
				return nil, nil, fmt.Errorf("description set %s: %w", name, err)
			}
			return skills.ParseDescriptionPlaces(filepath.ToSlash(p), data)
		}
		names = sortedKeys(su.set.file.descriptions)
	}
	data, err := readSmall(name, maxSettings)
	if err != nil {
		known := "the suite has none"
		if len(names) > 0 {
			known = "the suite has " + strings.Join(names, ", ")
		}
		switch ext := strings.ToLower(filepath.Ext(name)); {
		case exists(name):
			return nil, nil, fmt.Errorf("description set: %w", err)
		case strings.ContainsAny(name, `/\`) || ext == ".yaml" || ext == ".yml":
			return nil, nil, fmt.Errorf("unknown description set %q: there is no such file (paths are relative to the working directory); %s", name, known)
		}
		return nil, nil, fmt.Errorf("unknown description set %q: %s; or name a YAML file", name, known)
	}
	return skills.ParseDescriptionPlaces(filepath.ToSlash(name), data)
}

func (su *suite) readFile(p string) ([]byte, error) {
	if su.builtin {
		return fs.ReadFile(datasets.Sample, path.Clean(filepath.ToSlash(p)))
	}
	return readSmall(p, maxSettings)
}

// inputs lists the files that the suite is read from.
func (su *suite) inputs() []string {
	files := su.paths("dataset", su.set.dataset, "cases.jsonl")
	if su.set.descriptions != "" { // the name of a set, or a file
		files = append(files, su.set.descriptions)
	}
	if f := su.set.file; f != nil {
		files = append(files, f.path)
		for _, set := range f.descriptions {
			files = append(files, su.path(set))
		}
	}
	return files
}

// cases loads and filters the suite's cases. With an error, those that could be read are returned beside it.
func (su *suite) cases() ([]datasets.Case, error) {
	cs, err := su.allCases()
	if err != nil {
		return cs, err
	}
	picked, err := datasets.Select(cs, su.set.filter, su.set.limit)
	if err != nil {
		return nil, failWith(exitUsage, fmt.Errorf("--filter: %w", err))
	}
	if len(picked) == 0 {
		return nil, failWith(exitUsage, fmt.Errorf("no case matches --filter %q: the suite has %d cases", su.set.filter, len(cs)))
	}
	return picked, nil
}

func (su *suite) allCases() ([]datasets.Case, error) {
	files := su.paths("dataset", su.set.dataset, "cases.jsonl")
	if len(files) == 0 {
		return nil, failWith(exitUsage, errors.New("no cases are named: give --dataset FILE, or a SUITE"))
	}
	var cs []datasets.Case
	var err error
	if su.embedded("dataset") {
		var f io.ReadCloser
		if f, err = datasets.Sample.Open(path.Clean(filepath.ToSlash(files[0]))); err == nil {
			defer f.Close()
			cs, err = datasets.Read(files[0], f)
		}
	} else {
		cs, err = datasets.Load(files...)
	}
	if err != nil {
		return cs, failWith(exitUsage, err)
	}
	if len(cs) == 0 {
		return nil, failWith(exitUsage, fmt.Errorf("%s: no cases in it", strings.Join(files, ", ")))
	}
	return cs, nil
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}
