package lint

import "regexp"

func descriptionPerson() Rule {
	return Rule{ID: "description-person", Title: "description speaks as I, or to you", Severity: Note, skill: checkPerson,
		hint: "write what the skill does in the third person",
		Doc: doc{what: "The description is in the first person, or addresses the reader as you. Words in quotes, such as what a user may say, do not count.",
			why:   "The description stands among others in the prompt: whom I and you mean is unclear there.",
			wrong: "description: I can help you fill PDF forms.", right: "description: Fills PDF forms.", fix: "begin with the verb.", source: authoring}.text()}
}

var (
	quoted = regexp.MustCompile("\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|《[^》]*》|`[^`]*`|(?:^|[\\s(,:])'.*?'(?:[\\s,.;:)!?]|$)")
	person = regexp.MustCompile(`(?:^|[.!?:;,(]\s*|[^\pL'’-][a-z][a-z'’-]*\s+)(I(?:['’](?:m|ll|ve|d))?\s+[a-z]+)|(?i:^|[.!?]\s+)((?i:you\s+(?:can|will|are|should)|we\s+(?:can|will|help|provide)))\b|(我(?:可以|会|能|是|将|帮))`)
)

func checkPerson(p *skillPass) {
	if !authored(p) {
		return
	}
	text := quoted.ReplaceAllString(opening(p.skill.Description), " ")
	text = quoted.ReplaceAllString(text, " ") // a quote whose blank the one before took
	m := person.FindStringSubmatch(text)
	if m == nil {
		return
	}
	said := m[1] + m[2] + m[3]
	p.reportAt("description", said, "description says "+quote(said), "")
}
