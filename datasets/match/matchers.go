package match

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// anything matches every value that is given; an absent one it does not match.
type anything struct{ exact }

func (anything) kinds() kinds                            { return anyKind }
func (anything) want() string                            { return "any value" }
func (anything) match(c *comparison, at *path, v *value) { c.done(1) }

// anyOf matches when one of its alternatives does.
type anyOf struct{ items []node }

func (n *anyOf) kinds() kinds {
	var k kinds
	for _, item := range n.items {
		k |= item.kinds()
	}
	return k
}

func (n *anyOf) optional() bool {
	for _, item := range n.items {
		if item.optional() {
			return true
		}
	}
	return false
}

func (n *anyOf) want() string {
	parts := make([]string, 0, len(n.items))
	size := 0
	for _, item := range n.items {
		if size > 2*shownRunes {
			break
		}
		w := item.want()
		size += len(w)
		parts = append(parts, w)
	}
	return clip("any of " + strings.Join(parts, ", "))
}

func (n *anyOf) match(c *comparison, at *path, v *value) {
	for _, item := range n.items {
		if c.done(1) {
			return
		}
		if !c.matches(item, at, v) {
			continue
		}
		if !c.quick {
			item.match(c, at, v) // again, for its notes
		}
		return
	}
	h := ""
	if len(n.items) > 0 && v.kind == text && !c.quick {
		for _, item := range n.items {
			if s, ok := item.(*scalar); ok && s.v.kind == text && h == "" {
				h = hint(s.v.text, v.text)
			}
		}
	}
	c.differ(at, n, v, h)
}

// absent matches only when the key is not given at all. Unlike a key that the label does not name, it does not
// accept the schema's default written out.
type absent struct{ exact }

func (absent) kinds() kinds   { return 0 }
func (absent) optional() bool { return true }
func (absent) want() string   { return "absent" }
func (n absent) match(c *comparison, at *path, v *value) {
	c.done(1)
	if c.quick {
		c.found++
		return
	}
	c.fail(at, Extra, n.want(), show(v), "")
}

// optional matches when the key is not given, or when its inner expectation does.
type optional struct{ inner node }

func (n *optional) kinds() kinds                            { return n.inner.kinds() }
func (n *optional) optional() bool                          { return true }
func (n *optional) want() string                            { return clip("absent or " + n.inner.want()) }
func (n *optional) match(c *comparison, at *path, v *value) { n.inner.match(c, at, v) }

// pattern matches a string, trimmed and in NFC, against an RE2 expression, as a whole.
type pattern struct {
	exact
	source string
	re     *regexp.Regexp
}

func (n *pattern) kinds() kinds { return text }
func (n *pattern) want() string { return clip("a string matching /" + n.source + "/") }
func (n *pattern) match(c *comparison, at *path, v *value) {
	if c.done(1 + len(v.text)/16) {
		return
	}
	if v.kind != text || !n.re.MatchString(canonical(v.text)) {
		c.differ(at, n, v, "")
	}
}

// contains matches a string that holds every given part, or an array that holds an element for every one.
type contains struct {
	exact
	items []node
	fold  bool
}

// kinds holds string only when every part is one: nothing else can be inside a string.
func (n *contains) kinds() kinds {
	for _, item := range n.items {
		if !textPart(item) {
			return array
		}
	}
	return text | array
}

// textPart reports whether a part is a string, or one of several.
func textPart(n node) bool {
	switch t := n.(type) {
	case *scalar:
		return t.v.kind == text
	case *anyOf:
		return !slices.ContainsFunc(t.items, func(item node) bool { return !textPart(item) })
	}
	return false
}

// inText reports whether the text holds the part.
func inText(s string, n node) bool {
	switch t := n.(type) {
	case *scalar:
		return strings.Contains(s, t.canon)
	case *anyOf:
		return slices.ContainsFunc(t.items, func(item node) bool { return inText(s, item) })
	}
	return false
}

func (n *contains) want() string {
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = item.want()
	}
	return clip("containing " + strings.Join(parts, " and "))
}

func (n *contains) match(c *comparison, at *path, v *value) {
	for _, item := range n.items {
		if c.done(1 + len(v.text)/64) {
			return
		}
		if n.kinds()&v.kind == 0 || !n.holds(c, at, v, item) {
			c.differ(at, n, v, "")
			return
		}
	}
}

func (n *contains) holds(c *comparison, at *path, v *value, item node) bool {
	if v.kind == text {
		given := canonical(v.text)
		if n.fold {
			given = folded(v.text)
		}
		return inText(given, item)
	}
	for i := range v.items {
		if c.done(1) {
			return false
		}
		if c.matches(item, at, &v.items[i]) {
			return true
		}
	}
	return false
}

// within matches a number between lo and hi, both included; nil is open.
type within struct {
	exact
	lo, hi  *decimal
	words   string
	typical string // a number for samples
}

func (n *within) kinds() kinds { return number }
func (n *within) want() string { return n.words }
func (n *within) match(c *comparison, at *path, v *value) {
	if c.done(1 + len(v.text)/64) {
		return
	}
	if v.kind != number {
		c.differ(at, n, v, "")
		return
	}
	d := parseDecimal(v.text)
	if n.lo != nil && d.cmp(*n.lo) < 0 || n.hi != nil && d.cmp(*n.hi) > 0 {
		c.differ(at, n, v, "")
	}
}

// similar matches a string whose character bigrams overlap enough: Dice's coefficient 2·|A∩B| / (|A|+|B|) over
// multisets of rune pairs (Dice 1945), after NFC, case folding and collapsing white space. A string of one
// character counts as one bigram; two empty ones are equal.
type similar struct {
	exact
	given string // as labelled
	words string
	grams map[[2]rune]int
	total int
	min   *big.Rat
}

func (n *similar) kinds() kinds { return text }
func (n *similar) want() string { return n.words }
func (n *similar) match(c *comparison, at *path, v *value) {
	if c.done(1 + len(v.text)/8) {
		return
	}
	if v.kind != text {
		c.differ(at, n, v, "")
		return
	}
	score := n.score(v.text)
	if score.Cmp(n.min) < 0 {
		c.differ(at, n, v, "similarity "+score.FloatString(3))
		return
	}
	if !c.quick && v.text != n.given {
		c.note(at, "similarity %s", score.FloatString(3))
	}
}

func (n *similar) score(s string) *big.Rat {
	grams, total := bigrams(s)
	if total+n.total == 0 {
		return big.NewRat(1, 1)
	}
	common := 0
	for g, k := range grams {
		common += min(k, n.grams[g])
	}
	return big.NewRat(int64(2*common), int64(total+n.total))
}

// bigrams counts the pairs of neighbouring characters.
func bigrams(s string) (map[[2]rune]int, int) {
	runes := []rune(strings.Join(strings.Fields(folded(s)), " "))
	grams := make(map[[2]rune]int)
	if len(runes) == 1 {
		grams[[2]rune{runes[0], -1}]++
		return grams, 1
	}
	for i := 1; i < len(runes); i++ {
		grams[[2]rune{runes[i-1], runes[i]}]++
	}
	return grams, max(0, len(runes)-1)
}
