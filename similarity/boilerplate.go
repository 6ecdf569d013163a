package similarity

import (
	"slices"
	"strings"

	"github.com/skilleval/skilleval/internal/prose"
)

// A sentence is boilerplate of a catalogue when at least commonTexts different descriptions have it, and one in
// commonShare of them or commonMany.
const (
	commonTexts = 3
	commonShare = 10
	commonMany  = 10
)

// draft is a text with its spelling made comparable, before it is taken apart.
type draft struct {
	description, spelled string   // description and name, normalised
	name, whole          string   // the same, folded
	sentences            []string // of the description, folded, each once; nil when it is one sentence
}

func draftOf(t *Text) draft {
	d := draft{description: normalise(t.Description), spelled: normalise(t.Name)}
	d.name, d.whole = strings.ToLower(d.spelled), folded(d.description)
	for _, s := range prose.Sentences(d.description) {
		if s = folded(s); s != d.whole && !slices.Contains(d.sentences, s) {
			d.sentences = append(d.sentences, s)
		}
	}
	return d
}

// boilerplate finds the sentences that many descriptions share, folded. Identical descriptions count once: copies of a
// skill are no reason to overlook what they say.
func boilerplate(drafts []draft) map[string]bool {
	counts, seen := map[string]int{}, map[string]bool{}
	for i := range drafts {
		d := &drafts[i]
		if seen[d.whole] {
			continue
		}
		seen[d.whole] = true
		for _, s := range d.sentences {
			counts[s]++
		}
	}
	common := map[string]bool{}
	for s, n := range counts {
		if n >= commonTexts && (n*commonShare >= len(seen) || n >= commonMany) {
			common[s] = true
		}
	}
	return common
}

// referableNames lists the names by which a description can point to another skill: those that are no ordinary word, because
// they have a sign inside.
func referableNames(drafts []draft) map[string]bool {
	names := map[string]bool{}
	for i := range drafts {
		if name := drafts[i].name; strings.ContainsAny(name, "_-.") {
			names[name] = true
		}
	}
	return names
}

// pointsAway reports whether a sentence speaks of another skill by its name: it says what that one is for.
func pointsAway(sentence, own string, names map[string]bool) bool {
	if !strings.ContainsAny(strings.TrimRight(sentence, "."), "_-.") {
		return false
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !joins(r) && r != '.' }) {
		if w = strings.Trim(w, "-_."); w != own && names[w] {
			return true
		}
	}
	return false
}
