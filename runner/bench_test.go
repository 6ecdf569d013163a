package runner

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

type discard struct{}

func (discard) Append(*results.Trial) error { return nil }

// BenchmarkOverhead is the runner's own cost of one trial: the agent answers at once and nothing is written.
func BenchmarkOverhead(b *testing.B) {
	bench(b, Options{Writer: discard{}, Scorer: fine, Redact: hide})
}

// BenchmarkRecorded is the same with the run file.
func BenchmarkRecorded(b *testing.B) {
	w := create(b, filepath.Join(b.TempDir(), "run"), "main")
	defer w.Close()
	bench(b, Options{Writer: w, Scorer: fine, Redact: hide})
}

func bench(b *testing.B, o Options) {
	p := testPlan(b.N, 1, 32)
	b.ReportAllocs()
	b.ResetTimer()
	sum, err := execute(b.Context(), p, []arm{{"main", fake(good)}}, o)
	if err != nil || sum.Done != b.N {
		b.Fatal(sum, err)
	}
}

// Nothing of a trial is kept: memory does not grow with the number of trials.
func TestMemoryIsBounded(t *testing.T) {
	const n = 20_000
	p := testPlan(n, 1, 32)
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, grown := heap(), int64(0)
	o := Options{Writer: discard{}, Progress: func(p Progress) {
		if p.Done%(n/2) == 0 {
			grown = max(grown, heap()-before)
		}
	}}
	sum, err := execute(t.Context(), p, []arm{{"main", fake(good)}}, o)
	require.NoError(t, err)
	assert.Equal(t, n, sum.Done)
	assert.Less(t, grown, int64(1<<20), "bytes held while running; a copy of the trials would be 20 MB")
}
