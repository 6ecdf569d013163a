package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

func missingCrossReference() Rule {
	return Rule{ID: "missing-cross-reference", Title: "two skills sound alike and neither names the other", Severity: Warning, catalog: checkCrossReferences,
		Doc: doc{what: "Two descriptions are near duplicates, and neither says when to use the other. Pairs that a reviewer accepted are left out, and so are skills of one name, which duplicate-name reports.",
			why:   "Most wrong selections come from such pairs.",
			wrong: "get_weather: Weather and air of a city.\nget_air_quality: Air and weather of a city.", right: "get_weather: Weather of a city. Do not use for air quality; use get_air_quality.",
			fix:    "add a sentence to each of the two, merge them, or accept the pair.",
			source: "the thresholds of skilleval similar, calibrated on labelled pairs"}.text()}
}

func checkCrossReferences(p *catalogPass) {
	for i := range p.pairs {
		pair := &p.pairs[i]
		if pair.Level != similarity.Duplicate && pair.Level != similarity.Near || pair.Accepted != "" {
			continue
		}
		a, b := p.at(pair.IDA), p.at(pair.IDB)
		if a == nil || b == nil || spell(a.Name) == spell(b.Name) || mentions(a, b.Name) || mentions(b, a.Name) {
			continue
		}
		how := fmt.Sprintf("description sounds like that of %s (%s, %.2f)", quote(b.Name), pair.Level, pair.Score)
		if pair.Identical {
			how = "description is the same as that of " + quote(b.Name)
		}
		f := Finding{Message: how + " and neither names the other", Path: a.Path, Skill: a.Name, Key: "description~" + b.Path, Hint: boundary(pair),
			Related: []skills.Note{p.noteAt(b.Path, "description", "sounds like "+a.Name)}}
		f.Line, f.Column = place(a, "description")
		f.touches = slices.Concat(textFiles(a), textFiles(b))
		p.addField(f)
	}
}

// textFiles are the files of a skill that are compared with others.
func textFiles(s *skills.Skill) []string {
	return []string{s.Path, path.Join(path.Dir(s.Path), "parameters.json")}
}

// boundary writes the sentences that the two descriptions lack.
func boundary(pair *similarity.Pair) string {
	topic := func(phrases []string) string {
		if len(phrases) == 0 {
			return "…"
		}
		return strings.Join(phrases[:min(len(phrases), 2)], " or ")
	}
	if pair.Identical {
		return "merge the two, or say in each what the other is for"
	}
	return fmt.Sprintf("add \"Do not use for %s; use %s.\" to %s, and \"Do not use for %s; use %s.\" to %s",
		topic(pair.OnlyB), pair.B, pair.A, topic(pair.OnlyA), pair.A, pair.B)
}

// mentions tells whether the description of a skill, or what it is not to be used for, names another skill. A name of one
// word is often an ordinary word, too: it counts in a sentence on what the skill is not for, or beside "use" or "skill".
func mentions(s *skills.Skill, name string) bool {
	want := strings.Fields(spell(name))
	if len(want) == 0 {
		return false
	}
	if holds(strings.Fields(spell(strings.Join(s.DoNotUseWhen, " "))), want, false) {
		return true
	}
	return holds(strings.Fields(spell(s.Description)), want, len(want) == 1)
}

// holds finds a run of words; beside asks for a word next to it that makes it a name.
func holds(text, want []string, beside bool) bool {
	for i := 0; i+len(want) <= len(text); i++ {
		if !slices.Equal(text[i:i+len(want)], want) {
			continue
		}
		before := i > 0 && slices.Contains([]string{"use", "see", "skill", "prefer", "用", "使用"}, text[i-1])
		after := i+len(want) < len(text) && slices.Contains([]string{"skill", "instead", "技能"}, text[i+len(want)])
		if !beside || before || after {
			return true
		}
	}
	return false
}
