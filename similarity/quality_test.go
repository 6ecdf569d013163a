package similarity

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheFitDoesNotSeeTheTestHalf turns every label of the test half around: what the fit reads stays the same.
func TestTheFitDoesNotSeeTheTestHalf(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	pairs, before := labelled(t), labelled(t)
	turned := 0
	for i := range pairs {
		if p := &pairs[i]; !p.Tuning() {
			turned++
			if p.Label = LabelDuplicate; p.same() == before[i].same() {
				p.Label = LabelUnrelated
			}
		}
	}
	require.Greater(t, turned, 100)
	known, seen := half(t, before, true), half(t, pairs, true)
	require.Equal(t, len(known), len(seen))
	for i := range seen {
		require.Equal(t, known[i].Label, seen[i].Label)
		require.Equal(t, known[i].features.vector(), seen[i].features.vector())
	}
	require.Equal(t, len(before), len(seen)+turned)
	require.True(t, assert.ObjectsAreEqual(strangers(t, before), strangers(t, pairs)))
}

func TestLabelledPairsAreSound(t *testing.T) {
	ids, halves, texts := map[string]bool{}, map[string]bool{}, map[string]LabelledText{}
	tuning := 0
	for _, p := range labelled(t) {
		assert.False(t, ids[p.ID], "%s stands twice", p.ID)
		ids[p.ID] = true
		assert.Contains(t, []string{LabelDuplicate, LabelParaphrase, LabelSibling, LabelBoundary, LabelUnrelated}, p.Label, p.ID)
		assert.NotEmpty(t, p.A.Description, p.ID)
		assert.NotEmpty(t, p.B.Description, p.ID)
		if p.Tuning() {
			tuning++
		}
		if p.Catalog != "" {
			side, known := halves[p.Catalog]
			assert.True(t, !known || side == p.Tuning(), "catalogue %s is in both halves", p.Catalog)
			halves[p.Catalog] = p.Tuning()
		}
		for _, x := range []LabelledText{p.A, p.B} {
			key := p.Catalog + "\x00" + x.Name + "\x00" + x.Description
			if known, ok := texts[key]; ok {
				assert.Equal(t, known, x, "%s: a text of one name and description has other lists elsewhere", p.ID)
			}
			texts[key] = x
		}
	}
	assert.Greater(t, len(ids), 300)
	assert.InDelta(t, 0.5, float64(tuning)/float64(len(ids)), 0.1)
}

func TestTuningIsAHashOfCatalogueOrID(t *testing.T) {
	a, b := LabelledPair{ID: "a", Catalog: "x"}, LabelledPair{ID: "b", Catalog: "x"}
	assert.Equal(t, a.Tuning(), b.Tuning())
	seen := map[bool]int{}
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		p := LabelledPair{ID: id}
		seen[p.Tuning()]++
	}
	assert.Equal(t, 3, seen[true], "FNV-1a of neighbours in the alphabet alternates")
}

func TestQualityCounts(t *testing.T) {
	judged := []Judged{
		{LabelledPair: LabelledPair{Label: LabelDuplicate}, Level: Duplicate}, {LabelledPair: LabelledPair{Label: LabelDuplicate}, Level: Near},
		{LabelledPair: LabelledPair{Label: LabelParaphrase}, Level: Duplicate}, {LabelledPair: LabelledPair{Label: LabelParaphrase}, Level: Unrelated},
		{LabelledPair: LabelledPair{Label: LabelSibling}, Level: Near}, {LabelledPair: LabelledPair{Label: LabelBoundary}, Level: Related},
		{LabelledPair: LabelledPair{Label: LabelUnrelated}, Level: Unrelated}, {LabelledPair: LabelledPair{Label: LabelUnrelated}, Level: Related},
	}
	assert.Equal(t, []Quality{
		{Level: Duplicate, Threshold: 0.9, Found: 1, Wrong: 1, Missed: 1, Passed: 5},
		{Level: Near, Threshold: 0.7, Found: 3, Wrong: 1, Missed: 1, Passed: 3},
		{Level: Related, Threshold: 0.4, Found: 5, Wrong: 1, Missed: 1, Passed: 1},
	}, QualityOf(judged, Thresholds{Duplicate: 0.9, Near: 0.7, Related: 0.4}))
}

// TestQualityOfTheTestHalf states what the docs promise: a change that falls below has to say so.
func TestQualityOfTheTestHalf(t *testing.T) {
	c, err := Calibrate(context.Background(), labelled(t), DefaultThresholds())
	require.NoError(t, err)
	held := c.HeldOut()
	require.Equal(t, 270, len(held))
	q := QualityOf(held, c.Thresholds)
	for _, x := range q {
		assert.Equal(t, len(held), x.Found+x.Wrong+x.Missed+x.Passed, x.Level)
	}
	share := func(x, of int) float64 { return float64(x) / float64(of) }
	near, related := q[1], q[2]
	assert.GreaterOrEqual(t, share(near.Found, near.Found+near.Wrong), 0.95, "precision of near")
	assert.GreaterOrEqual(t, share(near.Found, near.Found+near.Missed), 0.40, "recall of near, paraphrases without shared words included")
	assert.GreaterOrEqual(t, share(related.Found, related.Found+related.Wrong), 0.90, "precision of related")
	assert.GreaterOrEqual(t, share(related.Found, related.Found+related.Missed), 0.60, "recall of related")
	duplicates, found := 0, 0
	for _, j := range held {
		if j.Label == LabelDuplicate {
			duplicates++
			if j.Level.AtLeast(Near) {
				found++
			}
		}
		assert.True(t, j.Candidate || !j.Level.AtLeast(Related), "%s is alike, and the search would not find it", j.ID)
	}
	assert.GreaterOrEqual(t, share(found, duplicates), 0.85, "recall of duplicates at near")
}

func TestIdenticalLabelledTextsScoreOne(t *testing.T) {
	x := LabelledText{Name: "a", Description: "Books a flight."}
	c, err := Calibrate(context.Background(), []LabelledPair{{ID: "1", A: x, B: LabelledText{Name: "b", Description: "books a FLIGHT."}}, {ID: "2", Catalog: "c", A: x, B: LabelledText{Name: "c", Description: "Waters plants."}}}, DefaultThresholds())
	require.NoError(t, err)
	assert.Equal(t, []any{1.0, 1.0, Duplicate}, []any{c.Pairs[0].Score, c.Pairs[0].Field, c.Pairs[0].Level})
	assert.Equal(t, Unrelated, c.Pairs[1].Level)
}
