package skills

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func mustParse(t *testing.T, text string) *Skill {
	t.Helper()
	s, err := Parse("root/demo-dir/SKILL.md", []byte(text))
	require.NoError(t, err)
	return s
}

func codes(s *Skill) []string {
	var out []string
	for _, n := range s.Tolerated {
		out = append(out, n.Code)
	}
	return out
}

func TestParseNameAndDescription(t *testing.T) {
	tests := []struct {
		what, text        string
		name, description string
		codes             []string
	}{
		{"plain", "---\nname: demo\ndescription: Does it.\n---\nBody", "demo", "Does it.", nil},
		{"colon in an unquoted description", "---\nname: tidy-notes\ndescription: Tidy notes. Triggers on: 'clean up', 'sort notes'\n---\nBody",
			"tidy-notes", "Tidy notes. Triggers on: 'clean up', 'sort notes'", []string{CodePlainScalar}},
		{"byte order mark", "\ufeff---\nname: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeBOM}},
		{"windows line ends", "---\r\nname: demo\r\ndescription: parse me\r\n---\r\n\r\nBody.\r\n", "demo", "parse me", nil},
		{"old mac line ends", "---\rname: demo\rdescription: parse me\r---\rBody.\r", "demo", "parse me", nil},
		{"folded block", "---\nname: demo\ndescription: >-\n  Renders charts from\n  a CSV file.\n---\n", "demo", "Renders charts from a CSV file.", nil},
		{"folded block with a comment", "---\nname: demo\ndescription: >+ # note\n  Renders charts from\n  a CSV file.\n---\n", "demo", "Renders charts from a CSV file.", nil},
		{"literal block with indentation", "---\nname: demo\ndescription: |2\n   a\n  b\n---\n", "demo", "a\nb", nil},
		{"indented fence inside a block", "---\ndescription: |\n  first\n  ---\n  last\nname: triage\n---\nbody", "triage", "first\n---\nlast", nil},
		{"fence with blanks behind", "---  \nname: demo\ndescription: d1\n--- \t\nBody", "demo", "d1", nil},
		{"number as name", "---\nname: 123\ndescription: d1\n---\n", "123", "d1", []string{CodeScalarType}},
		{"truth value as name", "---\nname: true\ndescription: d1\n---\n", "true", "d1", []string{CodeScalarType}},
		{"date as name", "---\nname: 2026-01-01\ndescription: d1\n---\n", "2026-01-01", "d1", []string{CodeScalarType}},
		{"no is text", "---\nname: no\ndescription: d1\n---\n", "no", "d1", nil},
		{"decimal keeps its text", "---\nname: demo\ndescription: 1.10\n---\n", "demo", "1.10", []string{CodeScalarType}},
		{"null name", "---\nname: null\ndescription: d1\n---\n", "demo-dir", "d1", []string{CodeNameFromDir}},
		{"no name", "---\ndescription: d1\n---\n", "demo-dir", "d1", []string{CodeNameFromDir}},
		{"list as name", "---\nname: [a]\ndescription: d1\n---\n", "demo-dir", "d1", []string{CodeNotText, CodeNameFromDir}},
		{"list as description", "---\nname: demo\ndescription: [a, b]\n---\n", "demo", "[a, b]", []string{CodeNotText}},
		{"map as description", "---\nname: demo\ndescription: {x}\n---\n", "demo", "{x}", []string{CodeNotText}},
		{"no description", "---\nname: demo\n---\n# Guide\n\nSorts the\nshelves.\n\nMore.", "demo", "Sorts the shelves.", []string{CodeDescriptionBody}},
		{"empty description", "---\nname: demo\ndescription: \"\"\n---\n# Guide\n\n```\ncode\n```\n\nSorts.", "demo", "Sorts.", []string{CodeDescriptionBody}},
		{"comment cut", "---\nname: demo\ndescription: C# tips #1 best\n---\n", "demo", "C# tips", []string{CodeCommentCut}},
		{"quoted hash", "---\nname: demo\ndescription: \"C# tips #1 best\" # why\n---\n", "demo", "C# tips #1 best", nil},
		{"capital keys", "---\nName: demo\nDescription: d1\n---\n", "demo", "d1", []string{CodeKeyCase, CodeKeyCase}},
		{"both spellings", "---\nName: Other\nname: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeDuplicateKey}},
		{"both spellings, documented one first", "---\nname: demo\nName: Other\ndescription: d1\n---\n", "demo", "d1", nil},
		{"duplicate key in another case", "---\nName: a\nName: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeDuplicateKey, CodeKeyCase}},
		{"duplicate key", "---\nname: a\nname: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeDuplicateKey}},
		{"not an opening fence", "--- x\n\nSorts.", "demo-dir", "--- x", []string{CodeNoFrontmatter, CodeNameFromDir, CodeDescriptionBody}},
		{"no frontmatter", "# Guide\n\nSorts the shelves.\n", "demo-dir", "Sorts the shelves.", []string{CodeNoFrontmatter, CodeNameFromDir, CodeDescriptionBody}},
		{"blank lines before", "\n\n---\nname: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeLeadingText}},
		{"comment before", "<!-- licence\n text -->\n---\nname: demo\ndescription: d1\n---\n", "demo", "d1", []string{CodeLeadingText}},
		{"code fence before", "```skill\n---\nname: demo\ndescription: d1\n---\nB\n```\n", "demo", "d1", []string{CodeLeadingText}},
		{"two byte order marks: the second is data", "\ufeff\ufeff---\nname: demo\ndescription: d1\n---\n\nSorts.", "demo-dir",
			"\ufeff--- name: demo description: d1", []string{CodeBOM, CodeNoFrontmatter, CodeNameFromDir, CodeDescriptionBody}},
		{"bytes that are not UTF-8", "---\nname: demo\ndescription: caf\xe9\n---\n", "demo", "caf\ufffd", []string{CodeUTF8}},
		{"empty frontmatter", "---\n---\n\nSorts.", "demo-dir", "Sorts.", []string{CodeNameFromDir, CodeDescriptionBody}},
		{"name out of the format", "---\nname: Agent Development\ndescription: d1\n---\n", "Agent Development", "d1", nil},
		{"name in another script", "---\nname: 技能-审查\ndescription: d1\n---\n", "技能-审查", "d1", nil},
		{"quoted key", "---\n\"name\": demo\n'description': d1\n---\n", "demo", "d1", nil},
		{"anchor and alias", "---\nname: &n demo\ndescription: *n\n---\n", "demo", "demo", nil},
		{"prose in the body is no key", "---\nname: demo\ndescription: d1\n---\nlicense: MIT\n", "demo", "d1", nil},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			s := mustParse(t, tt.text)
			assert.Equal(t, tt.name, s.Name)
			assert.Equal(t, tt.description, s.Description)
			assert.Equal(t, tt.codes, codes(s))
			for _, n := range s.Tolerated {
				assert.Positive(t, n.Line, n.Code)
				assert.Equal(t, "root/demo-dir/SKILL.md", n.Path)
			}
			assert.Empty(t, s.License, "nothing of the body is a key")
		})
	}
}

// Values that strict YAML refuses, each as a person would read it.
func TestParseTolerantValues(t *testing.T) {
	tests := map[string]string{ // value behind "description:" → description
		" x: y":                      "x: y",
		" [x] [y]":                   "[x] [y]",
		" @me knows":                 "@me knows",
		" `cmd` runs":                "`cmd` runs",
		" *bold* text":               "*bold* text",
		" %x text":                   "%x text",
		" {x} text":                  "{x} text",
		" 'it's'":                    "it's",
		` "C:\path"`:                 `C:\path`,
		` "say \"hi\" in C:\path"`:   `say "hi" in C:\path`,
		" a: b # not a comment":      "a: b # not a comment",
		" one\n  two: three":         "one two: three",
		" one: two\nthree four":      "one: two three four",
		" |\n  a\n\t b: c":           "a\nb: c",
		" >\n  a\n\tb":               "a b",
		"\n  first: x: y\n  second":  "first: x: y second",
		" a: b\n\n  second: p":       "a: b\nsecond: p",
		" control \x01 character: x": "control \x01 character: x",
	}
	for value, want := range tests {
		t.Run(value, func(t *testing.T) {
			s := mustParse(t, "---\nlicense: MIT\nname: demo\ndescription:"+value+"\nmetadata:\n  version: 1.10\n  tags: [a, b]\n---\nBody")
			assert.Equal(t, want, s.Description)
			assert.Contains(t, codes(s), CodePlainScalar)
			assert.Equal(t, "demo", s.Name, "other keys keep their values")
			assert.Equal(t, "MIT", s.License)
			assert.Equal(t, "1.10", s.Version)
			assert.Equal(t, []string{"a", "b"}, s.Tags)
			assert.Equal(t, "Body", s.Body)
		})
	}
}

func TestParseTolerantPlaces(t *testing.T) {
	s := mustParse(t, "\ufeff---\r\nname: demo\r\ndescription: Tidy. Triggers on: x\r\nargument-hint: [action] [args]\r\n---\r\n")
	require.Len(t, s.Tolerated, 3)
	assert.Equal(t, 3, s.Tolerated[1].Line)
	assert.Equal(t, 31, s.Tolerated[1].Column)
	assert.Contains(t, s.Tolerated[1].Message, "description")
	assert.Equal(t, 4, s.Tolerated[2].Line)
	assert.Equal(t, map[string]string{"argument-hint": "[action] [args]"}, s.Extra)
	assert.Equal(t, 2, s.Lines["name"])
	assert.Equal(t, 3, s.Lines["description"])
}

func TestParseTolerantStructures(t *testing.T) {
	s := mustParse(t, "---\nname: demo\n\tstray: x\ndescription:d1\nlost line: no\nmetadata:\n  note: a: b\n  version: 2\n  examples:\n    - rain?\n    - snow: now?\n---\n")
	assert.Equal(t, "demo", s.Name)
	assert.Equal(t, "d1 lost line: no", s.Description)
	assert.Equal(t, "2", s.Version, "metadata is read entry by entry")
	assert.Equal(t, "a: b", s.Metadata["note"])
	assert.Contains(t, codes(s), CodeIgnoredLine)
	for _, n := range s.Tolerated {
		if n.Line == 4 {
			assert.Equal(t, 1, n.Column, n.Message)
			assert.Contains(t, n.Message, "description")
		}
	}

	s = mustParse(t, "---\nfirst words\nname: demo\ndescription：全角冒号\nallowed-tools:\n  - Read\n  - @x\n---\n")
	assert.Equal(t, "全角冒号", s.Description)
	assert.Equal(t, []string{"Read", "@x"}, s.AllowedTools)
	assert.Equal(t, CodeIgnoredLine, s.Tolerated[0].Code)
	assert.Equal(t, 2, s.Tolerated[0].Line)

	s = mustParse(t, "---\nname: \"demo\"\ndescription: a: b\n...\nlicense: MIT\n---\n")
	assert.Equal(t, "MIT", s.License, "a document end inside the fences ends nothing")
}

func TestParseFailures(t *testing.T) {
	bomb := "---\nname: demo\ndescription: d1\nmetadata:\n  a: &a [x,x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" +
		"  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n  e: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n---\n"
	tests := []struct {
		what, text, code string
		line, column     int
		says             string
	}{
		{"never closed", "---\nname: my-skill\ndescription: does something\n\nSteps: first\n", CodeUnclosed, 1, 1, "opened at line 1 is never closed"},
		{"never closed, after blank lines", "\n\n---\nname: my-skill\n", CodeUnclosed, 3, 1, "opened at line 3"},
		{"indented fence does not close", "---\nname: my-skill\n ---\n", CodeUnclosed, 1, 1, "never closed"},
		{"UTF-16", "\xff\xfe-\x00-\x00", CodeEncoding, 1, 1, "UTF-16"},
		{"binary", "---\nna\x00me: x\n---\n", CodeEncoding, 2, 3, "NUL"},
		{"nothing to describe it", "---\nname: demo\n---\n# Title\n", CodeNoDescription, 1, 0, "no description"},
		{"empty file", "", CodeNoDescription, 1, 0, "no description"},
		{"no mapping", "---\n- a\n- b\n---\ntext", CodeNotMapping, 2, 1, "one key a line"},
		{"alias bomb", bomb, CodeExpansion, 2, 0, "expands too far"},
		{"alias to itself", "---\nname: demo\ndescription: d1\nx: &x [*x]\n---\n", CodeExpansion, 2, 0, "expands too far"},
		{"deep nesting", "---\nname: demo\ndescription: d1\nx: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n---\n", CodeExpansion, 2, 0, "100 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			_, err := Parse("root/demo-dir/SKILL.md", []byte(tt.text))
			var e *LoadError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, tt.code, e.Code)
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{e.Line, e.Column})
			assert.Contains(t, err.Error(), "root/demo-dir/SKILL.md:")
			assert.Contains(t, err.Error(), tt.says)
		})
	}
	_, err := Parse("SKILL.md", []byte("---\ndescription: d1\n---\n"))
	assert.ErrorContains(t, err, "no name")
	_, err = Parse("x/SKILL.md", make([]byte, maxFileSize+1))
	assert.ErrorContains(t, err, "bytes")
}

