package lint

func descriptionDoNotUseWhen() Rule {
	return Rule{ID: "description-do-not-use-when", Title: "description does not say when not to use the skill", Severity: Note, skill: checkDoNotUseWhen,
		hint: `add a sentence such as "Do not use for …; use NAME" where another skill is close`,
		Doc: doc{what: "Neither the description nor metadata says when not to use the skill. It is a note: a skill that is like no other needs no such sentence. Where two are alike, see missing-cross-reference.",
			why:   "Most wrong selections come from two skills without a boundary between them.",
			wrong: "description: Weather of a city.", right: "description: Weather of a city. Do not use for air quality; use get_air_quality.", fix: "add the sentence."}.text()}
}

func checkDoNotUseWhen(p *skillPass) {
	if len(p.skill.DoNotUseWhen) == 0 && authored(p) {
		p.report("description", "description does not say when not to use the skill", "")
	}
}
