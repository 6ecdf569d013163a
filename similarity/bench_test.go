package similarity

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// made writes n descriptions as a catalogue has them: a template, then words of the lexicon, the common ones often. One
// in twenty is a copy of an earlier one with a word changed.
func made(n int) []Text {
	r := rand.New(rand.NewPCG(1, 2))
	var acts, objects []string
	for line := range strings.Lines(conceptsText) {
		parts := strings.Split(line, "|")
		if len(parts) != 3 {
			continue
		}
		word := strings.TrimSpace(strings.Split(parts[1], ",")[0])
		switch {
		case strings.HasPrefix(line, "act"):
			acts = append(acts, word)
		case strings.HasPrefix(line, "obj"):
			objects = append(objects, word)
		}
	}
	pick := func(list []string) string { return list[int(float64(len(list))*r.Float64()*r.Float64())] }
	texts := make([]Text, n)
	for i := range texts {
		var b strings.Builder
		if i > 0 && r.IntN(20) == 0 {
			b.WriteString(texts[r.IntN(i)].Description + " " + pick(objects) + ".")
		} else {
			b.WriteString("Use this skill when the user asks to ")
			for s := range 3 + r.IntN(3) {
				fmt.Fprintf(&b, "%s the %s of a %s with %s and %s number%d. ", pick(acts), pick(objects), pick(objects), pick(objects), pick(objects), i*7+s)
			}
		}
		texts[i] = Text{ID: fmt.Sprint(i), Name: pick(acts) + "_" + pick(objects) + "_" + pick(objects), Description: b.String()}
	}
	return texts
}

// BenchmarkFind shows that time and memory grow nearly in proportion to the number of descriptions.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1000, 3000, 10000} {
		texts := made(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := Find(context.Background(), texts, Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(r.Pairs)), "pairs")
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(n)*1e6, "µs/text")
		})
	}
}
