package main

import (
	"bytes"
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
	cmd.Flags().StringVar(&file, "file", baselineFile, "`FILE` to write; - is standard output")
	cmd.Flags().StringVar(&arm, "arm", "", "`NAME` of the arm, in a run of several")
	return cmd
}

func newBaselineShowCommand(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "show [FILE]",
		Short:   "Say what a baseline file holds",
		Example: "  skilleval baseline show\n  skilleval baseline show skilleval-baseline.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if cmd.Flags().Changed("file") {
					return failWith(exitUsage, fmt.Errorf("both FILE %q and --file %q are given: name the baseline once", args[0], file))
				}
				file = args[0]
			}
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
	if err := baselinePlace(file); err != nil {
		return failWith(exitUsage, fmt.Errorf("--file %s: %w", file, err))
	}
	b, note, err := runBaseline(dir, arm)
	if err != nil {
		return failWith(exitUsage, err)
	}
	a.redactAll(&b)
	write := func(w io.Writer) error { _, err := b.WriteTo(w); return err }
	if file == "-" {
		err = write(a.Out)
	} else {
		err = replaceFile(file, write)
	}
	if err != nil {
		return failWith(exitServer, fmt.Errorf("write baseline: %w", err))
	}
	a.say("%s: %d cases of run %s", file, len(b.Cases), b.Run)
	if note != "" {
		a.say("warning: %s: the baseline knows nothing of the others", note)
	}
	if n := b.Figures["errors"].Value; n > 0 {
		a.say("%.0f of its trials are errors: nothing can be compared of a case that has no other", n)
	}
	var wrong []string
	for i := range b.Cases {
		if c := &b.Cases[i]; c.Golden() && !isRight(c) {
			wrong = append(wrong, c.Case)
		}
	}
	if len(wrong) > 0 {
		a.say("warning: golden cases that are not right in it: %s; a gate fails by each golden case that its run does not have right", firstNames(wrong))
	}
	return nil
}

// baselinePlace refuses a place where a baseline would take that of something else.
func baselinePlace(file string) error {
	switch {
	case file == "" || strings.HasPrefix(file, gitPrefix):
		return errors.New("want a path to write to, or - for standard output")
	case file == "-":
		return nil
	}
	if err := writable(file); err != nil {
		return err
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !bytes.Contains(head, []byte("skilleval.baseline/")) {
		return errors.New("this file holds no baseline and is not overwritten: name another one")
	}
	return nil
}

// runBaseline makes a baseline from a run directory, which must be whole, and notes which part of its cases was measured.
func runBaseline(dir, arm string) (b *metrics.Baseline, note string, err error) {
	run, err := results.Open(dir)
	if err != nil {
		return nil, "", err
	}
	h := run.Header()
	if !h.Complete {
		return nil, "", fmt.Errorf("%s: the run is not complete: a baseline of it would lack cases (%s)", dir, toFinish(&h, dir))
	}
	b, err = metrics.NewBaseline(run, arm)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	if len(b.Cases) == 0 {
		return nil, "", fmt.Errorf("%s: the run has no trials: there is nothing to compare with", dir)
	}
	return b, measuredNote(&h, "the run", len(b.Cases)), nil
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
		b, _, err := runBaseline(from, "")
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
	return a.print(a.redact(t.String()))
}
