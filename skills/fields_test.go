package skills

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const allFields = `---
name: get_weather
description: Current weather.
license: MIT
compatibility: any
allowed-tools: Bash(git add:*), Read
metadata:
  version: 1.10
  author: data-team
  category: utility
  tags: "weather, travel"
  depends-on: geo_lookup
  use-when: asks about rain; asks about temperature
  do-not-use-when: |
    - air quality
    - tides
  examples: ["Will it rain; today?", "How warm is it?"]
  aliases: {town: city, days: [d, day]}
  requires: {bins: [git, jq], anyBins: [rg, grep], env: [TOKEN]}
  always: "true"
  timeout: 30s
  retries: "2"
  max-concurrent: 4
  result-limit: 500
  result: {"temp": 21.50}
  owner: {team: data, level: 3, since: 2026-01-01, open: true, none: ~}
---
Body
`

func TestFieldsAsMap(t *testing.T) {
	s := mustParse(t, allFields)
	assert.Empty(t, s.Tolerated)
	assert.Equal(t, "MIT", s.License)
	assert.Equal(t, "any", s.Compatible)
	assert.Equal(t, []string{"Bash(git add:*)", "Read"}, s.AllowedTools)
	assert.Equal(t, "1.10", s.Version)
	assert.Equal(t, "data-team", s.Author)
	assert.Equal(t, "utility", s.Category)
	assert.Equal(t, []string{"weather", "travel"}, s.Tags)
	assert.Equal(t, []string{"geo_lookup"}, s.DependsOn)
	assert.Equal(t, []string{"asks about rain", "asks about temperature"}, s.UseWhen)
	assert.Equal(t, []string{"air quality", "tides"}, s.DoNotUseWhen)
	assert.Equal(t, []string{"Will it rain; today?", "How warm is it?"}, s.Examples)
	assert.Equal(t, map[string]string{"town": "city", "d": "days", "day": "days"}, s.Aliases)
	assert.Equal(t, Requires{Bins: []string{"git", "jq"}, AnyBins: []string{"rg", "grep"}, Env: []string{"TOKEN"}}, s.Requires)
	assert.True(t, s.Always)
	assert.Equal(t, 30*time.Second, s.Timeout)
	assert.Equal(t, []int{2, 4, 500}, []int{s.Retries, s.MaxConcurrent, s.ResultLimit})
	assert.JSONEq(t, `{"temp":21.50}`, string(s.Result))
	assert.Contains(t, string(s.Result), "21.50", "numbers keep their text")
	assert.Equal(t, `{"team":"data","level":3,"since":"2026-01-01","open":true,"none":null}`, s.Metadata["owner"])
	assert.Equal(t, "1.10", s.Metadata["version"])
	assert.Equal(t, 13, s.Lines["use-when"])
	assert.Equal(t, 28, s.Lines["body"])
}

// A strict validator of the open format allows text values only: the same fields as text, or metadata as JSON text.
func TestFieldsAsText(t *testing.T) {
	want := mustParse(t, allFields)
	asText := mustParse(t, `---
name: get_weather
description: Current weather.
metadata:
  depends-on: "[geo_lookup]"
  use-when: "asks about rain；asks about temperature"
  examples: '["Will it rain; today?", "How warm is it?"]'
  aliases: "town=city, d=days, day=days"
  requires: '{"bins": ["git", "jq"], "anyBins": "rg, grep", "env": ["TOKEN"]}'
  timeout: "30"
  result: '{"temp": 21.50}'
---
`)
	asJSON := mustParse(t, `---
name: get_weather
description: Current weather.
metadata: '{"depends_on": ["geo_lookup"], "useWhen": ["asks about rain", "asks about temperature"],
  "examples": ["Will it rain; today?", "How warm is it?"], "aliases": {"town": "city", "days": ["d", "day"]},
  "requires": {"bins": ["git", "jq"], "any_bins": ["rg", "grep"], "env": ["TOKEN"]}, "timeout": 30, "result": {"temp": 21.50}}'
---
`)
	for what, s := range map[string]*Skill{"text": asText, "json": asJSON} {
		t.Run(what, func(t *testing.T) {
			assert.Empty(t, s.Tolerated)
			assert.Equal(t, want.DependsOn, s.DependsOn)
			assert.Equal(t, want.UseWhen, s.UseWhen)
			assert.Equal(t, want.Examples, s.Examples)
			assert.Equal(t, want.Aliases, s.Aliases)
			assert.Equal(t, want.Requires, s.Requires)
			assert.Equal(t, want.Timeout, s.Timeout)
			assert.JSONEq(t, string(want.Result), string(s.Result))
		})
	}
}

