package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Repeating every case without its outcome changing must not ask for more cases, and clusters must ask for more than
// independent cases do.
func TestCasesNeededClustered(t *testing.T) {
	single := make([]PairedCluster, 25)
	for i := range single {
		single[i] = PairedCluster{N: 1}
		if i < 2 {
			single[i].B = 1
		}
	}
	n, ok := CasesNeededClustered(single, 0.1, 0.05, 0.8)
	require.True(t, ok)
	exact, ok := CasesNeeded(0.1, 2.5/26, 0.05, 0.8)
	require.True(t, ok)
	assert.GreaterOrEqual(t, n, exact)
	assert.Less(t, n, 2*exact, "of the order of the exact answer: few clusters leave their spread uncertain")

	var grouped []PairedCluster // the same cases in groups of five that move together
	for i := range 5 {
		c := PairedCluster{N: 5}
		if i == 0 {
			c.B = 5
		}
		grouped = append(grouped, c)
	}
	many, ok := CasesNeededClustered(grouped, 0.1, 0.05, 0.8)
	require.True(t, ok)
	assert.Greater(t, many, 3*n)

	for _, difference := range []float64{0, 1e-10, math.NaN(), 2} {
		_, ok := CasesNeededClustered(single, difference, 0.05, 0.8)
		assert.False(t, ok, "%v", difference)
	}
	_, ok = CasesNeededClustered(nil, 0.1, 0.05, 0.8)
	assert.False(t, ok)

	// A quarter of the difference needs about sixteen times as many.
	fine, ok := CasesNeededClustered(grouped, 0.025, 0.05, 0.8)
	require.True(t, ok)
	assert.InEpsilon(t, 16*many, fine, 0.01)
}
