package stats

import "math"

// MinDetectableClustered is about the smallest difference that as many clusters like these find with the given power at
// the two-sided level alpha. ok is false with fewer than two clusters, when the sums are not those of scores within 0…1,
// when alpha or power is not within 0…1, and when even a difference of 1 is not found that often.
//
// It is (t₁₋α⸝₂ + t_power) · se: the standard error of the difference of [PairedDifference], which is that of as many
// independent cases times the root of the design effect, and quantiles of Student's t with the degrees of freedom used
// there. It is never less than [MinDetectable] of as many independent cases that differ only by the difference itself:
// below that too few cases would be discordant for any test, however seldom these clusters differ.
//
// Source: L. Kish, "Survey Sampling", Wiley 1965, § 8.2 (design effect); S. A. Julious, "Sample Sizes for Clinical
// Trials", CRC 2010 (paired means).
func MinDetectableClustered(clusters []PairedCluster, alpha, power float64) (difference float64, ok bool) {
	s, ok := summarize(clusters)
	if !ok || s.clusters < 2 || !within(alpha) || !within(power) {
		return 0, false
	}
	floor, ok := MinDetectable(int(math.Min(s.n, maxCases)), 0, alpha, power)
	if !ok {
		return 0, false
	}
	_, se := s.adjusted()
	t := s.student()
	difference = math.Max(floor, (t.Quantile(1-alpha/2)+t.Quantile(power))*se)
	return difference, difference <= 1
}

// within reports whether a probability is neither 0 nor 1 nor out of range.
func within(p float64) bool { return p > 0 && p < 1 }

// CasesNeededClustered is about how many cases in clusters like these find a difference with the given power: the standard
// error falls with the root of their number, and there must be as many as [CasesNeeded] asks of independent cases that
// differ only by the difference itself. ok is false when more than four million would be needed, and where
// [MinDetectableClustered] has no answer.
func CasesNeededClustered(clusters []PairedCluster, difference, alpha, power float64) (n int, ok bool) {
	s, ok := summarize(clusters)
	least, enough := CasesNeeded(difference, 0, alpha, power)
	if !ok || s.clusters < 2 || !enough || !within(alpha) || !within(power) {
		return 0, false
	}
	_, se := s.adjusted()
	t := s.student()
	ratio := (t.Quantile(1-alpha/2) + t.Quantile(power)) * se / math.Abs(difference)
	if !(s.n*ratio*ratio <= maxCases) {
		return 0, false
	}
	return max(least, int(math.Ceil(s.n*ratio*ratio))), true
}
