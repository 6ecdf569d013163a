package similarity

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIdenticalTextsInTwoRoots(t *testing.T) {
	r := find(t, Options{}, Text{ID: "a/x", Name: "x", Description: "Books a flight to a city."}, Text{ID: "b/x", Name: "x", Description: "books a  flight to a CITY."},
		Text{ID: "c/y", Name: "y", Description: "Waters the plants."})
	require.Len(t, r.Pairs, 1)
	p := r.Pairs[0]
	assert.Equal(t, []any{"a/x", "b/x", Duplicate, 1.0, 1.0, 1.0, true}, []any{p.IDA, p.IDB, p.Level, p.Score, p.Lexical, p.Parts.Field, p.Identical})
	assert.Equal(t, "two copies of one skill: keep one", p.Suggestion)
	assert.Equal(t, map[Level]int{Duplicate: 1}, r.Counts)
	assert.Equal(t, 3, r.Compared)
	assert.Equal(t, DefaultThresholds(), r.Thresholds)
}

func TestDescriptionsWithOtherListsAreNotIdentical(t *testing.T) {
	a := Text{Name: "a", UseWhen: []string{"the user wants to book a flight"}}
	b := Text{Name: "b", UseWhen: []string{"the garden is dry and needs water"}}
	assert.Empty(t, find(t, Options{Least: Related}, a, b).Pairs, "both have no description")
}

// copies makes n copies of one text.
func copies(n int) []Text {
	texts := make([]Text, n)
	for i := range texts {
		texts[i] = text(fmt.Sprint("s", i), "Books a flight to a city.")
	}
	return texts
}

func TestLargeGroupsOfIdenticalTexts(t *testing.T) {
	r := find(t, Options{}, copies(identicalGroup)...)
	assert.Len(t, r.Pairs, identicalGroup*(identicalGroup-1)/2)
	assert.Zero(t, r.Left)
	r = find(t, Options{}, copies(identicalGroup+3)...)
	assert.Len(t, r.Pairs, identicalGroup+2)
	assert.Equal(t, (identicalGroup+2)*(identicalGroup+1)/2, r.Left)
	for _, p := range r.Pairs {
		assert.Equal(t, "s0", p.A)
	}
	wanted := func(t *Text) bool { return t.Name == "s3" || t.Name == "s5" }
	r = find(t, Options{Only: wanted}, copies(identicalGroup+3)...)
	assert.Equal(t, []string{"s0 s3", "s0 s5"}, namesOfPairs(r.Pairs))
	assert.Equal(t, 2*(identicalGroup+1)-1, r.Left, "pairs of s3 or s5 with others than the first")
}

func TestOnly(t *testing.T) {
	texts := []Text{text("a", "Books a flight to a city."), text("b", "Books a flight to a city."), text("c", "Book flights to a city."), text("d", "Waters the plants daily.")}
	only := func(names ...string) Options {
		return Options{Only: func(t *Text) bool { return slices.Contains(names, t.Name) }}
	}
	assert.Equal(t, []string{"a b", "a c"}, namesOfPairs(find(t, Options{}, texts...).Pairs))
	assert.Equal(t, []string{"a b", "b c"}, namesOfPairs(find(t, only("b"), texts...).Pairs), "a wanted copy stands for its group")
	assert.Equal(t, []string{"a c"}, namesOfPairs(find(t, only("c"), texts...).Pairs))
	none := find(t, only("d"), texts...)
	assert.Empty(t, none.Pairs)
	assert.Empty(t, none.Counts)
	assert.Equal(t, 4, none.Compared)
}

