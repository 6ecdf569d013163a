package lint

import "strings"

// Rule is one thing that lint looks for.
type Rule struct {
	ID       string
	Title    string   // what a finding of it means, in a few words
	Severity Severity // unless configured otherwise
	Limit    int      // of rules that measure something; 0: the rule has no limit
	Unit     string   // what Limit counts
	// Doc says what the rule finds, why, a wrong and a right example, how to mend it and where a limit comes from.
	Doc string

	// skill looks at one skill; catalog at all of them.
	skill   func(*skillPass)
	catalog func(*catalogPass)
	// unread tells that skill needs no frontmatter: it also looks at a file of which that could not be read.
	unread bool
	// fixes tells that findings of skill may carry a Fix.
	fixes bool
	// loaded, failed and found name the note of loading that the rule passes on: one of a skill, of a file that could
	// not be loaded, of the search.
	loaded, failed, found string
	// hint is what findings of a note say to do.
	hint string
}

// doc holds the parts of a rule's documentation.
type doc struct{ what, why, wrong, right, fix, source string }

// text joins the parts, examples indented.
func (d doc) text() string {
	var b strings.Builder
	b.WriteString(d.what + "\n")
	part := func(title, text string) {
		if text == "" {
			return
		}
		b.WriteString("\n" + title)
		if !strings.Contains(text, "\n") && title != "Wrong:" && title != "Right:" {
			b.WriteString(" " + text + "\n")
			return
		}
		b.WriteString("\n\n") // a code block of Markdown
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
		}
	}
	part("Why:", d.why)
	part("Wrong:", d.wrong)
	part("Right:", d.right)
	part("How to fix:", d.fix)
	part("Source:", d.source)
	return b.String()
}

// Sources of limits that several rules quote.
const (
	openFormat = "the Agent Skills format, https://agentskills.io/specification"
	authoring  = "Anthropic's guide to writing skills, https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices"
	functions  = "OpenAI's function calling, https://platform.openai.com/docs/guides/function-calling"
	jsonSchema = "JSON Schema 2020-12, https://json-schema.org/draft/2020-12"
)
