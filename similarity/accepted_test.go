package similarity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func flights() []Text {
	return []Text{{ID: "x/a", Name: "a", Description: "Books a flight."}, {ID: "x/b", Name: "b", Description: "Book flights."}, {ID: "x/c", Name: "c", Description: "Books flights."}}
}

func TestAcceptedRoundTrip(t *testing.T) {
	texts := flights()
	var a Accepted
	a.Accept(&texts[2], &texts[0], "c", "a", " one is old \n")
	a.Accept(&texts[0], &texts[1], "a", "b", "two vendors: \"x\" # and y")
	data, err := a.Encode()
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(string(data), "\n") && !strings.HasSuffix(string(data), "\n\n"))
	back, err := ParseAccepted("f.yaml", data)
	require.NoError(t, err)
	assert.Equal(t, []Acceptance{{"a", "b", "two vendors: \"x\" # and y", Digest(&texts[0]), Digest(&texts[1])}, {"a", "c", "one is old", Digest(&texts[0]), Digest(&texts[2])}}, back.Pairs)
	again, err := back.Encode()
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
	slices.Reverse(back.Pairs)
	again, err = back.Encode()
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again), "sorted, whatever the order")

	back.Accept(&texts[1], &texts[0], "b", "a", "renewed")
	require.Len(t, back.Pairs, 2)
	back.Pairs = append(back.Pairs, Acceptance{A: "b", B: "a", Reason: "edited by hand", DigestA: "x", DigestB: "y"})
	back.Accept(&texts[0], &texts[1], "a", "b", "renewed again")
	require.Len(t, back.Pairs, 2, "both spellings are renewed")
	assert.Equal(t, "renewed again", back.Pairs[1].Reason)
	assert.Equal(t, Digest(&texts[1]), back.Pairs[1].DigestB)
}

func TestAcceptedNeedsAReason(t *testing.T) {
	texts := flights()
	var a Accepted
	a.Accept(&texts[0], &texts[1], "a", "b", "  ")
	_, err := a.Encode()
	assert.ErrorContains(t, err, "pair 1 (a, b): a, b, reason, digest_a and digest_b are all needed")
}

func TestDigestCoversWhatIsReviewed(t *testing.T) {
	seen := map[string]Text{}
	for _, x := range []Text{{}, {Description: "a"}, {UseWhen: []string{"a"}}, {DoNotUseWhen: []string{"a"}}, {UseWhen: []string{"a", "b"}}, {UseWhen: []string{"ab"}}, {UseWhen: []string{"a"}, DoNotUseWhen: []string{"b"}},
		{Description: "a", UseWhen: []string{"b"}}, {UseWhen: []string{"", "a"}}} {
		d := Digest(&x)
		require.Regexp(t, `^sha256:[0-9a-f]{64}$`, d)
		assert.NotContains(t, seen, d, "%v", x)
		seen[d] = x
	}
	assert.Equal(t, Digest(&Text{Description: "a"}), Digest(&Text{Description: "a", Name: "n", ID: "i", Parameters: []string{"p"}}))
}

