package lint

import (
	"fmt"
	"unicode/utf8"
)

func descriptionTooLong() Rule {
	return Rule{ID: "description-too-long", Title: "description is too long", Severity: Warning, Limit: 1024, Unit: "characters", skill: checkDescriptionTooLong,
		hint: "keep what the skill does and when to use it; move the rest into the body",
		Doc: doc{what: "The description has more than 1,024 characters. Characters are counted, not bytes.", why: "Strict hosts refuse the skill, others cut the text, and all of it is in every request.",
			wrong: "description: (two pages of instructions)", right: "description: Fill PDF forms. Use when the user has a form to fill in.", fix: "shorten it.", source: openFormat}.text()}
}

func checkDescriptionTooLong(p *skillPass) {
	if n, most := utf8.RuneCountInString(p.skill.Description), p.limit(p.skill.Path); authored(p) && n > most {
		p.report("description", fmt.Sprintf("description has %d characters; at most %d are allowed", n, most), "")
	}
}
