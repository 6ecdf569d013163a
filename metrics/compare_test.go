package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

// held is a source that holds its trials, in canonical order.
type held struct {
	header results.Header
	trials []results.Trial
	err    error
}

func (h *held) Header() results.Header { return h.header }

func (h *held) Trials(yield func(*results.Trial) error) error {
	for i := range h.trials {
		if err := yield(&h.trials[i]); err != nil {
			return err
		}
	}
	return h.err
}

// add appends one trial that is right or not; skill "" expects none.
func (h *held) add(id, group, skill string, rep int, right bool) {
	expect := json.RawMessage(`{"none":true}`)
	if skill != "" {
		expect = json.RawMessage(fmt.Sprintf(`{"calls":[{"skill":%q,"args":{}}]}`, skill))
	}
	h.trials = append(h.trials, results.Trial{Case: id, Arm: "main", Repetition: rep, Group: group, Expect: expect, Calls: []results.Call{},
		Scores: &results.Scores{Selection: right}, Usage: results.Usage{Prompt: 100, Completion: 10}})
}

func compareHeld(t *testing.T, a, b *held, o CompareOptions) *Comparison {
	t.Helper()
	c, err := Compare(Side{a, "main", "base"}, Side{b, "main", "head"}, o)
	require.NoError(t, err)
	_, err = json.Marshal(c)
	require.NoError(t, err)
	return c
}

// discordant builds two sides with so many cases right only on one side, on both and on neither.
func discordant(onlyA, onlyB, both, neither int) (a, b *held) {
	a, b = &held{}, &held{}
	n := 0
	for _, part := range []struct {
		count int
		a, b  bool
	}{{onlyA, true, false}, {onlyB, false, true}, {both, true, true}, {neither, false, false}} {
		for range part.count {
			id := fmt.Sprintf("c%04d", n)
			a.add(id, "", "w", 0, part.a)
			b.add(id, "", "w", 0, part.b)
			n++
		}
	}
	return a, b
}

// Unpaired, the same figures would give p = 0.127 (z = 1.525): the pairing is what finds the difference.
func TestComparePairsByCase(t *testing.T) {
	a, b := discordant(25, 10, 130, 55)
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, []int{220, 220, 10, 25, 185, 130, 55}, []int{c.Cases, c.Clusters, c.Wins, c.Losses, c.Ties, c.BothRight, c.BothWrong})
	assert.InDelta(t, -15.0/220, *c.Difference.Value, 1e-12)
	assert.InDelta(t, 0.0167, c.PValue, 5e-5)
	assert.InDelta(t, 0.0113, *c.MidP, 5e-5)
	assert.Equal(t, ABetter, c.Verdict)
	assert.Len(t, c.Flipped, 35)
	mirrored := compareHeld(t, b, a, CompareOptions{})
	assert.Equal(t, BBetter, mirrored.Verdict)
	assert.InDelta(t, *c.Difference.Value, -*mirrored.Difference.Value, 1e-12)
}

func TestCompareSaysWhenThereAreTooFewCases(t *testing.T) {
	a, b := discordant(1, 2, 5, 2)
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, TooFewCases, c.Verdict)
	require.NotNil(t, c.CasesNeeded)
	assert.Greater(t, *c.CasesNeeded, 10)
	a, b = discordant(6, 6, 2000, 500)
	c = compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, NoDifference, c.Verdict)
	assert.Less(t, *c.MinDetectable, 0.10)
}

// Ten repetitions of eight cases are eight observations, not eighty: counted as eighty, 60 wins against none would be
// certain; eight cases with three wins are not enough.
func TestCompareCountsRepetitionsAsOneCase(t *testing.T) {
	a, b := &held{}, &held{}
	for i := range 8 {
		for rep := range 10 {
			id := fmt.Sprintf("c%d", i)
			a.add(id, "", "w", rep, false)
			b.add(id, "", "w", rep, i < 3)
		}
	}
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, 8, c.Cases)
	assert.Equal(t, 3, c.Wins)
	assert.Equal(t, "cluster-permutation", c.Method)
	assert.InDelta(t, 0.25, c.PValue, 1e-12, "three signs: 2 of 8 patterns are as far out")
	assert.Equal(t, TooFewCases, c.Verdict)
	assert.Equal(t, []string{"wrong", "right"}, []string{c.Flipped[0].From, c.Flipped[0].To})
	assert.Equal(t, "2 of 3 right", (&sideCase{right: 2, scored: 3}).verdict())
}

