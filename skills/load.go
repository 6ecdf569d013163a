package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// LoadOptions says how requirements are checked; nil functions are those of the operating system.
type LoadOptions struct {
	LookPath  func(program string) error
	LookupEnv func(name string) (string, bool)
}

// Load searches each root, in order of precedence, for folders that hold a SKILL.md, at any depth. A root may itself
// be a skill, a link, or a SKILL.md. Below a skill further skills are searched for, except in the folders of its
// resources (scripts, references, assets, resources, templates, examples, evals, tests, testdata, fixtures): public
// repositories keep a skill at their top with others below it, and sample skills among the resources of one. Hidden
// folders and node_modules are skipped, except a hidden folder's skills (.claude/skills). Links to folders are
// followed once for each real folder, never in circles and never out of the root. Whatever is left out has a note.
//
// One file that cannot be read never stops the others. The error is not nil only when a root cannot be read or
// holds no skill at all.
func Load(roots []string, o LoadOptions) (*Catalog, error) {
	c, seen := &Catalog{}, map[string]string{}
	if len(roots) == 0 {
		return nil, errors.New("no skills folder given; name one that holds folders with a SKILL.md")
	}
	ld := newLoader(c, diskFiles{}, o)
	for _, root := range roots {
		shown := path.Clean(filepath.ToSlash(root))
		real, err := diskFiles{}.Real(shown)
		if err != nil {
			return nil, fmt.Errorf("skills root %s: %s", shown, reason(err))
		}
		only := ""
		if !(diskFiles{}).IsDir(real) {
			if !isSkillFile(path.Base(shown)) {
				return nil, fmt.Errorf("skills root %s: neither a folder nor a SKILL.md", shown)
			}
			only, shown, real = path.Base(shown), path.Dir(shown), filepath.Dir(real)
		}
		w := &walker{files: diskFiles{}, root: real, seen: seen}
		if only != "" {
			err = w.single(shown, only)
		} else {
			err = w.run(folder{path: shown, real: real})
		}
		if err == nil {
			err = ld.root(w, shown)
		}
		if err != nil {
			return nil, err
		}
	}
	ld.finish()
	return c, nil
}

// single takes the one SKILL.md that was named and leaves the rest of its folder alone.
func (w *walker) single(dir, file string) error {
	entries, err := w.files.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("skills root %s: %s", dir, reason(err))
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return isSkillFile(e.Name()) && e.Name() != file })
	w.skillIn(folder{path: dir, real: w.root}, entries)
	return nil
}

// LoadFS is [Load] for one root inside a file system such as an embedded suite. Links are not followed.
func LoadFS(fsys fs.FS, root string, o LoadOptions) (*Catalog, error) {
	c := &Catalog{}
	root = path.Clean(root)
	files := embeddedFiles{fsys}
	w := &walker{files: files, root: root, seen: map[string]string{}}
	if err := w.run(folder{path: root, real: root}); err != nil {
		return nil, err
	}
	ld := newLoader(c, files, o)
	if err := ld.root(w, root); err != nil {
		return nil, err
	}
	ld.finish()
	return c, nil
}

// loader fills a catalogue root by root.
type loader struct {
	catalog *Catalog
	files   fileSystem
	check   *requirements
	earlier map[string]*Skill // by name key, of the roots before
	shadows map[string]*Duplicate
	order   []string // keys of shadows
}

func newLoader(c *Catalog, files fileSystem, o LoadOptions) *loader {
	return &loader{catalog: c, files: files, check: newRequirements(o), earlier: map[string]*Skill{}, shadows: map[string]*Duplicate{}}
}

// root parses what a walk found and joins it to the catalogue.
func (ld *loader) root(w *walker, shown string) error {
	c := ld.catalog
	if len(w.found)+len(w.failures)+w.again == 0 {
		msg := fmt.Sprintf("skills root %s: no SKILL.md in it or below it", shown)
		for _, n := range w.notes[:min(len(w.notes), 5)] {
			msg += "\n" + n.String()
		}
		return errors.New(msg)
	}
	loaded := make([]*Skill, len(w.found))
	failed := make([]*LoadError, len(w.found))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range w.found { // each goroutine writes its own index only
		g.Go(func() error {
			loaded[i], failed[i] = ld.read(f)
			return nil
		})
	}
	_ = g.Wait() // no function returns an error
	c.Found += len(w.found) + len(w.failures)
	failures := w.failures
	own := map[string][]*Skill{}
	for i, s := range loaded {
		if failed[i] != nil {
			failures = append(failures, failed[i].Note)
			if s != nil {
				c.Broken = append(c.Broken, s)
			}
			continue
		}
		key := nameKey(s.Name)
		if ld.shadowed(key, s) {
			continue
		}
		s.Unavailable = ld.check.missing(s.Requires)
		c.Skills = append(c.Skills, s)
		own[key] = append(own[key], s)
	}
	slices.SortStableFunc(failures, func(a, b Note) int { return comparePaths(a.Path, b.Path) })
	c.Failures = append(c.Failures, failures...)
	c.Notes = append(c.Notes, w.notes...)
	ld.duplicates(own)
	return nil
}

// shadowed tells whether an earlier root has the name, and records it.
func (ld *loader) shadowed(key string, s *Skill) bool {
	first, hidden := ld.earlier[key]
	if !hidden {
		return false
	}
	d := ld.shadows[key]
	if d == nil {
		d = &Duplicate{Name: first.Name, Paths: []string{first.Path}}
		ld.shadows[key] = d
		ld.order = append(ld.order, key)
	}
	d.Paths = append(d.Paths, s.Path)
	return true
}

// duplicates records equal names of one root and makes its names hide those of later roots.
func (ld *loader) duplicates(own map[string][]*Skill) {
	for _, key := range slices.Sorted(maps.Keys(own)) {
		list := own[key]
		ld.earlier[key] = list[0]
		if len(list) > 1 {
			d := Duplicate{Name: list[0].Name}
			for _, s := range list {
				d.Paths = append(d.Paths, s.Path)
			}
			ld.catalog.Duplicates = append(ld.catalog.Duplicates, d)
		}
	}
}

func (ld *loader) finish() {
	for _, key := range ld.order {
		ld.catalog.Shadowed = append(ld.catalog.Shadowed, *ld.shadows[key])
	}
}

// read parses one SKILL.md and the files beside it. Beside an error it gives what could be read all the same, or nil;
// the fault of a second file is then one of its notes.
func (ld *loader) read(f skillFile) (*Skill, *LoadError) {
	data, err := ld.files.ReadFile(f.path())
	if err != nil {
		return nil, loadError(CodeUnreadable, f.path(), 0, 0, "cannot be read: %s", reason(err))
	}
	s, fault := parse(f.path(), f.dirName, data)
	if s == nil {
		return nil, fault
	}
	if f.file != "SKILL.md" {
		s.Tolerated = append(s.Tolerated, Note{Code: CodeFileName, Path: f.path(),
			Message: "file is called " + f.file + "; on some systems only SKILL.md is found"})
	}
	switch e := ld.files.(type) {
	case embeddedFiles:
		if s.files, err = fs.Sub(e.fsys, f.dir); err != nil {
			return nil, loadError(CodeUnreadable, f.path(), 0, 0, "cannot be read: %s", reason(err))
		}
	default:
		s.Dir = filepath.FromSlash(f.dir)
	}
	for _, further := range []*LoadError{ld.parameters(s, f), ld.result(s, f)} {
		switch {
		case fault == nil:
			fault = further
		case further != nil:
			s.Tolerated = append(s.Tolerated, further.Note)
		}
	}
	return s, fault
}
