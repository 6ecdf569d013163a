package lint

import "regexp"

func nameFunction() Rule {
	return Rule{ID: "name-function", Title: "name that no function can have", Severity: Note, skill: checkNameFunction,
		hint: "write letters, digits, _ and -, at most 64",
		Doc: doc{what: "The name does not fit [a-zA-Z0-9_-]{1,64}, which servers demand of a function. It is a note, because skilleval gives such a skill another name in the request and maps it back.",
			why:   "Hosts that offer skills as functions get an error for the whole request, or change the name.",
			wrong: "name: agent browser", right: "name: agent-browser", fix: "rename the skill.", source: functions}.text()}
}

var functionName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func checkNameFunction(p *skillPass) {
	if p.named() && !functionName.MatchString(p.skill.Name) {
		p.report("name", "no function can have the name "+quote(p.skill.Name), "")
	}
}
