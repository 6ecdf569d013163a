package lint

import "github.com/skilleval/skilleval/skills"

// toleranceRules pass on what loading accepted although the open format does not, or although a stricter reader would
// lose something. Those that can be mended without judgement have files of their own.
func toleranceRules() []Rule {
	rule := func(code, title string, s Severity, hint string, d doc) Rule {
		d.fix = hint + "."
		return Rule{ID: code, Title: title, Severity: s, Doc: d.text(), loaded: code, hint: hint}
	}
	return []Rule{
		byteOrderMark(), fileName(), keyCase(), plainScalar(),
		rule(skills.CodeUTF8, "bytes that are not UTF-8", Warning, "save the file as UTF-8",
			doc{what: "Some bytes are not UTF-8 and were replaced by U+FFFD.", why: "Strict readers refuse the file, and the model reads the replacement.", wrong: "caf\\xe9   (Latin-1)", right: "café   (UTF-8)", source: openFormat}),
		rule(skills.CodeLeadingText, "text before the frontmatter", Warning, "begin the file with the line ---",
			doc{what: "Blank lines, a comment or a code fence stand before the first ---.", why: "Most hosts look for --- on the first line and see no name or description otherwise.",
				wrong: "<!-- draft -->\n---\nname: pdf", right: "---\nname: pdf", source: openFormat}),
		rule(skills.CodeNoFrontmatter, "file without frontmatter", Warning, "begin the file with ---, name, description, ---",
			doc{what: "Name and description are taken from the directory and the first paragraph.", why: "Most hosts do not list such a file, and the text that is measured is not one that anybody wrote as a description.",
				wrong: "# PDF\nFill forms.", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---\n# PDF", source: openFormat}),
		rule(skills.CodeIgnoredLine, "line of the frontmatter is lost", Warning, "indent the line below its key, or write key: value",
			doc{what: "A line belongs to no key and is left out.", why: "What it says reaches no model.", wrong: "name: pdf\ndescription: Fill forms.\nAlso merges files.", right: "name: pdf\ndescription: Fill forms.\n  Also merges files.", source: openFormat}),
		rule(skills.CodeDuplicateKey, "key is given twice", Warning, "keep one of them",
			doc{what: "The last value counts here; other readers take the first or refuse the file.", why: "Which description a model sees depends on the host.",
				wrong: "description: Fill forms.\ndescription: Fill PDF forms.", right: "description: Fill PDF forms.", source: "YAML 1.2, section 3.2.1.1: keys of a mapping are unique"}),
		rule(skills.CodeTopLevel, "field belongs under metadata", Note, "move it under metadata",
			doc{what: "A field that the open format does not know stands at the top level.", why: "Strict validators refuse unknown top-level keys.",
				wrong: "name: pdf\nversion: \"1.0\"", right: "name: pdf\nmetadata:\n  version: \"1.0\"", source: openFormat}),
		rule(skills.CodeScalarType, "name or description is a number, date or truth value", Note, "put it in quotes",
			doc{what: "YAML reads the value as something else than text; its text is used.", why: "Other readers turn 1.10 into 1.1, or stop.", wrong: "name: 2048", right: "name: \"2048\"", source: "YAML 1.2, section 10.3"}),
		rule(skills.CodeNotText, "list or map where text belongs", Warning, "put the value in quotes",
			doc{what: "Name or description is a list or a map in YAML.", why: "Hosts refuse the skill or show [object Object].", wrong: "description: [brief description]", right: "description: \"Fill PDF forms.\"", source: openFormat}),
		rule(skills.CodeCommentCut, "text is cut off by a comment", Warning, "put the value in quotes",
			doc{what: "What stands behind a blank and # is a comment in YAML and not part of the value.", why: "The model reads half a sentence.",
				wrong: "description: Answers C # questions.", right: "description: \"Answers C # questions.\"", source: "YAML 1.2, section 6.6"}),
		rule(skills.CodeNameFromDir, "skill without a name of its own", Warning, "write name: in the frontmatter",
			doc{what: "The name is missing or cannot be used; that of the directory stands in.", why: "Hosts that want a name drop the skill.", wrong: "---\ndescription: Fill PDF forms.\n---", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---", source: openFormat}),
		rule(skills.CodeDescriptionBody, "skill without a description of its own", Warning, "write description: what it does and when to use it",
			doc{what: "The description is missing; the first paragraph of the body stands in.", why: "Most hosts drop the skill, and the text that is measured was not written to be chosen by.",
				wrong: "---\nname: pdf\n---\nFill forms.", right: "---\nname: pdf\ndescription: Fill PDF forms.\n---\nFill forms.", source: openFormat}),
		rule(skills.CodeMetadata, "metadata is no map", Note, "write entries such as version: \"1.0\" below metadata:",
			doc{what: "metadata is neither a map nor JSON text of one, so nothing in it is read.", why: "Version, tags and dependencies are lost.", wrong: "metadata: version 1.0", right: "metadata:\n  version: \"1.0\"", source: openFormat}),
		rule(skills.CodeBadValue, "value cannot be used", Warning, "write a value of the kind that is asked for",
			doc{what: "A field of skilleval has a value that it does not take; the field is left out.", why: "The default counts in its place.", wrong: "metadata:\n  timeout: soon", right: "metadata:\n  timeout: 30s"}),
		rule(skills.CodeAliasTarget, "alias for an argument that does not exist", Warning, "name an argument of parameters.json",
			doc{what: "aliases stands for an argument that the schema does not declare.", why: "The other spelling is never accepted.", wrong: "aliases: {town: citty}", right: "aliases: {town: city}"}),
		rule(skills.CodeUnchecked, "pattern of the schema cannot be checked", Note, "write the pattern without look-around and back references",
			doc{what: "A pattern uses what Go's regular expressions cannot do; arguments are not held against it.", why: "Wrong arguments pass.", wrong: `"pattern": "^(?!x).*$"`, right: `"pattern": "^[^x].*$"`,
				source: "RE2 syntax, https://github.com/google/re2/wiki/Syntax"}),
	}
}