func TestLeast(t *testing.T) {
	texts := append([]Text{text("a", "Books a flight to a city."), text("b", "Book flights to a city."), text("c", "Encrypts a file with a password."), text("d", "Decrypts a file with a password.")}, strangersTo()[1:]...)
	near := find(t, Options{}, texts...)
	assert.Equal(t, []string{"a b"}, namesOfPairs(near.Pairs))
	related := find(t, Options{Least: Related}, texts...)
	assert.Equal(t, []string{"a b", "c d"}, namesOfPairs(related.Pairs))
	assert.Equal(t, near.Counts, related.Counts, "what is not listed is counted")
	assert.Equal(t, 1, related.Counts[Related])
	assert.GreaterOrEqual(t, len(find(t, Options{Least: Unrelated}, texts...).Pairs), 2)
	_, err := Find(context.Background(), texts, Options{Least: "close"})
	assert.ErrorContains(t, err, `level "close": want duplicate, near, related or unrelated`)
	strict := find(t, Options{Thresholds: Thresholds{Duplicate: 1, Near: 1, Related: 1}}, texts...)
	assert.Empty(t, strict.Pairs)
}

func TestNamingTheOtherIsNotRelated(t *testing.T) {
	texts := append([]Text{text("zip-it", "Compresses a folder of files. Do not use for single files; use pack-one."), text("pack-one", "Compresses a single file of a folder.")}, strangersTo()...)
	assert.Empty(t, find(t, Options{Least: Related}, texts...).Pairs)
}

func TestShortTextsAreInNoPair(t *testing.T) {
	texts := []Text{text("a", ""), text("b", ""), text("c", "Search"), text("d", "search"), text("e", "天气"), text("f", "天气"), text("e1", "..."), text("g", "Searches for books.")}
	everything := Options{Least: Unrelated, Confused: [][2]string{{"a", "b"}, {"c", "d"}}, Confusion: func(a, b string) *Confusion { return &Confusion{AasB: 1} },
		Embeddings: slices.Repeat([][]float32{{1, 0}}, len(texts)), EmbeddingNear: 0.5}
	r := find(t, everything, texts...)
	assert.Empty(t, r.Pairs)
	var short []string
	for _, s := range r.Short {
		short = append(short, s.Name)
	}
	assert.Equal(t, []string{"a", "b", "c", "d", "e", "f", "e1"}, short)
}

func TestScriptsAreReadAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"机器学习模型训练", "神经网络推理加速", false},
		{"Перевод текста на английский язык", "Перевод любого текста на английский язык", true},
		{"Перевод текста на английский язык", "Прогноз погоды в городе", false},
		{"🎉🎊🎈🎁", "🚗🚕🚙🚌", false},
		{"❤\ufe0f☀\ufe0f", "⚽\ufe0f✈\ufe0f", false},
		{"SEND  Email to a customer.", "send email to a customer", true},
		{"ｓｅｎｄ ｅｍａｉｌ to a customer", "send em\u200bail to a customer", true},
	} {
		r := find(t, Options{}, text("a", c.a), text("b", c.b))
		assert.Equal(t, c.same, len(r.Pairs) == 1, "%s and %s: %v", c.a, c.b, r.Pairs)
	}
}

func TestConfusionIsListedWhateverTheWords(t *testing.T) {
	texts := []Text{text("a", "Books a flight."), text("b", "Waters the plants."), text("c", "Tunes a violin."), text("a", "Repairs a bicycle.")}
	saw := func(a, b string) *Confusion {
		if a == "a" && b == "b" {
			return &Confusion{AasB: 2, N: 9}
		}
		return &Confusion{N: 3}
	}
	r := find(t, Options{Confusion: saw, Confused: [][2]string{{"b", "a"}, {"a", "nobody"}, {"c", "c"}}}, texts...)
	require.Equal(t, []string{"a b"}, namesOfPairs(r.Pairs), "the names are those of the first a; of the other, b comes first")
	assert.Equal(t, &Confusion{AasB: 2, N: 9}, r.Pairs[0].Confusion)
	assert.Equal(t, Unrelated, r.Pairs[0].Level)
	assert.Empty(t, r.Counts)
	assert.Empty(t, find(t, Options{Confused: [][2]string{{"a", "b"}}}, texts...).Pairs, "without counts nothing is shown")
	two := find(t, Options{Confusion: saw, Confused: [][2]string{{"s0", "s1"}}}, copies(2)...)
	assert.Len(t, two.Pairs, 1, "once, with its group")
	assert.Equal(t, 3, two.Pairs[0].Confusion.N)
}

