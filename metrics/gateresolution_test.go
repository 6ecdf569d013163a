package metrics

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTheLossThatADeltaGateCanShow holds the numbers that the documentation gives: how many of so many cases must be lost,
// all else unchanged, before the interval of the difference shows a loss of more than 0.02.
func TestTheLossThatADeltaGateCanShow(t *testing.T) {
	for cases, lost := range map[int]int{10: 4, 50: 6, 100: 8, 200: 10} {
		base := outcomes(t, many("r", cases))
		for n, pass := range map[int]bool{lost - 1: true, lost: false} {
			head := outcomes(t, many("r", cases-n)+many("w", n))
			r := against(t, base, head, GateOptions{}, "delta(selection.accuracy) >= -0.02")
			assert.Equal(t, pass, r.Pass, "%d of %d cases lost", n, cases)
		}
	}
}
