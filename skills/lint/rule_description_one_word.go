package lint

func descriptionOneWord() Rule {
	return Rule{ID: "description-one-word", Title: "description of a single word", Severity: Warning, skill: checkDescriptionOneWord,
		hint: "say what the skill does and when to use it",
		Doc: doc{what: "The description is one word, or up to three Chinese characters.", why: "The description is all that a model sees when it chooses.",
			wrong: "description: PDF", right: "description: Fill PDF forms. Use when the user has a form to fill in.", fix: "write what it does, and when to use it.", source: authoring}.text()}
}

func checkDescriptionOneWord(p *skillPass) {
	if authored(p) && words(p.skill.Description, 4) < 2 {
		p.report("description", "description "+quote(p.skill.Description)+" is a single word", "")
	}
}
