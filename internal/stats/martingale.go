package stats

import "math"

// Martingale follows a sequence of discordant pairs and says at any time how strongly they speak against both sides being
// equally likely to win. Looking after every pair, and stopping when one likes, does not raise the rate of false alarms
// above the level: 1 − PValue is a confidence that holds at all times at once. The zero value is ready to use.
//
// It is the beta-binomial mixture test: with s wins and f losses, E = 2^(s+f) · B(1+s, 1+f), a non-negative martingale
// of mean 1 under the null hypothesis; by Ville's inequality the chance that E ever reaches 1/α is at most α. E is the
// product over the pairs of 2(1+s)/(2+s+f) for a win and 2(1+f)/(2+s+f) for a loss, with the counts before the pair, and
// is kept as a sum of logarithms.
//
// The pairs must be independent, and their order must not depend on the outcomes. With cases that resemble each other
// (trials, paraphrases) the unit is the cluster: see [Martingale.ObserveCluster].
//
// Source: H. Robbins, Ann. Math. Stat. 41 (1970) 1397–1409; S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Ann.
// Stat. 49 (2021) 1055–1080.
type Martingale struct {
	wins, losses float64
	log, best    float64 // ln E, now and at its largest
}

// NewMartingale returns a martingale that has seen no pair.
func NewMartingale() *Martingale { return &Martingale{} }

// Observe adds one discordant pair.
func (m *Martingale) Observe(win bool) {
	side := &m.losses
	if win {
		side = &m.wins
	}
	m.log += math.Log(2 * (1 + *side) / (2 + m.wins + m.losses))
	*side++
	m.best = math.Max(m.best, m.log)
}

// ObserveCluster adds the difference of a whole cluster, of which only the sign counts; ties (to within 1e-9) and what
// is not a number are dropped. It is a sign test: the null hypothesis is that a cluster that is not tied is as likely to go
// either way, which holds when nothing tells the arms apart, and not that the mean difference is 0. A cluster must be
// complete before it is observed.
func (m *Martingale) ObserveCluster(difference float64) {
	if math.Abs(difference) > tieTolerance {
		m.Observe(difference > 0)
	}
}

// LogEValue is the natural logarithm of the evidence at this moment.
func (m *Martingale) LogEValue() float64 { return m.log }

// EValue is the evidence at this moment; 1 before the first pair. It is at most the largest float64, never infinite.
func (m *Martingale) EValue() float64 { return math.Min(math.Exp(m.log), math.MaxFloat64) }

// PValue is an always-valid p-value: 1 over the largest evidence so far, at most 1 and never 0.
func (m *Martingale) PValue() float64 {
	return math.Max(math.Exp(-m.best), math.SmallestNonzeroFloat64)
}
