package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

// BenchmarkRun looks at tiny skills without files; time and memory must grow with their number.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		c := &skills.Catalog{Found: n}
		for i := range n {
			s, err := skills.Parse(fmt.Sprintf("s%d/SKILL.md", i), fmt.Appendf(nil, "---\nname: s%d\ndescription: Weather of city %d. Use when it rains.\n---\nText.\n", i, i))
			require.NoError(b, err)
			c.Skills = append(c.Skills, s)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := lint.Run(c, lint.Options{})
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkRunOnDisk reads files again for places inside them.
func BenchmarkRunOnDisk(b *testing.B) {
	dir := b.TempDir()
	for i := range 2000 {
		at := filepath.Join(dir, fmt.Sprintf("s%d", i))
		require.NoError(b, os.Mkdir(at, 0o755))
		require.NoError(b, os.WriteFile(filepath.Join(at, "SKILL.md"), fmt.Appendf(nil, "---\nname: s%d\ndescription: Weather of city %d.\n---\nSee [x](x.md).\n", i, i), 0o644))
	}
	c, err := skills.Load([]string{dir}, skills.LoadOptions{})
	require.NoError(b, err)
	for b.Loop() {
		_, err := lint.Run(c, lint.Options{})
		require.NoError(b, err)
	}
}

// BenchmarkLongDescription looks at one description of 1 MiB, of text that each rule has to read to its end.
func BenchmarkLongDescription(b *testing.B) {
	for name, piece := range map[string]string{"words": "create <a a files ", "zero-width": "\u200b", "quotes": `"'`, "links": "](a/b "} {
		text := strings.Repeat(piece, (1<<20)/len(piece))
		s, err := skills.Parse("s/SKILL.md", []byte("---\nname: s\ndescription: |\n  x"+text+"\n---\n"+text+"\n"))
		require.NoError(b, err)
		c := &skills.Catalog{Skills: []*skills.Skill{s}, Found: 1}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := lint.Run(c, lint.Options{})
				require.NoError(b, err)
			}
		})
	}
}
