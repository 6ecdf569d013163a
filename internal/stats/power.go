package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// McNemarPower is the chance that the exact two-sided McNemar test on n paired cases finds a difference at level alpha.
// discordant is the share of cases on which the arms differ, difference the share won by the better arm less the share
// won by the other. It is 0 where the arguments make no sense: n ≤ 0, alpha not within 0…1, |difference| > discordant.
//
// With m ~ Bin(n, discordant) discordant cases, of which L ~ Bin(m, λ), λ = (1 − difference/discordant)/2, are lost,
//
//	power = Σₘ P(m) · ( P(L ≤ k) + P(L ≥ m−k) ),  k the largest with 2·P(Bin(m, ½) ≤ k) ≤ alpha.
//
// The sum is exact but for values of m further than 8 standard deviations and 20 from their mean, which have a
// probability below 1e-12 (Bernstein's inequality). The step from m to m + 1 costs a few multiplications.
//
// Source: S. W. Duffy, "Asymptotic and exact power for the McNemar test and its analogue with R controls per case",
// Biometrics 40 (1984) 1005–1015.
func McNemarPower(n int, discordant, difference, alpha float64) float64 {
	difference, discordant = math.Abs(difference), math.Min(1, discordant)
	if n <= 0 || !within(alpha) || !(discordant > 0) || !(difference <= discordant*(1+1e-12)) {
		return 0
	}
	lose := math.Max(0, (1-difference/discordant)/2)
	pairs := distuv.Binomial{N: float64(n), P: discordant}
	reach := 8*pairs.StdDev() + 20
	first, last := max(1, int(pairs.Mean()-reach)), min(n, int(pairs.Mean()+reach))
	if discordant == 1 {
		first, last = n, n
	}
	k := critical(first, alpha)
	null, losses, wins := tailAt(k, first, 0.5), tailAt(k, first, lose), tailAt(k, first, 1-lose)
	weight, power := 0.0, 0.0 // weight is ln P(m): the first may be too small for a float64
	if discordant < 1 {
		weight = pairs.LogProb(float64(first))
	}
	for m := first; ; m++ {
		power += math.Exp(weight) * (losses.cdf + wins.cdf)
		if m >= last {
			return math.Min(1, power)
		}
		weight += math.Log(float64(n-m) / float64(m+1) * discordant / (1 - discordant))
		null.grow()
		losses.grow()
		wins.grow()
		for 2*(null.cdf+null.next()) <= alpha*(1+1e-12) {
			null.raise()
			losses.raise()
			wins.raise()
		}
	}
}

// critical is the largest number k of losses among m discordant cases at which the test rejects; -1 when none does. It
// never falls from m to m + 1.
func critical(m int, alpha float64) int {
	b := distuv.Binomial{N: float64(m), P: 0.5}
	lo, hi := -1, m // rejects at lo, not at hi
	for lo+1 < hi {
		if mid := (lo + hi) / 2; 2*b.CDF(float64(mid)) <= alpha*(1+1e-12) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// tail is P(X ≤ k) and P(X = k) of X ~ Bin(m, q), kept up as m and k grow by one; k may be -1.
type tail struct {
	k, m     int
	q        float64
	cdf, pmf float64
}

func tailAt(k, m int, q float64) tail {
	t := tail{k: k, m: m, q: q}
	switch b := (distuv.Binomial{N: float64(m), P: q}); {
	case k < 0:
	case q <= 0:
		t.cdf = 1
		if k == 0 {
			t.pmf = 1
		}
	case q < 1: // for q = 1 both are 0: k < m
		t.cdf, t.pmf = b.CDF(float64(k)), b.Prob(float64(k))
	}
	return t
}

// grow makes m one larger: X ≤ k stays so unless X was k and the new one is a hit.
func (t *tail) grow() {
	t.cdf = math.Max(0, t.cdf-t.q*t.pmf)
	t.m++
	if t.k >= 0 {
		t.pmf *= (1 - t.q) * float64(t.m) / float64(t.m-t.k)
	}
}

// next is P(X = k+1).
func (t *tail) next() float64 {
	switch {
	case t.k < 0:
		return math.Pow(1-t.q, float64(t.m))
	case t.q >= 1:
		return 0 // k+1 < m
	}
	return t.pmf * float64(t.m-t.k) / float64(t.k+1) * t.q / (1 - t.q)
}

// raise makes k one larger.
func (t *tail) raise() {
	t.pmf = t.next()
	t.cdf = math.Min(1, t.cdf+t.pmf)
	t.k++
}

// MinDetectable is the smallest difference that n cases find with the given power, where the arms differ on a share
// discordant of the cases (or on as many as the difference itself needs), by bisection over [McNemarPower]. ok is false
// when even a difference of 1 is not found that often (at level 0.05, with five cases or fewer), and when alpha or power is
// not within 0…1.
func MinDetectable(n int, discordant, alpha, power float64) (difference float64, ok bool) {
	at := func(d float64) float64 { return McNemarPower(n, math.Max(discordant, d), d, alpha) }
	if !within(power) || !(discordant >= 0 && discordant <= 1) || at(1) < power {
		return 0, false
	}
	lo, hi := 0.0, 1.0
	for range 40 {
		mid := (lo + hi) / 2
		if at(mid) >= power {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, true
}

// maxCases bounds the answer of [CasesNeeded].
const maxCases = 1 << 22

// CasesNeeded is about how many cases find a difference with the given power, where the arms differ on a share discordant
// of the cases (or on as many as the difference needs): that many reach the power and one fewer does not. Exact power is a
// saw-tooth in the number of cases, so that a few more may fall short again by a hair. ok is false when more than four
// million would be needed, and when the arguments make no sense.
func CasesNeeded(difference, discordant, alpha, power float64) (n int, ok bool) {
	difference = math.Abs(difference)
	if !(difference > 0 && difference <= 1) || !(discordant >= 0 && discordant <= 1) || !within(power) {
		return 0, false
	}
	discordant = math.Max(discordant, difference)
	if McNemarPower(maxCases, discordant, difference, alpha) < power {
		return 0, false
	}
	lo, hi := 0, maxCases
	for lo+1 < hi {
		if mid := (lo + hi) / 2; McNemarPower(mid, discordant, difference, alpha) >= power {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, true
}
