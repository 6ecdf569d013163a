package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// openSkills opens the suite, or the skills at the paths that are named in its place. A path may be a suite's, too.
func (a *app) openSkills(paths []string, s *settings, flags *pflag.FlagSet) (*suite, error) {
	if len(paths) > 0 && len(s.skills) > 0 {
		return nil, failWith(exitUsage, errors.New("both PATH and --skills are given: name the skills once"))
	}
	if len(paths) == 1 && (paths[0] == sampleName || isSuite(paths[0])) {
		return a.openSuite(paths, s, flags)
	}
	for _, p := range paths {
		if err := flags.Set("skills", p); err != nil {
			return nil, failWith(exitUsage, err)
		}
	}
	return a.openSuite(nil, s, flags)
}

// spareInputs refuses reports that would take the place of a file of a skill or of the suite, or of another one that is
// read.
func spareInputs(outs []output, su *suite, c *skills.Catalog, others ...string) error {
	if len(writtenBy(outs)) == 0 {
		return nil
	}
	return spare(outs, slices.Concat(others, su.inputs(), skillFiles(c)), "")
}

// skillTexts gives the descriptions of a catalogue as texts to compare; the id of each is the path of its SKILL.md.
func skillTexts(c *skills.Catalog) []similarity.Text {
	texts := make([]similarity.Text, len(c.Skills))
	for i, s := range c.Skills {
		texts[i] = similarity.Text{ID: s.Path, Name: s.Name, Description: s.Description, UseWhen: s.UseWhen, DoNotUseWhen: s.DoNotUseWhen}
		schema, err := s.Schema()
		if err != nil { // loading refuses such a skill
			continue
		}
		for _, p := range schema.Properties() {
			texts[i].Parameters = append(texts[i].Parameters, strings.TrimSpace(p.Name+" "+p.Description))
		}
	}
	return texts
}
