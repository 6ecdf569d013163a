package metrics

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sides makes two runs: each part is so many cases of a skill, right on one side, on both or on neither.
type part struct {
	skill string
	cases int
	group string // of all of them; "": each is its own
	a, b  bool
}

func sides(parts ...part) (a, b *held) {
	a, b = &held{}, &held{}
	n := 0
	for _, p := range parts {
		for range p.cases {
			id := fmt.Sprintf("c%04d", n)
			a.add(id, p.group, p.skill, 0, p.a)
			b.add(id, p.group, p.skill, 0, p.b)
			n++
		}
	}
	return a, b
}

// A ruined skill that few cases expect all but leaves the average: the verdict must not say that nothing happened.
func TestVerdictOfASkillThatFewCasesExpect(t *testing.T) {
	a, b := sides(part{"w", 4, "", true, false}, part{"w", 1, "", true, true}, part{"other", 145, "", true, true})
	c := compareHeld(t, a, b, CompareOptions{Skill: "w"})
	assert.Equal(t, TooFewCases, c.Verdict)
	assert.Contains(t, c.VerdictText, "too few cases that expect w: 5 of 150 (head won 0, lost 4); about ")
	assert.Contains(t, c.Next, "label more requests that expect w")
	if assert.NotNil(t, c.SkillNeeded) {
		assert.Greater(t, *c.SkillNeeded, 5)
	}

	c = compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, NoDifference, c.Verdict, "without a skill under test, all cases are asked")
	assert.Nil(t, c.SkillNeeded)
	c = compareHeld(t, a, b, CompareOptions{Skill: "nobody"})
	assert.Equal(t, TooFewCases, c.Verdict)
	assert.Equal(t, "too few cases: none of the 150 expects nobody", c.VerdictText)

	a, b = sides(part{"w", 120, "", true, true}, part{"other", 30, "", true, true})
	c = compareHeld(t, a, b, CompareOptions{Skill: "w"})
	assert.Equal(t, NoDifference, c.Verdict)
	assert.Contains(t, c.VerdictText, "of the 120 cases that expect w, head won 0 and lost 0")
}

func TestVerdictSaysHowTheSkillsOwnCasesCameOut(t *testing.T) {
	a, b := sides(part{"w", 12, "", false, true}, part{"w", 2, "", true, false}, part{"other", 60, "", true, true})
	c := compareHeld(t, a, b, CompareOptions{Skill: "w"})
	assert.Equal(t, BBetter, c.Verdict)
	assert.Contains(t, c.VerdictText, "; of the 14 cases that expect w, head won 12 and lost 2")
	assert.Equal(t, "read the 2 cases that head got wrong and the other side right", c.Next)
	c = compareHeld(t, b, a, CompareOptions{Skill: "w"})
	assert.Equal(t, ABetter, c.Verdict)
	assert.Equal(t, "read the 2 cases that base got wrong and the other side right", c.Next)
}

// Sequential evidence counts clusters. When a few large groups outweigh them, there is no winner.
func TestVerdictOfClustersAgainstCases(t *testing.T) {
	a, b := sides(part{"w", 20, "", true, false}, part{"w", 10, "g1", false, true}, part{"w", 10, "g2", false, true}, part{"w", 10, "g3", false, true})
	p := 0.0065
	c := compareHeld(t, a, b, CompareOptions{SequentialP: &p})
	assert.Equal(t, TooFewCases, c.Verdict)
	assert.Equal(t, "no verdict: by groups of cases base is ahead, by cases head", c.VerdictText)

	a, b = sides(part{"w", 20, "", true, false}, part{"w", 10, "g1", false, true})
	c = compareHeld(t, a, b, CompareOptions{SequentialP: &p})
	assert.Equal(t, ABetter, c.Verdict)
}

// Errors leave cases with fewer scored trials. A case counts once all the same, and the accuracies differ by the
// difference.
func TestAccuraciesAgreeWithTheirDifference(t *testing.T) {
	a, b := &held{}, &held{}
	for i := range 20 { // one of ten trials scored
		a.add(fmt.Sprintf("u%02d", i), "", "w", 0, true)
		b.add(fmt.Sprintf("u%02d", i), "", "w", 0, i < 5)
	}
	for i := range 3 {
		for k := range 10 {
			a.add(fmt.Sprintf("v%02d", i), "", "w", k, false)
			b.add(fmt.Sprintf("v%02d", i), "", "w", k, true)
		}
	}
	c := compareHeld(t, a, b, CompareOptions{})
	assert.InDelta(t, 20.0/23, *c.AccuracyA.Value, 1e-12)
	assert.InDelta(t, 8.0/23, *c.AccuracyB.Value, 1e-12)
	assert.InDelta(t, *c.AccuracyB.Value-*c.AccuracyA.Value, *c.Difference.Value, 1e-12)
}

// More repetitions of the same outcomes must not ask for many times as many cases, and a difference too small for any
// number of cases is said.
func TestCasesNeededOfRepetitions(t *testing.T) {
	needed := map[int]int{}
	for _, k := range []int{1, 2, 4} {
		a, b := &held{}, &held{}
		for i := range 25 {
			for rep := range k {
				a.add(fmt.Sprintf("c%02d", i), "", "w", rep, i >= 2)
				b.add(fmt.Sprintf("c%02d", i), "", "w", rep, true)
			}
		}
		c := compareHeld(t, a, b, CompareOptions{})
		assert.Equal(t, TooFewCases, c.Verdict)
		needed[k] = *c.CasesNeeded
		c = compareHeld(t, a, b, CompareOptions{Detect: 1e-10})
		assert.Nil(t, c.CasesNeeded)
		assert.Equal(t, TooFewCases, c.Verdict)
	}
	assert.Equal(t, needed[2], needed[4])
	assert.Less(t, needed[4], 2*needed[1])
}

func TestPText(t *testing.T) {
	assert.Equal(t, "p = 0.0167", PText(0.0167))
	assert.Equal(t, "p < 0.0001", PText(0.00001))
	assert.Equal(t, "p < 0.0001", PText(0))
}
