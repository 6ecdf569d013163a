package lint

import "github.com/skilleval/skilleval/skills"

// failureRules pass on why a file could not be loaded. They are errors: such a skill is in no catalogue, whatever a host
// would make of it, and run refuses to go on without it.
func failureRules() []Rule {
	const lost = "The skill is not in the catalogue: no model can select it, and a run that goes on without it measures another catalogue than the one that was written."
	rule := func(code, title, hint string, d doc) Rule {
		if d.why == "" {
			d.why = lost
		}
		if d.fix == "" {
			d.fix = hint + "."
		}
		return Rule{ID: code, Title: title, Severity: Error, Doc: d.text(), failed: code, hint: hint}
	}
	return []Rule{
		rule(skills.CodeUnclosed, "frontmatter is never closed", "write a line --- after the last key",
			doc{what: "The line --- that closes the frontmatter is missing.",
				wrong: "---\nname: pdf\ndescription: Fill PDF forms.\n# PDF", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---\n# PDF", source: openFormat}),
		rule(skills.CodeNotMapping, "frontmatter holds no key", "write one key a line, such as name: my-skill",
			doc{what: "Between the two lines --- stands nothing that can be read as key: value.",
				wrong: "---\nFill PDF forms.\n---", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---", source: openFormat}),
		rule(skills.CodeNoName, "skill without a name", "write name: my-skill in the frontmatter",
			doc{what: "There is neither a name nor a directory to take it from.",
				wrong: "---\ndescription: Fill PDF forms.\n---", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---", source: openFormat}),
		rule(skills.CodeNoDescription, "skill without a description", "write description: what the skill does and when to use it",
			doc{what: "There is neither a description nor a paragraph of text that could stand in for it.",
				why:   "The description is all that a model sees when it chooses. " + lost,
				wrong: "---\nname: pdf\n---", right: "---\nname: pdf\ndescription: Fill PDF forms. Use when the user has a form to fill in.\n---", source: openFormat}),
		rule(skills.CodeSchema, "parameters.json is no usable JSON Schema", "correct the schema at this place",
			doc{what: "The JSON Schema of the arguments is not JSON, or not a schema of an object.",
				wrong: `{"type": "object", "properties": {"days": {"type": "int"}}}`, right: `{"type": "object", "properties": {"days": {"type": "integer"}}}`, source: jsonSchema}),
		rule(skills.CodeResult, "result.json is not JSON", "correct the JSON at this place, or delete the file",
			doc{what: "The stub result of the skill cannot be read.", wrong: `{"temperature": 14,}`, right: `{"temperature": 14}`}),
		rule(skills.CodeEncoding, "file is not UTF-8 text", "save the file as UTF-8",
			doc{what: "The file is UTF-16, or holds NUL bytes.", wrong: "a SKILL.md saved as \"Unicode\" by an old editor", right: "the same file saved as UTF-8", source: openFormat}),
		rule(skills.CodeTooLarge, "file is too large", "move material to files that are read when needed, such as references/",
			doc{what: "The file has more than 4 MiB; it is not read.", wrong: "a SKILL.md with an embedded archive", right: "a SKILL.md that names assets/archive.zip",
				source: "a limit of skilleval, far above the 5,000 tokens that the format advises"}),
		rule(skills.CodeExpansion, "frontmatter expands without bound", "write the values out instead of nesting aliases",
			doc{what: "Aliases of the YAML multiply to more than 10,000 values or 4 MB.",
				wrong: "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]   # and so on", right: "tags: \"x\"",
				source: "a limit of skilleval against documents that grow exponentially when read"}),
		rule(skills.CodeUnreadable, "file cannot be read", "make the file readable, or remove it",
			doc{what: "The operating system refuses to read the file, or it is no regular file.", wrong: "a SKILL.md with mode 000", right: "a SKILL.md with mode 644"}),
		rule(skills.CodePathEscape, "file is a link out of the skills folder", "copy the file, or name the folder that holds it as a root of its own",
			doc{what: "A SKILL.md, parameters.json or result.json is a link to a file outside the folder that is searched. Such links are not followed.",
				why:   "A link in a checkout could lead to any file of the machine. " + lost,
				wrong: "skills/pdf/SKILL.md -> /etc/passwd", right: "skills/pdf/SKILL.md   a file of its own"}),
		rule(skills.CodeDangling, "file is a link to nothing", "correct the link or remove it",
			doc{what: "A SKILL.md, parameters.json or result.json is a link whose target does not exist.",
				wrong: "skills/pdf/SKILL.md -> ../old/SKILL.md   which was moved", right: "skills/pdf/SKILL.md   a file of its own"}),
	}
}
