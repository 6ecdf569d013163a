package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// baselineFile is where a baseline is kept unless --file says otherwise.
const baselineFile = "skilleval-baseline.json"

// maxBaseline bounds a baseline file, in bytes: it is some 200 bytes a case.
const maxBaseline = 256 << 20

func newBaselineCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Keep the outcomes of a run as a small file, to hold later runs against",
		Long: `A baseline is one small file with the settings, the figures and the outcome of every case of a run. Keep it in the
repository: "skilleval gate --baseline" then needs no old run.`,
		Example: "  skilleval baseline set my-run",
	}
	cmd.AddCommand(newBaselineSetCommand(a), newBaselineShowCommand(a))
	return cmd
}

func newBaselineSetCommand(a *app) *cobra.Command {
	var file, arm string
	cmd := &cobra.Command{
		Use:     "set RUN",
		Short:   "Write the baseline file from a run",
		Example: "  skilleval baseline set my-run\n  skilleval baseline set my-run --file accepted.json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.setBaseline(args[0], file, arm) },
	}
	cmd.Flags().StringVar(&file, "file", baselineFile, "`FILE` to write")
	cmd.Flags().StringVar(&arm, "arm", "", "`NAME` of the arm, in a run of several")
	return cmd
}

func newBaselineShowCommand(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Say what a baseline file holds",
		Example: "  skilleval baseline show",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := readBaseline(cmd.Context(), file)
			if err != nil {
				return failWith(exitUsage, err)
			}
			return a.showBaseline(b)
		},
	}
	cmd.Flags().StringVar(&file, "file", baselineFile, "baseline `FILE`, run directory, or git:REV[:FILE]")
	return cmd
}

func (a *app) setBaseline(dir, file, arm string) error {
	if file == "" || strings.HasPrefix(file, gitPrefix) {
		return failWith(exitUsage, fmt.Errorf("--file %q: want a path to write to", file))
	}
	if err := writable(file); err != nil {
		return failWith(exitUsage, fmt.Errorf("--file %s: %w", file, err))
	}
	b, err := runBaseline(dir, arm)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if err := replaceFile(file, func(w io.Writer) error { _, err := b.WriteTo(w); return err }); err != nil {
		return failWith(exitServer, fmt.Errorf("write baseline: %w", err))
	}
	a.say("%s: %d cases of run %s", file, len(b.Cases), b.Run)
	if n := b.Figures["errors"].Value; n > 0 {
		a.say("%.0f of its trials are errors: nothing can be compared of a case that has no other", n)
	}
	return nil
}

// runBaseline makes a baseline from a run directory, which must be whole.
func runBaseline(dir, arm string) (*metrics.Baseline, error) {
	run, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if !run.Header().Complete {
		return nil, fmt.Errorf("%s: the run is not complete: a baseline of it would lack cases (continue it with \"skilleval run\" and --resume --out %s)", dir, dir)
	}
	b, err := metrics.NewBaseline(run, arm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if len(b.Cases) == 0 {
		return nil, fmt.Errorf("%s: the run has no trials: there is nothing to compare with", dir)
	}
	return b, nil
}

// readBaseline reads what --baseline names: a baseline file, a run directory, or git:REV[:FILE]; nil for "".
func readBaseline(ctx context.Context, from string) (*metrics.Baseline, error) {
	if from == "" {
		return nil, nil
	}
	if rest, ok := strings.CutPrefix(from, gitPrefix); ok {
		rev, path, given := strings.Cut(rest, ":")
		if !given {
			path = baselineFile
		}
		data, err := readRevision(ctx, rev, path, maxBaseline)
		if err != nil {
			return nil, fmt.Errorf("--baseline %s: %w", from, err)
		}
		return parseBaseline(from, data)
	}
	info, err := os.Stat(from)
	switch {
	case isNotExist(err):
		return nil, fmt.Errorf("baseline %s: there is no such file or run; \"skilleval baseline set RUN\" writes one", from)
	case err != nil:
		return nil, fmt.Errorf("baseline: %w", err)
	case info.IsDir():
		b, err := runBaseline(from, "")
		if err != nil {
			return nil, fmt.Errorf("baseline: %w", err)
		}
		return b, nil
	case info.Size() > maxBaseline:
		return nil, fmt.Errorf("baseline %s: %d bytes is more than a baseline has (%d)", from, info.Size(), maxBaseline)
	}
	data, err := os.ReadFile(filepath.Clean(from))
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return parseBaseline(from, data)
}

func parseBaseline(name string, data []byte) (*metrics.Baseline, error) {
	b, err := metrics.ReadBaseline(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("baseline %s: %w", name, err)
	case len(b.Cases) == 0:
		return nil, fmt.Errorf("baseline %s: it has no cases: there is nothing to compare with", name)
	}
	return b, nil
}

// showBaseline prints what a baseline holds.
func (a *app) showBaseline(b *metrics.Baseline) error {
	var t strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&t, "%-14s %s\n", name, reports.Plain(fmt.Sprintf(format, args...)))
	}
	golden := 0
	for i := range b.Cases {
		if b.Cases[i].Golden() {
			golden++
		}
	}
	descriptions := b.Descriptions
	if descriptions == "" {
		descriptions = "as authored"
	}
	line("run", "%s, arm %s", b.Run, b.Arm)
	line("model", "%s", b.Model.Name)
	line("prompt", "catalogue %s, protocol %s, until %s", b.Prompt.Catalog, b.Prompt.Protocol, b.Prompt.Until)
	line("descriptions", "%s", descriptions)
	line("dataset", "%s", b.DatasetDigest)
	line("skills", "%s", b.SkillsDigest)
	line("cases", "%d, of which golden: %d; repetitions: %d", len(b.Cases), golden, b.Repetitions)
	t.WriteByte('\n')
	for _, name := range slices.Sorted(maps.Keys(b.Figures)) {
		f := b.Figures[name]
		fmt.Fprintf(&t, "%-36s %12s  n = %d\n", reports.Plain(name), strconv.FormatFloat(f.Value, 'g', 6, 64), f.N)
	}
	if _, err := io.WriteString(a.Out, a.redact(t.String())); err != nil {
		return failWith(exitServer, errors.Join(errors.New("write to standard output"), err))
	}
	return nil
}
