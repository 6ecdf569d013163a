package offline

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// choose asks for one selection in the text protocol and returns the skill named; "" for a direct answer.
func choose(t testing.TB, model *lexical, list string, question string) string {
	t.Helper()
	body, err := json.Marshal(object{"model": "m", "messages": []object{msg("system", systemText), msg("user", question+divider+list+"\n"+textTwoLevel)}})
	require.NoError(t, err)
	data, refused := model.complete(body)
	require.Nil(t, refused)
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
	}
	require.NoError(t, json.Unmarshal(data, &reply))
	var chosen struct{ Skill string }
	_ = json.Unmarshal([]byte(reply.Choices[0].Message.Content), &chosen) // a direct answer is no JSON
	return chosen.Skill
}

func lexicalModel() *lexical { return Lexical().(*lexical) }

func mapOf(t testing.TB, path string) map[string]string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var m map[string]string
	require.NoError(t, json.Unmarshal(data, &m))
	return m
}

func skillsOf(m map[string]string) []skill {
	var list []skill
	for name, description := range m {
		list = append(list, skill{name: name, description: description})
	}
	slices.SortFunc(list, func(a, b skill) int { return strings.Compare(a.name, b.name) })
	return list
}

// TestMetaTool chooses among the 199 tools of MetaTool. An answer without a tool is wrong.
func TestMetaTool(t *testing.T) {
	dir := publicData(t, "metatool")
	tools := mapOf(t, filepath.Join(dir, "plugin_des.json"))
	data, err := os.ReadFile(filepath.Join(dir, "all_clean_data.sample.csv"))
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	model, list := lexicalModel(), block(skillsOf(tools))
	var top, none [2]share
	for i, row := range rows[1:] {
		if _, known := tools[row[1]]; !known || i%everyNth != 0 {
			continue
		}
		got := choose(t, model, list, row[0])
		top[i%2].add(got == row[1])
		none[i%2].add(got == "")
	}
	for _, h := range [...]int{1, 0} {
		t.Logf("MetaTool, 199 tools, half %d (0: the threshold was chosen on it): top-1 %.3f, no tool %.3f (n=%d)", h, top[h].value(), none[h].value(), top[h].n)
	}
	assert.Greater(t, top[1].value(), 0.40)
}

// frontmatter reads the skills of a public repository.
func frontmatter(t testing.TB, root string) []skill {
	var list []skill
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parts := strings.SplitN(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n", 3)
		var head struct{ Name, Description string }
		if len(parts) == 3 && yaml.Unmarshal([]byte(parts[1]), &head) == nil && head.Name != "" {
			list = append(list, skill{name: head.Name, description: head.Description})
		}
		return nil
	}))
	return list
}

// TestTriggerEvals chooses among the skills of three public repositories, with their own routing cases. Nothing was
// tuned on them.
func TestTriggerEvals(t *testing.T) {
	dir := publicData(t, "trigger_evals")
	model := lexicalModel()
	run := func(repository string, cases [][2]string) share {
		list := block(frontmatter(t, filepath.Join(dir, repository)))
		var right share
		for i, c := range cases {
			if i%everyNth != 0 {
				continue
			}
			right.add(choose(t, model, list, c[0]) == c[1])
		}
		t.Logf("%s: selection %.3f (n=%d)", repository, right.value(), right.n)
		return right
	}
	var cases [][2]string
	data, err := os.ReadFile(filepath.Join(dir, "getcargohq__gtm-skills", "evals", "routing.jsonl"))
	require.NoError(t, err)
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var c struct{ Prompt, Expect string }
		if json.Unmarshal(lines.Bytes(), &c) == nil {
			cases = append(cases, [2]string{c.Prompt, c.Expect})
		}
	}
	assert.Greater(t, run("getcargohq__gtm-skills", cases).value(), 0.4)

	data, err = os.ReadFile(filepath.Join(dir, "Alicoder001__agent-skills", "evals", "trigger-evals.json"))
	require.NoError(t, err)
	var file struct {
		Cases []struct{ Prompt, Expected string }
	}
	require.NoError(t, json.Unmarshal(data, &file))
	cases = nil
	for _, c := range file.Cases {
		cases = append(cases, [2]string{c.Prompt, c.Expected})
	}
	assert.Greater(t, run("Alicoder001__agent-skills", cases).value(), 0.4)

	data, err = os.ReadFile(filepath.Join(dir, "sokolmarek__researcher", "evals", "triggers.yaml"))
	require.NoError(t, err)
	var triggers struct {
		Skills []struct {
			Name     string
			Positive []string
			Negative []struct{ Prompt, Route string }
		}
	}
	require.NoError(t, yaml.Unmarshal(data, &triggers))
	cases = nil
	for _, s := range triggers.Skills {
		for _, p := range s.Positive {
			cases = append(cases, [2]string{p, s.Name})
		}
		for _, n := range s.Negative {
			cases = append(cases, [2]string{n.Prompt, strings.TrimPrefix(n.Route, "none")})
		}
	}
	assert.Greater(t, run("sokolmarek__researcher", cases).value(), 0.4)
}
