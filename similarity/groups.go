package similarity

import (
	"slices"
	"strings"
)

// identicalGroup is up to how many identical texts every pair is listed; of more, the pairs with the first.
const identicalGroup = 12

// groups finds texts that are too short to be compared and groups of identical ones, lists the pairs inside the
// groups, and returns what is left to compare: one text of each group, a wanted one if there is one.
func (f *finder) groups() []int32 {
	members, short := map[string][]int32{}, map[string][]int32{}
	var order, shortOrder []string
	for i, p := range f.corpus.texts {
		if p.short {
			f.result.Short = append(f.result.Short, p.source)
			if len(short[p.whole]) == 0 {
				shortOrder = append(shortOrder, p.whole)
			}
			short[p.whole] = append(short[p.whole], int32(i))
			continue
		}
		if _, ok := members[p.whole]; !ok {
			order = append(order, p.whole)
		}
		members[p.whole] = append(members[p.whole], int32(i))
	}
	list := make([]int32, len(order))
	for k, whole := range order {
		group := members[whole]
		if len(group) > 1 {
			f.listGroup(group)
		}
		list[k] = group[max(0, slices.IndexFunc(group, f.wants))]
	}
	slices.Sort(list)
	for _, whole := range shortOrder { // too little to be compared, but not to be seen to be the same
		if group := short[whole]; len(group) > 1 && severalWords(whole) {
			f.listGroup(group)
		}
	}
	return list
}

// severalWords reports a text of two words or more, or of at least four characters of a script without spaces.
func severalWords(s string) bool {
	n := 0
	for _, r := range s {
		if unspaced(r) {
			n++
		}
	}
	return n >= 4 || len(strings.FieldsFunc(s, func(r rune) bool { return !spaced(r) })) >= 2
}

// listGroup lists the pairs of a group of identical texts; of a large one, those with the first, and counts the rest.
func (f *finder) listGroup(group []int32) {
	firsts := group
	if len(group) > identicalGroup {
		firsts = group[:1]
		wanted := 0
		for _, i := range group[1:] {
			if f.wants(i) {
				wanted++
			}
		}
		rest := len(group) - 1
		f.result.Left += pairsOf(rest) - pairsOf(rest-wanted)
	}
	for x, i := range firsts {
		for _, j := range group[x+1:] {
			if p := (indexPair{i, j}); f.wanted(p) {
				f.keep(f.score(p, true))
			}
		}
	}
}

// pairsOf is the number of pairs of n things.
func pairsOf(n int) int { return n * (n - 1) / 2 }

// wants reports whether pairs with a text are asked for.
func (f *finder) wants(i int32) bool {
	return f.options.Only == nil || f.options.Only(f.corpus.texts[i].source)
}

// wanted reports whether a pair is asked for.
func (f *finder) wanted(p indexPair) bool { return f.wants(p.a) || f.wants(p.b) }

// addConfused adds the pairs that a run confused, whatever their words.
func (f *finder) addConfused(found []indexPair) []indexPair {
	if len(f.options.Confused) == 0 {
		return found
	}
	named := map[string][]int32{}
	for i, p := range f.corpus.texts {
		if !p.short {
			named[p.source.Name] = append(named[p.source.Name], int32(i))
		}
	}
	for _, names := range f.options.Confused {
		as, bs := named[names[0]], named[names[1]]
		for _, i := range as[:min(len(as), identicalGroup)] {
			for _, j := range bs[:min(len(bs), identicalGroup)] {
				if f.corpus.texts[i].whole != f.corpus.texts[j].whole { // else listed with its group
					found = append(found, indexPair{min(i, j), max(i, j)})
				}
			}
		}
	}
	return sortPairs(found)
}
