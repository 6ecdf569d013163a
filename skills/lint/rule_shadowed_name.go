package lint

import "fmt"

func shadowedName() Rule {
	return Rule{ID: "shadowed-name", Title: "skill is hidden by one of an earlier root", Severity: Note, catalog: checkShadowed,
		hint: "rename one of the skills if both are wanted",
		Doc: doc{what: "A skill has the name of one in a root that was named earlier. The earlier one counts.", why: "It is most often meant, as an override; where it is not, a skill is missing.",
			wrong: "skilleval lint mine theirs   where both have a skill pdf", right: "mine/pdf, theirs/pdf-forms", fix: "rename one of them, or change the order of the roots."}.text()}
}

func checkShadowed(p *catalogPass) {
	for _, d := range p.catalog.Shadowed {
		for _, path := range d.Paths[1:] {
			p.twin(d.Paths[0], path, fmt.Sprintf("skill %s is hidden by %s", quote(d.Name), d.Paths[0]))
		}
	}
}
