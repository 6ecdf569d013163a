package similarity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/internal/prose"
)

func TestParseLexiconNamesTheLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# head\n\nact send | send\n", `line 3: "act send | send": want "kind id | english, … | 中文, …"`},
		{"act | send | 发送", "line 1: "},
		{"act send twice | send | 发送", "line 1: "},
		{"act send | send | 发送 | x", "line 1: "},
		{"act send | send | 发送\nverb go | go | 去", `line 2: kind "verb": want gen, act, obj or qual`},
		{"act call | give somebody a call | 打电话", `line 1: "give somebody a call": want at most 3 words`},
	} {
		_, err := parseLexicon(c.text, "")
		require.ErrorContains(t, err, c.want)
	}
}

func TestParseLexiconFoldsItsEntries(t *testing.T) {
	l, err := parseLexicon("\r\nobj pdf | ＰＤＦ, , Portable  Document | ＰＤＦ文件 \r\n", "")
	require.NoError(t, err)
	for _, text := range []string{"pdf", "portable documents", "pdf文件"} {
		assert.Contains(t, keys(l.tokenise(normalise(text))), "=pdf", text)
	}
}

func TestExclude(t *testing.T) {
	l := small(t)
	assert.True(t, l.excludes("=send", "=translate"))
	assert.True(t, l.excludes("=translate", "=send"))
	assert.True(t, l.excludes("=air", "=new"), "every two of a group")
	assert.False(t, l.excludes("=send", "=send"))
	assert.False(t, l.excludes("=send", "=new"), "of two groups")
	assert.False(t, l.excludes("", ""))
	assert.False(t, l.excludes("=no", "=#"), "a comment")
}

// TestLexiconIsConsistent wants each entry under one concept and each opposite to exist.
func TestLexiconIsConsistent(t *testing.T) {
	_, err := parseLexicon(conceptsText, oppositesText)
	require.NoError(t, err)
	owner, ids := map[string]string{}, map[string]bool{}
	n := 0
	for line := range strings.Lines(conceptsText) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, "|")
		id := strings.Fields(parts[0])[1]
		assert.False(t, ids[id], "line %d: concept %s stands twice", n, id)
		ids[id] = true
		for _, entry := range strings.Split(parts[1]+","+parts[2], ",") {
			if entry = strings.Join(strings.Fields(prose.Fold(entry)), " "); entry == "" {
				continue
			}
			assert.Empty(t, owner[entry], "line %d: %q stands under %s too", n, entry, owner[entry])
			owner[entry] = fmt.Sprintf("%s in line %d", id, n)
		}
	}
	n = 0
	for line := range strings.Lines(oppositesText) {
		if n++; strings.HasPrefix(line, "#") {
			continue
		}
		group := strings.Fields(line)
		assert.Greater(t, len(group), 1, "opposites.txt:%d", n)
		for _, id := range group {
			assert.True(t, ids[id], "opposites.txt:%d: there is no concept %s", n, id)
		}
	}
}
