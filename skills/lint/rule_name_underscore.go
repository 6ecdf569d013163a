package lint

import "strings"

func nameUnderscore() Rule {
	return Rule{ID: "name-underscore", Title: "underscore in the name", Severity: Off, skill: checkNameUnderscore,
		hint: "write hyphens in place of underscores",
		Doc: doc{what: "The name has an underscore. The rule is off unless it is configured, because it is a matter of where the skill is used: the open format allows hyphens only, while functions of OpenAI-compatible servers take both and are most often written with underscores.",
			why:   "A strict validator of the open format refuses the name.",
			wrong: "name: pdf_forms   in a folder for hosts of the open format", right: "name: pdf-forms",
			fix: "turn the rule on for skills of the open format, with rules: {name-underscore: warning}, and rename the skill and its directory.", source: openFormat + "; " + functions}.text()}
}

func checkNameUnderscore(p *skillPass) {
	if strings.Contains(p.skill.Name, "_") && p.named() {
		p.report("name", "name "+quote(p.skill.Name)+" has an underscore, which the open format does not allow", "")
	}
}