func TestFieldsOfOtherHosts(t *testing.T) {
	tests := map[string]string{
		"json in yaml": `metadata: {"clawdbot":{"emoji":"🌐","requires":{"bins":["node"]},"always":true}}`,
		"json text":    `metadata: '{"nanobot":{"requires":{"bins":["node"]},"always":true}}'`,
		"nested map":   "metadata:\n  openclaw:\n    always: true\n    requires:\n      bins: [node]",
		"inner text":   "metadata:\n  openclaw: '{\"requires\": {\"bins\": [\"node\"]}, \"always\": true}'",
		"tab in json":  "metadata:\n\t{\"nanobot\": {\"requires\": {\"bins\": [\"node\"]}, \"always\": true}}",
	}
	for what, metadata := range tests {
		t.Run(what, func(t *testing.T) {
			s := mustParse(t, "---\nname: Agent Browser\ndescription: d1\n"+metadata+"\nallowed-tools: Bash(agent-browser:*)\nhooks: {a: 1}\n---\n")
			assert.Equal(t, "Agent Browser", s.Name)
			assert.Equal(t, []string{"node"}, s.Requires.Bins)
			assert.True(t, s.Always)
			assert.Equal(t, []string{"Bash(agent-browser:*)"}, s.AllowedTools)
			assert.Equal(t, `{"a":1}`, s.Extra["hooks"])
		})
	}
	s := mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n  requires: git\n  nanobot: {requires: {bins: [node]}}\n---\n")
	assert.Equal(t, []string{"git"}, s.Requires.Bins, "our own entry wins")
}

func TestFieldsAtTopLevel(t *testing.T) {
	s := mustParse(t, "---\nname: a\ndescription: d1\nversion: 1.20\ntags: [x]\nwhen_to_use: on rain\ntimeout: 5s\nmetadata:\n  timeout: 7s\n---\n")
	assert.Equal(t, "1.20", s.Version)
	assert.Equal(t, []string{"x"}, s.Tags)
	assert.Equal(t, []string{"on rain"}, s.UseWhen)
	assert.Equal(t, 7*time.Second, s.Timeout, "metadata wins")
	assert.Equal(t, []string{CodeTopLevel, CodeTopLevel, CodeKeyCase, CodeTopLevel, CodeTopLevel}, codes(s))
	assert.Nil(t, s.Extra)
}

func TestFieldsThatCannotBeUsed(t *testing.T) {
	tests := map[string]string{
		"timeout: soon": "a duration such as 30s", "timeout: -3s": "a duration", "retries: -1": "a whole number", "retries: many": "a whole number",
		"max-concurrent: 1.5": "a whole number", "always: maybe": "true or false", "aliases: city": "{town: city}",
		"aliases: [a]": "{town: city}", "aliases: {a: ''}": "{town: city}", "result-limit: 99999999999": "a whole number",
	}
	for entry, says := range tests {
		t.Run(entry, func(t *testing.T) {
			s := mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n  "+entry+"\n---\n")
			require.Equal(t, []string{CodeBadValue}, codes(s))
			assert.Contains(t, s.Tolerated[0].Message, says)
			assert.Equal(t, 5, s.Tolerated[0].Line)
			assert.Zero(t, s.Timeout)
			assert.Zero(t, s.Retries+s.MaxConcurrent+s.ResultLimit)
			assert.Empty(t, s.Aliases)
		})
	}
	s := mustParse(t, "---\nname: a\ndescription: d1\nmetadata: just words\n---\n")
	assert.Equal(t, []string{CodeMetadata}, codes(s))
	assert.Equal(t, "just words", s.Extra["metadata"])
	s = mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n  tags: a\n  tags: b\n  version: 1\n---\n")
	assert.Equal(t, []string{CodeDuplicateKey}, codes(s))
	assert.Equal(t, []string{"b"}, s.Tags)
	assert.Equal(t, "1", s.Version)
	s = mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n  timeout: ~\n  retries:\n---\n")
	assert.Empty(t, s.Tolerated, "null is absent")
	s = mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n---\n")
	assert.Empty(t, s.Tolerated)
}

func TestResultText(t *testing.T) {
	for entry, want := range map[string]string{
		"sunny today": `"sunny today"`, `"42"`: "42", "[1, 2.50]": "[1,2.50]", "'{\"a\": 1, \"a\": 2}'": `"{\"a\": 1, \"a\": 2}"`,
	} {
		s := mustParse(t, "---\nname: a\ndescription: d1\nmetadata:\n  result: "+entry+"\n---\n")
		assert.Equal(t, want, string(s.Result), entry)
		assert.True(t, json.Valid(s.Result))
	}
}

func TestNotesAreLimited(t *testing.T) {
	text := "---\nname: a\ndescription: a: b\n"
	for range 3 * maxNotes {
		text += "name: [x\n"
	}
	s := mustParse(t, text+"---\nSorts.")
	require.Len(t, s.Tolerated, maxNotes)
	assert.Contains(t, s.Tolerated[maxNotes-1].Message, "and more")
}

func TestSplitTools(t *testing.T) {
	for text, want := range map[string][]string{
		"Bash(a (b) c) Read":     {"Bash(a (b) c)", "Read"},
		"Bash(git add:*, x), Ls": {"Bash(git add:*, x)", " Ls"},
		"a) b) c":                {"a)", "b)", "c"},
		"Read":                   {"Read"},
		"":                       {},
	} {
		assert.Equal(t, want, splitTools(text), text)
	}
}
