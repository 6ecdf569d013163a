package metrics

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// expectedValues and givenValues meet often enough to match, and differ in every way.
var (
	expectedValues = []string{`1`, `"x"`, `{"e":1,"f":[1,2]}`, `[1,{"k":2}]`, `{"$any":true}`, `{"$absent":true}`, `{"$optional":1}`,
		`{"$anyOf":[1,"x"]}`, `{"$contains":"x"}`, `{"$unordered":[1,2]}`, `null`, `{"$subset":{"e":1}}`}
	givenValues = []string{`1`, `"x"`, `{"e":1,"f":[1,2]}`, `{"e":"1"}`, `[1,{"k":3}]`, `[2,1]`, `null`, `true`, `1.0`, `"xy"`}
	argNames    = []string{"a", "b", "a.b", "c[0]", "", `q"`, "days"}
)

func genObject(t *rapid.T, values []string, label string) string {
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom(argNames), 0, len(argNames), rapid.ID[string]).Draw(t, label)
	var members []string
	for _, k := range keys {
		quoted, _ := json.Marshal(k)
		members = append(members, string(quoted)+":"+rapid.SampledFrom(values).Draw(t, label+" value"))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func genExpectation(t *rapid.T) datasets.Expectation {
	var e datasets.Expectation
	for range rapid.IntRange(0, 4).Draw(t, "expected") {
		c := datasets.ExpectedCall{Skill: rapid.SampledFrom([]string{"weather", "s"}).Draw(t, "skill")}
		if rapid.IntRange(0, 3).Draw(t, "labelled") > 0 {
			c.Args = json.RawMessage(genObject(t, expectedValues, "label"))
		}
		e.Calls = append(e.Calls, c)
	}
	e.None = len(e.Calls) == 0
	if !e.None && rapid.Bool().Draw(t, "strict") {
		e.Order = "strict"
	}
	return e
}

func genTrial(t *rapid.T) *results.Trial {
	trial := &results.Trial{Case: "c"}
	for range rapid.IntRange(0, 5).Draw(t, "made") {
		args := genObject(t, givenValues, "given")
		if rapid.IntRange(0, 9).Draw(t, "malformed") == 0 {
			args = rapid.SampledFrom([]string{``, `null`, `[]`, `nope`, `{"a":1,"a":2}`, `"{}"`}).Draw(t, "text")
		}
		c := call(rapid.SampledFrom([]string{"weather", "s", "other"}).Draw(t, "called"), args)
		c.Valid = rapid.IntRange(0, 5).Draw(t, "valid") > 0
		trial.Calls = append(trial.Calls, c)
	}
	if class := rapid.SampledFrom([]string{"", "", "", "invalid_arguments", "unparsable", "max_rounds"}).Draw(t, "fault"); class != "" {
		trial.Fault = fault(class)
	}
	return trial
}

// Whatever was expected and whatever was called, the counts of a score add up.
func TestScoresAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &datasets.Case{ID: "c", Expect: genExpectation(t)}
		for range rapid.IntRange(0, 2).Draw(t, "accepted") {
			c.Accept = append(c.Accept, genExpectation(t))
		}
		trial := genTrial(t)
		s, err := NewScorer(schemas).Score(c, trial)
		if err != nil {
			t.Fatal(err)
		}
		f := s.Faults
		if s.Labelled-s.Right != f.Missing+f.Type+f.Value || s.Right < 0 || f.Missing < 0 || f.Type < 0 || f.Value < 0 || f.Extra < 0 {
			t.Fatalf("counts do not add up: %+v", s)
		}
		if s.Args != nil && *s.Args && (!s.Selection || s.Right != s.Labelled || f.Extra > 0 || len(s.Diffs) > 0) {
			t.Fatalf("right, and yet: %+v", s)
		}
		if s.Selection && trial.Fault != nil && trial.Fault.Class != faultInvalidArgs {
			t.Fatalf("a fault was forgiven: %+v", s)
		}
		var got []string
		for _, p := range s.Pairs {
			if p.Got != "" {
				got = append(got, p.Got)
			}
		}
		made := calledSkills(trial.Calls)
		slices.Sort(got)
		slices.Sort(made)
		if !slices.Equal(got, made) {
			t.Fatalf("pairs hold %v of the calls %v", got, made)
		}
		if err := check(&results.Trial{Scores: s}); err != nil {
			t.Fatalf("a score that a summary refuses: %v", err)
		}
	})
}

