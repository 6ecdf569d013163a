package lint

import "strings"

func trailingBlanks() Rule {
	return Rule{ID: "trailing-blanks", Title: "blanks behind a line --- of the frontmatter", Severity: Note, fixes: true, skill: checkTrailingBlanks,
		hint: "delete the blanks",
		Doc: doc{what: "The opening or closing --- has blanks behind it.", why: "Hosts that compare the whole line with --- see no frontmatter.",
			wrong: "---␠\nname: pdf\n---", right: "---\nname: pdf\n---", fix: "delete the blanks; --fix does."}.text()}
}

func checkTrailingBlanks(p *skillPass) {
	from, to := p.file.front()
	if from < 2 {
		return
	}
	for _, at := range []struct {
		line int
		key  string
	}{{from - 1, "opening"}, {to, "closing"}} {
		text := p.file.line(at.line)
		bare := strings.TrimRight(text, " \t")
		if bare == text {
			continue
		}
		start := p.file.offset(at.line) + len(bare)
		p.add(Finding{Message: "blanks behind the " + at.key + " ---", Path: p.skill.Path, Line: at.line, Column: len(bare) + 1,
			Skill: p.skill.Name, Key: at.key, Fix: &Fix{Edits: []Edit{{start, start + len(text) - len(bare), ""}}}})
	}
}
