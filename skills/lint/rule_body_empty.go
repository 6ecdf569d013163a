package lint

func bodyEmpty() Rule {
	return Rule{ID: "body-empty", Title: "no text behind the frontmatter", Severity: Note, skill: checkBodyEmpty,
		hint: "say how the skill is used",
		Doc: doc{what: "The file ends with its frontmatter.", why: "A model that selects the skill learns nothing more from it.",
			wrong: "---\nname: pdf\ndescription: Fill PDF forms.\n---", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---\n# Fill PDF forms\n1. List the fields first.", fix: "write the steps.", source: openFormat}.text()}
}

func checkBodyEmpty(p *skillPass) {
	if p.skill.Body == "" {
		p.add(Finding{Message: "nothing stands behind the frontmatter", Path: p.skill.Path, Line: max(p.skill.Lines["body"]-1, 1), Column: 1, Skill: p.skill.Name, Key: "body"})
	}
}
