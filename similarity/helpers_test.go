package similarity

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// corpusOf makes a catalogue of some texts.
func corpusOf(t testing.TB, texts ...Text) *corpus {
	t.Helper()
	c, err := newCorpus(context.Background(), texts)
	require.NoError(t, err)
	return c
}

// compared measures the first two texts of a catalogue and gives the probability that they are one ability.
func compared(t testing.TB, texts ...Text) (features, float64) {
	t.Helper()
	c := corpusOf(t, texts...)
	f := c.measure(c.texts[0], c.texts[1])
	return f, sameModel().score(f)
}

// find runs Find on some texts, which get their place as ID where they have none.
func find(t testing.TB, o Options, texts ...Text) *Result {
	t.Helper()
	for i := range texts {
		if texts[i].ID == "" {
			texts[i].ID = fmt.Sprintf("%d", i)
		}
	}
	r, err := Find(context.Background(), texts, o)
	require.NoError(t, err)
	return r
}

// namesOfPairs writes pairs as "a b".
func namesOfPairs(pairs []Pair) []string {
	out := []string{}
	for _, p := range pairs {
		out = append(out, p.A+" "+p.B)
	}
	return out
}

// strangersTo is a catalogue of other fields, so that words have their usual rarity.
func strangersTo() []Text {
	var out []Text
	for i, d := range []string{"Books a table in a restaurant.", "Waters the plants of a greenhouse.", "Tunes a violin by ear.", "Counts the calories of a meal.",
		"Finds a parking space near a stadium.", "Reads a bedtime story to a child.", "Plans the route of a hiking tour.", "Repairs the brakes of a bicycle."} {
		out = append(out, Text{ID: fmt.Sprintf("stranger%d", i), Name: fmt.Sprintf("stranger%d", i), Description: d})
	}
	return out
}

// publicTexts reads the name and description of every skill of the public data, and skips the test where it is absent.
func publicTexts(t testing.TB) []Text {
	t.Helper()
	root := os.Getenv("SKILLEVAL_DATA")
	for dir := "."; root == "" && len(dir) < 30; dir = filepath.Join("..", dir) {
		if try := filepath.Join(dir, "..", "shared", "data"); isDir(filepath.Join(try, "skillmd")) {
			root = try
		}
	}
	root = filepath.Join(root, "skillmd")
	if !isDir(root) {
		t.Skip("public data not found: set SKILLEVAL_DATA to the folder that holds skillmd")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "SKILL.md"))
	require.NoError(t, err)
	var out []Text
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		parts := strings.SplitN(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n", 3)
		var head struct{ Name, Description string }
		if len(parts) == 3 && yaml.Load([]byte(parts[1]), &head) == nil && head.Description != "" {
			out = append(out, Text{ID: filepath.Base(filepath.Dir(file)), Name: head.Name, Description: head.Description})
		}
	}
	return out
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// vector gives the inputs of the model.
func (f features) vector() []float64 {
	out := make([]float64, len(inputs))
	for i, in := range inputs {
		out[i] = in.of(f)
	}
	return out
}
