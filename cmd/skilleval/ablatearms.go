package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

// authored stands for the skills' own descriptions.
const authored = "authored"

// productArms makes an arm for every catalogue mode × description set × order.
func (v *ablation) productArms(j *job) error {
	sets := v.descriptions
	if len(sets) == 0 {
		sets = []string{authored}
		if j.set.file != nil {
			sets = append(sets, sortedKeys(j.set.file.descriptions)...)
		}
	}
	for _, set := range sets {
		c, err := j.described(set)
		if err != nil {
			return err
		}
		list := availableSkills(c)
		for _, mode := range v.catalogs {
			for _, order := range v.orders {
				name := mode + "/" + set
				if len(v.orders) > 1 {
					name += "/" + order
				}
				if err := j.addArm(results.Arm{Name: name, Catalog: mode, Descriptions: set, Order: order}, list); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// described is the catalogue under a description set.
func (j *job) described(set string) (*skills.Catalog, error) {
	if set == authored {
		return j.catalog, nil
	}
	texts, err := j.suite.descriptionSet(set)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	c, err := j.catalog.WithDescriptions(texts)
	if err != nil {
		return nil, failWith(exitUsage, fmt.Errorf("description set %s: %w", set, err))
	}
	return c, nil
}

// addArm adds one arm over a list of skills.
func (j *job) addArm(arm results.Arm, list []*skills.Skill) error {
	if slices.ContainsFunc(j.arms, func(a armPlan) bool { return a.Name == arm.Name }) {
		return failWith(exitUsage, fmt.Errorf("arm %s is asked for twice", arm.Name))
	}
	s := *j.set
	s.catalog, s.order = arm.Catalog, cmp.Or(arm.Order, s.order)
	if err := s.check(); err != nil {
		return err
	}
	ag, err := s.newAgent(j.model, list)
	if err != nil {
		return err
	}
	arm.Skills, arm.SkillsDigest = len(list), skills.Digest(list)
	j.arms = append(j.arms, armPlan{arm, ag})
	return nil
}

// sizeArms makes an arm for every catalogue mode × size: the skills that the cases name, filled up with distractors.
func (v *ablation) sizeArms(j *job) error {
	if len(v.sizes) == 0 || len(v.distractors) == 0 {
		return failWith(exitUsage, errors.New("--sizes and --distractors go together: sizes to try, and a folder of skills to fill up with"))
	}
	needed := j.needed()
	fill, err := v.fill(j, needed)
	if err != nil {
		return err
	}
	sizes := slices.Sorted(slices.Values(v.sizes))
	switch most := len(needed) + len(fill); {
	case sizes[0] < len(needed):
		return failWith(exitUsage, fmt.Errorf("--sizes %d: the cases need %d skills: that is the smallest size", sizes[0], len(needed)))
	case sizes[len(sizes)-1] > most:
		return failWith(exitUsage, fmt.Errorf("--sizes %d: there are %d skills in all, the %d that the cases need and %d distractors", sizes[len(sizes)-1], most, len(needed), len(fill)))
	}
	for _, mode := range v.catalogs {
		for _, size := range sizes {
			list := slices.Concat(needed, fill[:size-len(needed)])
			if err := j.addArm(results.Arm{Name: fmt.Sprintf("%s/%d", mode, size), Catalog: mode}, list); err != nil {
				return err
			}
		}
	}
	j.offered = slices.Concat(needed, fill) // the run file holds every skill that an arm offers
	return nil
}

// needed lists the skills that the cases name, in the order of the catalogue.
func (j *job) needed() []*skills.Skill {
	named := map[string]bool{}
	for i := range j.cases {
		for _, s := range j.cases[i].Expect.Skills() {
			named[s] = true
		}
		for k := range j.cases[i].Accept {
			for _, s := range j.cases[i].Accept[k].Skills() {
				named[s] = true
			}
		}
	}
	var out []*skills.Skill
	for _, s := range j.offered {
		if named[s.Name] {
			out = append(out, s)
		}
	}
	return out
}

// fill is every distractor in a seeded order: further skills of the suite and those of the folders, without the names that
// are taken.
func (v *ablation) fill(j *job, needed []*skills.Skill) ([]*skills.Skill, error) {
	c, err := skills.Load(v.distractors, skills.LoadOptions{})
	if err != nil {
		return nil, failWith(exitUsage, fmt.Errorf("--distractors: %w", err))
	}
	taken := map[string]bool{}
	for _, s := range needed {
		taken[strings.ToLower(s.Name)] = true
	}
	var out []*skills.Skill
	left := 0
	for _, s := range slices.Concat(j.offered, c.Skills) {
		key := strings.ToLower(s.Name)
		_, err := s.Schema()
		switch {
		case slices.Contains(needed, s):
		case taken[key] || s.Unavailable != "" || err != nil:
			left++
		default:
			taken[key] = true
			out = append(out, s)
		}
	}
	if left > 0 || len(c.Failures) > 0 {
		j.remarks = append(j.remarks, fmt.Sprintf("distractors left out: %d whose name is taken or that cannot be used, %d that could not be loaded", left, len(c.Failures)))
	}
	rng := rand.New(rand.NewPCG(uint64(j.set.seed), 0x2545f4914f6cdd1d))
	rng.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out, nil
}