// Hostile input ends quickly, whatever becomes of it.
func TestParseIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	mega := func(s string) string { return strings.Repeat(s, 300_000/len(s)) }
	for what, text := range map[string]string{
		"flow nesting":       "---\nname: a\ndescription: " + mega("[") + "\n---\nx",
		"block nesting":      "---\nname: a\ndescription: d1\nx: " + strings.Repeat("- ", 5000) + "\n---\nx",
		"keys":               "---\nname: a\ndescription: d1\n" + mega("k: v\n") + "---\nx",
		"bad keys":           "---\nname: a\ndescription: d1: x\n" + mega("k: [v\n") + "---\nx",
		"usage sentences":    "---\nname: a\ndescription: \"" + mega("use when a, ") + "\"\n---\nx",
		"no full stop":       "---\nname: a\ndescription: \"" + mega("use for e.g. x ") + "\"\n---\nx",
		"chinese":            "---\nname: a\ndescription: \"" + mega("当天气") + "\"\n---\nx",
		"quotes":             "---\nname: a\ndescription: '" + mega("''") + "\n---\nx",
		"comments":           "---\n" + mega("# c\n") + "name: a\ndescription: d1\n---\nx",
		"anchors":            "---\nname: a\ndescription: d1\n" + mega("&a ") + "\n---\nx",
		"body":               "---\nname: a\n---\n" + mega("# x\n"),
		"fences":             mega("---\n"),
		"json text metadata": "---\nname: a\ndescription: d1\nmetadata: '" + mega("[") + "'\n---\nx",
	} {
		t.Run(what, func(t *testing.T) {
			start := time.Now()
			_, _ = Parse("a/SKILL.md", []byte(text))
			assert.Less(t, time.Since(start), 10*time.Second)
		})
	}
}
