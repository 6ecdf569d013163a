package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// Select returns the cases that filter keeps, in their order, at most limit of them (0: all). A filter is terms
// separated by spaces, all of which must hold: an id, in which * and ? are wild; tag:NAME; skill:NAME (an expected
// skill); none (no skill is expected). - or ! in front negates a term. A filter that keeps nothing is an error.
func Select(cases []Case, filter string, limit int) ([]Case, error) {
	if limit < 0 {
		return nil, fmt.Errorf("limit %d is negative; 0 means all cases", limit)
	}
	var terms []term
	for _, word := range strings.Fields(filter) {
		t, err := parseTerm(word)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	for i, t := range terms {
		if t.negate = false; !slices.ContainsFunc(cases, func(c Case) bool { return t.holds(&c) }) && len(cases) > 0 {
			return nil, fmt.Errorf("filter term %q matches no case; terms are an id with * and ?, tag:NAME, skill:NAME and none; - or ! in front negates", strings.Fields(filter)[i])
		}
	}
	if len(terms) == 0 && (limit == 0 || limit >= len(cases)) {
		return cases, nil
	}
	var out []Case
	for i := range cases {
		if limit > 0 && len(out) == limit {
			break
		}
		if !slices.ContainsFunc(terms, func(t term) bool { return !t.holds(&cases[i]) }) {
			out = append(out, cases[i])
		}
	}
	if len(out) == 0 && len(cases) > 0 {
		return nil, fmt.Errorf("filter %q keeps none of %d cases; terms are an id with * and ?, tag:NAME, skill:NAME and none; - or ! in front negates", filter, len(cases))
	}
	return out, nil
}

// term is one condition of a filter.
type term struct {
	negate bool
	kind   string // "id", "tag", "skill" or "none"
	glob   string
}

func parseTerm(word string) (term, error) {
	t := term{kind: "id", glob: word}
	if word[0] == '-' || word[0] == '!' {
		t.negate, t.glob = true, word[1:]
	}
	for _, kind := range []string{"tag", "skill"} {
		if rest, ok := strings.CutPrefix(t.glob, kind+":"); ok {
			t.kind, t.glob = kind, rest
		}
	}
	if t.glob == "" {
		return term{}, fmt.Errorf("filter term %q names nothing; write an id with * and ?, tag:NAME, skill:NAME or none", word)
	}
	if t.kind == "id" && t.glob == "none" {
		t.kind = "none"
	}
	return t, nil
}

func (t term) holds(c *Case) bool {
	matches := func(s string) bool { return glob(t.glob, s) }
	held := false
	switch t.kind {
	case "tag":
		held = slices.ContainsFunc(c.Tags, matches)
	case "skill":
		held = slices.ContainsFunc(c.Expect.Skills(), matches)
	case "none":
		held = c.Expect.None
	default:
		held = matches(c.ID)
	}
	return held != t.negate
}

// glob matches s against a pattern in which * stands for any text and ? for one character; / is nothing special.
func glob(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