// The order of calls does not matter where the label does not say so.
func TestScoreIgnoresOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &datasets.Case{ID: "c", Expect: genExpectation(t)}
		c.Expect.Order = ""
		trial := genTrial(t)
		a, _ := NewScorer(schemas).Score(c, trial)
		other := *trial
		other.Calls = rapid.Permutation(trial.Calls).Draw(t, "permuted")
		b, _ := NewScorer(schemas).Score(c, &other)
		if a.Selection != b.Selection || a.Right != b.Right || a.Labelled != b.Labelled || (a.Args != nil && *a.Args != *b.Args) {
			t.Fatalf("%+v\n%+v", a, b)
		}
	})
}

// The assignment is as good as the best of all permutations.
func TestMaxAssignmentIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 5).Draw(t, "rows")
		cols := rapid.IntRange(rows, 6).Draw(t, "cols")
		weight := make([][]int, rows)
		for i := range weight {
			weight[i] = rapid.SliceOfN(rapid.IntRange(0, 6), cols, cols).Draw(t, "weights")
		}
		var best func(row int, used int) int
		best = func(row, used int) int {
			if row == rows {
				return 0
			}
			most := 0
			for j := range cols {
				if used&(1<<j) == 0 {
					most = max(most, weight[row][j]+best(row+1, used|1<<j))
				}
			}
			return most
		}
		got, taken := 0, map[int]bool{}
		for i, j := range maxAssignment(weight) {
			if taken[j] {
				t.Fatalf("column %d is used twice", j)
			}
			taken[j] = true
			got += weight[i][j]
		}
		if want := best(0, 0); got != want {
			t.Fatalf("%v: %d, best is %d", weight, got, want)
		}
	})
}

// Many equal calls take polynomial time.
func TestAssignmentOfManyCalls(t *testing.T) {
	var e datasets.Expectation
	trial := &results.Trial{Case: "c"}
	for i := range 120 {
		args, _ := json.Marshal(map[string]int{"i": i})
		e.Calls = append(e.Calls, datasets.ExpectedCall{Skill: "s", Args: args})
		args, _ = json.Marshal(map[string]int{"i": 119 - i})
		trial.Calls = append(trial.Calls, call("s", string(args)))
	}
	s, err := NewScorer(nil).Score(&datasets.Case{ID: "c", Expect: e}, trial)
	require.NoError(t, err)
	assert.True(t, *s.Args)
}

// One scorer serves many goroutines.
func TestScorerIsSafeForConcurrentUse(t *testing.T) {
	scorer := NewScorer(schemas)
	c := &datasets.Case{ID: "c", Expect: expect("weather", `{"city":"Oslo","days":1}`)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				s, err := scorer.Score(c, &results.Trial{Case: "c", Calls: []results.Call{call("weather", `{"city":"Oslo"}`)}})
				assert.NoError(t, err)
				assert.True(t, *s.Args)
			}
		})
	}
	wg.Wait()
}

func TestTopLevel(t *testing.T) {
	for path, want := range map[string]struct {
		top    string
		nested bool
	}{
		"": {"", false}, "city": {"city", false}, "to[0].name": {"to", true}, "d.e": {"d", true},
		`["a.b"]`: {`["a.b"]`, false}, `["a.b"].c`: {`["a.b"]`, true}, `["a\"]"][1]`: {`["a\"]"]`, true}, `["open`: {`["open`, false},
		`["a\`: {`["a\`, false},
	} {
		top, nested := topLevel(path)
		assert.Equal(t, want.top, top, path)
		assert.Equal(t, want.nested, nested, path)
	}
}
