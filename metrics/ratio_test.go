package metrics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A case counts once, however many of its trials were scored: 1 of 1 and 2 of 4 make 75 %, not 3 of 5. Groups are
// clusters still.
func TestRatioIsTheMeanOverCases(t *testing.T) {
	var r ratio
	for _, c := range []struct{ unit, hits, n int }{{0, 1, 1}, {1, 2, 4}} {
		for i := range c.n {
			r.addIf(int32(c.unit), i < c.hits)
		}
		r.closeCase()
	}
	e := r.estimate("")
	require.NotNil(t, e.Value)
	assert.InDelta(t, 0.75, *e.Value, 1e-12)
	assert.Equal(t, 5, e.N)
	assert.Equal(t, 2, e.Clusters)
	assert.Equal(t, methodClustered, e.Method)

	var pooled ratio
	pooled.add(0, 1, 1)
	pooled.add(1, 2, 4)
	assert.InDelta(t, 0.6, *pooled.estimate("").Value, 1e-12)

	var grouped ratio // three cases, two of one group
	for _, unit := range []int32{0, 1, 0} {
		grouped.add(unit, 1, 1)
		grouped.closeCase()
	}
	e = grouped.estimate("")
	assert.Equal(t, 2, e.Clusters)
	assert.Equal(t, 3, e.N)
	assert.InDelta(t, 1, *e.Value, 1e-12)

	var plain ratio // one trial a case: Wilson's interval
	for i := range int32(10) {
		plain.addIf(i, i < 8)
		plain.closeCase()
	}
	e = plain.estimate("")
	assert.Equal(t, methodWilson, e.Method)
	assert.InDelta(t, 0.4902, *e.Lo, 5e-5)
	assert.InDelta(t, 0.9433, *e.Hi, 5e-5)
	assert.Equal(t, "none", new(ratio).estimate("none").Reason)
}
