package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/datasets"
)

// minimalSuite is the smallest suite that shows every part, under "minimal/": two skills and six cases.
//
//go:embed minimal
var minimalSuite embed.FS

func newInitCommand(a *app) *cobra.Command {
	var minimal bool
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write the sample suite to a directory, as a start for your own",
		Long: `init writes the built-in sample suite (skills, cases, description sets and skilleval.yaml) to DIR, by default
skilleval-suite; with --minimal a suite of two skills and six cases, whose skilleval.yaml explains itself. It never
overwrites a file. Where DIR has no .gitignore, one is written that leaves out the run files (.skilleval/).`,
		Example: `  skilleval init my-suite
  skilleval init --minimal my-suite
  skilleval run my-suite`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "skilleval-suite"
			if len(args) > 0 {
				dir = args[0]
			}
			var n int
			var err error
			if minimal {
				n, err = writeSuite(minimalSuite, "minimal", dir)
			} else {
				n, err = writeSuite(datasets.Sample, "sample", dir)
			}
			if err != nil {
				return failWith(exitUsage, err)
			}
			a.say("wrote %d files to %s; next: skilleval run %s", n, dir, dir)
			return nil
		},
	}
	cmd.Flags().BoolVar(&minimal, "minimal", false, "two skills and six cases in place of the sample suite")
	return cmd
}

// writeSuite copies an embedded suite to dir, after a look that nothing is in the way, and adds a .gitignore where dir has
// none.
func writeSuite(from fs.FS, root, dir string) (int, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(from, root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(p, root+"/")))
		if isThere(target) {
			return fmt.Errorf("%s is there already and is not overwritten: name another directory", target)
		}
		files[target], err = fs.ReadFile(from, p)
		return err
	})
	if err != nil {
		return 0, err
	}
	if ignore := filepath.Join(dir, ".gitignore"); !isThere(ignore) {
		files[ignore] = []byte(".skilleval/\n")
	}
	for _, target := range sortedKeys(files) {
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return 0, err
		}
		if err := createFile(target, files[target]); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// isThere is exists, but that a link which leads nowhere is there too.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// createFile writes a file where there is none.
func createFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
