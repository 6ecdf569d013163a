package lint

import (
	"fmt"
	"strings"
)

func bodyLines() Rule {
	return Rule{ID: "body-lines", Title: "body has many lines", Severity: Note, Limit: 500, Unit: "lines", skill: checkBodyLines,
		hint: "move parts to files that are read when needed, such as references/details.md",
		Doc: doc{what: "The body has more than 500 lines.", why: "All of it enters the conversation when the skill is selected.",
			wrong: "a SKILL.md with 1,200 lines", right: "a SKILL.md with 200 lines that names references/api.md", fix: "split it.", source: openFormat + "; " + authoring}.text()}
}

func checkBodyLines(p *skillPass) {
	if n, most := strings.Count(p.skill.Body, "\n")+1, p.limit(p.skill.Path); n > most {
		p.report("body", fmt.Sprintf("body has %d lines; %d are advised at most", n, most), "")
	}
}
