package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills/lint"
)

// rulesOf lists path and rule of the findings outside the folder t.
func rulesOf(list []lint.Finding) []string {
	var out []string
	for _, f := range list {
		if f.Path != "t/SKILL.md" {
			out = append(out, f.Path+" "+f.Rule)
		}
	}
	return out
}

// TestOneErrorDoesNotHideTheRest holds the rules against skills that one file keeps from being loaded.
func TestOneErrorDoesNotHideTheRest(t *testing.T) {
	key := "\nexport KEY=" + awsKey + "\n"
	noisy := md("name: S", "description: I can do it, when a user asks.")
	for name, tc := range map[string]struct {
		files files
		want  []string
		says  string
	}{
		"parameters.json is broken": {files{"SKILL.md": noisy + key, "parameters.json": `{"type":"object",}`},
			[]string{"s/SKILL.md name-characters", "s/SKILL.md description-do-not-use-when", "s/SKILL.md description-person", "s/SKILL.md secret", "s/parameters.json schema"},
			"; the skill was not compared with the others"},
		"a key in a parameters.json that is no JSON": {files{"SKILL.md": good, "parameters.json": `{"a": "` + awsKey + `",}`},
			[]string{"s/parameters.json secret", "s/parameters.json schema"}, "; the skill was not compared"},
		"both files beside it are broken": {files{"SKILL.md": good, "parameters.json": "[", "result.json": "{"},
			[]string{"s/parameters.json schema", "s/result.json result"}, "; the skill was not compared"},
		"without frontmatter": {files{"SKILL.md": "# S\n\nText.\n", "parameters.json": "["},
			[]string{"s/SKILL.md description-from-body", "s/SKILL.md name-from-directory", "s/SKILL.md no-frontmatter", "s/parameters.json schema"}, "; the skill was not compared"},
		"never closed": {files{"SKILL.md": "---\nname: S\n\u200b" + key, "parameters.json": `{"properties":{"a":{"type":"string"}}}`},
			[]string{"s/SKILL.md unclosed", "s/SKILL.md invisible-characters", "s/SKILL.md secret", "s/parameters.json additional-properties", "s/parameters.json required-missing", "s/parameters.json parameter-description", "s/parameters.json parameter-example"},
			"; of the rest, only keys, hidden characters and parameters.json were looked at"},
		"no description": {files{"SKILL.md": md("name: S")},
			[]string{"s/SKILL.md no-description", "s/SKILL.md name-characters"}, "; the skill was not compared"},
		"no text": {files{"SKILL.md": "\x00" + key}, []string{"s/SKILL.md encoding"}, "; nothing else of this skill was looked at"},
	} {
		tc.files["t/SKILL.md"] = good
		c := tc.files.load(t)
		require.Len(t, c.Failures, 1, name)
		r, err := lint.Run(c, lint.Options{})
		require.NoError(t, err)
		assert.Equal(t, [3]int{2, 1, 1}, [3]int{r.Found, r.Loaded, r.Failed}, name)
		assert.ElementsMatch(t, tc.want, rulesOf(r.Findings), name)
		for _, f := range r.Findings {
			if f.Rule == c.Failures[0].Code {
				assert.Contains(t, f.Message, tc.says, name)
			}
			if f.Path == c.Failures[0].Path {
				assert.Nil(t, f.Fix, "%s: a file that cannot be loaded is not mended", name)
			}
		}
	}
}

func TestFixesStayWhereTheFileItselfLoads(t *testing.T) {
	c := files{"SKILL.md": "\ufeff" + good, "parameters.json": "[", "t/SKILL.md": good}.load(t)
	found := of(run(t, c, lint.Options{}), "bom")
	require.Len(t, found, 1)
	assert.NotNil(t, found[0].Fix)
}

func TestPlainClausesSayWhen(t *testing.T) {
	for text, says := range map[string]bool{
		"Hand the conversation over to a human when the customer is angry.": true,
		"Restarts a service whenever its health check fails.":               true,
		"Files a ticket as soon as a customer complains.":                   true,
		"当客户生气时转接人工客服。":                                                     true,
		"Weather of a city.":      false,
		"Knows when to stop.":     false,
		"Tells you when is best.": false,
		"Weather of a city. Not a good choice when it is urgent.": false,
		"Never call it when the user is away. Weather of a city.": false,
		"Weather, when needed.":                                   false,
	} {
		assert.Equal(t, says, len(of(run(t, desc(text).load(t), lint.Options{}), "description-use-when")) == 0, text)
	}
}

func TestOneNameIsProposedThatIsAllowed(t *testing.T) {
	for _, tc := range []struct{ name, dir, hint string }{
		{"pdf", "pdf-tools", `rename the directory to "pdf", or the skill to "pdf-tools"`},
		{"PDF Forms", "pdf", `rename the skill to "pdf"`},
		{"pdf", "PDF", `rename the directory to "pdf"`},
		{"PDF Forms", "My PDF", `rename both to "pdf-forms"`},
		{"数据", "My PDF", "give both one name, in lower-case letters, digits and single hyphens"},
	} {
		c := files{tc.dir + "/SKILL.md": md("name: "+tc.name, "description: Weather of a city.")}.load(t)
		found := of(run(t, c, lint.Options{}), "name-directory")
		require.Len(t, found, 1)
		assert.Equal(t, tc.hint, found[0].Hint)
	}
}
