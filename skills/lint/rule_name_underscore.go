package lint

import "strings"

func nameUnderscore() Rule {
	return Rule{ID: "name-underscore", Title: "underscore in the name", Severity: Note, skill: checkNameUnderscore,
		hint: "write hyphens if the skill is for hosts of the Agent Skills format; underscores are right for functions",
		Doc: doc{what: "The name has an underscore. It is a note and no warning, because it is a matter of where the skill is used: the open format allows hyphens only, while functions of OpenAI-compatible servers take both and are most often written with underscores.",
			why:   "A strict validator of the open format refuses the name.",
			wrong: "name: pdf_forms   in a folder for hosts of the open format", right: "name: pdf-forms",
			fix: "rename the skill and its directory, or turn the rule off for a suite of functions.", source: openFormat + "; " + functions}.text()}
}

func checkNameUnderscore(p *skillPass) {
	if strings.Contains(p.skill.Name, "_") && p.named() {
		p.report("name", "name "+quote(p.skill.Name)+" has an underscore, which the open format does not allow", "")
	}
}
