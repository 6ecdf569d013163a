package match

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// matcher compiles {name: arg}.
func (c *compiler) matcher(at *path, name string, arg *value, in place) node {
	here := at.at(name)
	switch name {
	case "$any":
		return c.flag(here, arg, anything{})
	case "$absent":
		if in == inRoot || in == inArray {
			return c.fail(at, "$absent has a meaning only under a key")
		}
		return c.flag(here, arg, absent{})
	case "$optional":
		if in == inRoot {
			return c.fail(at, "the arguments as a whole cannot be $optional; leave \"args\" out if they are not labelled")
		}
		return &optional{c.node(here, arg, inOptional)}
	case "$anyOf":
		return c.anyOf(here, arg, in)
	case "$regex":
		return c.regex(here, arg)
	case "$contains":
		return c.contains(here, arg)
	case "$ignoreCase":
		outer := c.fold
		c.fold = true
		n := c.node(here, arg, in)
		c.fold = outer
		return n
	case "$approx":
		return c.approx(here, arg)
	case "$range":
		return c.within(here, arg)
	case "$date":
		return c.date(here, arg)
	case "$unordered":
		if arg.kind != array {
			return c.fail(here, "a list is needed, not %s", kindNames(arg.kind))
		}
		return c.list(here, arg, true)
	case "$subset":
		if arg.kind != object {
			return c.fail(here, "an object is needed, not %s", kindNames(arg.kind))
		}
		if inner, _ := matcherOf(arg); inner != "" {
			return c.fail(here, "an object of keys is needed, not the matcher %s", clip(inner))
		}
		return c.record(here, arg, true)
	case "$similar":
		return c.similar(here, arg)
	case "$literal":
		return c.literal(here, arg)
	}
	return c.unknown(at, name)
}

func (c *compiler) flag(at *path, arg *value, n node) node {
	if arg.kind != boolean || arg.text != "true" {
		return c.fail(at, "true is needed: {%q: true}", at.key)
	}
	return n
}

func (c *compiler) anyOf(at *path, arg *value, in place) node {
	if arg.kind != array || len(arg.items) == 0 {
		return c.fail(at, "a list of at least one alternative is needed")
	}
	if in == inField {
		in = inOptional
	}
	n := &anyOf{}
	for i := range arg.items {
		n.items = append(n.items, c.node(at.item(i), &arg.items[i], in))
	}
	return n
}

func (c *compiler) regex(at *path, arg *value) node {
	if arg.kind != text {
		return c.fail(at, "a string with an RE2 expression is needed, not %s", kindNames(arg.kind))
	}
	if _, err := regexp.Compile(arg.text); err != nil {
		return c.fail(at, "%v (RE2 syntax: no look-around, no back-references)", err)
	}
	flags := ""
	if c.fold {
		flags = "(?i)"
	}
	re, err := regexp.Compile(flags + `\A(?:` + arg.text + `)\z`)
	if err != nil {
		return c.fail(at, "%v", err)
	}
	return &pattern{source: arg.text, re: re}
}

func (c *compiler) contains(at *path, arg *value) node {
	parts := []value{*arg}
	if arg.kind == array {
		parts = arg.items
	}
	if len(parts) == 0 {
		return c.fail(at, "a part, or a list of at least one, is needed")
	}
	n := &contains{fold: c.fold}
	for i := range parts {
		place := at
		if arg.kind == array {
			place = at.item(i)
		}
		if parts[i].kind == text && canonical(parts[i].text) == "" {
			return c.fail(place, "every string contains an empty one; use {\"$any\": true} if that is meant")
		}
		n.items = append(n.items, c.node(place, &parts[i], inArray))
	}
	return n
}

// fields reads the argument of a matcher that is an object with known keys.
func (c *compiler) fields(at *path, arg *value, known ...string) (map[string]*value, bool) {
	shape := `"` + strings.Join(known, `", "`) + `"`
	if arg.kind != object {
		c.fail(at, "an object with %s is needed, not %s", shape, kindNames(arg.kind))
		return nil, false
	}
	out := make(map[string]*value)
	before := len(c.errs)
	for i, k := range arg.keys {
		if !strings.Contains(shape, `"`+k+`"`) {
			c.fail(at.at(k), "unknown key; %s takes %s", at.key, shape)
		}
		out[k] = &arg.items[i]
	}
	return out, len(c.errs) == before
}

// number reads a key that must hold a number, if it is there.
func (c *compiler) number(at *path, f map[string]*value, key string) *decimal {
	v := f[key]
	if v == nil {
		return nil
	}
	d, err := workNumber(v)
	if err != nil {
		c.fail(at.at(key), "%v", err)
		return nil
	}
	return &d
}

