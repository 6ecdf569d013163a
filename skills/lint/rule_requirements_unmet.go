package lint

func requirementsUnmet() Rule {
	return Rule{ID: "requirements-unmet", Title: "requirements are not met on this machine", Severity: Note, skill: checkRequirements,
		hint: "install what is missing, or leave it: the skill is then not offered here",
		Doc: doc{what: "A program or environment variable that the skill requires is not there.", why: "The skill is left out of runs on this machine, so its catalogue is smaller.",
			wrong: "requires-bins: pdftotxt", right: "requires-bins: pdftotext", fix: "correct the name, or install the program."}.text()}
}

func checkRequirements(p *skillPass) {
	if p.skill.Unavailable == "" {
		return
	}
	field := "requires"
	for _, f := range []string{"requires", "requires-bins", "requires-env"} {
		if p.skill.Lines[f] > 0 {
			field = f
			break
		}
	}
	p.report(field, "not available here: "+p.skill.Unavailable, "")
}
