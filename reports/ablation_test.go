package reports

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skilleval/skilleval/results"
)

// The title of an ablation names no setting that its arms do not share.
func TestTheTitleNamesWhatAllArmsShare(t *testing.T) {
	r := &Report{Run: &results.Header{Prompt: results.Prompt{Catalog: "flat", Protocol: "text", Until: "call"}}}
	assert.Equal(t, "catalogue flat, protocol text, until call", settingsLine(r))
	r.Ablation = &Ablation{Rows: []AblationRow{{Catalog: "flat", Protocol: "text"}, {Catalog: "flat", Protocol: "text"}}}
	assert.Equal(t, "catalogue flat, protocol text, until call", settingsLine(r))
	r.Ablation.Rows[1].Catalog = "grouped"
	assert.Equal(t, "protocol text, until call", settingsLine(r))
	r.Ablation.Rows[1].Protocol = "native"
	assert.Equal(t, "until call", settingsLine(r))
}
