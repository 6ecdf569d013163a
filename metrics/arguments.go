package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/skilleval/skilleval/datasets/match"
	"github.com/skilleval/skilleval/results"
)

// maxDiffs bounds the lines that one call adds to [results.Scores.Diffs].
const maxDiffs = 20

// noArgs is what a call with absent arguments was made with.
var noArgs = json.RawMessage("{}")

// judgeArgs scores the arguments of v's labelled calls: each is paired with a call of the same skill (at the same
// position where the order is strict, by the best assignment otherwise) and compared. A labelled call that was not
// made misses all its arguments.
func (s *Scorer) judgeArgs(v *verdict, t *results.Trial) error {
	rows, err := s.compare(v, t)
	if err != nil {
		return err
	}
	exact := v.selection && (t.Fault == nil || t.Fault.Class != faultInvalidArgs)
	v.calls = make(map[int]*bool, len(rows))
	for i, j := range assign(rows, len(t.Calls)) {
		right := v.add(&rows[i], j, t)
		v.calls[rows[i].index] = &right
		exact = exact && right
	}
	v.args = &exact
	return nil
}

// row is one labelled call: its comparison with every call made that it may be paired with.
type row struct {
	index    int // in Expectation.Calls
	skill    string
	labelled int                 // arguments
	results  map[int]*comparison // by index of the call made
}

// comparison is one labelled call against one call made.
type comparison struct {
	match.Result
	malformed bool // the arguments given are no JSON object
	exact     bool
}

// compare makes a row for each labelled call.
func (s *Scorer) compare(v *verdict, t *results.Trial) ([]row, error) {
	var rows []row
	for i := range v.expect.Calls {
		call := &v.expect.Calls[i]
		if !labelled(call) {
			continue
		}
		p, err := match.Compile(call.Args)
		if err != nil {
			return nil, fmt.Errorf("call %d %s: args: %w", i+1, call.Skill, err)
		}
		r := row{index: i, skill: call.Skill, labelled: p.Match(noArgs, nil).Labelled, results: map[int]*comparison{}}
		for j := range t.Calls {
			if t.Calls[j].Skill != call.Skill || (v.expect.Order == "strict" && i != j) {
				continue
			}
			r.results[j] = s.compareCall(p, &t.Calls[j])
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// compareCall compares one call made with a label. Absent, null and blank arguments are none; anything else that is
// not a JSON object is malformed and matches nothing, not even a label of no arguments.
func (s *Scorer) compareCall(p *match.Pattern, c *results.Call) *comparison {
	given := json.RawMessage(bytes.TrimSpace(c.Args))
	if len(given) == 0 || string(given) == "null" {
		given = noArgs
	}
	if given[0] != '{' || !json.Valid(given) {
		return &comparison{malformed: true}
	}
	r := p.Match(given, s.defaults[c.Skill])
	return &comparison{Result: r, exact: r.OK && c.Valid}
}

// add counts one labelled call that is paired with call j (-1: with none) and reports whether it is exact.
func (v *verdict) add(r *row, j int, t *results.Trial) bool {
	if j < 0 {
		return v.missAll(r, "not called")
	}
	c := r.results[j]
	if c.malformed {
		return v.missAll(r, "the arguments are not a JSON object")
	}
	v.labelled += c.Labelled
	v.right += c.Right
	f := countFaults(c.Labelled-c.Right, c.Diffs)
	v.faults.Missing += f.Missing
	v.faults.Extra += f.Extra
	v.faults.Type += f.Type
	v.faults.Value += f.Value
	if c.exact {
		return true
	}
	var lines []string
	for _, d := range c.Diffs {
		lines = append(lines, describe(d))
	}
	if !t.Calls[j].Valid {
		lines = append(lines, strings.Join(append([]string{"refused by the skill's schema"}, t.Calls[j].Faults...), ": "))
	}
	v.note(r, lines)
	return false
}

// missAll counts all arguments of a labelled call as missing.
func (v *verdict) missAll(r *row, why string) bool {
	v.labelled += r.labelled
	v.faults.Missing += r.labelled
	v.note(r, []string{why})
	return false
}

// note adds lines of difference, each under its call.
func (v *verdict) note(r *row, lines []string) {
	for i, line := range lines {
		if i == maxDiffs {
			line = fmt.Sprintf("and %d more", len(lines)-i)
		}
		v.diffs = append(v.diffs, diffPrefix(r.index, r.skill)+line)
		if i == maxDiffs {
			break
		}
	}
}

// diffPrefix begins each line of [results.Scores.Diffs]; every labelled call that is not exact has at least one.
func diffPrefix(index int, skill string) string { return fmt.Sprintf("call %d %s: ", index+1, skill) }

// describe puts one difference in words.
func describe(d match.Diff) string {
	if d.Path == "" {
		d.Path = "arguments"
	}
	switch d.Kind {
	case match.Missing:
		return fmt.Sprintf("%s: missing, want %s", d.Path, d.Want)
	case match.Extra:
		return fmt.Sprintf("%s: extra, got %s", d.Path, d.Got)
	case match.Type:
		return fmt.Sprintf("%s: wrong type, want %s, got %s", d.Path, d.Want, d.Got)
	default:
		return fmt.Sprintf("%s: want %s, got %s", d.Path, d.Want, d.Got)
	}
}

// countFaults counts the wrong ones among the labelled arguments of one call, each once: by its own kind when it
// differs as a whole, as value when something inside it differs. Keys that are given and not labelled are extra; a
// key that is labelled as absent and yet given is a wrong value. Missing + Type + Value is always wrong.
func countFaults(wrong int, diffs []match.Diff) results.ArgFaults {
	kinds := make(map[string]match.Kind, len(diffs))
	for _, d := range diffs {
		top, nested := topLevel(d.Path)
		if top == "" {
			continue // of the arguments as a whole
		}
		if nested {
			kinds[top] = match.Value
		} else if _, ok := kinds[top]; !ok {
			kinds[top] = d.Kind
		}
	}
	var f results.ArgFaults
	for _, k := range kinds {
		switch k {
		case match.Missing:
			f.Missing++
		case match.Extra:
			f.Extra++
		case match.Type:
			f.Type++
		default:
			f.Value++
		}
	}
	if absent := wrong - f.Missing - f.Type - f.Value; absent > 0 {
		f.Value += absent
		f.Extra = max(0, f.Extra-absent)
	}
	return f
}

// topLevel returns the first step of a JSON path, such as to of "to[0].name" or ["a.b"] of `["a.b"].c`, and whether
// more steps follow.
func topLevel(path string) (top string, nested bool) {
	end := strings.IndexAny(path, ".[")
	if strings.HasPrefix(path, `["`) {
		end = -1
		for i := 2; i < len(path); i++ {
			if path[i] == '\\' {
				i++
			} else if path[i] == '"' {
				end = i + len(`"]`)
				break
			}
		}
	}
	if end < 0 || end >= len(path) {
		return path, false
	}
	return path[:end], true
}
