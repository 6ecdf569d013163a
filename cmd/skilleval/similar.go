package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// similarOptions are the flags of similar.
type similarOptions struct {
	settings
	only         []string
	changedSince string
	run          string
	accept       bool
	reason       string
	calibration  bool
}

func newSimilarCommand(a *app) *cobra.Command {
	var o similarOptions
	cmd := &cobra.Command{
		Use:   "similar [PATH…]",
		Short: "Find descriptions that sound alike, before a model is asked",
		Long: `similar compares the descriptions of a catalogue and lists the pairs that sound alike, the most alike first: what both say,
what only one says, and which boundary is missing. PATH is a folder of skills, one skill, or a SKILL.md; without any, the
suite's skills are compared. A suite's folder may be named, too.

The score is the probability that two descriptions are of one ability, from their words in English and Chinese, weighed
by how rare they are in the catalogue: what most descriptions say counts nothing. Opposites, stated boundaries and what
only one side says count against it. Levels: duplicate, near (a model has no ground to choose), related (one field; worth
a look). Weights and thresholds were fitted to labelled pairs; --calibration shows how often they are right on pairs that
were held out. Words cannot see that two texts mean the same without sharing any: --embedding-model asks a server, and
--run shows what a run confused.

Pairs that may stay are accepted with a reason, into a file for the repository; a changed description re-opens its pair.

Exit codes: 0 unless --fail-level is given; 1 a pair that nobody accepted is on that level or above; 2 usage or bad input;
3 the embedding server failed.`,
		Example: `  skilleval similar my-suite
  skilleval similar my-skills --level near -o markdown
  skilleval similar my-suite --fail-level near --changed-since HEAD~1   # for CI: only pairs that a change touches
  skilleval similar my-suite --skill get_weather --run my-run
  skilleval similar --accept save_note append_note my-suite --reason "one creates, the other adds to it"
  skilleval similar --calibration`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.accept {
				return a.acceptPair(&o, args, cmd.Flags())
			}
			return a.similar(cmd.Context(), &o, args, cmd.Flags())
		},
	}
	f := cmd.Flags()
	o.catalogueFlags(f)
	o.similarFlags(f)
	o.serverFlags(f)
	o.outputFlags(f)
	f.StringArrayVar(&o.only, "skill", nil, "only pairs with the skill `NAME` (repeatable)")
	f.StringVar(&o.changedSince, "changed-since", "", "only pairs with a skill that changed since the merge base with `REV`")
	f.StringVar(&o.run, "run", "", "show what the run in `DIR` confused, also pairs whose words are not alike")
	f.BoolVar(&o.accept, "accept", false, "accept the pair of the two skills that are named in place of PATH")
	f.StringVar(&o.reason, "reason", "", "why the pair may stay (`TEXT`), for --accept")
	f.BoolVar(&o.calibration, "calibration", false, "show how often the levels are right on the labelled pairs that were held out")
	return cmd
}

// similarFlags are the flags of similar that a suite file may set.
func (s *settings) similarFlags(f *pflag.FlagSet) {
	f.StringVar(&s.level, "level", string(similarity.Related), "lowest `LEVEL` that is listed: duplicate, near or related")
	f.StringVar(&s.failLevel, "fail-level", "never", "exit 1 from this `LEVEL` on: duplicate, near, related or never")
	f.StringVar(&s.accepted, "accepted", "", "reviewed pairs: a YAML `FILE` (default: "+acceptedFile+" beside the suite)")
	f.StringVar(&s.embeddingModel, "embedding-model", "", "also compare embeddings of the model `NAME` of the server")
	f.Float64Var(&s.embeddingNear, "embedding-near", 0, "cosine of embeddings from which a pair is near whatever its words (0: shown, and does not decide)")
}

// pairLevel reads a level of a flag.
func (s *settings) pairLevel(flag, value string, known ...similarity.Level) (similarity.Level, error) {
	if l := similarity.Level(value); slices.Contains(known, l) {
		return l, nil
	}
	names := make([]string, len(known))
	for i, l := range known {
		names[i] = string(l)
	}
	return "", failWith(exitUsage, fmt.Errorf("%s: %q is no level: write %s", s.where(flag), value, strings.Join(names, ", ")))
}

func (a *app) similar(ctx context.Context, o *similarOptions, args []string, flags *pflag.FlagSet) error {
	if o.calibration {
		return a.calibration(ctx)
	}
	su, outs, err := a.openSimilar(o, args, flags)
	if err != nil {
		return err
	}
	so := similarity.Options{}
	if so.Least, err = o.pairLevel("level", o.level, similarity.Duplicate, similarity.Near, similarity.Related); err != nil {
		return err
	}
	limit, err := o.pairLevel("fail-level", o.failLevel, similarity.Duplicate, similarity.Near, similarity.Related, "never")
	if err != nil {
		return err
	}
	c, err := su.catalogue()
	if err != nil {
		return err
	}
	if err := spareInputs(outs, su, c, su.acceptedPath()); err != nil {
		return err
	}
	texts := skillTexts(c)
	if so.Only, err = a.wanted(ctx, o, su, c); err != nil {
		return failWith(exitUsage, err)
	}
	if so.Accepted, err = su.acceptedPairs(texts); err != nil {
		return failWith(exitUsage, err)
	}
	confused, err := addConfusion(&so, o.run, texts)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if so.Embeddings, err = a.embed(ctx, &o.settings, texts); err != nil {
		return err
	}
	so.EmbeddingNear = o.embeddingNear
	found, err := similarity.Find(ctx, texts, so)
	if err != nil {
		return failWith(exitServer, err)
	}
	if su.base == "" || su.builtin { // the entries may be those of another catalogue
		found.Stale = slices.DeleteFunc(found.Stale, func(e similarity.Acceptance) bool { return !holdsText(texts, e.A) && !holdsText(texts, e.B) })
	}
	r := similarReport(found, c, su.described)
	r.Similar.Notes = append(r.Similar.Notes, confused...)
	placeReport(ctx, r)
	if err := a.writeReports(outs, r); err != nil {
		return err
	}
	return failAt(found.Pairs, limit)
}

