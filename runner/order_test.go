package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

func TestOrderOfWork(t *testing.T) {
	s := &sink{}
	_, err := execute(t.Context(), testPlan(3, 2, 1), []arm{{"A", fake(good)}, {"B", fake(good)}}, Options{Writer: s})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"c1/A/0", "c1/B/0", "c2/B/0", "c2/A/0", "c3/A/0", "c3/B/0",
		"c1/B/1", "c1/A/1", "c2/A/1", "c2/B/1", "c3/B/1", "c3/A/1",
	}, s.keys())
}

// Every plan is covered exactly once, the arms of a case lie side by side, and each goes first equally often.
func TestOrderIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms := make([]arm, rapid.IntRange(1, 4).Draw(t, "arms"))
		for i := range arms {
			arms[i].name = fmt.Sprint(i)
		}
		p := testPlan(rapid.IntRange(1, 12).Draw(t, "cases"), rapid.IntRange(1, 4).Draw(t, "repetitions"), 1)
		j := &job{plan: p, arms: arms}
		seen := map[results.Key]bool{}
		first := map[string]int{}
		n := 0
		var block results.Key
		for u := range j.units {
			k := u.key()
			require.False(t, seen[k])
			seen[k] = true
			if n%len(arms) == 0 {
				block = k
				first[k.Arm]++
			}
			require.Equal(t, block.Case, k.Case)
			require.Equal(t, block.Repetition, k.Repetition)
			n++
		}
		require.Len(t, seen, len(p.Cases)*len(arms)*p.Repetitions)
		if len(p.Cases)%len(arms) == 0 {
			for _, a := range arms {
				require.Equal(t, len(p.Cases)*p.Repetitions/len(arms), first[a.name])
			}
		}
		for range j.units { // may be left at any point
			break
		}
	})
}

func TestDoneIsSkipped(t *testing.T) {
	s := &sink{}
	done := map[results.Key]bool{{Case: "c1", Arm: "A"}: true, {Case: "c2", Arm: "B", Repetition: 1}: true,
		{Case: "gone", Arm: "A"}: true, {Case: "c2", Arm: "A"}: false}
	var last Progress
	sum, err := execute(t.Context(), testPlan(2, 2, 4), []arm{{"A", fake(good)}, {"B", fake(good)}},
		Options{Writer: s, Done: done, Progress: func(p Progress) { last = p }})
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 8, Done: 6, Skipped: 2}, sum)
	assert.Equal(t, Progress{Done: 8, Planned: 8}, last)
	assert.ElementsMatch(t, []string{"c1/B/0", "c2/A/0", "c2/B/0", "c1/A/1", "c1/B/1", "c2/A/1"}, s.keys())
}

// What is finished is counted by itself: a plan may have billions of trials.
func TestDoneOfAHugePlan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := testPlan(2, 1<<31-1, 1)
	done := map[results.Key]bool{{Case: "c1", Arm: "A", Repetition: 1<<31 - 2}: true, {Case: "c2", Arm: "A", Repetition: -1}: true, {Case: "c2", Arm: "B"}: true}
	sum, err := execute(ctx, p, []arm{{"A", fake(good)}}, Options{Writer: &sink{}, Done: done})
	require.NoError(t, err)
	assert.Equal(t, 1, sum.Skipped)
	assert.True(t, sum.Interrupted)
}

func TestSeeds(t *testing.T) {
	// Pinned: a run that is resumed with a newer version must ask the same question.
	assert.Equal(t, int64(5191642248740028624), TrialSeed(7, "c1", 0))
	assert.Equal(t, int64(5345912465565972457), TrialSeed(-1, "杭州", 3))
	rapid.Check(t, func(t *rapid.T) {
		seed, id, repetition := rapid.Int64().Draw(t, "seed"), rapid.String().Draw(t, "id"), rapid.IntRange(0, 1e6).Draw(t, "repetition")
		got := TrialSeed(seed, id, repetition)
		require.GreaterOrEqual(t, got, int64(0))
		require.NotEqual(t, got, TrialSeed(seed+1, id, repetition))
		require.NotEqual(t, got, TrialSeed(seed, id+"x", repetition))
		require.NotEqual(t, got, TrialSeed(seed, id, repetition+1))
	})
}

func TestTask(t *testing.T) {
	byArm := map[string][]agent.Task{}
	worker := func(name string) arm {
		return arm{name, fake(func(_ context.Context, task agent.Task) (*agent.Outcome, error) {
			byArm[name] = append(byArm[name], task)
			return answer("x"), nil
		})}
	}
	p := testPlan(1, 2, 1)
	p.SendSeed, p.Until = true, "call"
	c := &p.Cases[0]
	c.ContextTags = []string{"travel"}
	c.Results = map[string]json.RawMessage{"weather": json.RawMessage(`"sunny"`)}
	c.History = []datasets.Turn{{Role: "user", Content: "hello"}, {Role: "assistant", Content: "hi"}}
	_, err := execute(t.Context(), p, []arm{worker("A"), worker("B")}, Options{Writer: &sink{}})
	require.NoError(t, err)
	a, b := byArm["A"], byArm["B"]
	assert.Equal(t, "question c1", a[0].Input)
	assert.Equal(t, "call", a[0].Until)
	assert.Equal(t, c.ContextTags, a[0].ContextTags)
	assert.Equal(t, c.Results, a[0].Results)
	assert.Equal(t, []agent.Message{{Role: "user", Content: "hello"}, {Role: "assistant", Content: "hi"}}, a[0].History)
	assert.Equal(t, TrialSeed(7, "c1", 0), *a[0].Seed)
	assert.Equal(t, TrialSeed(7, "c1", 1), *a[1].Seed)
	assert.Nil(t, a[0].Observe)
	ids := map[string]bool{}
	for i := range 2 {
		assert.Len(t, a[i].TraceID, 32)
		ids[a[i].TraceID], ids[b[i].TraceID] = true, true
		a[i].TraceID, b[i].TraceID = "", ""
	}
	assert.Len(t, ids, 4)
	assert.Equal(t, a, b, "the arms are asked the same")

	p.SendSeed = false
	_, err = execute(t.Context(), p, []arm{worker("C")}, Options{Writer: &sink{}})
	require.NoError(t, err)
	assert.Nil(t, byArm["C"][0].Seed)
}
