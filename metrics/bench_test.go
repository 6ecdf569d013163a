package metrics

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// stream makes trials as it is read, so that memory is that of the summary: 30 skills, two labelled arguments each,
// one trial in ten wrong.
type stream struct {
	cases, repetitions int
	watch              func(i int)
}

func (s *stream) Header() results.Header {
	return results.Header{Arms: []results.Arm{{Name: "main"}}, Repetitions: s.repetitions}
}

func (s *stream) Trials(yield func(*results.Trial) error) error {
	for i := range s.cases {
		for k := range s.repetitions {
			if s.watch != nil {
				s.watch(i*s.repetitions + k)
			}
			if err := yield(s.trial(i, k)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *stream) trial(i, k int) *results.Trial {
	skill := fmt.Sprintf("skill_%02d", i%30)
	args := json.RawMessage(`{"city":"Oslo","days":3}`)
	e := json.RawMessage(`{"calls":[{"skill":"` + skill + `","args":{"city":"Oslo","days":3}}]}`)
	right := (i*7+k)%10 != 0
	t := &results.Trial{Case: fmt.Sprintf("case-%06d", i), Arm: "main", Repetition: k, Tags: []string{"en", fmt.Sprint("t", i%5)}, Expect: e,
		Calls: []results.Call{{Skill: skill, Args: args, Tier: "native", Valid: true, FirstValid: true}}, Rounds: 3, LatencyMS: float64(i%977) * 1.5,
		Usage:  results.Usage{Source: "server", Prompt: 500 + i%300, Completion: 20 + i%17},
		Scores: &results.Scores{Selection: true, Level1: &right, Args: &right, Labelled: 2, Right: 2, Pairs: []results.SkillPair{{Want: skill, Got: skill}}}}
	if !right {
		t.Scores.Right, t.Scores.Faults.Value = 1, 1
		t.Scores.Diffs = []string{"call 1 " + skill + `: city: want "Oslo", got "Bergen"`}
	}
	return t
}

// 100,000 trials of as many cases stay within 60 MiB; repetitions of fewer cases take less.
func TestSummarizeMemory(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("reads 100,000 trials")
	}
	for _, s := range []*stream{{cases: 100_000, repetitions: 1}} {
		runtime.GC()
		var before, m runtime.MemStats
		runtime.ReadMemStats(&before)
		var most uint64
		look := func() {
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc-min(before.HeapAlloc, m.HeapAlloc))
		}
		s.watch = func(i int) {
			if i%20_000 == 19_999 {
				look()
			}
		}
		arms, err := Summarize(s, SummaryOptions{})
		require.NoError(t, err)
		look()
		assert.Equal(t, 100_000, arms[0].Scored)
		assert.Less(t, most>>20, uint64(60), "MiB")
		t.Logf("%d cases × %d: %d MiB", s.cases, s.repetitions, most>>20)
		runtime.KeepAlive(arms)
	}
}

func BenchmarkSummarize(b *testing.B) {
	for _, s := range []*stream{{cases: 100_000, repetitions: 1}, {cases: 20_000, repetitions: 5}} {
		b.Run(fmt.Sprintf("%dx%d", s.cases, s.repetitions), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Summarize(s, SummaryOptions{Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStream is what making the trials of BenchmarkSummarize costs.
func BenchmarkStream(b *testing.B) {
	s := &stream{cases: 100_000, repetitions: 1}
	for b.Loop() {
		_ = s.Trials(func(*results.Trial) error { return nil })
	}
}

func BenchmarkScore(b *testing.B) {
	scorer := NewScorer(schemas)
	c := &datasets.Case{ID: "c", Expect: expect("weather", `{"city":"Oslo","days":3}`)}
	t := &results.Trial{Case: "c", Calls: []results.Call{call("weather", `{"city":"Oslo","days":3}`)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scorer.Score(c, t); err != nil {
			b.Fatal(err)
		}
	}
}