func TestAcceptedPairs(t *testing.T) {
	texts := flights()
	da, db, dc := Digest(&texts[0]), Digest(&texts[1]), Digest(&texts[2])
	type result struct{ accepted, reopened, stale string }
	for _, c := range []struct {
		name  string
		entry Acceptance
		want  result
	}{
		{"holds", Acceptance{"a", "b", "ok", da, db}, result{"a b", "", ""}},
		{"other order", Acceptance{"b", "a", "ok", db, da}, result{"a b", "", ""}},
		{"by path", Acceptance{"x/a", "b", "ok", da, db}, result{"a b", "", ""}},
		{"digests mixed up", Acceptance{"a", "b", "ok", db, da}, result{"", "a b", ""}},
		{"a changed", Acceptance{"a", "b", "ok", dc, db}, result{"", "a b", ""}},
		{"b changed", Acceptance{"a", "b", "ok", da, da}, result{"", "a b", ""}},
		{"gone", Acceptance{"a", "z", "ok", da, db}, result{"", "", "a z"}},
		{"with itself", Acceptance{"a", "a", "ok", da, da}, result{"", "", "a a"}},
		{"by name and path with itself", Acceptance{"a", "x/a", "ok", da, da}, result{"", "", "a x/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := find(t, Options{Accepted: &Accepted{Pairs: []Acceptance{c.entry}}}, texts...)
			require.Len(t, r.Pairs, 3, "accepted pairs are still listed")
			var got result
			for _, p := range r.Pairs {
				if p.Accepted != "" {
					got.accepted += p.A + " " + p.B
				}
			}
			for _, e := range r.Reopened {
				got.reopened += e.A + " " + e.B
			}
			for _, e := range r.Stale {
				got.stale += e.A + " " + e.B
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestAcceptedNamesThatAreNotUnique(t *testing.T) {
	texts := []Text{{ID: "x/a", Name: "a", Description: "Books a flight."}, {ID: "y/a", Name: "a", Description: "Books flights."}, {ID: "x/b", Name: "b", Description: "Book flights."}}
	accepted := func(e Acceptance) []string {
		var out []string
		for _, p := range find(t, Options{Accepted: &Accepted{Pairs: []Acceptance{e}}}, texts...).Pairs {
			if p.Accepted != "" {
				out = append(out, p.IDA+" "+p.IDB)
			}
		}
		return out
	}
	d := func(i int) string { return Digest(&texts[i]) }
	assert.Equal(t, []string{"y/a x/b"}, accepted(Acceptance{"a", "b", "ok", d(1), d(2)}), "the one that was reviewed")
	assert.Equal(t, []string{"x/a y/a"}, accepted(Acceptance{"x/a", "y/a", "ok", d(0), d(1)}))
	assert.Equal(t, []string{"x/a y/a"}, accepted(Acceptance{"a", "a", "ok", d(1), d(0)}))
	assert.Empty(t, accepted(Acceptance{"x/a", "b", "ok", d(1), d(2)}))
}

func TestTextsWithoutIDsAreNotMixedUp(t *testing.T) {
	texts := flights()
	for i := range texts {
		texts[i].ID = ""
	}
	list := &Accepted{Pairs: []Acceptance{{"a", "b", "ok", Digest(&texts[0]), Digest(&texts[1])}}}
	c := corpusOf(t, texts...)
	f := finder{corpus: c, options: Options{Accepted: list}, result: &Result{}}
	r := f.review()
	assert.Equal(t, []string{"ok", ""}, []string{r.reason(indexPair{0, 1}), r.reason(indexPair{0, 2})})
}

func TestParseAccepted(t *testing.T) {
	const good = "schema: skilleval.accepted/v1\npairs:\n- a: x\n  b: y\n  reason: r\n  digest_a: sha256:1\n  digest_b: sha256:2\n"
	for name, data := range map[string]string{"plain": good, "CRLF": strings.ReplaceAll(good, "\n", "\r\n"), "BOM": "\ufeff" + good, "flow": `{schema: skilleval.accepted/v1, pairs: [{a: x, b: y, reason: r, digest_a: "sha256:1", digest_b: 'sha256:2'}]}`} {
		a, err := ParseAccepted("f.yaml", []byte(data))
		require.NoError(t, err, name)
		assert.Equal(t, []Acceptance{{"x", "y", "r", "sha256:1", "sha256:2"}}, a.Pairs, name)
	}
	var bomb strings.Builder
	bomb.WriteString("schema: skilleval.accepted/v1\nl0: &l0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "l%d: &l%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i), 9), ", "))
	}
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", `f.yaml: yaml: no documents in stream: want "schema: skilleval.accepted/v1" and a list of pairs`},
		{"null", "null", `f.yaml: schema is "": this version reads "skilleval.accepted/v1"`},
		{"two documents", good + "---\n" + good, "f.yaml: yaml: expected single document"},
		{"other version", "schema: skilleval.accepted/v2\n", `f.yaml: schema is "skilleval.accepted/v2"`},
		{"unknown field", good + "more: 1\n", "f.yaml:8: field more not found"},
		{"field twice", strings.Replace(good, "  b: y\n", "  b: y\n  b: z\n", 1), "f.yaml:5: "},
		{"tab", strings.Replace(good, "  b: y", "\tb: y", 1), "f.yaml:4: found a tab"},
		{"list for text", strings.Replace(good, "b: y", "b: [y]", 1), "f.yaml:4: cannot construct !!seq into string"},
		{"no reason", strings.Replace(good, "reason: r", "reason: ' '", 1), `f.yaml: pair 1 (x, y): a, b, reason, digest_a and digest_b are all needed: write it with "skilleval similar --accept A B --reason TEXT"`},
		{"no digest", strings.Replace(good, "  digest_b: sha256:2\n", "", 1), "f.yaml: pair 1 (x, y)"},
		{"alias bomb", bomb.String(), "f.yaml"},
		{"self alias", "schema: skilleval.accepted/v1\npairs: &p\n- *p\n", "f.yaml"},
		{"open quote", `schema: "`, "f.yaml"},
		{"invalid bytes", "schema: \xff\xfe", "f.yaml"},
		{"deep", strings.Repeat("[", 20_000), "f.yaml"},
	} {
		_, err := ParseAccepted("f.yaml", []byte(c.data))
		require.Error(t, err, c.name)
		assert.Contains(t, err.Error(), c.want, c.name)
	}
}

func FuzzParseAccepted(f *testing.F) {
	f.Add([]byte("schema: skilleval.accepted/v1\npairs:\n- {a: x, b: y, reason: r, digest_a: s, digest_b: t}\n"))
	f.Add([]byte("pairs: &p [*p]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAccepted("f", data)
		if err != nil {
			return
		}
		body, err := a.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseAccepted("f", body)
		if err != nil {
			t.Fatalf("%v in\n%s", err, body)
		}
		if len(again.Pairs) != len(a.Pairs) {
			t.Fatal("pairs were lost")
		}
	})
}
