package similarity

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bruteForce measures every pair of texts that has one of some, and wants each that is at a level to be a
// candidate. It returns how many are.
func bruteForce(t *testing.T, texts []Text, some []int32, least Level) int64 {
	t.Helper()
	ctx := context.Background()
	c := corpusOf(t, texts...)
	f := finder{corpus: c, options: Options{Thresholds: DefaultThresholds()}, same: sameModel(), field: fieldModel(), result: &Result{Counts: map[Level]int{}}}
	list := f.groups()
	found, err := c.candidates(ctx, list)
	require.NoError(t, err)
	candidate := map[indexPair]bool{}
	for _, p := range found {
		candidate[p] = true
	}
	var alike atomic.Int64
	require.NoError(t, parallel(ctx, len(some), func(x int) {
		for _, j := range list {
			p := indexPair{min(some[x], j), max(some[x], j)}
			if j == some[x] || c.texts[some[x]].short || !f.score(p, false).level.AtLeast(least) {
				continue
			}
			if alike.Add(1); !candidate[p] {
				t.Errorf("not a candidate: %s and %s", texts[p.a].ID, texts[p.b].ID)
			}
		}
	}))
	return alike.Load()
}

// sample draws n of the indexes below m, the same at every run.
func sample(n, m int) []int32 {
	var out []int32
	for _, i := range rand.New(rand.NewPCG(7, 7)).Perm(m)[:min(n, m)] {
		out = append(out, int32(i))
	}
	return out
}

// TestNoRelatedPairIsLost compares the search with brute force.
func TestNoRelatedPairIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	t.Run("public skills", func(t *testing.T) {
		texts := publicTexts(t)
		assert.Greater(t, bruteForce(t, texts, sample(40, len(texts)), Related), int64(60))
	})
	t.Run("labelled", func(t *testing.T) {
		pairs, err := Labelled()
		require.NoError(t, err)
		var texts []Text
		for _, p := range pairs {
			for i, s := range []LabelledText{p.A, p.B} {
				texts = append(texts, Text{ID: fmt.Sprint(p.ID, i), Name: s.Name, Description: s.Description, UseWhen: s.UseWhen, DoNotUseWhen: s.DoNotUseWhen, Parameters: s.Parameters})
			}
		}
		assert.Greater(t, bruteForce(t, texts, sample(40, len(texts)), Related), int64(15))
	})
	t.Run("made", func(t *testing.T) {
		assert.Greater(t, bruteForce(t, made(600), sample(60, 600), Related), int64(3))
	})
}

// TestAParaphraseRanksFirstAmongManySentencesOfOneShape has 1,000 imperative sentences and one true pair.
func TestAParaphraseRanksFirstAmongManySentencesOfOneShape(t *testing.T) {
	texts := []Text{
		text("zz_one", "Calculate the monthly mortgage payment of a house loan."),
		text("zz_two", "Compute mortgage payments for house loans each month."),
	}
	verbs := []string{"Create", "Open", "Show", "Print", "Sort", "Check", "Count", "Clean", "Move", "Fold"}
	for i := range 1000 {
		texts = append(texts, text(fmt.Sprint("s", i), fmt.Sprintf("%s the %s of a %s.", verbs[i%10], "w"+letters(i/10), "q"+letters(i))))
	}
	r := find(t, Options{Least: Related}, texts...)
	require.NotEmpty(t, r.Pairs)
	assert.Equal(t, "zz_one zz_two", namesOfPairs(r.Pairs)[0])
	assert.True(t, r.Pairs[0].Level.AtLeast(Near))
	if len(r.Pairs) > 1 {
		assert.Less(t, r.Pairs[1].Score, r.Pairs[0].Score-0.1)
	}
}

// letters writes a number in letters.
func letters(i int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'b' }, fmt.Sprint(i))
}