func TestOrderOfPairs(t *testing.T) {
	r := find(t, Options{Least: Related}, append(made(300), copies(3)...)...)
	require.Greater(t, len(r.Pairs), 5)
	assert.True(t, slices.IsSortedFunc(r.Pairs, func(x, y Pair) int {
		if x.Level != y.Level {
			return rank(y.Level) - rank(x.Level)
		}
		return int(1e4*y.Score - 1e4*x.Score)
	}))
	assert.Equal(t, []string{"s0 s1", "s0 s2", "s1 s2"}, namesOfPairs(r.Pairs[:3]), "equal ones as they stand in the catalogue")
}

func TestPairsHaveNoNullLists(t *testing.T) {
	r := find(t, Options{}, copies(2)...)
	data, err := json.Marshal(r.Pairs[0])
	require.NoError(t, err)
	for _, want := range []string{`"only_a":[]`, `"only_b":[]`, `"embedding":null`, `"confusion":null`, `"use_when":null`} {
		assert.Contains(t, string(data), want)
	}
	assert.NotContains(t, string(data), "accepted")
	empty := find(t, Options{})
	assert.NotNil(t, empty.Pairs)
}

func FuzzFind(f *testing.F) {
	for _, s := range [][2]string{{"", ""}, {"Sends a mail to a customer.", "Send mails to customers."}, {"翻译文本", "把文本翻译成英文"}, {"\xff\x00", "🎉🎉"}, {"Do not use.", "use a; use b"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		search := func(x, y string) *Result {
			r, err := Find(context.Background(), []Text{{ID: "1", Name: "a_b", Description: x}, {ID: "2", Name: "a_b", Description: y}}, Options{Least: Unrelated})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		there, back := search(x, y), search(y, x)
		if len(there.Pairs) != len(back.Pairs) {
			t.Fatalf("%d pairs and %d", len(there.Pairs), len(back.Pairs))
		}
		for i, p := range there.Pairs {
			q := back.Pairs[i]
			if !(p.Score >= 0 && p.Score <= 1) || p.Score != q.Score || p.Level != q.Level || p.Parts.Field != q.Parts.Field {
				t.Fatalf("%v and %v", p, q)
			}
			if _, err := json.Marshal(p); err != nil {
				t.Fatal(err)
			}
		}
		if same := search(x, x); len(same.Short) != 2 && (len(same.Pairs) != 1 || same.Pairs[0].Level != Duplicate || !same.Pairs[0].Identical) {
			t.Fatalf("%q is not like itself", x)
		}
	})
}

func TestNothingIsPrintedOfControlCharacters(t *testing.T) {
	r := find(t, Options{}, text("a", "Sends\u202e invoices\u200b to customers now."), text("b", "Sends invoices to customers today."))
	require.NotEmpty(t, r.Pairs)
	assert.NotContains(t, strings.Join(r.Pairs[0].Shared, " "), "\u202e")
}

// Descriptions that say too little to be compared are duplicates all the same when they are word for word the same, unless
// they are empty, one word or a sign.
func TestShortTextsWordForWord(t *testing.T) {
	for description, want := range map[string]int{"A skill that can do many things": 1, "Does things for you.": 1, "": 0, "Weather": 0, "weather.": 0, "👍": 0, "天气": 0} {
		r := find(t, Options{}, text("a", description), text("b", description))
		assert.Len(t, r.Pairs, want, description)
		assert.Len(t, r.Short, 2, description)
		if want == 1 {
			assert.True(t, r.Pairs[0].Identical)
			assert.Equal(t, Duplicate, r.Pairs[0].Level)
		}
	}
}