// holdsText reports whether a skill has this name or path.
func holdsText(texts []similarity.Text, name string) bool {
	return slices.ContainsFunc(texts, func(t similarity.Text) bool { return t.Name == name || t.ID == name })
}

// openSimilar finds the suite and checks where reports go.
func (a *app) openSimilar(o *similarOptions, args []string, flags *pflag.FlagSet) (*suite, []output, error) {
	su, err := a.openSkills(args, &o.settings, flags)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case o.reason != "":
		return nil, nil, failWith(exitUsage, errors.New("--reason belongs to --accept A B"))
	case o.embeddingNear != 0 && (o.embeddingModel == "" || !(o.embeddingNear > 0 && o.embeddingNear <= 1)):
		return nil, nil, failWith(exitUsage, fmt.Errorf("%s: want a cosine above 0 and up to 1, and --embedding-model beside it", o.where("embedding-near")))
	}
	outs, err := o.outputs()
	return su, outs, err
}

// wanted says which texts a pair must have one of; nil for any.
func (a *app) wanted(ctx context.Context, o *similarOptions, su *suite, c *skills.Catalog) (func(*similarity.Text) bool, error) {
	for _, name := range o.only {
		if _, err := skillNamed(c, name); err != nil {
			return nil, fmt.Errorf("--skill: %w", err)
		}
	}
	changed := func(string) bool { return true }
	if o.given("changed-since") {
		since, err := changedSince(ctx, o.changedSince)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.where("changed-since"), err)
		}
		a.sayOutside(since, c.Skills)
		changed = since.has
	} else if len(o.only) == 0 {
		return nil, nil
	}
	return func(t *similarity.Text) bool {
		return (len(o.only) == 0 || slices.Contains(o.only, t.Name)) && su.touched(changed, t)
	}, nil
}

// failAt fails the command when a pair that nobody accepted is on the level or above.
func failAt(pairs []similarity.Pair, limit similarity.Level) error {
	if limit == "never" {
		return nil
	}
	open := slices.DeleteFunc(slices.Clone(pairs), func(p similarity.Pair) bool { return p.Accepted != "" || !p.Level.AtLeast(limit) })
	if len(open) == 0 {
		return nil
	}
	return failWith(exitFailed, fmt.Errorf(`--fail-level %s: pairs on that level or above that nobody accepted: %d; the first: %s and %s. Rewrite one, or let it stand: skilleval similar --accept %s %s --reason "…"`,
		limit, len(open), open[0].A, open[0].B, open[0].A, open[0].B))
}

// similarReport puts the pairs into a report, with the lines at which the descriptions stand.
func similarReport(found *similarity.Result, c *skills.Catalog, described map[string]skills.Note) *reports.Report {
	info := &reports.SimilarInfo{Texts: found.Compared, Failed: len(c.Failures), Thresholds: found.Thresholds}
	r := &reports.Report{Similar: info, Pairs: found.Pairs, TextPlaces: map[string]reports.Place{}}
	for _, s := range c.Skills {
		r.TextPlaces[s.Path] = reports.Place{Path: s.Path, Line: max(s.Lines["description"], 1)}
		if at, ok := described[s.Path]; ok {
			r.TextPlaces[s.Path] = reports.Place{Path: at.Path, Line: at.Line, Column: at.Column}
		}
	}
	info.Levels = reports.SimilarLevels{Duplicate: found.Counts[similarity.Duplicate], Near: found.Counts[similarity.Near], Related: found.Counts[similarity.Related]}
	info.Accepted = found.Accepted
	for _, t := range found.Short {
		at := r.TextPlaces[t.ID]
		at.Code, at.Message = "short-description", fmt.Sprintf("%s: its description says too little to be compared", t.Name)
		info.Notes = append(info.Notes, at)
	}
	info.Notes = append(info.Notes, places(c.Failures)...)
	if found.Left > 0 {
		info.Notes = append(info.Notes, reports.Place{Message: fmt.Sprintf("%d more pairs of identical descriptions are not listed: of a large group, only those with its first", found.Left)})
	}
	info.Reopened = acceptedPlaces(found.Reopened, "a description has changed since it was accepted")
	info.Stale = acceptedPlaces(found.Stale, "one of the two is no longer in the catalogue: take the entry out")
	return r
}

func acceptedPlaces(list []similarity.Acceptance, why string) []reports.Place {
	var out []reports.Place
	for _, e := range list {
		out = append(out, reports.Place{Message: fmt.Sprintf("%s, %s: %s (reason: %s)", e.A, e.B, why, e.Reason)})
	}
	return out
}
