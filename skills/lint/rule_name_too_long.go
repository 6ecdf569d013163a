package lint

import (
	"fmt"
	"unicode/utf8"
)

func nameTooLong() Rule {
	return Rule{ID: "name-too-long", Title: "name is too long", Severity: Warning, Limit: 64, Unit: "characters", skill: checkNameTooLong,
		hint: "shorten the name",
		Doc: doc{what: "The name has more than 64 characters. Characters are counted, not bytes.", why: "Hosts refuse the skill, and servers refuse the function.",
			wrong: "name: fill-in-pdf-forms-of-any-kind-and-merge-them-with-others-afterwards", right: "name: pdf-forms", fix: "shorten it.", source: openFormat + "; " + functions}.text()}
}

func checkNameTooLong(p *skillPass) {
	if n, most := utf8.RuneCountInString(p.skill.Name), p.limit(p.skill.Path); p.named() && n > most {
		p.report("name", fmt.Sprintf("name has %d characters; at most %d are allowed", n, most), "")
	}
}
