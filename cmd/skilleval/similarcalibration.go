package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/similarity"
)

// calibration shows how the levels do on the labelled pairs that were held out when weights and thresholds were chosen.
func (a *app) calibration(ctx context.Context) error {
	pairs, err := similarity.Labelled()
	if err != nil {
		return failWith(exitServer, err)
	}
	c, err := similarity.Calibrate(ctx, pairs, similarity.DefaultThresholds())
	if err != nil {
		return failWith(exitServer, err)
	}
	return a.print(calibrationText(c))
}

// calibrationText lists precision and recall of each level on the held-out half, and what it finds by label.
func calibrationText(c *similarity.Calibration) string {
	judged, same := c.HeldOut(), 0
	for _, j := range c.Pairs {
		if j.Label == similarity.LabelDuplicate || j.Label == similarity.LabelParaphrase {
			same++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "labelled pairs: %d, of which %d chose weights and thresholds and %d, which follow, were held out\n\n", len(c.Pairs), len(c.Pairs)-len(judged), len(judged))
	fmt.Fprintf(&b, "%-10s %-12s %-28s %s\n", "level", "from", "precision", "recall")
	for _, q := range similarity.QualityOf(judged, c.Thresholds) {
		of := "score"
		if q.Level == similarity.Related {
			of = "field"
		}
		fmt.Fprintf(&b, "%-10s %-12s %-28s %s\n", q.Level, fmt.Sprintf("%s %.2f", of, q.Threshold), share(q.Found, q.Found+q.Wrong), share(q.Found, q.Found+q.Missed))
	}
	fmt.Fprintf(&b, "\nduplicate should find what is labelled duplicate; near that and paraphrase; related all but unrelated.\nfound at near or above, by label:\n")
	for _, label := range []string{similarity.LabelDuplicate, similarity.LabelParaphrase, similarity.LabelSibling, similarity.LabelBoundary, similarity.LabelUnrelated} {
		found, n := 0, 0
		for _, j := range judged {
			if j.Label == label {
				n++
				if j.Level.AtLeast(similarity.Near) {
					found++
				}
			}
		}
		fmt.Fprintf(&b, "  %-12s %s\n", label, share(found, n))
	}
	fmt.Fprintf(&b, "\nParaphrases that share no words are beyond any measure of wording. %.0f %% of the labelled pairs are of one ability, far\nmore than of a catalogue's pairs: precision there is lower. Intervals: 95 %%, Wilson.\n", 100*float64(same)/float64(len(c.Pairs)))
	return b.String()
}

// share is a rate with its interval and n.
func share(hits, n int) string {
	iv, ok := stats.Wilson(hits, n)
	if !ok {
		return "– (n = 0)"
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f] (n = %d)", 100*float64(hits)/float64(n), 100*iv.Lo, 100*iv.Hi, n)
}
