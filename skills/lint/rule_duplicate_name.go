package lint

import (
	"fmt"

	"github.com/skilleval/skilleval/skills"
)

func duplicateName() Rule {
	return Rule{ID: skills.CodeDuplicateName, Title: "two skills of one name", Severity: Warning, catalog: checkDuplicates,
		hint: "rename one of the skills, or remove it",
		Doc: doc{what: "Two skills below one root have the same name, case and Unicode normal form apart.",
			why:   "Some hosts put a prefix before one of the names and others drop one of the two; a case that expects the name has no single answer, so run refuses such a catalogue. It is a warning, because hosts accept it.",
			wrong: "a/SKILL.md with name: pdf, and b/SKILL.md with name: PDF", right: "name: pdf, and name: pdf-forms", fix: "rename one of them."}.text()}
}

func checkDuplicates(p *catalogPass) {
	for _, d := range p.catalog.Duplicates {
		for _, path := range d.Paths[1:] {
			p.twin(d.Paths[0], path, fmt.Sprintf("name %s is also that of %s", quote(d.Name), d.Paths[0]))
		}
	}
}

// twin reports a skill whose name another one has.
func (p *catalogPass) twin(first, path, message string) {
	f := Finding{Message: message, Path: path, Key: "name", Related: []skills.Note{p.noteAt(first, "name", "has the same name")}}
	if s := p.at(path); s != nil {
		f.Line, f.Column = place(s, "name")
		f.Skill = s.Name
	}
	p.add(f)
}
