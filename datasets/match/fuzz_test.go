package match

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func FuzzCompileAndMatch(f *testing.F) {
	for _, s := range []string{
		`{"a":1}`, `{"a":{"$anyOf":[1,"x"]}}`, `{"a":{"$unordered":[1,{"$optional":2}]}}`, `{"a":[1,{"$optional":2},3]}`,
		`{"a":{"$date":{"value":"2023-10-05","layouts":["02.01.2006"]}}}`, `{"a":{"$approx":{"value":1e5,"rel":0.1}}}`,
		`{"a":{"$similar":{"text":"abc","min":0.5}}}`, `{"a":{"$regex":"(a|b)*"}}`, `{"$subset":{"a":{"$contains":["x"]}}}`,
		`{"a":"\ud83d"}`, `{"a":1e999999999}`, `[[[[`, `{"a":{"$literal":{"$any":1}}}`, "{\"a\":\"\xff\"}", `{"a.b":{"$ignoreCase":"ß"}}`,
	} {
		f.Add([]byte(s), []byte(s))
	}
	f.Fuzz(func(t *testing.T, label, given []byte) {
		p, err := Compile(label)
		if err != nil {
			return
		}
		for _, g := range [][]byte{given, label, nil} {
			r := p.Match(g, Defaults(given))
			if r.OK != (len(r.Diffs) == 0) || r.Right > r.Labelled {
				t.Fatalf("inconsistent result %+v", r)
			}
		}
		for _, s := range p.Samples() {
			if !json.Valid(s.Value) {
				t.Fatalf("sample is not JSON: %s", s.Value)
			}
		}
		if raw, ok := p.Literal(); ok && !p.Match(raw, nil).OK {
			t.Fatalf("%s does not match its own literal %s: %+v", label, raw, p.Match(raw, nil))
		}
		same, err := Compile(fmt.Appendf(nil, `{"v":{"$literal":%s}}`, label))
		require.NoError(t, err)
		if r := same.Match(fmt.Appendf(nil, `{"v":%s}`, label), nil); !r.OK {
			t.Fatalf("%s does not match itself: %+v", label, r)
		}
	})
}

// genValue draws a JSON value with no matchers.
func genValue(depth int) *rapid.Generator[string] {
	scalars := []*rapid.Generator[string]{
		rapid.Custom(func(t *rapid.T) string { return quoted(rapid.String().Draw(t, "s")) }),
		rapid.Custom(func(t *rapid.T) string { return strconv.Itoa(rapid.Int().Draw(t, "n")) }),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,9})?`),
		rapid.SampledFrom([]string{"true", "false", "null", `""`, "[]", "{}"}),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	return rapid.OneOf(append(scalars,
		rapid.Custom(func(t *rapid.T) string {
			return "[" + strings.Join(rapid.SliceOfN(genValue(depth-1), 0, 4).Draw(t, "items"), ",") + "]"
		}),
		rapid.Custom(func(t *rapid.T) string { return genObject(t, depth-1) }),
	)...)
}

func genObject(t *rapid.T, depth int) string {
	keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé_.]{1,6}`), 1, 4, rapid.ID).Draw(t, "keys")
	for i, k := range keys {
		keys[i] = quoted(k) + ":" + genValue(depth).Draw(t, k)
	}
	return "{" + strings.Join(keys, ",") + "}"
}

func quoted(s string) string { return string(appendQuoted(nil, s)) }

func TestEveryValueMatchesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := genObject(t, 3)
		p, err := Compile(json.RawMessage(label))
		require.NoError(t, err)
		r := p.Match(json.RawMessage(label), nil)
		require.Empty(t, r.Diffs)
		require.True(t, r.OK)
		require.Equal(t, r.Labelled, r.Right)
		raw, ok := p.Literal()
		require.True(t, ok)
		require.True(t, p.Match(raw, nil).OK)
	})
}

// scalars lists every scalar inside v.
func scalars(v *value) []*value {
	if v.kind != object && v.kind != array {
		return []*value{v}
	}
	var out []*value
	for i := range v.items {
		out = append(out, scalars(&v.items[i])...)
	}
	return out
}

func TestEveryMutationLowersTheScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := genObject(t, 3)
		p, err := Compile(json.RawMessage(label))
		require.NoError(t, err)
		v, err := parse([]byte(label))
		require.NoError(t, err)
		all := scalars(&v)
		if len(all) == 0 {
			return
		}
		target := all[rapid.IntRange(0, len(all)-1).Draw(t, "target")]
		switch target.kind {
		case text:
			target.text += rapid.SampledFrom([]string{"x", "X", ".", "-", "界"}).Draw(t, "suffix")
		case number:
			if parseDecimal(target.text).sign() != 0 && rapid.Bool().Draw(t, "negate") {
				target.text = strings.TrimPrefix("-"+target.text, "--")
				break
			}
			target.kind, target.text = boolean, "true"
		case boolean:
			target.text = map[string]string{"true": "false", "false": "true"}[target.text]
		default:
			target.kind, target.text = number, "0"
		}
		r := p.Match(v.append(nil), nil)
		require.False(t, r.OK, "%s against %s", label, v.append(nil))
		require.Len(t, r.Diffs, 1)
		require.Equal(t, r.Labelled-1, r.Right)
	})
}

func TestDecimalsAgreeWithFractions(t *testing.T) {
	gen := rapid.StringMatching(`-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,12})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := gen.Draw(t, "a"), gen.Draw(t, "b")
		ra, _ := new(big.Rat).SetString(a)
		rb, _ := new(big.Rat).SetString(b)
		da, db := parseDecimal(a), parseDecimal(b)
		require.Equal(t, ra.Cmp(rb), da.cmp(db), "%s <> %s", a, b)
		require.Equal(t, ra.Cmp(rb) == 0, da.equal(db))
		require.Zero(t, da.rat().Cmp(ra), a)
		require.Zero(t, decimalOf(ra).cmp(da))
		require.True(t, parseDecimal(da.text()).equal(da), "%s written as %s", a, da.text())
	})
}

// TestUnorderedAgreesWithBruteForce tries every permutation.
func TestUnorderedAgreesWithBruteForce(t *testing.T) {
	element := rapid.SampledFrom([]string{`1`, `2`, `{"$any":true}`, `{"$anyOf":[1,3]}`, `{"$range":{"min":2}}`, `{"$optional":1}`, `{"$optional":{"$any":true}}`})
	rapid.Check(t, func(t *rapid.T) {
		wants := rapid.SliceOfN(element, 0, 5).Draw(t, "want")
		gots := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "3", "4"}), 0, 5).Draw(t, "got")
		label := `{"v":{"$unordered":[` + strings.Join(wants, ",") + `]}}`
		p, err := Compile(json.RawMessage(label))
		require.NoError(t, err)
		r := p.Match(json.RawMessage(`{"v":[`+strings.Join(gots, ",")+`]}`), nil)
		nodes := p.root.(*record).fields[0].(*list).items
		require.Equal(t, permute(nodes, gots), r.OK, "%s against %v", label, gots)

		ordered, err := Compile(json.RawMessage(`{"v":[` + strings.Join(wants, ",") + `]}`))
		require.NoError(t, err)
		r = ordered.Match(json.RawMessage(`{"v":[`+strings.Join(gots, ",")+`]}`), nil)
		require.Equal(t, inOrder(nodes, gots), r.OK, "in order: %s against %v", label, gots)
	})
}

func matches1(n node, raw string) bool {
	v, _ := parse([]byte(raw))
	steps := 0
	c := comparison{quick: true, steps: &steps}
	return c.matches(n, nil, &v)
}

func permute(wants []node, gots []string) bool {
	if len(wants) == 0 {
		return len(gots) == 0
	}
	if wants[0].optional() && permute(wants[1:], gots) {
		return true
	}
	for i, g := range gots {
		if matches1(wants[0], g) && permute(wants[1:], slices.Delete(slices.Clone(gots), i, i+1)) {
			return true
		}
	}
	return false
}

func inOrder(wants []node, gots []string) bool {
	switch {
	case len(wants) == 0:
		return len(gots) == 0
	case wants[0].optional() && inOrder(wants[1:], gots):
		return true
	}
	return len(gots) > 0 && matches1(wants[0], gots[0]) && inOrder(wants[1:], gots[1:])
}

func BenchmarkCompile(b *testing.B) {
	label := json.RawMessage(`{"city":"杭州","days":3,"units":{"$anyOf":["metric","imperial"]},"detail":false}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(label); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	p, err := Compile(json.RawMessage(`{"city":"杭州","days":3,"units":{"$anyOf":["metric","imperial"]},"detail":false}`))
	require.NoError(b, err)
	given := json.RawMessage(`{"city":"杭州","days":3.0,"units":"metric","detail":false}`)
	b.ReportAllocs()
	for b.Loop() {
		if !p.Match(given, nil).OK {
			b.Fatal("no match")
		}
	}
}
