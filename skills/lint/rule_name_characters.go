package lint

import (
	"fmt"
	"unicode"
)

func nameCharacters() Rule {
	return Rule{ID: "name-characters", Title: "name has characters outside a-z, 0-9 and hyphen", Severity: Warning, skill: checkNameCharacters,
		hint: "write the name in lower-case letters, digits and single hyphens",
		Doc: doc{what: "The name has capitals, blanks, dots or other characters that the open format does not allow. Underscores have a rule of their own. Lower-case letters beyond a-z, such as é or 数, are a note: the text of the format forbids them and its reference validator accepts them.",
			why:   "Some hosts refuse the skill, others change the name, so that what is selected is not what was written.",
			wrong: "name: PDF Forms", right: "name: pdf-forms", fix: "rename the skill and its directory.", source: openFormat}.text()}
}

func checkNameCharacters(p *skillPass) {
	severity, first := Severity(""), rune(0)
	for _, r := range p.skill.Name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			continue
		case r > unicode.MaxASCII && (unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsTitle(r) || unicode.IsMark(r) || unicode.IsDigit(r)):
			if severity == "" {
				severity, first = Note, r
			}
		case severity != Warning:
			severity, first = Warning, r
		}
	}
	if severity == "" || !p.named() {
		return
	}
	line, column := p.file.keyPlace("name")
	p.add(Finding{Severity: severity, Message: fmt.Sprintf("name %s has the character %q", quote(p.skill.Name), first), Path: p.skill.Path,
		Line: line, Column: column, Skill: p.skill.Name, Key: "name"})
}
