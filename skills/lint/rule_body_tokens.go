package lint

import (
	"fmt"

	"github.com/skilleval/skilleval/skills"
)

func bodyTokens() Rule {
	return Rule{ID: "body-tokens", Title: "body takes many tokens", Severity: Note, Limit: 5000, Unit: "tokens", skill: checkBodyTokens,
		hint: "move parts to files that are read when needed, such as references/details.md",
		Doc: doc{what: "The body takes more than 5,000 tokens, by an estimate of four characters of Latin text or one Chinese character a token.", why: "All of it enters the conversation when the skill is selected.",
			wrong: "a SKILL.md of 40 KB", right: "a SKILL.md of 8 KB that names references/api.md", fix: "split it.", source: openFormat}.text()}
}

func checkBodyTokens(p *skillPass) {
	if n, most := skills.EstimateTokens(p.skill.Body), p.limit(p.skill.Path); n > most {
		p.report("body", fmt.Sprintf("body takes about %d tokens; %d are advised at most", n, most), "")
	}
}
