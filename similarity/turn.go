package similarity

import (
	"regexp"
	"slices"
)

// turn is what stands before and behind the word "to" of a name or sentence: the directions of a conversion.
type turn struct{ from, to []uint32 }

var toward = regexp.MustCompile(`(?i)(?:\b|-)(?:to|into|2)(?:\b|-)|(?-i:[a-z0-9](?:To|Into)[A-Z])|→|->|成|转为|换为|变为|到`)

// turnOf cuts the tokens of a text at the first "to" that has tokens on both sides.
func turnOf(text string, tokens []token) [2][]token {
	for _, m := range toward.FindAllStringIndex(text, -1) {
		n := 0
		for n < len(tokens) && tokens[n].to <= m[0]+1 && tokens[n].from < m[0] {
			n++
		}
		if n > 0 && n < len(tokens) {
			return [2][]token{tokens[:n], tokens[n:]}
		}
	}
	return [2][]token{}
}

// contents gives the ids of what tokens speak of, sorted: no actions and no boilerplate.
func (c *corpus) contents(tokens []token) []uint32 {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == action || t.kind == generic })
	ids := c.idsOf(tokens)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// reversed reports whether two turns go in opposite directions: what one comes from, the other goes to.
func (t turn) reversed(u turn) bool {
	crossed, straight := common(t.from, u.to), common(t.from, u.from)+common(t.to, u.to)
	back := common(t.to, u.from)
	return crossed > 0 && back > 0 && crossed+back > straight
}

// common counts the elements that two sorted lists share.
func common(a, b []uint32) int {
	n := 0
	for _, id := range a {
		if _, ok := slices.BinarySearch(b, id); ok {
			n++
		}
	}
	return n
}
