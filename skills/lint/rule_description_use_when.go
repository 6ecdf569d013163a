package lint

func descriptionUseWhen() Rule {
	return Rule{ID: "description-use-when", Title: "description does not say when to use the skill", Severity: Note, skill: checkUseWhen,
		hint: `add a sentence such as "Use when the user asks for …"`,
		Doc: doc{what: "Neither the description nor metadata says when to use the skill: there is no sentence such as \"Use when…\", \"For…\", \"Triggers:\", 使用场景 or 当…时使用, and no entry use-when.",
			why:   "A model knows what the skill can do and has to guess whether it is meant.",
			wrong: "description: Fills PDF forms.", right: "description: Fills PDF forms. Use when the user has a form to fill in.", fix: "add the sentence.", source: authoring}.text()}
}

func checkUseWhen(p *skillPass) {
	if len(p.skill.UseWhen) == 0 && authored(p) {
		p.report("description", "description does not say when to use the skill", "")
	}
}
