package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// PermutationOptions say how to permute.
type PermutationOptions struct {
	Permutations int   // default 10,000
	Seed         int64 // equal seeds give equal permutations
}

// SignFlip tests whether the mean of paired differences is zero, with whole clusters as the exchangeable units: under
// the null hypothesis the sum of each cluster is as likely to have either sign. sums holds one sum of differences for
// each cluster. The p-value is two-sided and exact when all sign patterns are no more than the permutations; otherwise it
// is (1 + hits) / (1 + permutations), which never understates it. Clusters that sum to 0 do not matter. It is 1 when
// no cluster differs, and when the sums are not finite.
//
// Equal magnitudes are flipped together: a permutation costs the number of different magnitudes and not of clusters.
//
// Source: R. A. Fisher, "The Design of Experiments" (1935), § 21; the +1: B. Phipson and G. K. Smyth, Stat. Appl. Genet.
// Mol. Biol. 9 (2010) 39.
func SignFlip(sums []float64, o PermutationOptions) float64 {
	if o.Permutations <= 0 {
		o.Permutations = 10_000
	}
	sizes, observed, largest := magnitudes(sums)
	if len(sizes) == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return 1
	}
	// Sums of the same magnitudes in another order differ in their last bits.
	observed = math.Abs(observed) - 1e-12*largest
	if len(sizes) < bits.Len(uint(o.Permutations)) {
		return everySign(sizes, observed)
	}
	kinds, counts := tally(sizes)
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 0xbf58476d1ce4e5b9))
	hits := 0
	for range o.Permutations {
		if math.Abs(randomSigns(kinds, counts, rng)) >= observed {
			hits++
		}
	}
	return float64(1+hits) / float64(1+o.Permutations)
}

// magnitudes returns the absolute values of the sums that are not zero, in ascending order, their signed total
// and the largest total that signs can give.
func magnitudes(sums []float64) (sizes []float64, total, largest float64) {
	for _, s := range sums {
		if s != 0 {
			sizes = append(sizes, math.Abs(s))
			total, largest = total+s, largest+math.Abs(s)
		}
	}
	slices.Sort(sizes)
	return sizes, total, largest
}

// everySign is the share of all sign patterns whose total is at least as far from zero as the observed one.
func everySign(sizes []float64, observed float64) float64 {
	hits := 0
	for pattern := range 1 << len(sizes) {
		total := 0.0
		for i, s := range sizes {
			if pattern>>i&1 == 1 {
				s = -s
			}
			total += s
		}
		if math.Abs(total) >= observed {
			hits++
		}
	}
	return float64(hits) / float64(int(1)<<len(sizes))
}

// tally groups equal magnitudes; what differs in its last bits only is equal.
func tally(sorted []float64) (kinds []float64, counts []int) {
	for _, s := range sorted {
		if last := len(kinds) - 1; last < 0 || s > kinds[last]*(1+1e-12) {
			kinds, counts = append(kinds, s), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return kinds, counts
}

// randomSigns is the total of one random sign pattern. Small groups share a random word.
func randomSigns(kinds []float64, counts []int, rng *rand.Rand) float64 {
	var total float64
	var word uint64
	left := 0
	for i, k := range kinds {
		n := counts[i]
		var positive int
		if n > 16 {
			positive = heads(n, rng)
		} else {
			if left < n {
				word, left = rng.Uint64(), 64
			}
			positive = bits.OnesCount64(word & (1<<n - 1))
			word, left = word>>n, left-n
		}
		total += k * float64(2*positive-n)
	}
	return total
}

// heads is the number of heads in n fair throws.
func heads(n int, rng *rand.Rand) int {
	if n > 4096 {
		return int(distuv.Binomial{N: float64(n), P: 0.5, Src: rng}.Rand())
	}
	count := 0
	for ; n >= 64; n -= 64 {
		count += bits.OnesCount64(rng.Uint64())
	}
	return count + bits.OnesCount64(rng.Uint64()&(1<<n-1))
}
