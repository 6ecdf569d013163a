package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills/lint"
)

func TestParseConfig(t *testing.T) {
	c, err := lint.ParseConfig("c.yaml", []byte("\ufeffrules:\n  bom: off\n  description-too-long: {severity: error, max: 800}\noverrides:\n  - paths: [\"vendor/**\", \"x/*/SKILL.md\"]\n    rules: {bom: warning}\n  - paths: y\n    rules: {}\n"))
	require.NoError(t, err)
	assert.Equal(t, lint.Config{
		Rules: map[string]lint.Setting{"bom": {Severity: lint.Off}, "description-too-long": {Severity: lint.Error, Max: 800}},
		Overrides: []lint.Override{{Paths: []string{"vendor/**", "x/*/SKILL.md"}, Rules: map[string]lint.Setting{"bom": {Severity: lint.Warning}}},
			{Paths: []string{"y"}, Rules: map[string]lint.Setting{}}},
	}, c)
	for _, nothing := range []string{"", "\n# comment\n", "rules:\n"} {
		_, err := lint.ParseConfig("c.yaml", []byte(nothing))
		require.NoError(t, err, nothing)
	}
}

func TestParseConfigNamesEveryFault(t *testing.T) {
	for text, want := range map[string][]string{
		"rules:\n  bomm: off\n":                         {`c.yaml:2:3: there is no rule "bomm": did you mean "bom"?`},
		"rules:\n  quite-another-thing-indeed: off\n":   {"c.yaml:2:3: there is no rule", "skilleval lint --rules"},
		"rules:\n  underscore: off\n":                   {`no rule "underscore": did you mean name-underscore?`},
		"rules:\n  bom: loud\n":                         {`c.yaml:2:8: severity "loud" is not known: write error, warning, note or off`},
		"rules:\n  bom: {max: 3}\n":                     {"c.yaml:2:14: rule bom measures nothing"},
		"rules:\n  body-lines: {max: many}\n":           {`c.yaml:2:21: max: want a number of lines from 1 on, not "many"`},
		"rules:\n  body-lines: {min: 1}\n":              {`c.yaml:2:16: unknown key "min": write one of severity, max`},
		"rules:\n  bom: off\n  bom: note\n":             {`c.yaml:3:3: "bom" is given twice`},
		"rules: [bom]\n":                                {"c.yaml:1:8: want a map from rule id to severity"},
		"rule:\n  bom: off\n":                           {`c.yaml:1:1: unknown key "rule": write one of rules, overrides`},
		"- bom\n":                                       {"c.yaml:1:1: want a map with rules, overrides"},
		"overrides:\n  - rules: {bom: off}\n":           {"c.yaml:2:5: no paths"},
		"overrides: {bom: off}\n":                       {"c.yaml:1:12: overrides: want a list"},
		"overrides:\n  - paths: [\"[\"]\n":              {`c.yaml:2:13: "[" is not a pattern`},
		"rules:\n  bom: loud\n  body-lines: {max: 0}\n": {"c.yaml:2:8", "c.yaml:3:21"},
		"rules: {":     {"c.yaml:"},
		"rules:\n\tx:": {"c.yaml:"},
	} {
		_, err := lint.ParseConfig("c.yaml", []byte(text))
		require.Error(t, err, text)
		for _, w := range want {
			assert.ErrorContains(t, err, w, text)
		}
	}
}

func TestConfigRaisesLowersAndSwitchesOff(t *testing.T) {
	f := files{"a/SKILL.md": "\ufeff" + md("name: a", "description: Weather of a city in the north."), "vendor/b/SKILL.md": "\ufeff" + md("name: b", "description: Rain of a city.")}
	with := func(text string) []lint.Finding {
		c, err := lint.ParseConfig("c.yaml", []byte(text))
		require.NoError(t, err)
		return run(t, f.load(t), lint.Options{Config: c})
	}
	severities := func(list []lint.Finding, rule string) map[string]lint.Severity {
		out := map[string]lint.Severity{}
		for _, f := range of(list, rule) {
			out[f.Path] = f.Severity
		}
		return out
	}
	assert.Equal(t, map[string]lint.Severity{"a/SKILL.md": lint.Error, "vendor/b/SKILL.md": lint.Error}, severities(with("rules: {bom: error}"), "bom"))
	assert.Empty(t, severities(with("rules: {bom: off}"), "bom"))
	over := "rules: {bom: error}\noverrides:\n- {paths: [\"vendor/**\"], rules: {bom: off}}\n"
	assert.Equal(t, map[string]lint.Severity{"a/SKILL.md": lint.Error}, severities(with(over), "bom"))
	over += "- {paths: [\"**/b/*\"], rules: {bom: warning}}\n"
	assert.Equal(t, map[string]lint.Severity{"a/SKILL.md": lint.Error, "vendor/b/SKILL.md": lint.Warning}, severities(with(over), "bom"), "the last one that fits wins")
	assert.Equal(t, map[string]lint.Severity{"a/SKILL.md": lint.Warning}, severities(with("rules: {description-too-long: {max: 20}}"), "description-too-long"))
	over = "rules: {description-too-long: {max: 5}}\noverrides: [{paths: [a/SKILL.md], rules: {description-too-long: {severity: note, max: 1000}}}]"
	assert.Equal(t, map[string]lint.Severity{"vendor/b/SKILL.md": lint.Warning}, severities(with(over), "description-too-long"))
}

func TestRunRefusesUnknownRules(t *testing.T) {
	c := files{"SKILL.md": good}.load(t)
	_, err := lint.Run(c, lint.Options{Config: lint.Config{Rules: map[string]lint.Setting{"bomm": {}}}})
	require.ErrorContains(t, err, `did you mean "bom"`)
	_, err = lint.Run(c, lint.Options{Config: lint.Config{Overrides: []lint.Override{{Rules: map[string]lint.Setting{"zzz": {}}}}}})
	require.Error(t, err)
	_, err = lint.ApplyFixes("s/SKILL.md", []byte(good), lint.Options{Config: lint.Config{Rules: map[string]lint.Setting{"bomm": {}}}})
	require.Error(t, err)
}

func TestPathPatterns(t *testing.T) {
	f := files{"vendor/x/y/SKILL.md": "\ufeff" + md("name: y", "description: Weather of a city.")}
	for pattern, fits := range map[string]bool{
		"vendor/**": true, "**": true, "**/SKILL.md": true, "vendor/*/*/SKILL.md": true, "./vendor/**": true, `vendor\**`: true, "**/x/**": true, "vendor/**/y/*": true,
		"vendor/**/x/y/**/SKILL.md": true, "vendor/x/y/SKILL.m?": true, "vendor": false, "vendor/*": false, "x/**": false, "**/SKILL": false, "vendor/x/y/SKILL.md/**": true, "vendor/x/y/SKILL.md/*": false, "**/y/x/**": false,
	} {
		o := lint.Options{Config: lint.Config{Overrides: []lint.Override{{Paths: []string{pattern}, Rules: map[string]lint.Setting{"bom": {Severity: lint.Off}}}}}}
		assert.Equal(t, fits, len(of(run(t, f.load(t), o), "bom")) == 0, pattern)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("rules: {bom: off}\noverrides:\n- paths: [a]\n  rules: {body-lines: {max: 3}}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("rules: *x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := lint.ParseConfig("c.yaml", data)
		if err != nil {
			return
		}
		_, err = lint.Run(files{"SKILL.md": good}.load(t), lint.Options{Config: c})
		require.NoError(t, err, "what was parsed can be used")
	})
}
