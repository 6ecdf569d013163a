package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/results"
)

// BaselineSchema is the version of the baseline file that this package writes and reads.
const BaselineSchema = "skilleval.baseline/v1"

// goldenTag marks the cases that must be right whatever the averages.
const goldenTag = "golden"

// Baseline is what a later run is held against: the settings, the figures and the outcome of every case of one arm of
// a run, small enough to keep in a repository. It holds no clock times and no addresses, and the same run gives the
// same bytes.
type Baseline struct {
	Schema        string         `json:"schema"`
	Run           string         `json:"run"` // id
	Arm           string         `json:"arm"`
	DatasetDigest string         `json:"dataset_digest"`
	SkillsDigest  string         `json:"skills_digest"`
	Descriptions  string         `json:"descriptions,omitempty"` // description set; "" as authored
	Model         results.Model  `json:"model"`                  // without its address
	Prompt        results.Prompt `json:"prompt"`
	Repetitions   int            `json:"repetitions"`
	TokensSource  string         `json:"tokens_source,omitempty"` // server, estimated or mixed
	// Figures holds the figures of the arm by the metric's name, those that have a value.
	Figures map[string]BaselineFigure `json:"figures"`
	// Cases holds one row a case, sorted by id. The file holds one a line under "cases".
	Cases []BaselineCase `json:"-"`
}

// BaselineFigure is a figure and how many observations are behind it.
type BaselineFigure struct {
	Value float64 `json:"value"`
	N     int     `json:"n"`
}

// Share is a count of hits and the count of observations, in this order.
type Share [2]int

// SkillShare counts one skill's calls in one case, over its scored trials: expected, made, and both at once; of the
// expected ones those with labelled arguments, and of those the exact ones.
type SkillShare [5]int

// BaselineCase is the outcome of one case over its trials. A share without observations is left out of the file.
type BaselineCase struct {
	Case      string                `json:"case"`
	Group     string                `json:"group,omitempty"` // cluster; empty: the case itself
	Tags      []string              `json:"tags,omitempty"`
	Label     string                `json:"label"`  // digest of what is expected and accepted
	Trials    int                   `json:"trials"` // errors included
	Selection Share                 `json:"selection,omitzero"`
	Level1    Share                 `json:"level1,omitzero"`
	Over      Share                 `json:"over,omitzero"`  // a call was made, of the trials that should make none
	Under     Share                 `json:"under,omitzero"` // none was made, of the trials that should make one
	Args      Share                 `json:"args,omitzero"`
	Calls     Share                 `json:"calls,omitzero"`
	Prompt    int                   `json:"prompt,omitzero"` // tokens, over the scored trials
	Skills    map[string]SkillShare `json:"skills,omitempty"`
}

// Golden reports whether the case must be right whatever the averages: it has the tag "golden".
func (c *BaselineCase) Golden() bool { return slices.Contains(c.Tags, goldenTag) }

// cluster is the unit of independent sampling.
func (c *BaselineCase) cluster() string {
	if c.Group != "" {
		return c.Group
	}
	return c.Case
}

// NewBaseline makes a baseline of one arm of a run; "" is the only arm of a run that has one.
func NewBaseline(src Source, arm string) (*Baseline, error) {
	b, chosen, err := describeArm(src.Header(), arm)
	if err != nil {
		return nil, err
	}
	_, err = b.collect(&rowSource{Source: src, arm: chosen, labels: true, skills: true}, SummaryOptions{Seed: src.Header().Seed})
	return b, err
}

// ErrArm is wrapped by the errors about an arm that a run does not have, or that was not named and has to be.
var ErrArm = errors.New("wrong arm")

// describeArm begins a baseline with what a header says of an arm.
func describeArm(h results.Header, name string) (*Baseline, results.Arm, error) {
	i := slices.IndexFunc(h.Arms, func(a results.Arm) bool { return a.Name == name })
	switch names := armNames(h.Arms); {
	case len(h.Arms) == 0:
		return nil, results.Arm{}, fmt.Errorf("%w: the run has none", ErrArm)
	case name == "" && len(h.Arms) == 1:
		i = 0
	case name == "":
		return nil, results.Arm{}, fmt.Errorf("%w: the run has several: choose one of %s", ErrArm, names)
	case i < 0:
		return nil, results.Arm{}, fmt.Errorf("%w: the run has no arm %q: its arms are %s", ErrArm, clipRunes(name, 60), names)
	}
	arm := h.Arms[i]
	b := &Baseline{
		Schema: BaselineSchema, Run: h.ID, Arm: arm.Name, DatasetDigest: h.DatasetDigest, SkillsDigest: h.SkillsDigest,
		Descriptions: h.Descriptions, Model: h.Model, Prompt: h.Prompt, Repetitions: h.Repetitions, Figures: map[string]BaselineFigure{},
	}
	b.Model.BaseURL = ""
	if arm.Catalog != "" {
		b.Prompt.Catalog = arm.Catalog
	}
	if arm.Descriptions != "" {
		b.Descriptions = arm.Descriptions
	}
	if arm.SkillsDigest != "" {
		b.SkillsDigest = arm.SkillsDigest
	}
	return b, arm, nil
}

