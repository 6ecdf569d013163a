package lint

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

func nameDirectory() Rule {
	return Rule{ID: "name-directory", Title: "name differs from that of the directory", Severity: Warning, catalog: checkNameDirectory,
		Doc: doc{what: "The name is not that of the directory that holds SKILL.md. Both are compared in Unicode normal form C. Where more than half of the skills, and at least twenty, differ, that is said once.",
			why:   "The open format asks for it; some hosts go by the name and others by the directory, so one skill has two names, and some refuse it.",
			wrong: "skills/pdf-tools/SKILL.md   with name: pdf", right: "skills/pdf/SKILL.md   with name: pdf", fix: "rename the one or the other.", source: openFormat}.text()}
}

// Where so many names differ, the directories follow a convention of their own: it is said once.
const (
	conventionFrom  = 20  // names that differ
	conventionShare = 0.5 // of all that could
)

func checkNameDirectory(p *catalogPass) {
	var differ []*skills.Skill
	named := 0
	for _, s := range p.catalog.Skills {
		dir := directory(s)
		if dir == "" || s.Lines["name"] == 0 {
			continue
		}
		named++
		if !skills.SameText(dir, s.Name) {
			differ = append(differ, s)
		}
	}
	if len(differ) >= conventionFrom && float64(len(differ)) > conventionShare*float64(named) {
		p.convention(differ, named)
		return
	}
	for _, s := range differ {
		dir := directory(s)
		f := Finding{Message: "name " + quote(s.Name) + " differs from that of its directory, " + quote(dir), Path: s.Path, Skill: s.Name, Key: "name",
			Hint: oneNameHint(s.Name, dir)}
		f.Line, f.Column = place(s, "name")
		p.add(f)
	}
}

// plainName is a name that no rule about characters has anything to say about.
var plainName = regexp.MustCompile(`^[a-z0-9]+(?:[-_][a-z0-9]+)*$`)

// oneNameHint proposes one name for a skill and its directory, out of the two that they have; neither where both have
// characters that names do not have.
func oneNameHint(name, dir string) string {
	switch {
	case plainName.MatchString(name) && plainName.MatchString(dir):
		return "rename the directory to " + quote(name) + ", or the skill to " + quote(dir)
	case plainName.MatchString(name):
		return "rename the directory to " + quote(name)
	case plainName.MatchString(dir):
		return "rename the skill to " + quote(dir)
	}
	if both := strings.ReplaceAll(spell(name), " ", "-"); plainName.MatchString(both) {
		return "rename both to " + quote(both)
	}
	return "give both one name, in lower-case letters, digits and single hyphens"
}

// convention says once that most directories are named otherwise than their skills.
func (p *catalogPass) convention(differ []*skills.Skill, named int) {
	first := differ[0]
	f := Finding{Message: fmt.Sprintf("%d of %d names differ from those of their directories, such as %s in %s", len(differ), named, quote(first.Name), quote(directory(first))),
		Hint: "name each directory after its skill", Path: first.Path, Skill: first.Name, Key: "name"}
	f.Line, f.Column = place(first, "name")
	for _, s := range differ {
		f.touches = append(f.touches, s.Path)
	}
	for _, s := range differ[1:min(len(differ), 5)] {
		f.Related = append(f.Related, p.noteAt(s.Path, "name", "differs from its directory, too"))
	}
	p.add(f)
}

// directory is the name of the folder that holds SKILL.md; "" when it has none of its own.
func directory(s *skills.Skill) string {
	dir := path.Base(path.Dir(strings.ReplaceAll(s.Path, `\`, "/")))
	if dir != "." && dir != ".." && dir != "/" {
		return dir
	}
	if s.Dir == "" {
		return ""
	}
	abs, err := filepath.Abs(s.Dir)
	if err != nil || abs == filepath.Dir(abs) {
		return ""
	}
	return filepath.Base(abs)
}
