package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

// authored stands for the skills' own descriptions.
const authored = "authored"

// arms makes an arm for every combination. The first one is what the others are compared with.
func (v *ablation) arms(j *job) error {
	if err := v.complete(j.set); err != nil {
		return failWith(exitUsage, err)
	}
	v.leaveGrouped(j)
	sets, err := v.sets(j)
	if err != nil {
		return err
	}
	filling, err := v.filling(j)
	if err != nil {
		return err
	}
	sizes := slices.Sorted(slices.Values(v.sizes))
	if len(sizes) == 0 {
		sizes = []int{0}
	}
	for _, set := range sets {
		c, err := j.described(set)
		if err != nil {
			return err
		}
		for _, p := range v.plans(set, len(sets), sizes) {
			if err := j.addArm(p.Arm, filling.catalogue(c, p.size)); err != nil {
				return err
			}
		}
	}
	names := make([]string, len(j.arms))
	for i, arm := range j.arms {
		names[i] = arm.Name
	}
	j.remarks = append(j.remarks, "arms, each held against the first: "+firstNames(names))
	if filling != nil { // the run file holds every skill that an arm offers, and no other
		j.offered = filling.catalogue(j.catalog, sizes[len(sizes)-1])
	}
	return nil
}

// leaveGrouped takes the grouped mode out when the skills have no categories to choose among, unless it was asked for.
func (v *ablation) leaveGrouped(j *job) {
	categories := map[string]bool{}
	for _, s := range j.catalog.Skills {
		categories[s.Category] = true
	}
	if len(categories) > 1 || !slices.Contains(v.catalogs, "grouped") {
		return
	}
	if j.set.origin["catalogs"] != fromDefault {
		j.remarks = append(j.remarks, "the skills have no categories: grouped puts them all into one (metadata: category)")
		return
	}
	v.catalogs = slices.DeleteFunc(slices.Clone(v.catalogs), func(mode string) bool { return mode == "grouped" })
	j.remarks = append(j.remarks, "the skills have no categories: grouped is left out (metadata: category gives them one)")
}

// sizedArm is an arm, and the size of its catalogue; 0: all of the suite.
type sizedArm struct {
	results.Arm
	size int
}

// plans lists the arms of one of so many description sets.
func (v *ablation) plans(set string, sets int, sizes []int) (out []sizedArm) {
	for _, mode := range v.catalogs {
		for _, order := range v.orders {
			for _, protocol := range v.protocols {
				for _, size := range sizes {
					name := v.name(mode, set, sets, order, protocol, size)
					out = append(out, sizedArm{results.Arm{Name: name, Catalog: mode, Descriptions: set, Order: order, Protocol: protocol}, size})
				}
			}
		}
	}
	return out
}

// name is an arm's: the mode, and of the rest what tells it from other arms.
func (v *ablation) name(mode, set string, sets int, order, protocol string, size int) string {
	parts := []string{mode}
	if size == 0 || sets > 1 || set != authored {
		parts = append(parts, set)
	}
	if len(v.orders) > 1 {
		parts = append(parts, order)
	}
	if len(v.protocols) > 1 {
		parts = append(parts, protocol)
	}
	if size > 0 {
		parts = append(parts, fmt.Sprint(size))
	}
	return strings.Join(parts, "/")
}

// complete fills in what was not listed, and refuses the flag for one value where a list is meant: it would be without
// effect, or, of descriptions, change what "authored" is.
func (v *ablation) complete(s *settings) error {
	for _, c := range []struct {
		flag, list string
		without    bool // the single flag has no effect
	}{{"catalog", "catalogs", true}, {"descriptions", "description-sets", true}, {"order", "orders", len(v.orders) > 0}, {"protocol", "protocols", len(v.protocols) > 0}} {
		if o := s.origin[c.flag]; c.without && (o == fromFlag || o == fromEnvironment) {
			return fmt.Errorf("%s: ablate takes a list in its place: write --%s", s.where(c.flag), c.list)
		}
	}
	if len(v.orders) == 0 {
		v.orders = []string{s.order}
	}
	if len(v.protocols) == 0 {
		v.protocols = []string{s.protocol}
	}
	var faults []error
	for _, c := range []struct {
		list     string
		values   []string
		accepted []string
	}{{"catalogs", v.catalogs, []string{"two-level", "flat", "grouped"}}, {"orders", v.orders, []string{"question-first", "catalog-first"}},
		{"protocols", v.protocols, []string{"native", "text"}}} {
		if len(c.values) == 0 {
			faults = append(faults, fmt.Errorf("--%s: no value: write some of %s", c.list, strings.Join(c.accepted, ", ")))
		}
		for _, value := range c.values {
			if !slices.Contains(c.accepted, value) {
				faults = append(faults, fmt.Errorf("--%s %q is not known: write some of %s", c.list, value, strings.Join(c.accepted, ", ")))
			}
		}
	}
	if (len(v.sizes) == 0) != (len(v.distractors) == 0) {
		faults = append(faults, errors.New("--sizes and --distractors go together: sizes to try, and a folder of skills to fill up with"))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	s.catalog, s.order, s.protocol = v.catalogs[0], v.orders[0], v.protocols[0] // the run's settings are those of its first arm
	return nil
}

// sets lists the description sets: those asked for, or the authored one and, where sizes are not what is varied, every
// set of the suite.
func (v *ablation) sets(j *job) ([]string, error) {
	var ofSuite []string
	if j.set.file != nil {
		ofSuite = sortedKeys(j.set.file.descriptions)
	}
	if slices.Contains(ofSuite, authored) {
		return nil, failWith(exitUsage, fmt.Errorf("%s: a description set is named %q, which stands for the skills' own descriptions: give it another name", j.set.file.path, authored))
	}
	switch {
	case len(v.descriptions) > 0:
		return v.descriptions, nil
	case len(v.sizes) > 0:
		return []string{authored}, nil
	}
	return append([]string{authored}, ofSuite...), nil
}

// described is the catalogue under a description set.
func (j *job) described(set string) (*skills.Catalog, error) {
	if set == authored {
		return j.catalog, nil
	}
	texts, _, err := j.suite.descriptionSet(set)
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
	s.catalog, s.order, s.protocol = arm.Catalog, arm.Order, arm.Protocol
	ag, err := s.newAgent(j.model, list)
	if err != nil {
		return err
	}
	arm.Skills, arm.SkillsDigest = len(list), skills.Digest(list)
	j.arms = append(j.arms, armPlan{arm, ag})
	return nil
}