func TestTheNumberOfCoresChangesNothing(t *testing.T) {
	texts := append(made(400), strangersTo()...)
	before := runtime.GOMAXPROCS(1)
	one := find(t, Options{Least: Related}, texts...)
	runtime.GOMAXPROCS(2)
	two := find(t, Options{Least: Related}, texts...)
	runtime.GOMAXPROCS(before)
	require.NotEmpty(t, one.Pairs)
	assert.Equal(t, one, two)
}

func TestCandidatesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := corpusOf(t, made(50)...)
	cancel()
	_, err := c.candidates(ctx, []int32{0, 1, 2})
	assert.ErrorIs(t, err, context.Canceled)
	for _, texts := range [][]Text{made(3), {{Name: "a", Description: "One two."}}} {
		_, err = Find(ctx, texts, Options{})
		assert.ErrorIs(t, err, context.Canceled)
	}
}

// TestManyTinySkills bounds time and memory; the time is far above what it takes.
func TestManyTinySkills(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	const n = 10_000
	for _, c := range []struct {
		name        string
		description func(i int) string
		pairs, left int
		short       int
	}{
		{"one word each", func(i int) string { return fmt.Sprintf("does thing %d", i) }, 0, 0, n},
		{"numbered", func(i int) string { return fmt.Sprintf("Creates the invoice number %d.", i) }, 0, 0, 0},
		{"identical", func(int) string { return "Creates an invoice for a customer." }, n - 1, (n - 1) * (n - 2) / 2, 0},
		{"empty", func(int) string { return "" }, 0, 0, n},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := make([]Text, n)
			for i := range texts {
				texts[i] = text(fmt.Sprint("skill", i), c.description(i))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			r := find(t, Options{}, texts...)
			assert.Less(t, time.Since(start), time.Minute)
			runtime.ReadMemStats(&after)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<30))
			assert.Equal(t, []int{c.pairs, c.left, c.short}, []int{len(r.Pairs), r.Left, len(r.Short)})
		})
	}
}

func TestHugeDescriptions(t *testing.T) {
	words := strings.Repeat("Sends invoices to customers, and reminders. 发送账单。", 1<<20/58)
	require.Greater(t, len(words), 1<<20)
	start := time.Now()
	r := find(t, Options{}, text("a", words), text("b", words+" "), text("c", strings.Repeat("x", 1<<20)), text("d", strings.Repeat("go 1 ", 1<<18)), text("e", strings.Repeat("1 go ", 1<<18)), text(strings.Repeat("n", 1<<20), "Waters plants."))
	assert.Less(t, time.Since(start), 20*time.Second)
	assert.Equal(t, "a b", namesOfPairs(r.Pairs)[0])
	for _, p := range r.Pairs {
		for _, s := range append(append(p.Shared, p.OnlyA...), p.OnlyB...) {
			assert.LessOrEqual(t, len([]rune(s)), maxSurface+1)
		}
	}
}

// TestCommonWordsAreLeftOutOfLargeCatalogues reads no more postings than a text's share.
func TestCommonWordsAreLeftOutOfLargeCatalogues(t *testing.T) {
	c := corpusOf(t, text("a", "invoice zebra"), text("b", "invoice zebra"), text("c", "invoice tiger"), text("d", "invoice mango"))
	partners := func(reads int) int {
		s := textSearch(c, reads)
		return len(s.partners(0))
	}
	assert.Equal(t, 3, partners(100))
	assert.Equal(t, 1, partners(3), "the rare word is read first, and the common one not at all")
}

// textSearch is a search over all texts of a corpus.
func textSearch(c *corpus, reads int) *search {
	var list []int32
	inverse := make([]float32, len(c.texts))
	for i, p := range c.texts {
		list = append(list, int32(i))
		inverse[i] = float32(1 / p.norm)
	}
	return &search{corpus: c, postings: c.postings(list), dots: make([]float32, len(c.texts)), inverse: inverse, reads: reads}
}