// Twenty paraphrases of one request that all flip are one flip.
func TestCompareClustersGroups(t *testing.T) {
	a, b := &held{}, &held{}
	for i := range 20 {
		id := fmt.Sprintf("c%02d", i)
		a.add(id, "same", "w", 0, false)
		b.add(id, "same", "w", 0, true)
	}
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, 1, c.Clusters)
	assert.Equal(t, 1.0, c.PValue)
	assert.NotEqual(t, BBetter, c.Verdict)
}

func TestCompareLeavesOutWhatIsNotScoredOnBothSides(t *testing.T) {
	a, b := &held{}, &held{}
	a.add("both", "", "w", 0, true)
	b.add("both", "", "w", 0, false)
	a.add("only-a", "", "w", 0, true)
	b.add("only-b", "", "w", 0, true)
	a.add("z-error", "", "w", 0, true)
	b.trials = append(b.trials, results.Trial{Case: "z-error", Arm: "main", Expect: json.RawMessage(`{"none":true}`), Error: &results.Problem{Class: "timeout"}})
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, 1, c.Cases)
	assert.Equal(t, CaseList{1, []string{"only-a"}}, c.OnlyA)
	assert.Equal(t, CaseList{1, []string{"only-b"}}, c.OnlyB)
	assert.Equal(t, CaseList{1, []string{"z-error"}}, c.Unscored)
	assert.Equal(t, []int{0, 1}, []int{c.ErrorsA, c.ErrorsB})
	assert.Equal(t, 1, c.Losses, "an error is no answer: it is neither won nor lost")
}

func TestCompareBySkillIsAdjusted(t *testing.T) {
	a, b := &held{}, &held{}
	for i := range 12 {
		for _, skill := range []string{"x", "y"} {
			id := fmt.Sprintf("c%02d%s", i, skill)
			a.add(id, "", skill, 0, skill == "y")
			b.add(id, "", skill, 0, true)
		}
	}
	c := compareHeld(t, a, b, CompareOptions{})
	require.Len(t, c.PerSkill, 2)
	x, y := c.PerSkill[0], c.PerSkill[1]
	assert.Equal(t, []any{"x", 12, 12, 0}, []any{x.Skill, x.Cases, x.Gained, x.Lost})
	assert.InDelta(t, 2*x.PValue, *x.PAdjusted, 1e-12)
	assert.Equal(t, []any{"y", 0, 0, 1.0}, []any{y.Skill, y.Gained, y.Lost, y.PValue})
}

func TestCompareErrors(t *testing.T) {
	a, b := discordant(1, 0, 600, 0)
	_, err := Compare(Side{a, "main", "A"}, Side{b, "main", "B"}, CompareOptions{Metric: "speed"})
	require.ErrorContains(t, err, "selection, args or calls")
	b.err = errors.New("disk gone")
	_, err = Compare(Side{a, "main", "A"}, Side{b, "main", "B"}, CompareOptions{})
	require.ErrorContains(t, err, "disk gone")
	empty := compareHeld(t, &held{}, &held{}, CompareOptions{})
	assert.Equal(t, TooFewCases, empty.Verdict)
	assert.Nil(t, empty.Difference.Value)
	assert.NotEmpty(t, empty.Difference.Reason)
}

func BenchmarkCompare100k(b *testing.B) {
	x, y := discordant(3000, 2000, 60000, 35000)
	for b.Loop() {
		if _, err := Compare(Side{x, "main", "A"}, Side{y, "main", "B"}, CompareOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
