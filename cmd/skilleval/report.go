package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

func newReportCommand(a *app) *cobra.Command {
	var s settings
	var rescore bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Render a run again, in any format",
		Long: `report reads a run directory and writes its report again. The figures are computed from the stored trials alone,
so they equal those of the run itself: a run of ablate gives its table again, a run of ab its comparison. Without RUN,
the newest run in .skilleval/runs is taken. A report exits 0 whatever it says; with --gate it exits as run does.
--rescore scores the stored calls again first, for instance after an upgrade.`,
		Example: `  skilleval report .skilleval/runs/20260302-101500-1f2e3d
  skilleval report my-run -o json=report.json --stable
  skilleval report my-run --gate "errors <= 0" --gate "args.exact[skill=web_search] >= 0.8"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.resolveEnvironment(cmd.Flags(), a.env); err != nil {
				return failWith(exitUsage, err)
			}
			if len(args) == 0 {
				newest, err := newestRun()
				if err != nil {
					return failWith(exitUsage, err)
				}
				args = []string{newest}
			}
			return a.rereport(args[0], &s, rescore)
		},
	}
	f := cmd.Flags()
	s.outputFlags(f)
	s.gateFlags(f)
	f.IntVar(&s.allowErrors, "allow-errors", 0, "most trials that may be errors before gates exit 3")
	f.BoolVar(&rescore, "rescore", false, "score the stored calls again instead of using the stored scores")
	return cmd
}

func (a *app) rereport(dir string, s *settings, rescore bool) error {
	gates, err := parseGates(s.gate)
	if err != nil {
		return err
	}
	outs, err := s.outputs()
	if err != nil {
		return err
	}
	run, err := results.Open(dir)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if err := gatesFit(gates, run.Header(), s.stable); err != nil {
		return err
	}
	var scorer *metrics.Scorer
	if rescore {
		if scorer, err = storedScorer(run.Header()); err != nil {
			return failWith(exitUsage, fmt.Errorf("%s: %w", dir, err))
		}
	}
	rep, err := a.summarize(run, s.stable, gates, scorer)
	if err != nil {
		return err
	}
	golden, err := holdGolden(rep, run.Header(), gates)
	if err != nil {
		return err
	}
	if err := a.writeReports(outs, rep); err != nil {
		return err
	}
	if len(gates) == 0 { // a report of a bad run is still a good report
		return nil
	}
	if err := decide(rep, s.allowErrors); err != nil {
		return err
	}
	return golden.decide()
}

// storedScorer scores against the schemas that the run itself holds.
func storedScorer(h results.Header) (*metrics.Scorer, error) {
	list := make([]*skills.Skill, len(h.Skills))
	for i, raw := range h.Skills {
		if err := json.Unmarshal(raw, &list[i]); err != nil {
			return nil, fmt.Errorf("run.json: skills[%d]: %w", i, err)
		}
	}
	return newScorer(list, func(arm string) bool {
		for _, a := range h.Arms {
			if a.Name == arm && a.Catalog != "" {
				return a.Catalog == "flat"
			}
		}
		return h.Prompt.Catalog == "flat"
	}), nil
}

// summarize computes a run's report from its stored trials, scored again when a scorer is given.
func (a *app) summarize(run *results.Run, stable bool, gates []metrics.Gate, scorer *metrics.Scorer) (*reports.Report, error) {
	h := run.Header()
	var src metrics.Source = run
	if scorer != nil {
		src = metrics.Rescore(run, scorer)
	}
	names, err := skillNames(h)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	arms, err := metrics.Summarize(src, metrics.SummaryOptions{Stable: stable, Seed: h.Seed, Skills: names})
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	if err := nameRequests(run, arms); err != nil {
		return nil, failWith(exitServer, err)
	}
	rep := &reports.Report{Run: reports.RunPart(h, stable), Arms: arms, Stable: stable, Trials: src.Trials}
	if !stable { // what happened to the file on the way is no part of its figures
		rep.Notes = run.Notes()
	}
	if h.Arms[0].Catalog != "" { // arms that say their catalogue are those of an ablation
		if rep.Ablation, err = ablationTable(src, arms, h.Seed); err != nil {
			return nil, failWith(exitServer, err)
		}
	}
	if h.AB != nil {
		if err := compareArms(rep, run, src); err != nil {
			return nil, err
		}
	}
	for _, g := range gates {
		rep.Gates = append(rep.Gates, g.Check(&arms[0]))
	}
	return rep, nil
}

// plainCase reads the id and the request of a stored case that begins with them, as the program writes them, where neither
// needs unescaping; ok is false for any other.
func plainCase(raw []byte) (id, input []byte, ok bool) {
	id, rest, ok := cutText(raw, `{"id":"`)
	if !ok {
		return nil, nil, false
	}
	input, _, ok = cutText(rest, `,"input":"`)
	return id, input, ok
}

// cutText cuts a JSON text without escapes off behind a beginning.
func cutText(raw []byte, begin string) (text, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(raw, []byte(begin))
	end := bytes.IndexAny(rest, `"\\`)
	if !ok || end < 0 || rest[end] != '"' {
		return nil, nil, false
	}
	return rest[:end], rest[end+1:], true
}

// nameRequests fills in what was asked in the cases that went wrong.
func nameRequests(run *results.Run, arms []metrics.Arm) error {
	wrong := map[string][]*metrics.Failure{}
	for i := range arms {
		for _, list := range [][]metrics.Failure{arms[i].Failures, arms[i].ErrorList} {
			for k := range list {
				wrong[list[k].Case] = append(wrong[list[k].Case], &list[k])
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return run.Cases(func(raw json.RawMessage) error {
		var c struct{ ID, Input string }
		if id, input, ok := plainCase(raw); ok && utf8.Valid(input) {
			list := wrong[string(id)]
			if list == nil {
				return nil
			}
			c.ID, c.Input = string(id), string(input)
		} else if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		for _, f := range wrong[c.ID] {
			f.Input = c.Input
		}
		return nil
	})
}

// skillNames lists the names of the catalogue that a run holds.
func skillNames(h results.Header) ([]string, error) {
	names := make([]string, len(h.Skills))
	for i, raw := range h.Skills {
		var s struct {
			Name string `json:"name"`
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, fmt.Errorf("run.json: skills[%d]: %w", i, err)
		}
		names[i] = s.Name
	}
	return names, nil
}

// firstError names the first error of an arm, for a message.
func firstError(arm *metrics.Arm) string {
	if len(arm.ErrorList) == 0 {
		return ""
	}
	first := arm.ErrorList[0]
	return fmt.Sprintf("; the first: case %s: %s: %s", first.Case, first.What, strings.Join(first.Detail, "; "))
}

// decide turns a complete report into the exit code: errors first, since no fault of the infrastructure may look like
// a failed gate, then gates.
func decide(rep *reports.Report, allowErrors int) error {
	if rep.Run != nil && !rep.Run.Complete {
		return failWith(exitServer, fmt.Errorf("the run is incomplete: what was not measured cannot pass; %s", toFinish(rep.Run, "DIR")))
	}
	for i := range rep.Arms {
		arm := &rep.Arms[i]
		if arm.Scored == 0 {
			return failWith(exitServer, fmt.Errorf("nothing was measured: all %d trials are errors%s", arm.Trials, firstError(arm)))
		}
		if arm.Errors <= allowErrors {
			continue
		}
		return failWith(exitServer, fmt.Errorf("%d of %d trials are errors and were not scored%s (the same command with --resume asks them again, --allow-errors %d accepts them)",
			arm.Errors, arm.Trials, firstError(arm), arm.Errors))
	}
	for _, g := range rep.Gates {
		if !g.Pass && g.N == 0 && len(rep.Arms) > 0 && rep.Arms[0].Errors > 0 {
			return failWith(exitServer, fmt.Errorf("gate %s could not be measured, and trials are errors%s", g.Expr, firstError(&rep.Arms[0])))
		}
		if !g.Pass {
			return failWith(exitFailed, fmt.Errorf("gate failed: %s", g.Expr))
		}
	}
	return nil
}
