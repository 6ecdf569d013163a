package metrics

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Clusters that come back in any order add up in the order in which they first came.
func TestPairingFindsClustersInAnyOrder(t *testing.T) {
	for _, units := range [][]int32{{0, 1, 2, 3}, {0, 0, 1, 1}, {0, 1, 0, 2, 1, 0}, {5, 3, 9, 3, 5, 4, 9, 10, 3}, {2, 1, 0, 0, 1, 2}, {7}, {1, 3, 2, 4, 2, 3, 1}} {
		p := newPairing()
		var order []int32
		count := map[int32]int{}
		for _, u := range units {
			if !slices.Contains(order, u) {
				order = append(order, u)
			}
			count[u]++
			p.add(outcome{unit: u, a: float64(u), b: 1, single: true})
		}
		require.Len(t, p.sums, len(order), "%v", units)
		for i, u := range order {
			n := float64(count[u])
			assert.Equal(t, [3]float64{n * float64(u), n, n}, [3]float64{p.sums[i].A, p.sums[i].B, float64(p.sums[i].N)}, "%v", units)
		}
	}
}
