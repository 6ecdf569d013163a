package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// filling is what catalogues of a given size are made of.
type filling struct {
	needed map[string]bool // names of the skills that are always in
	others []*skills.Skill // the rest, in the order in which it is added
}

// filling prepares the sizes that were asked for; nil without any.
func (v *ablation) filling(j *job) (*filling, error) {
	if len(v.sizes) == 0 {
		return nil, nil
	}
	f := &filling{needed: j.needed()}
	if err := f.draw(j, v.distractors); err != nil {
		return nil, err
	}
	least, most := len(f.needed), len(f.needed)+len(f.others)
	switch smallest, largest := slices.Min(v.sizes), slices.Max(v.sizes); {
	case smallest < least:
		return nil, failWith(exitUsage, fmt.Errorf("--sizes %d: the cases need %d skills: that is the smallest size", smallest, least))
	case smallest < 1:
		return nil, failWith(exitUsage, fmt.Errorf("--sizes %d: want 1 or more", smallest))
	case largest > most:
		return nil, failWith(exitUsage, fmt.Errorf("--sizes %d: there are %d skills in all, the %d that the cases need and %d distractors", largest, most, least, len(f.others)))
	}
	return f, nil
}

// catalogue lists the available skills of c in a size: those that are needed, and the first of the others, the suite's own
// with their descriptions in c. They stand in the order of their names, so that no size tells a needed skill by its place.
// Without sizes it is all of c.
func (f *filling) catalogue(c *skills.Catalog, size int) []*skills.Skill {
	own := availableSkills(c)
	if f == nil {
		return own
	}
	var list []*skills.Skill
	byName := make(map[string]*skills.Skill, len(own))
	for _, s := range own {
		byName[s.Name] = s
		if f.needed[s.Name] {
			list = append(list, s)
		}
	}
	for _, s := range f.others[:size-len(list)] {
		list = append(list, cmp.Or(byName[s.Name], s))
	}
	slices.SortFunc(list, func(a, b *skills.Skill) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// needed names the skills that no case can do without: those that a case expects or accepts, and those that are preloaded.
func (j *job) needed() map[string]bool {
	names := map[string]bool{}
	add := func(list []string) {
		for _, name := range list {
			names[name] = true
		}
	}
	add(j.set.preload)
	for i := range j.cases {
		add(j.cases[i].Expect.Skills())
		for k := range j.cases[i].Accept {
			add(j.cases[i].Accept[k].Skills())
		}
	}
	for name := range names {
		if !slices.ContainsFunc(j.offered, func(s *skills.Skill) bool { return s.Name == name }) {
			delete(names, name) // a preloaded one: the agent says that there is none of this name
		}
	}
	return names
}

// draw orders the suite's other skills and those of the folders by lot. It leaves out, and says so, what has a name of the
// suite and what cannot be offered.
func (f *filling) draw(j *job, folders []string) error {
	c, err := skills.Load(folders, skills.LoadOptions{})
	if err != nil {
		return failWith(exitUsage, fmt.Errorf("--distractors: %w", err))
	}
	taken, err := skills.NewRegistry(j.offered...)
	if err != nil {
		return failWith(exitUsage, err)
	}
	for _, s := range j.offered {
		if !f.needed[s.Name] {
			f.others = append(f.others, s)
		}
	}
	var same, unfit []string
	for _, s := range c.Skills {
		if _, err := s.Schema(); err != nil || s.Unavailable != "" {
			unfit = append(unfit, s.Name)
		} else if taken.Register(s) != nil {
			same = append(same, s.Name)
		} else {
			f.others = append(f.others, s)
		}
	}
	for _, left := range []struct {
		names []string
		why   string
	}{{same, "name is taken"}, {unfit, "needs what is not here, or has a schema that is none"}} {
		if n := len(left.names); n > 0 {
			j.remarks = append(j.remarks, fmt.Sprintf("distractors left out: %d (%s): %s", n, left.why, firstNames(left.names)))
		}
	}
	if n := len(c.Failures); n > 0 {
		j.remarks = append(j.remarks, fmt.Sprintf("distractors left out: %d could not be loaded; the first: %s: %s", n, c.Failures[0].Path, c.Failures[0].Message))
	}
	slices.SortFunc(f.others, func(a, b *skills.Skill) int { return strings.Compare(a.Name, b.Name) }) // the lot falls on names, wherever they lie
	lot := rand.New(rand.NewPCG(uint64(j.set.seed), 0x2545f4914f6cdd1d))
	lot.Shuffle(len(f.others), func(a, b int) { f.others[a], f.others[b] = f.others[b], f.others[a] })
	return nil
}

// firstNames joins a list whose end may be too long for a line.
func firstNames(names []string) string {
	const shown = 10
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
