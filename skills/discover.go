package skills

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	maxFolderDepth = 32      // nesting of folders below a root
	maxFolders     = 200_000 // folders searched below one root
)

// skillFile is a SKILL.md with the files beside it that belong to its definition. Paths use slashes.
type skillFile struct {
	dir        string // as reached from the root that was given
	dirName    string // what a skill without a name is called
	file       string // name of the SKILL.md inside dir
	parameters string // name inside dir; "" when absent
	result     string
}

func (f skillFile) path() string { return path.Join(f.dir, f.file) }

// walker searches one root. Real folders come first and links after them, so that what is found, and under which
// path, depends neither on the order of names nor on the operating system.
type walker struct {
	files fileSystem
	root  string            // real path of the root
	seen  map[string]string // real path of each folder and SKILL.md met → path as reached; shared by all roots
	links []folder

	found    []skillFile
	again    int // skills of this root that an earlier root already found
	failures []Note
	notes    []Note
	folders  int
}

// folder is a place in the walk.
type folder struct {
	path, real string
	depth      int
	owner      string // SKILL.md whose resources these are; "" outside
}

// resourceFolders hold the resources of a skill, never skills of their own.
var resourceFolders = []string{"scripts", "references", "assets", "resources", "templates", "examples",
	"evals", "tests", "testdata", "fixtures"}

func (w *walker) note(code, at, message string) {
	w.notes = append(w.notes, Note{Code: code, Path: at, Message: message})
}

// run searches the root and then the links that were met.
func (w *walker) run(start folder) error {
	if err := w.walk(start); err != nil {
		return err
	}
	for len(w.links) > 0 {
		links := w.links
		w.links = nil
		slices.SortFunc(links, func(a, b folder) int { return comparePaths(a.path, b.path) })
		for _, l := range links {
			if err := w.follow(l); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(w.found, func(a, b skillFile) int { return comparePaths(a.path(), b.path()) })
	return nil
}

// comparePaths orders paths folder by folder: a/SKILL.md comes before a-b/SKILL.md.
func comparePaths(a, b string) int {
	return strings.Compare(strings.ReplaceAll(a, "/", "\x00"), strings.ReplaceAll(b, "/", "\x00"))
}

// nearMiss notes a folder that looks like a skill and is none: parameters without a SKILL.md, or a file whose name is
// nearly that.
func (w *walker) nearMiss(at folder, entries []fs.DirEntry) {
	if at.owner != "" || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isSkillFile(e.Name()) }) {
		return
	}
	for _, e := range entries {
		switch name := strings.ToLower(e.Name()); {
		case e.IsDir():
		case slices.Contains(nearlySkillFile, name):
			w.note(CodeNoSkillFile, path.Join(at.path, e.Name()), "the folder has no SKILL.md, so it is no skill: is the file misnamed?")
			return
		}
	}
}

// nearlySkillFile are the names that make a folder look like a skill.
var nearlySkillFile = []string{"parameters.json", "skills.md", "skill.txt", "skill.markdown", "skill"}

func (w *walker) walk(at folder) error {
	if first, ok := w.seen[at.real]; ok {
		w.again++
		w.note(CodeLinkSeen, at.path, "was already searched as "+first)
		return nil
	}
	w.seen[at.real] = at.path
	if w.folders++; w.folders > maxFolders {
		return fmt.Errorf("%s: more than %d folders; name a smaller folder", at.path, maxFolders)
	}
	if at.depth > maxFolderDepth {
		w.note(CodeDepth, at.path, fmt.Sprintf("folders nested deeper than %d are not searched", maxFolderDepth))
		return nil
	}
	entries, err := w.files.ReadDir(at.path)
	if err != nil {
		if at.depth == 0 {
			return fmt.Errorf("skills root %s: %w", at.path, err)
		}
		w.note(CodeUnreadable, at.path, "folder cannot be read: "+reason(err))
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	skill := w.skillIn(at, entries)
	w.nearMiss(at, entries)
	for _, e := range entries {
		next := folder{path: path.Join(at.path, e.Name()), real: w.files.Join(at.real, e.Name()), depth: at.depth + 1, owner: at.owner}
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			if at.owner == "" && !isSkillFile(e.Name()) {
				w.links = append(w.links, next)
			}
		case !e.IsDir():
		case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
			if err := w.hidden(next, e.Name()); err != nil {
				return err
			}
		default:
			if skill != "" && slices.ContainsFunc(resourceFolders, func(n string) bool { return strings.EqualFold(n, e.Name()) }) {
				next.owner = skill
			}
			if err := w.walk(next); err != nil {
				return err
			}
		}
	}
	return nil
}

