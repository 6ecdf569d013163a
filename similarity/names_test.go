package similarity

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestJaroWinklerHasThePublishedValues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"MARTHA", "MARHTA", 0.9611}, {"DIXON", "DICKSONX", 0.8133}, {"DWAYNE", "DUANE", 0.84}, // Winkler 1990
		{"a jke", "jane a k", 0.6},
		{"", "", 1}, {"a", "a", 1}, {"好", "好", 1}, {"a", "b", 0}, {"", "a", 0}, {"h", "hm", 0.85},
		{"天气预报", "天气播报", 0.8667}, {"北京", "北平", 0.6667}, {"héllo", "hello", 0.88}, // by characters
		{"abcde", "fghjk", 0}, {"abcde", "бвгдж", 0},
		{"ab\u2019c", "ab\u2019c", 1}, {"ab\u2019c", "ab\u2019d", 0.8833},
		{"\xff", "\xff\xfe", 0.85}, {"\xff", "a", 0}, {"\xff", "\xfe", 1}, // one replacement character each
		{"abcd12", "abcd34", 0.8667}, {"abcdef", "abcdeg", 0.9333}, // four characters of prefix, not five
	} {
		assert.InDelta(t, c.want, JaroWinkler(c.a, c.b), 5e-5, "%q %q", c.a, c.b)
		assert.Equal(t, JaroWinkler(c.a, c.b), JaroWinkler(c.b, c.a), "%q %q", c.a, c.b)
	}
}

func TestJaroWinklerOfManyCharacters(t *testing.T) {
	var b strings.Builder
	for r := rune(0x4e00); r < 0x4e00+maxName; r++ {
		b.WriteRune(r)
	}
	all := b.String()
	assert.InDelta(t, 1, JaroWinkler(all+"a", all+"b"), 1e-9, "only the first %d characters count", maxName)
	x, y := all, "一"+strings.Repeat("龟", 255)
	assert.Equal(t, JaroWinkler(x, y), JaroWinkler(y, x), "more than 256 different characters")
	assert.Less(t, JaroWinkler(x, y), 0.6)
	long := strings.Repeat("ab", 1<<19)
	assert.Greater(t, JaroWinkler(long, long+"c"), 0.99, "a name of 1 MiB takes no time to speak of")
}

// TestJaroWinklerIsBlindToTheScript writes names in another script.
func TestJaroWinklerIsBlindToTheScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 12)
		write := func(first rune, list []int) string {
			var b strings.Builder
			for _, i := range list {
				b.WriteRune(first + rune(i))
			}
			return b.String()
		}
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		latin := JaroWinkler(write('a', a), write('a', b))
		for _, first := range []rune{'б', '中', '😀'} {
			if other := JaroWinkler(write(first, a), write(first, b)); other != latin {
				t.Fatalf("%v, with %c %v", latin, first, other)
			}
		}
		if back := JaroWinkler(write('a', b), write('a', a)); back != latin {
			t.Fatalf("not symmetric: %v %v", latin, back)
		}
	})
}

func FuzzJaroWinkler(f *testing.F) {
	for _, s := range [][2]string{{"", ""}, {"a", ""}, {"get_weather", "get-weather"}, {"\xff", "\u2019"}, {"天气", "天"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x := JaroWinkler(a, b)
		if math.IsNaN(x) || x < 0 || x > 1+1e-12 {
			t.Fatalf("%v is not in [0,1]", x)
		}
		if y := JaroWinkler(b, a); x != y {
			t.Fatalf("not symmetric: %v %v", x, y)
		}
		if JaroWinkler(a, a) != 1 {
			t.Fatal("not like itself")
		}
		if (a == "") != (b == "") && x != 0 {
			t.Fatal("like the empty string")
		}
	})
}
