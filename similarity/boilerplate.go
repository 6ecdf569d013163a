package similarity

import (
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

// boilerplate finds the sentences that many descriptions share, folded. Identical descriptions count once: copies of a
// skill are no reason to overlook what they say.
func boilerplate(texts []Text) map[string]bool {
	counts, seen := map[string]int{}, map[string]bool{}
	for i := range texts {
		description := normalise(texts[i].Description)
		whole := folded(description)
		if seen[whole] {
			continue
		}
		seen[whole] = true
		mine := map[string]bool{}
		for _, s := range prose.Sentences(description) {
			if s = folded(s); !mine[s] && s != whole {
				mine[s] = true
				counts[s]++
			}
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

// namesOf lists the names by which a description can point to another skill: those that are no ordinary word, because
// they have a sign inside.
func namesOf(texts []Text) map[string]bool {
	names := map[string]bool{}
	for i := range texts {
		if name := strings.ToLower(normalise(texts[i].Name)); strings.ContainsAny(name, "_-.") {
			names[name] = true
		}
	}
	return names
}

// pointsAway reports whether a sentence speaks of another skill by its name: it says what that one is for.
func pointsAway(sentence, own string, names map[string]bool) bool {
	own = strings.ToLower(normalise(own))
	for _, w := range strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !joins(r) && r != '.' }) {
		if w = strings.Trim(w, "-_."); w != own && names[w] {
			return true
		}
	}
	return false
}
