package stats

// PassAtK returns the unbiased estimate of the probability that at least one of k trials passes, 1 − C(n−c,k)/C(n,k),
// from n trials of ONE case of which c passed; the figure of a suite is the mean over cases. ok is false unless
// 1 ≤ k ≤ n and 0 ≤ c ≤ n.
//
// Source: M. Chen et al., "Evaluating Large Language Models Trained on Code", arXiv 2107.03374 (2021), eq. 1.
func PassAtK(n, c, k int) (p float64, ok bool) {
	if !validTrials(n, c, k) {
		return 0, false
	}
	return 1 - chooseRatio(n-c, n, k), true
}

// PassHatK returns the unbiased estimate of the probability that all of k trials pass, C(c,k)/C(n,k), from n trials of
// ONE case of which c passed; the figure of a suite is the mean over cases. ok is false unless 1 ≤ k ≤ n and 0 ≤ c ≤ n.
// It is not the plug-in (c/n)^k: for two of three trials and k = 3 it is 0, not 0.296.
//
// Source: S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", arXiv 2406.12045
// (2024), § 2.
func PassHatK(n, c, k int) (p float64, ok bool) {
	if !validTrials(n, c, k) {
		return 0, false
	}
	return chooseRatio(c, n, k), true
}

func validTrials(n, c, k int) bool { return k >= 1 && k <= n && c >= 0 && c <= n }

// chooseRatio is C(a,k)/C(n,k) for a ≤ n as a product, without factorials.
func chooseRatio(a, n, k int) float64 {
	if a < k {
		return 0
	}
	r := 1.0
	for i := range k {
		r *= float64(a-i) / float64(n-i)
	}
	return r
}
