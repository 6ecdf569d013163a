package lint

import "strings"

func nameHyphens() Rule {
	return Rule{ID: "name-hyphens", Title: "hyphen at an end of the name, or two in a row", Severity: Warning, skill: checkNameHyphens,
		hint: "write single hyphens between words",
		Doc: doc{what: "The name begins or ends with a hyphen, or has two in a row.", why: "Strict hosts refuse the skill.",
			wrong: "name: pdf--forms-", right: "name: pdf-forms", fix: "rename the skill and its directory.", source: openFormat}.text()}
}

func checkNameHyphens(p *skillPass) {
	name := p.skill.Name
	if p.named() && (strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") || strings.Contains(name, "--")) {
		p.report("name", "name "+quote(name)+" has a hyphen at an end, or two in a row", "")
	}
}