func (c *compiler) approx(at *path, arg *value) node {
	f, ok := c.fields(at, arg, "value", "abs", "rel")
	if !ok {
		return anything{}
	}
	before := len(c.errs)
	center, abs, rel := c.number(at, f, "value"), c.number(at, f, "abs"), c.number(at, f, "rel")
	switch {
	case len(c.errs) > before:
		return anything{}
	case center == nil:
		return c.fail(at, "\"value\" is needed: {\"value\": 3.5, \"abs\": 0.1}")
	case (abs == nil) == (rel == nil):
		return c.fail(at, "exactly one of \"abs\" (distance) and \"rel\" (share of value) is needed")
	}
	margin := new(big.Rat)
	if abs != nil {
		margin = abs.rat()
	} else {
		margin.Mul(rel.rat(), margin.Abs(center.rat()))
	}
	if margin.Sign() < 0 {
		return c.fail(at, "the tolerance is negative")
	}
	lo, hi := decimalOf(new(big.Rat).Sub(center.rat(), margin)), decimalOf(new(big.Rat).Add(center.rat(), margin))
	n := &within{lo: &lo, hi: &hi, words: clip(fmt.Sprintf("%s (from %s to %s)", center.text(), lo.text(), hi.text()))}
	n.typical = typical(n.lo, n.hi, center)
	return n
}

func (c *compiler) within(at *path, arg *value) node {
	f, ok := c.fields(at, arg, "min", "max")
	if !ok {
		return anything{}
	}
	before := len(c.errs)
	n := &within{lo: c.number(at, f, "min"), hi: c.number(at, f, "max")}
	switch {
	case len(c.errs) > before:
		return anything{}
	case n.lo == nil && n.hi == nil:
		return c.fail(at, "\"min\", \"max\" or both are needed")
	case n.lo != nil && n.hi != nil && n.lo.cmp(*n.hi) > 0:
		return c.fail(at, "min %s is greater than max %s", clip(n.lo.text()), clip(n.hi.text()))
	case n.lo == nil:
		n.words = "a number of at most " + n.hi.text()
		n.typical = typical(nil, n.hi, n.hi)
	case n.hi == nil:
		n.words = "a number of at least " + n.lo.text()
		n.typical = typical(n.lo, nil, n.lo)
	default:
		n.words = fmt.Sprintf("a number from %s to %s", n.lo.text(), n.hi.text())
		n.typical = typical(n.lo, n.hi, n.lo)
	}
	n.words = clip(n.words)
	return n
}

// typical picks a number for samples: near itself when it is whole, else a whole number inside the bounds when
// there is one, so that a schema that wants integers is not held against the label.
func typical(lo, hi, near *decimal) string {
	r := near.rat()
	if r.IsInt() {
		return near.text()
	}
	floor := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: rounds down, since the denominator is positive
	for _, n := range []*big.Int{new(big.Int).Add(floor, big.NewInt(1)), floor} {
		d := parseDecimal(n.String())
		if (lo == nil || d.cmp(*lo) >= 0) && (hi == nil || d.cmp(*hi) <= 0) {
			return d.text()
		}
	}
	return near.text()
}

func (c *compiler) date(at *path, arg *value) node {
	if arg.kind == text {
		return c.dateOf(at, arg.text, nil)
	}
	f, ok := c.fields(at, arg, "value", "layouts")
	if !ok {
		return anything{}
	}
	given := f["value"]
	if given == nil || given.kind != text {
		return c.fail(at.at("value"), "a date in a string is needed, such as \"2023-10-05\"")
	}
	var layouts []string
	if l := f["layouts"]; l != nil {
		if l.kind != array {
			return c.fail(at.at("layouts"), "a list of Go layouts is needed")
		}
		for i := range l.items {
			if l.items[i].kind != text {
				return c.fail(at.at("layouts").item(i), "a string with a Go layout is needed")
			}
			if err := checkLayout(l.items[i].text); err != nil {
				return c.fail(at.at("layouts").item(i), "%v", err)
			}
			layouts = append(layouts, l.items[i].text)
		}
	}
	return c.dateOf(at.at("value"), given.text, layouts)
}

func (c *compiler) dateOf(at *path, s string, layouts []string) node {
	read := parseDate(canonical(s), layouts)
	if len(read) == 0 {
		return c.fail(at, "%q is not a date in ISO 8601 (2023-10-05, 2023-10-05T14:30:00Z) or a listed layout", clip(s))
	}
	if ambiguous(read) {
		return c.fail(at, "%q is ambiguous: the layouts read it as different dates; write it as 2023-10-05", clip(s))
	}
	return &date{given: s, layouts: layouts, at: read[0]}
}

func (c *compiler) similar(at *path, arg *value) node {
	f, ok := c.fields(at, arg, "text", "min")
	if !ok {
		return anything{}
	}
	given, low := f["text"], c.number(at, f, "min")
	switch {
	case given == nil || given.kind != text:
		return c.fail(at.at("text"), "a string is needed")
	case low == nil && f["min"] == nil:
		return c.fail(at, "\"min\" is needed: the least similarity that is enough, above 0 and at most 1")
	case low == nil:
		return anything{}
	case low.sign() <= 0 || low.rat().Cmp(big.NewRat(1, 1)) > 0:
		return c.fail(at.at("min"), "a number above 0 and at most 1 is needed, not %s", clip(low.text()))
	}
	n := &similar{given: given.text, min: low.rat()}
	n.words = clip(fmt.Sprintf("a text similar to %s by at least %s", appendQuoted(nil, given.text), low.text()))
	n.grams, n.total = bigrams(given.text)
	return n
}