func armNames(arms []results.Arm) string {
	names := make([]string, len(arms))
	for i, a := range arms {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// collect reads the arm's trials once, for the summary, the figures and the rows.
func (b *Baseline) collect(src *rowSource, o SummaryOptions) (*Arm, error) {
	arms, err := Summarize(src, o)
	src.labeller.finish(src.rows)
	if err != nil {
		return nil, err
	}
	b.Cases = src.rows
	slices.SortFunc(b.Cases, func(x, y BaselineCase) int { return strings.Compare(x.Case, y.Case) })
	summary := &arms[0]
	b.TokensSource = summary.Tokens.Source
	for i := range metricTable {
		m := &metricTable[i]
		if m.of == nil {
			continue
		}
		if f := m.of(summary); f.value != nil && f.n > 0 {
			b.Figures[m.name] = BaselineFigure{*f.value, f.n}
		}
	}
	return summary, nil
}

// rowSource is one arm of a run, which makes a row of each case on the way.
type rowSource struct {
	Source
	arm            results.Arm
	labels, skills bool // what a row costs most to fill, and not every gate asks for
	rows           []BaselineCase
	labeller       labeller
}

// Header names the chosen arm only.
func (s *rowSource) Header() results.Header {
	h := s.Source.Header()
	h.Arms = []results.Arm{s.arm}
	return h
}

// Trials yields the arm's trials; the reader checks each before it goes into a row.
func (s *rowSource) Trials(yield func(*results.Trial) error) error {
	if run, ok := s.Source.(interface{ Len() int }); ok {
		s.rows = make([]BaselineCase, 0, rowsOf(s.Source.Header(), run.Len()))
	}
	return s.Source.Trials(func(t *results.Trial) error {
		if t.Arm != s.arm.Name {
			return nil
		}
		if err := yield(t); err != nil {
			return err
		}
		s.add(t)
		return nil
	})
}

// rowsOf is about how many cases so many trials of a run are.
func rowsOf(h results.Header, trials int) int {
	return min(trials, 1<<20) / max(1, h.Repetitions*len(h.Arms))
}

// add counts a trial in the row of its case: the trials of a case come together.
func (s *rowSource) add(t *results.Trial) {
	if n := len(s.rows); n == 0 || s.rows[n-1].Case != t.Case {
		s.rows = append(s.rows, BaselineCase{Case: t.Case, Group: t.Group, Tags: slices.Clone(t.Tags)})
		if s.labels {
			s.labeller.add(t)
		}
	}
	row := &s.rows[len(s.rows)-1]
	row.Trials++
	if t.Error != nil {
		return
	}
	row.Selection.add(t.Scores.Selection)
	row.Calls.add(passed(t))
	row.Prompt += t.Usage.Prompt
	if t.Scores.Level1 != nil {
		row.Level1.add(*t.Scores.Level1)
	}
	if expectsCalls(t.Scores) {
		row.Under.add(!makesCalls(t.Scores))
	} else {
		row.Over.add(makesCalls(t.Scores))
	}
	if t.Scores.Args != nil {
		row.Args.add(*t.Scores.Args)
	}
	if s.skills {
		row.addSkills(t)
	}
}

// addSkills counts calls by skill, and labelled arguments.
func (c *BaselineCase) addSkills(t *results.Trial) {
	count := func(skill string, more SkillShare) {
		if c.Skills == nil {
			c.Skills = map[string]SkillShare{}
		}
		sum := c.Skills[skill]
		for i := range sum {
			sum[i] += more[i]
		}
		c.Skills[skill] = sum
	}
	for _, p := range t.Scores.Pairs {
		if p.Want != "" {
			count(p.Want, SkillShare{0: 1, 2: oneIf(p.Want == p.Got)})
		}
		if p.Got != "" {
			count(p.Got, SkillShare{1: 1})
		}
	}
	if t.Scores.Args == nil {
		return
	}
	for _, call := range labelledCalls(t) {
		count(call.skill, SkillShare{3: 1, 4: oneIf(call.exact)})
	}
}

func (s *Share) add(hit bool) {
	s[0] += oneIf(hit)
	s[1]++
}

// WriteTo writes the baseline file: its settings and figures, then one line a case.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(b); err != nil {
		return 0, fmt.Errorf("write baseline: %w", err)
	}
	buf.Truncate(buf.Len() - len("\n}\n"))
	buf.WriteString(",\n  \"cases\": [")
	enc.SetIndent("", "")
	for i := range b.Cases {
		if i > 0 {
			buf.WriteByte(',')
		}
		buf.WriteString("\n    ")
		if err := enc.Encode(&b.Cases[i]); err != nil {
			return 0, fmt.Errorf("write baseline: case %s: %w", b.Cases[i].Case, err)
		}
		buf.Truncate(buf.Len() - 1)
	}
	buf.WriteString("\n  ]\n}\n")
	return buf.WriteTo(w)
}
