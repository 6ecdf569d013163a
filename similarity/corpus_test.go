package similarity

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRarity(t *testing.T) {
	c := corpusOf(t, text("a", "invoice zebra"), text("b", "invoice tiger"), text("c", "invoice mango"), text("d", "lemon melon"))
	id := func(key string) uint32 {
		id, ok := c.ids[key]
		require.True(t, ok, key)
		return id
	}
	// ln((n + 100) / (df + prior)) × (1 − (df − 2) / n)
	assert.InDelta(t, math.Log(104/2.5), c.rarity(id("zebra")), 1e-9)
	assert.InDelta(t, math.Log(104/4.5)*0.75, c.rarity(id("=invoice")), 1e-9)
	assert.InDelta(t, 0.3*math.Log(101.0/46), corpusOf(t, text("a", "use")).rarity(0), 1e-9, "boilerplate words count a third")
	all := make([]Text, 500)
	for i := range all {
		all[i] = text("s", fmt.Sprintf("invoice a%[1]sx b%[1]sx", letters(i)))
	}
	everywhere := corpusOf(t, all...)
	assert.Equal(t, 0.02, everywhere.rarity(everywhere.ids["=invoice"]), "never nothing")
	assert.InDelta(t, math.Log(104.0/3), c.gramRarity(c.texts[0].grams[len(c.texts[0].grams)-1].id), 1.1, "rare or shared by three")
}

func TestShortTexts(t *testing.T) {
	for _, c := range []struct {
		description string
		short       bool
	}{
		{"", true}, {" \n", true}, {"Search", true}, {"search search", true}, {"天气", true}, {"It is on to the", true}, {"...", true}, {"🎉", true}, {"\xff\xfe", true},
		{"Do not use for taxes.", true}, {strings.Repeat("x", 4000), true}, {"does thing 17", true},
		{"Search mails", false}, {"查询天气", false}, {"🎉🎊", false}, {"Перевод текста", false},
	} {
		assert.Equal(t, c.short, corpusOf(t, text("find_it", c.description)).texts[0].short, "%q", c.description)
	}
	said := text("a", "")
	said.UseWhen = []string{"the user wants to translate a letter"}
	assert.False(t, corpusOf(t, said).texts[0].short, "use-when says it")
}

func TestParallelStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make([]bool, 10_000)
	require.NoError(t, parallel(ctx, len(done), func(i int) { done[i] = true }))
	assert.NotContains(t, done, false)
	cancel()
	assert.ErrorIs(t, parallel(ctx, 1, func(int) { t.Error("called") }), context.Canceled)
	assert.NoError(t, parallel(ctx, 0, nil))
}
