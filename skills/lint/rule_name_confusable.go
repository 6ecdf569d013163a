package lint

import (
	"fmt"
	"unicode"
)

func nameConfusable() Rule {
	return Rule{ID: "name-confusable", Title: "letters of scripts that look alike in one name", Severity: Warning, skill: checkNameConfusable,
		hint: "write the name in one script",
		Doc: doc{what: "A name mixes Latin letters with Cyrillic or Greek ones.", why: "The letters look alike: the name cannot be typed, and may imitate that of another skill.",
			wrong: "name: p\\u0430yment   (with a Cyrillic a)", right: "name: payment", fix: "write the name in one script.", source: "Unicode Technical Standard 39, section 5.1"}.text()}
}

func checkNameConfusable(p *skillPass) {
	latin, other := false, rune(0)
	for _, r := range p.skill.Name {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case other == 0 && unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
			other = r
		}
	}
	if latin && other != 0 && p.named() {
		p.report("name", fmt.Sprintf("name %s mixes Latin letters with %c (U+%04X)", quote(p.skill.Name), other, other), "")
	}
}
