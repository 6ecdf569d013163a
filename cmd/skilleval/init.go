package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/datasets"
)

func newInitCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write the sample suite to a directory, as a start for your own",
		Long: `init writes the built-in sample suite (skills, cases, description sets and skilleval.yaml) to DIR, by default
skilleval-suite. It never overwrites a file.`,
		Example: `  skilleval init my-suite
  skilleval run my-suite`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "skilleval-suite"
			if len(args) > 0 {
				dir = args[0]
			}
			n, err := writeSample(dir)
			if err != nil {
				return failWith(exitUsage, err)
			}
			a.say("wrote %d files to %s; next: skilleval run %s", n, dir, dir)
			return nil
		},
	}
}

// writeSample copies the embedded suite to dir, after a look that nothing is in the way.
func writeSample(dir string) (int, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(datasets.Sample, "sample", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(p, "sample/")))
		if exists(target) {
			return fmt.Errorf("%s is there already and is not overwritten: name another directory", target)
		}
		files[target], err = fs.ReadFile(datasets.Sample, p)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, target := range sortedKeys(files) {
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(target, files[target], 0o644); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}
