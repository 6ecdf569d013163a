package offline

import (
	"strings"
)

// typedArray fills an array whose items their form gives away.
func (f *filler) typedArray(p *param) (found, bool) {
	var values []string
	var at span
	add := func(v found) {
		values = append(values, v.json)
		if at.to == 0 {
			at.from = v.at.from
		}
		at.to = max(at.to, v.at.to)
	}
	item := p.items
	switch {
	case len(item.enum) > 0:
		for _, c := range f.choices(item) {
			add(c)
		}
	case item.allows("integer") || item.allows("number"):
		for _, n := range f.numbers {
			if f.free(n.at) && item.inRange(n.value) && (item.allows("number") || n.whole) {
				add(found{n.json(item), n.at})
			}
		}
		if !p.required && len(values) < 2 {
			return found{}, false
		}
	case item.allows("string"):
		list, named := f.formedItems(p)
		if !named {
			return found{}, false
		}
		for _, s := range list {
			add(found{quote(f.text[s.from:s.to]), s})
		}
	case item.allows("object") && len(item.properties) > 0:
		inner := f.evident(item)
		if len(inner) == 0 || missing(item, inner) && !p.required {
			return found{}, false
		}
		add(found{json: encodeObject(item, inner)})
	}
	return p.array(values, at)
}

// formedItems lists the addresses or paths of the text when the items are such; ok is false when they are not.
func (f *filler) formedItems(p *param) (list []span, ok bool) {
	probe := *p.items
	if probe.name == "" || strings.HasSuffix(probe.name, "s") {
		probe.name = strings.TrimSuffix(p.name, "s")
	}
	switch {
	case probe.isURL():
		list = f.links
	case probe.isEmail():
		list = f.emails()
	case probe.isPath():
		list = f.paths()
	default:
		return nil, false
	}
	var free []span
	for _, s := range list {
		if f.free(s) && p.items.fits(f.text[s.from:s.to]) {
			free = append(free, s)
		}
	}
	return free, true
}

// array writes values as an array that keeps to the schema's bounds.
func (p *param) array(values []string, at span) (found, bool) {
	if len(values) == 0 || len(values) < p.minItems {
		return found{}, false
	}
	if p.maxItems > 0 && len(values) > p.maxItems {
		values = values[:p.maxItems]
	}
	return found{"[" + strings.Join(values, ",") + "]", at}, true
}

// splitItems cuts a list of things at commas and conjunctions.
func splitItems(text string) []string {
	for _, sep := range [...]string{" and ", " or ", " & ", "、", "，", ", ", "和", "以及", "与", "及", ";", "；", "跟", "或"} {
		text = strings.ReplaceAll(text, sep, ",")
	}
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		item = strings.Trim(strings.TrimSpace(item), "\"'“”‘’「」《》.。?？!！")
		item = strings.TrimPrefix(strings.TrimPrefix(item, "and "), "the ")
		if item != "" {
			items = append(items, item)
		}
	}
	return items
}

// listed fills an array of strings from a list of quotations, or from the words that a label or a preposition marks.
func (f *filler) listed(p *param) (found, bool) {
	if !p.allows("array") || p.items == nil || !p.items.allows("string") || len(p.items.enum) > 0 {
		return found{}, false
	}
	var quoted []string
	var at span
	for _, q := range f.quotes {
		if f.free(q) {
			quoted = append(quoted, quote(f.text[q.from:q.to]))
			if at.to == 0 {
				at.from = q.from
			}
			at.to = q.to
		}
	}
	if p.required && len(quoted) > 0 || len(quoted) > 1 {
		return p.array(quoted, at)
	}
	s, ok := f.labelSpan(p, true)
	if !ok {
		s, ok = f.roleSpan(p, true)
	}
	if !ok {
		return found{}, false
	}
	return p.strings(splitItems(f.text[s.from:s.to]), s)
}

// strings makes an array of texts.
func (p *param) strings(items []string, at span) (found, bool) {
	var values []string
	for _, item := range items {
		if p.items.fits(item) {
			values = append(values, quote(item))
		}
	}
	return p.array(values, at)
}
