package lint

import "slices"

func nameReserved() Rule {
	return Rule{ID: "name-reserved", Title: "name holds a word that a vendor keeps for itself", Severity: Note, skill: checkNameReserved,
		hint: "leave the word out if the skill is to be uploaded there",
		Doc: doc{what: "The name holds the word anthropic or claude. No other words are reserved: mcp, tool or ai are fine.", why: "The vendor's upload refuses the skill.",
			wrong: "name: claude-helper", right: "name: review-helper", fix: "choose another name.", source: authoring + " (name: cannot contain reserved words)"}.text()}
}

func checkNameReserved(p *skillPass) {
	if !p.named() {
		return
	}
	for _, word := range nameWords(p.skill.Name) {
		if slices.Contains([]string{"anthropic", "claude"}, word) {
			p.report("name", "name "+quote(p.skill.Name)+" holds the reserved word "+word, "")
			return
		}
	}
}
