package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
)

// written is a report in one format.
func written(t *testing.T, format string, r *Report) string {
	t.Helper()
	f, err := Lookup(format)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, r))
	return b.String()
}

func TestTrialsAreShownWithTheirDefinitions(t *testing.T) {
	r := sampleReport()
	r.Arms[0].TrialsDetail = &metrics.TrialsDetail{K: 3, N: 4, PassAtK: ptr(0.75), PassHatK: ptr(0.25), Flaky: []string{"c1", hostile},
		Consistency: metrics.Estimate{Value: ptr(11.0 / 18), Lo: ptr(0.26), Hi: ptr(0.8754), N: 6, Method: "wilson-cluster"}}
	const consistency = "consistency 61.1 % [26.0, 87.5], n = 6: pairs of a case's trials that made the same selection (same skills, same order), mean over cases; errors are in no pair"
	for _, format := range []string{"table", "markdown"} {
		out := written(t, format, r)
		assert.Contains(t, out, "at least one right (pass@3) 75.0 %, all right (pass^3) 25.0 %, n = 4; flaky: 2 (c1, a")
		assert.Contains(t, out, consistency)
	}
	assert.Contains(t, written(t, "table", r), "\n"+consistency+"\n")
	assert.Contains(t, written(t, "markdown", r), "\n`"+consistency+"`\n", "each on a line of its own")
	json := strings.Join(strings.Fields(written(t, "json", r)), "")
	assert.Contains(t, json, `"pass_hat_k":0.25,"consistency":{"value":0.6111111111111112,"lo":0.26,"hi":0.8754,"n":6,"method":"wilson-cluster"},"flaky"`)

	r.Arms[0].TrialsDetail.Consistency = unmeasured("no case has two scored trials")
	for _, format := range []string{"table", "markdown"} {
		assert.Contains(t, written(t, format, r), "consistency –: no case has two scored trials")
	}
	r.Arms[0].TrialsDetail = nil
	for _, format := range []string{"table", "markdown"} {
		assert.NotContains(t, written(t, format, r), "consistency")
	}
}

// A terminal shows the tags that say most, by name, and counts the others; a report for programs has them all.
func TestTagTableIsBounded(t *testing.T) {
	r := sampleReport()
	r.Arms[0].Tags = nil
	for i := range 500 {
		cases := 1
		if i%25 == 24 { // tag-024, tag-049 … tag-499
			cases = 2
		}
		r.Arms[0].Tags = append(r.Arms[0].Tags, metrics.TagSummary{Tag: fmt.Sprintf("tag-%03d", i), Cases: cases, Selection: rate(1, 0.2, 1, cases), ArgsExact: unmeasured("none")})
	}
	table := written(t, "table", r)
	var shown []string
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) > 0 && strings.HasPrefix(f[0], "tag-") {
			shown = append(shown, f[0])
		}
	}
	require.Len(t, shown, listedTags)
	assert.Equal(t, "tag-024", shown[0])
	assert.Equal(t, "tag-499", shown[listedTags-1])
	assert.IsIncreasing(t, shown)
	assert.Contains(t, table, "… and 480 more; -o json lists all")
	assert.Equal(t, "tag-000", r.Arms[0].Tags[0].Tag, "a report is not changed by being written")
	assert.Equal(t, 500, strings.Count(written(t, "json", r), `"tag": "tag-`))

	r.Arms[0].Tags = r.Arms[0].Tags[:listedTags]
	assert.NotContains(t, written(t, "table", r), "and 480 more")
	assert.Contains(t, written(t, "table", r), "tag-000")
}
