package similarity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// budgetCharts are near copies: one sentence, with another word at its end.
func budgetCharts(m int) []Text {
	var out []Text
	for i, end := range []string{"", " now", " today", " again", " here", " soon", " online", " quickly"}[:m] {
		out = append(out, text(fmt.Sprint("budget", i), "Convert spreadsheet tables into weekly budget charts"+end))
	}
	return out
}

// manyStrangers is a catalogue of 28 other fields.
func manyStrangers() []Text {
	out := strangersTo()
	for i, d := range []string{"Irons a shirt with steam.", "Grooms a poodle for a show.", "Tastes wine and notes its bouquet.", "Welds a steel frame.", "Measures the depth of a river.",
		"Teaches a parrot to speak.", "Prunes an apple tree in winter.", "Sharpens a kitchen knife.", "Predicts the tide of a harbour.", "Knits a scarf from wool.",
		"Translates a poem into Latin.", "Identifies a mushroom from its cap.", "Paints a fence green.", "Reserves a tennis court.", "Composes a fugue in four voices.",
		"Draws blood for a test.", "Lights a campfire without matches.", "Counts votes after an election.", "Inflates a tyre to its pressure.", "Dates a coin of the empire."} {
		out = append(out, text(fmt.Sprint("other", i), d))
	}
	return out
}

// TestNearCopiesScoreAlikeHoweverMany compares each pair among m near copies with the same pair without the rest.
func TestNearCopiesScoreAlikeHoweverMany(t *testing.T) {
	for name, beside := range map[string][]Text{"none": nil, "one": strangersTo()[:1], "28": manyStrangers()} {
		t.Run("beside "+name, func(t *testing.T) {
			for m := 2; m <= 8; m++ {
				texts := budgetCharts(m)
				r := find(t, Options{Least: Unrelated, Only: func(t *Text) bool { return strings.HasPrefix(t.Name, "budget") }}, append(slices.Clone(texts), beside...)...)
				among := 0
				for _, p := range r.Pairs {
					if !strings.HasPrefix(p.A, "budget") || !strings.HasPrefix(p.B, "budget") {
						continue
					}
					among++
					pair := []Text{texts[p.A[len("budget")]-'0'], texts[p.B[len("budget")]-'0']}
					_, alone := compared(t, append(pair, beside...)...)
					assert.InDelta(t, alone, p.Score, 0.01, "%d copies: %s %s", m, p.A, p.B)
					if p.A == "budget0" && p.B == "budget1" { // others have a word of their own, and may be related alone as well
						assert.True(t, p.Level.AtLeast(Near), "%d copies: %s %s %v", m, p.A, p.B, p.Score)
					}
				}
				assert.Equal(t, m*(m-1)/2, among)
			}
		})
	}
}

// TestExactCopiesBesideAPairChangeNothing adds copies of one side.
func TestExactCopiesBesideAPairChangeNothing(t *testing.T) {
	for name, beside := range map[string][]Text{"none": nil, "one": strangersTo()[:1], "28": manyStrangers()} {
		for _, pair := range [][2]string{
			{"Convert spreadsheet tables into weekly budget charts", "Convert spreadsheet tables into weekly budget charts today"},
			{"Sends an invoice to a customer by e-mail, with the amount due.", "Mails customers the bill and states the amount due."}, // no near copies
		} {
			texts := append([]Text{text("first", pair[0]), text("second", pair[1])}, beside...)
			_, before := compared(t, texts...)
			for m := 1; m < 8; m++ {
				texts = append(texts, text("first", pair[0]))
				_, after := compared(t, texts...)
				assert.InDelta(t, before, after, 0.1, "%d copies beside %s of %q", m, name, pair[0])
			}
		}
	}
}

func TestClusters(t *testing.T) {
	same := func(texts ...Text) []int {
		c := corpusOf(t, texts...)
		bodies := make([]vector, len(texts))
		for i, p := range c.texts {
			bodies[i] = counted(slices.Clone(p.sequence))
		}
		of, err := c.cluster(context.Background(), bodies)
		require.NoError(t, err)
		out := make([]int, len(texts))
		for i := range out {
			out[i] = int(of.root(int32(i)))
		}
		return out
	}
	assert.Equal(t, []int{0, 1, 0, 0, 1}, same(text("a", "Convert spreadsheet tables into weekly budget charts today."), text("b", "Waters the plants."),
		text("c", "Convert spreadsheet tables into weekly budget charts again."), text("d", "Convert spreadsheet tables into weekly budget charts soon."), text("e", "Waters the  PLANTS.")))
	assert.Equal(t, []int{0, 1, 2}, same(text("a", "Books a flight."), text("b", "Books a hotel."), text("c", "")), "half in common is no copy")
	assert.Equal(t, []int{0, 0, 2}, same(text("a", ""), text("b", ""), text("c", "Search")))
	assert.Empty(t, same())
}

// TestClustersAreThoseOfBruteForce compares every two bodies.
func TestClustersAreThoseOfBruteForce(t *testing.T) {
	texts := append(append(made(300), budgetCharts(8)...), copies(5)...)
	for _, p := range labelled(t) {
		texts = append(texts, text(p.A.Name, p.A.Description), text(p.B.Name, p.B.Description))
	}
	c := corpusOf(t, texts...)
	bodies := make([]vector, len(texts))
	for i, p := range c.texts {
		bodies[i] = counted(slices.Clone(p.sequence))
	}
	got, err := c.cluster(context.Background(), bodies) // scales the bodies
	require.NoError(t, err)
	want, joined, first := newClusters(len(texts)), 0, map[string]int{}
	for i, p := range c.texts {
		if j, ok := first[p.whole]; ok {
			want.union(int32(i), int32(j))
			continue
		}
		for _, j := range first {
			if c.nearCopies(bodies[i], bodies[j]) {
				want.union(int32(i), int32(j))
			}
		}
		first[p.whole] = i
	}
	for i := range texts {
		require.Equal(t, want.root(int32(i)), got.root(int32(i)), texts[i].Description)
		if want.root(int32(i)) != int32(i) {
			joined++
		}
	}
	assert.Greater(t, joined, 50)
	assert.Less(t, joined, len(texts)*3/4)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = c.cluster(ctx, bodies)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestTermsAreCountedOncePerCluster(t *testing.T) {
	c := corpusOf(t, append(budgetCharts(4), text("a", "Plans a weekly menu."), text("b", "plans a weekly menu."))...)
	assert.Equal(t, 2, c.n)
	df := func(key string) int32 { return c.df[c.ids[key]] }
	assert.Equal(t, []int32{2, 1}, []int32{df(c.keys[c.texts[4].sequence[1]]), df("menu")})
	gram := hashRunes([]rune("udg"))
	assert.Equal(t, int32(1), c.gdf[gram], "n-grams, too")
}
