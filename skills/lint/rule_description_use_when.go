package lint

import "regexp"

func descriptionUseWhen() Rule {
	return Rule{ID: "description-use-when", Title: "description does not say when to use the skill", Severity: Note, skill: checkUseWhen,
		hint: `add a sentence such as "Use when the user asks for …"`,
		Doc: doc{what: "Neither the description nor metadata says when to use the skill: there is no sentence such as \"Use when…\", \"For…\", \"Triggers:\", 使用场景 or 当…时使用, no plain clause such as \"when the customer is angry\", and no entry use-when.",
			why:   "A model knows what the skill can do and has to guess whether it is meant.",
			wrong: "description: Fills PDF forms.", right: "description: Fills PDF forms. Use when the user has a form to fill in.", fix: "add the sentence.", source: authoring}.text()}
}

func checkUseWhen(p *skillPass) {
	if len(p.skill.UseWhen) == 0 && authored(p) && !saysWhen(opening(p.skill.Description)) {
		p.report("description", "description does not say when to use the skill", "")
	}
}

var (
	// whenClause is a clause of three words or more that says when. "When to stop" and "when not" say something else.
	whenClause = regexp.MustCompile(`(?i)\b(?:when(?:ever)?|as soon as|in case)\s+(\pL[\pL'’]*)\s+\pL[\pL'’]*|当[^。！？；;\n]{2,60}?时`)
	// refusal begins a sentence about when not to use the skill.
	refusal = regexp.MustCompile(`(?i)\b(?:not|never|avoid|except|don['’]t)\b|不|勿`)
	// sentences are what a refusal reaches.
	sentences = regexp.MustCompile(`[^.!?;。！？；\n]+`)
)

// saysWhen tells whether some sentence has a plain clause about when, and is not about when not.
func saysWhen(text string) bool {
	for _, sentence := range sentences.FindAllString(text, -1) {
		m := whenClause.FindStringSubmatch(sentence)
		if m != nil && m[1] != "to" && m[1] != "is" && m[1] != "does" && m[1] != "did" && !refusal.MatchString(sentence) {
			return true
		}
	}
	return false
}
