package tokens

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"
)

// whole counts a text in one go, as the library does.
func whole(t require.TestingT, text string) int {
	c, err := tokenizer.Get(tokenizer.O200kBase)
	require.NoError(t, err)
	c.SetErrorMode(tokenizer.ErrorModeReplace)
	n, err := c.Count(text)
	require.NoError(t, err)
	return n
}

func ExampleCount() {
	fmt.Println(Count("hello world"), Count("今天杭州会不会下雨"))
	// Output: 2 6
}

func TestCountKnown(t *testing.T) {
	for text, want := range map[string]int{
		"":            0,
		" ":           1,
		"\n":          1,
		"hello world": 2, // [24912 2375] in the published vocabulary
		"1234567":     3, // digits go in threes
		"get_weather": 2,
		"a\xffb":      3, // a byte that is not UTF-8 is U+FFFD
		"a\uFFFDb":    3,
	} {
		assert.Equal(t, want, Count(text), "%q", text)
	}
	assert.Greater(t, Count("<|endoftext|>"), 1, "a special token in a text is text")
}

// A text counted by pieces has the same count as the whole, whatever stands at the ends of lines.
func TestCountByPiecesIsExact(t *testing.T) {
	ends := []string{"\n", "\n\n", "\r\n", " \n", "\n ", "\n\t", ".\n", ",\n\n", "\n/", ".\n/", "\n.", "\n-", "\n\n  \n", "\r\r\n", "\n\u00a0", "\n\u3000", "x\n", "1\n", "\n2", "\n中", "文\n", "\n'", "'\ns"}
	words := []string{"- get_weather: Current weather for a city.", "今天杭州会不会下雨", "Use when: A; B.", `{"type":"object","properties":{"city":{"type":"string"}}}`, "HTTPServer can't", "   indented", "12345", "…", "\xff\xfe", ""}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			b.WriteString(rapid.SampledFrom(words).Draw(t, "word"))
			b.WriteString(rapid.SampledFrom(ends).Draw(t, "end"))
		}
		text := b.String()
		if got, want := Count(text), whole(t, text); got != want {
			t.Fatalf("Count(%q) = %d, the whole text has %d", text, got, want)
		}
	})
}

func TestCountRepeatedIsTheSame(t *testing.T) {
	text := strings.Repeat("- a skill: that does a thing, and another thing, when it is asked to do so at last.\n", 50)
	first := Count(text)
	assert.Equal(t, whole(t, text), first)
	assert.Equal(t, first, Count(text))
}

func TestPieceEnd(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"abc", 3},
		{"abc\ndef", 4},
		{"abc\n\ndef", 5},
		{"abc\n def\nghi", 9},
		{"abc\n/def", 8},
		{"abc\n中", 7},
		{"abc\n", 4},
		{strings.Repeat("x", longestPiece+10), longestPiece},
		{strings.Repeat("中", longestPiece), longestPiece / 3 * 3},
		{strings.Repeat("\x80", longestPiece+10), longestPiece - 4},
		{"a\n " + strings.Repeat("x", longestPiece+10), longestPiece},
		{strings.Repeat("x", longestPiece-7) + " word word word", longestPiece - 2},
		{strings.Repeat("x", longestPiece-7) + "  word  word  word", longestPiece},
		{strings.Repeat("x", longestPiece-1) + "\nend", longestPiece},
	} {
		got := pieceEnd(c.text)
		assert.Equal(t, c.want, got, "%.20q", c.text)
	}
}

// A long line is cut between words, exactly; a schema on one line too.
func TestCountOfLongLines(t *testing.T) {
	for name, text := range map[string]string{
		"words":  strings.Repeat("some words, in a line, ", 2000),
		"schema": strings.Repeat(`{"type":"string","description":"The city's name."},`, 1000),
	} {
		assert.Equal(t, whole(t, text), Count(text), name)
	}
}

// Any text is counted in time and memory that do not run away.
func TestCountOfHugeTexts(t *testing.T) {
	for name, text := range map[string]string{
		"letters":   strings.Repeat("a", 70_000),
		"capitals":  strings.Repeat("A", 70_000),
		"spaces":    strings.Repeat(" ", 70_000) + "x",
		"newlines":  strings.Repeat("\n", 70_000),
		"both":      strings.Repeat("\n ", 35_000),
		"junk":      strings.Repeat("\xf0\x9f", 35_000),
		"megabytes": strings.Repeat("今天会下雨吗？\n", 400_000),
	} {
		n := Count(text)
		assert.Greater(t, n, 0, name)
		assert.LessOrEqual(t, n, len(text), name)
	}
	line := "- a skill: that does a thing, and another thing, when it is asked to do so at last.\n"
	assert.InEpsilon(t, 100_000*Count(line), Count(strings.Repeat(line, 100_000)), 0.001, "in proportion beyond the first megabyte")
}

func TestCountConcurrently(t *testing.T) {
	text := strings.Repeat("- a skill: that does a thing, and another thing, when it is asked to do so at last.\n", 20)
	want := whole(t, text)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				line := fmt.Sprintf("%d-%d: %s\n", i, j, strings.Repeat("a line of its own that is long enough to be kept ", 3))
				assert.Equal(t, want+Count(line), Count(line+text))
			}
		})
	}
	wg.Wait()
}

func TestMemoIsBounded(t *testing.T) {
	m := memo{limit: 10 * (100 + entryCost)}
	text := func(i int) string { return fmt.Sprintf("%-100d", i) }
	m.put(text(-1), 7)
	for i := range 1000 {
		m.put(text(i), i)
		n, ok := m.get(text(-1)) // used again and again: it stays
		require.True(t, ok)
		require.Equal(t, 7, n)
		assert.LessOrEqual(t, len(m.young)+len(m.old), 20)
	}
	n, ok := m.get(text(999))
	assert.True(t, ok)
	assert.Equal(t, 999, n)
	_, ok = m.get(text(5))
	assert.False(t, ok, "forgotten")
	m.put(text(999), 999)
	assert.LessOrEqual(t, m.size, m.limit, "a text put twice counts once")
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\xff\x00", "中文\n/ x", strings.Repeat(" \r\n", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := Count(text); n < 0 || n > len(text)*3 { // the library gives U+007F no token
			t.Fatalf("Count(%q) = %d", text, n)
		}
	})
}

// The vocabulary (tens of megabytes) is not loaded before it is used.
func TestNothingLoadedAtStart(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	var bytes, packages int
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line) // init PACKAGE @0.1 ms, 0.02 ms clock, 37664 bytes, 74 allocs
		if len(f) < 8 || f[0] != "init" || !strings.Contains(f[1], "tiktoken") && !strings.Contains(f[1], "regexp2") {
			continue
		}
		n, err := strconv.Atoi(f[7])
		require.NoError(t, err, line)
		bytes += n
		packages++
	}
	require.NotZero(t, packages, "no trace in %s", out)
	assert.Less(t, bytes, 1<<20)
}

func BenchmarkCount(b *testing.B) {
	var catalogue strings.Builder
	for i := range 100 {
		fmt.Fprintf(&catalogue, "- skill_%d: Does the thing number %d for a user who asks for it. Use when: the thing is needed.\n", i, i)
	}
	text := catalogue.String()
	b.Run("memo", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			Count(text)
		}
	})
	b.Run("direct", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			encode(text)
		}
	})
}