// hidden skips hidden and vendored folders, except the skills folder of an agent host: .claude/skills,
// .agents/skills, .github/skills.
func (w *walker) hidden(at folder, name string) error {
	switch name {
	case ".git", ".hg", ".svn":
		return nil
	case "node_modules":
	default:
		skills := folder{path: path.Join(at.path, "skills"), real: w.files.Join(at.real, "skills"), depth: at.depth + 1, owner: at.owner}
		entries, err := w.files.ReadDir(at.path)
		if err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "skills" && e.IsDir() }) {
			return w.walk(skills)
		}
	}
	w.note(CodeSkippedFolder, at.path, "hidden and vendored folders are not searched; name it as a root to search it")
	return nil
}

func isSkillFile(name string) bool { return strings.EqualFold(name, "SKILL.md") }

// skillIn looks for a SKILL.md among the entries of a folder, in whatever case it is written, and gives its path.
func (w *walker) skillIn(at folder, entries []fs.DirEntry) string {
	f := skillFile{dir: at.path, dirName: w.files.Base(at.path)}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		switch name := e.Name(); {
		case !isSkillFile(name):
			if strings.EqualFold(name, "parameters.json") && (f.parameters == "" || name == "parameters.json") {
				f.parameters = name
			}
			if strings.EqualFold(name, "result.json") && (f.result == "" || name == "result.json") {
				f.result = name
			}
		case f.file == "" || name == "SKILL.md":
			f.file = name
		}
	}
	if f.file == "" {
		return ""
	}
	for _, e := range entries {
		if isSkillFile(e.Name()) && e.Name() != f.file && !e.IsDir() {
			w.note(CodeSecondFile, path.Join(at.path, e.Name()), "is left out: "+f.file+" stands beside it")
		}
	}
	if at.owner != "" {
		w.note(CodeResourceSkill, f.path(), "belongs to the resources of "+at.owner+" and is no skill of its own; name its folder as a root to load it")
		return f.path()
	}
	real := w.files.Join(at.real, f.file)
	if _, again := w.seen[real]; again {
		w.again++
		return f.path()
	}
	w.seen[real] = f.path()
	for _, name := range []string{f.file, f.parameters, f.result} {
		if why := w.refuse(at, name, entries); why != nil {
			w.failures = append(w.failures, *why)
			return f.path()
		}
	}
	w.found = append(w.found, f)
	return f.path()
}

// refuse says why a file may not be read: it is a link out of the root or to nothing, or no regular file.
func (w *walker) refuse(at folder, name string, entries []fs.DirEntry) *Note {
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	if i < 0 || entries[i].Type().IsRegular() {
		return nil
	}
	n := Note{Code: CodeUnreadable, Path: path.Join(at.path, name), Message: "is not a regular file"}
	if entries[i].Type()&fs.ModeSymlink == 0 {
		return &n
	}
	real, err := w.files.Real(n.Path)
	switch {
	case err != nil:
		n.Code, n.Message = CodeDangling, "is a link to nothing that can be read: "+reason(err)
	case !w.files.Inside(w.root, real):
		n.Code, n.Message = CodePathEscape, "is a link that leads out of the root; copy the file"
	case !w.files.IsRegular(real):
	default:
		return nil
	}
	return &n
}

// follow enters a link to a folder, once for each real folder and never out of the root.
func (w *walker) follow(l folder) error {
	real, err := w.files.Real(l.path)
	if err != nil {
		if isLoop(err) {
			w.note(CodeLinkCycle, l.path, "is a link that leads back to itself and is not followed")
		} else {
			w.note(CodeDangling, l.path, "is a link to nothing that can be read: "+reason(err))
		}
		return nil
	}
	if !w.files.IsDir(real) {
		return nil
	}
	switch first, seen := w.seen[real]; {
	case w.files.Inside(real, l.real):
		w.note(CodeLinkCycle, l.path, "is a link to a folder that holds it and is not followed")
	case !w.files.Inside(w.root, real):
		w.note(CodePathEscape, l.path, "is a link that leads out of the root and is not followed; name its target as a root of its own")
	case seen:
		w.note(CodeLinkSeen, l.path, "is a link to "+first+", which was already searched")
	default:
		return w.walk(folder{path: l.path, real: real, depth: l.depth})
	}
	return nil
}
