package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// ablation is what an ablation varies: an arm has one value of each.
type ablation struct {
	catalogs     []string
	descriptions []string
	orders       []string
	protocols    []string
	sizes        []int
	distractors  []string
}

func newAblateCommand(a *app) *cobra.Command {
	var s settings
	var v ablation
	cmd := &cobra.Command{
		Use:   "ablate [SUITE]",
		Short: "Catalogue modes × description sets × catalogue sizes in one table",
		Long: `ablate runs the same cases under every combination of catalogue mode, description set, prompt order and protocol,
interleaved case by case with equal seeds, and shows accuracy, arguments, tokens and cost in one table, each row against the
first: the difference in selection accuracy, paired by case, its p adjusted for the number of rows.

With --sizes it varies the size of the catalogue too: the skills that the cases need are always in it, the rest is drawn,
seeded, from --distractors and the suite's other skills, so that a larger catalogue holds the smaller one. Skills stand in
the order of their names at every size.`,
		Example: `  skilleval ablate
  skilleval ablate my-suite --catalogs two-level,flat --description-sets authored,careless --limit 20
  skilleval ablate --config small/skilleval.yaml --sizes 3,4 --distractors my-skills/pdf --catalogs two-level`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.ablate(cmd.Context(), args, &s, &v, cmd) },
	}
	f := cmd.Flags()
	s.inputFlags(f)
	s.modelFlags(f)
	s.promptFlags(f)
	s.runFlags(f)
	s.outputFlags(f)
	f.StringSliceVar(&v.catalogs, "catalogs", []string{"two-level", "flat", "grouped"}, "catalogue `MODES`")
	f.StringSliceVar(&v.descriptions, "description-sets", nil, "description `SETS`; \"authored\" is the skills' own (default: that and, without --sizes, every set of the suite)")
	f.StringSliceVar(&v.orders, "orders", nil, "prompt `ORDERS`: question-first, catalog-first (default: that of --order)")
	f.StringSliceVar(&v.protocols, "protocols", nil, "`PROTOCOLS`: native, text (default: that of --protocol)")
	f.IntSliceVar(&v.sizes, "sizes", nil, "catalogue `SIZES` to try, with --distractors")
	f.StringArrayVar(&v.distractors, "distractors", nil, "`DIR` of further skills to fill the catalogue with (repeatable)")
	return cmd
}

// ablate is the command from top to bottom: one run with an arm for every combination, one table.
func (a *app) ablate(ctx context.Context, args []string, s *settings, v *ablation, cmd *cobra.Command) error {
	j, err := a.prepare(args, s, cmd)
	if err != nil {
		return err
	}
	if err := v.arms(j); err != nil {
		return err
	}
	done, err := a.perform(ctx, j)
	if err != nil {
		return err
	}
	_, err = a.publish(done, j)
	return err
}

// ablationTable makes a row of each arm, compared with the first.
func ablationTable(src metrics.Source, arms []metrics.Arm, seed int64) (*reports.Ablation, error) {
	out := &reports.Ablation{Baseline: arms[0].Arm}
	trials, err := readOutcomes(src)
	if err != nil {
		return nil, err
	}
	var p []float64
	for i := range arms {
		row := ablationRow(src.Header().Arms, &arms[i])
		if i > 0 {
			c, err := metrics.Compare(trials.side(arms[0].Arm), trials.side(arms[i].Arm), metrics.CompareOptions{Seed: seed})
			if err != nil {
				return nil, err
			}
			row.Difference, row.PValue = &c.Difference, &c.PValue
			p = append(p, c.PValue)
		}
		out.Rows = append(out.Rows, row)
	}
	for i, adjusted := range stats.Holm(p) {
		out.Rows[i+1].PAdjusted = &adjusted
	}
	return out, nil
}

// ablationRow is an arm's figures beside what the run file says of the arm.
func ablationRow(described []results.Arm, a *metrics.Arm) reports.AblationRow {
	row := reports.AblationRow{Arm: a.Arm, Selection: a.Selection.Accuracy, Args: a.Args.Exact, Calls: a.Calls.Exact, PromptTokens: a.Tokens.Prompt.Mean,
		Level1Tokens: a.Tokens.Level1.Prompt.Mean, Rounds: a.Rounds.Mean, CostUSD: a.CostUSD, Errors: a.Errors}
	for _, d := range described {
		if d.Name == a.Arm {
			row.Catalog, row.Descriptions, row.Order, row.Protocol, row.Skills = d.Catalog, d.Descriptions, d.Order, d.Protocol, d.Skills
		}
	}
	return row
}
