package match

import (
	"fmt"
	"strings"
	"time"
)

// isoLayouts are always accepted by $date.
var isoLayouts = [...]string{
	"2006-01-02", "20060102",
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
}

// date matches a string that names the same date, written in ISO 8601 or one of the listed Go layouts. Nothing is
// guessed: a text that two listed layouts read as different dates does not match, and neither do weekdays or
// "tomorrow". A label without a time of day wants none (or midnight); a label with a zone wants the same instant.
type date struct {
	exact
	given   string
	layouts []string
	at      moment
}

// moment is a parsed date.
type moment struct {
	t     time.Time
	clock bool // a time of day was written
	zone  bool // a zone was written
}

func (m moment) equal(o moment) bool {
	if m.zone && o.zone && m.clock && o.clock {
		return m.t.Equal(o.t)
	}
	if m.clock && o.clock && m.zone != o.zone {
		return false
	}
	y1, m1, d1 := m.t.Date()
	y2, m2, d2 := o.t.Date()
	return y1 == y2 && m1 == m2 && d1 == d2 && clockOf(m.t) == clockOf(o.t)
}

func clockOf(t time.Time) time.Duration {
	h, m, s := t.Clock()
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(t.Nanosecond())
}

func (n *date) kinds() kinds { return text }
func (n *date) want() string {
	w := "the date " + n.given
	if len(n.layouts) > 0 {
		w += " (ISO 8601, or as " + strings.Join(n.layouts, ", ") + ")"
	}
	return clip(w)
}

func (n *date) match(c *comparison, at *path, v *value) {
	if c.done(20) {
		return
	}
	if v.kind != text {
		c.differ(at, n, v, "")
		return
	}
	read := parseDate(canonical(v.text), n.layouts)
	switch {
	case len(read) == 0:
		c.differ(at, n, v, "not in a layout that the label lists")
	case ambiguous(read):
		c.differ(at, n, v, "ambiguous: the listed layouts read it as different dates")
	case !read[0].equal(n.at):
		c.differ(at, n, v, "")
	case canonical(v.text) != canonical(n.given):
		c.note(at, "the same date in another notation")
	}
}

// parseDate reads s in every layout that accepts it.
func parseDate(s string, layouts []string) []moment {
	var out []moment
	if len(s) > 100 {
		return nil
	}
	try := func(layout string) {
		t, err := time.Parse(layout, s)
		if err == nil {
			out = append(out, moment{t, hasClock(layout), hasZone(layout)})
		}
	}
	for _, l := range isoLayouts {
		try(l)
	}
	for _, l := range layouts {
		try(l)
	}
	return out
}

func ambiguous(read []moment) bool {
	for _, m := range read[1:] {
		if !m.equal(read[0]) {
			return true
		}
	}
	return false
}

// probe is a moment whose parts all differ: what a layout keeps of it, written and read again, shows what it holds.
func probe(layout string) (kept time.Time, offset int) {
	t := time.Date(2011, time.October, 23, 14, 37, 59, 0, time.FixedZone("", 5*3600))
	kept, err := time.Parse(layout, t.Format(layout))
	if err != nil {
		return time.Time{}, 0
	}
	_, offset = kept.Zone()
	return kept, offset
}

func hasClock(layout string) bool {
	kept, _ := probe(layout)
	return kept.Hour() != 0 || kept.Minute() != 0
}

func hasZone(layout string) bool {
	_, offset := probe(layout)
	return offset != 0
}

// checkLayout refuses a layout that does not hold a whole date.
func checkLayout(layout string) error {
	kept, _ := probe(layout)
	if y, m, d := kept.Date(); len(layout) <= 100 && y == 2011 && m == time.October && d == 23 {
		return nil
	}
	return fmt.Errorf("%q is not a Go layout with year, month and day: write the date 2 January 2006 the way it should look, such as \"02.01.2006\" or \"Jan 2, 2006\"", clip(layout))
}
