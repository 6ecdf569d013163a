package match

import (
	"encoding/json"
	"fmt"
)

// node is one compiled place of an expected value.
type node interface {
	// match compares a given value and reports each differing place to c.
	match(c *comparison, at *path, v *value)
	// want describes what is expected: compact JSON, or words for a matcher.
	want() string
	// kinds is the set of JSON types that can match.
	kinds() kinds
	// optional reports whether an absent value matches.
	optional() bool
	// sample writes a value that stands for the expectation (see Pattern.Sample).
	sample(s *sampler, at *path, b []byte) (out []byte, present bool)
	// alternatives is how many samples there are to look at.
	alternatives() int
}

// maxSteps bounds the work of one Match; a step is about one comparison of two short values. Only unordered
// and alternative matchers over thousands of elements come near it.
const maxSteps = 20_000_000

// maxDiffs bounds the differences that a Result lists.
const maxDiffs = 1000

// comparison collects what one Match finds. With quick set it stops at the first difference and builds no text:
// the same code then answers "does it match", so that verdict and explanation cannot disagree.
type comparison struct {
	quick    bool
	found    int // differences
	diffs    []Diff
	notes    []string
	steps    *int // shared by the quick comparisons inside one Match
	labelled int
	right    int
	defaults map[string]json.RawMessage
}

// fail records one difference. want and got are called only when text is needed.
func (c *comparison) fail(at *path, k Kind, want, got, hint string) {
	c.found++
	if !c.quick && len(c.diffs) < maxDiffs {
		c.diffs = append(c.diffs, Diff{Path: at.String(), Kind: k, Want: want, Got: got, Hint: hint})
	}
}

// differ records that v does not match n: another type, or another value.
func (c *comparison) differ(at *path, n node, v *value, hint string) {
	if c.quick {
		c.found++
		return
	}
	k := Value
	if n.kinds()&v.kind == 0 {
		k = Type
	}
	c.fail(at, k, n.want(), show(v), hint)
}

// note records a tolerance that made a match.
func (c *comparison) note(at *path, format string, args ...any) {
	if c.quick || len(c.notes) >= maxDiffs {
		return
	}
	message := fmt.Sprintf(format, args...)
	if place := at.String(); place != "" {
		message = place + ": " + message
	}
	c.notes = append(c.notes, message)
}

// done reports whether there is no need to look further; it counts cost steps.
func (c *comparison) done(cost int) bool {
	*c.steps += cost
	return c.quick && c.found > 0 || c.exhausted()
}

func (c *comparison) exhausted() bool { return *c.steps > maxSteps }

// matches answers whether v matches n, without recording anything in c.
func (c *comparison) matches(n node, at *path, v *value) bool {
	q := comparison{quick: true, steps: c.steps}
	n.match(&q, at, v)
	return q.found == 0 && !q.exhausted()
}

// exact is embedded by nodes that need a value.
type exact struct{}

func (exact) optional() bool    { return false }
func (exact) alternatives() int { return 1 }

// scalar expects one string, number, boolean or null.
type scalar struct {
	exact
	v     value
	num   decimal // of a number
	canon string  // of a string, folded when fold is set
	fold  bool
}

func (n *scalar) kinds() kinds { return n.v.kind }

func (n *scalar) want() string {
	if n.fold {
		return show(&n.v) + " ignoring case"
	}
	return show(&n.v)
}

func (n *scalar) match(c *comparison, at *path, v *value) {
	if c.done(1 + (len(v.text)+len(n.v.text))/64) {
		return
	}
	switch {
	case v.kind != n.v.kind:
		c.differ(at, n, v, "")
	case v.kind == text:
		n.matchText(c, at, v)
	case v.kind == number && !n.num.equal(parseDecimal(v.text)),
		v.kind == boolean && n.v.text != v.text:
		c.differ(at, n, v, "")
	}
}

func (n *scalar) matchText(c *comparison, at *path, v *value) {
	if v.text == n.v.text {
		return
	}
	canon := canonical(v.text)
	if n.fold {
		canon = folded(v.text)
	}
	switch {
	case canon != n.canon && c.quick:
		c.found++
	case canon != n.canon:
		c.differ(at, n, v, hint(n.v.text, v.text))
	case n.fold && canonical(v.text) != canonical(n.v.text):
		c.note(at, "equal ignoring case")
	default:
		c.note(at, "equal after trimming outer spaces and Unicode NFC")
	}
}

// record expects an object: every field matches, and no other key is given unless open.
type record struct {
	exact
	keys   []string
	fields []node
	open   bool // $subset
}

func (n *record) kinds() kinds { return object }

func (n *record) want() string {
	b := []byte("{")
	for i, k := range n.keys {
		if i > 0 {
			b = append(b, ',')
		}
		if len(b) > 2*shownRunes {
			break
		}
		b = append(append(appendQuoted(b, k), ':'), n.fields[i].want()...)
	}
	shown := clip(string(append(b, '}')))
	if n.open {
		return "an object with " + shown
	}
	return shown
}

func (n *record) match(c *comparison, at *path, v *value) {
	if c.done(1 + len(v.keys)/8) {
		return
	}
	if v.kind != object {
		c.differ(at, n, v, "")
		return
	}
	get := lookup(v)
	labelled := make(map[string]bool, len(n.keys))
	for i, key := range n.keys {
		if c.done(1) {
			return
		}
		labelled[key] = true
		before := c.found
		n.field(c, at.at(key), n.fields[i], get(key))
		if at == nil {
			c.labelled++
			if c.found == before {
				c.right++
			}
		}
	}
	for i, key := range v.keys {
		if n.open || c.done(1) {
			return
		}
		if !labelled[key] {
			c.extra(at, key, &v.items[i])
		}
	}
}

// field compares one key: presence first, since absent is not null.
func (n *record) field(c *comparison, at *path, f node, given *value) {
	if given != nil {
		f.match(c, at, given)
		return
	}
	if f.optional() {
		return
	}
	if d, ok := c.defaultOf(at); ok && c.matches(f, at, &d) {
		c.note(at, "left out, and the label equals the schema's default")
		return
	}
	if c.quick {
		c.found++
		return
	}
	c.fail(at, Missing, f.want(), "", "")
}

// extra judges a key that the label does not name.
func (c *comparison) extra(at *path, key string, v *value) {
	if c.quick {
		c.found++
		return
	}
	here := at.at(key)
	if d, ok := c.defaultOf(here); ok {
		if n, err := literal(&d); err == nil && c.matches(n, here, v) {
			c.note(here, "not labelled, and equal to the schema's default")
			return
		}
	}
	c.fail(here, Extra, "", show(v), "")
}

// defaultOf returns the schema's default of a top-level argument.
func (c *comparison) defaultOf(at *path) (value, bool) {
	if at.parent != nil {
		return value{}, false
	}
	raw, ok := c.defaults[at.key]
	if !ok {
		return value{}, false
	}
	v, err := parse(raw)
	return v, err == nil
}

// lookup returns a function that finds a key of v, nil when absent.
func lookup(v *value) func(string) *value {
	if len(v.keys) <= 16 {
		return func(key string) *value {
			found, _ := v.get(key)
			return found
		}
	}
	index := make(map[string]*value, len(v.keys))
	for i, k := range v.keys {
		index[k] = &v.items[i]
	}
	return func(key string) *value { return index[key] }
}
