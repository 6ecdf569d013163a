package lint

import (
	"fmt"
	"unicode/utf8"
)

func compatibilityTooLong() Rule {
	return Rule{ID: "compatibility-too-long", Title: "compatibility is too long", Severity: Warning, Limit: 500, Unit: "characters", skill: checkCompatibility,
		hint: "say in a sentence what the skill needs",
		Doc: doc{what: "The field compatibility has more than 500 characters.", why: "Strict hosts refuse the skill.",
			wrong: "compatibility: (a page of prose)", right: "compatibility: Needs git and network access.", fix: "shorten it; details belong into the body.", source: openFormat}.text()}
}

func checkCompatibility(p *skillPass) {
	if n, most := utf8.RuneCountInString(p.skill.Compatible), p.limit(p.skill.Path); n > most {
		p.report("compatibility", fmt.Sprintf("compatibility has %d characters; at most %d are allowed", n, most), "")
	}
}
