package lint

import "github.com/skilleval/skilleval/skills"

func dependsCycle() Rule {
	return Rule{ID: skills.CodeDependsCycle, Title: "depends-on goes in a circle", Severity: Error, catalog: checkDependencies,
		hint: "remove one of the dependencies",
		Doc: doc{what: "Following depends-on leads back to where it began. The finding names the whole way.", why: "run refuses such a catalogue: there is no order in which the skills could be used.",
			wrong: "a depends on b, b depends on a", right: "a depends on b", fix: "remove one of the dependencies."}.text()}
}

func checkDependencies(p *catalogPass) {
	for _, n := range p.depends {
		if n.Code == p.rule.ID {
			p.add(Finding{Message: n.Message, Path: n.Path, Line: n.Line, Column: n.Column, Skill: p.nameAt(n.Path), Key: "depends-on"})
		}
	}
}
