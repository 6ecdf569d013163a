package offline

import (
	"strings"
	"time"
)

// layouts are the forms of dates and times that a schema may ask for: how descriptions write them, and the layout
// of package time. The longest come first.
var layouts = []struct{ written, layout string }{
	{"yyyy-mm-ddthh:mm:ssz", "2006-01-02T15:04:05Z"}, {"yyyy-mm-ddthh:mm:ss", "2006-01-02T15:04:05"}, {"yyyy-mm-ddthh:mm", "2006-01-02T15:04"},
	{"yyyy-mm-dd hh:mm:ss", "2006-01-02 15:04:05"}, {"yyyy-mm-dd hh:mm", "2006-01-02 15:04"}, {"yyyy/mm/dd", "2006/01/02"},
	{"yyyy-mm-dd", "2006-01-02"}, {"mm/dd/yyyy", "01/02/2006"}, {"dd/mm/yyyy", "02/01/2006"}, {"dd.mm.yyyy", "02.01.2006"}, {"yyyymmdd", "20060102"},
	{"yyyy年mm月dd日", "2006年01月02日"}, {"hh:mm:ss", "15:04:05"}, {"hh:mm", "15:04"},
}

// timeKind is what a parameter wants to know of a moment.
type timeKind int

const (
	noTime timeKind = iota
	wantsDate
	wantsClock
	wantsBoth
)

// timeKind judges a parameter by its format, name and description.
func (p *param) timeKind() timeKind {
	switch p.format {
	case "date":
		return wantsDate
	case "time":
		return wantsClock
	case "date-time":
		return wantsBoth
	case "":
	default:
		return noTime
	}
	layout := p.layout()
	date, clock := strings.Contains(layout, "02"), strings.Contains(layout, "04")
	switch {
	case date && clock:
		return wantsBoth
	case date:
		return wantsDate
	case clock:
		return wantsClock
	case p.has("datetime", "timestamp", "when", "timerange", "range", "period") && p.says("date", "time", "day", "日", "时间"):
		return wantsBoth
	case p.has("date", "day", "deadline", "due", "birthday"):
		return wantsDate
	case p.has("time", "timing"):
		return wantsBoth
	}
	return noTime
}

// layout is the form that the schema asks for; "" when it says none.
func (p *param) layout() string {
	switch p.format {
	case "date":
		return "2006-01-02"
	case "time":
		return "15:04:05Z"
	case "date-time":
		return "2006-01-02T15:04:05Z"
	}
	d := strings.ToLower(p.description)
	for _, l := range layouts {
		if strings.Contains(d, l.written) {
			return l.layout
		}
	}
	if strings.Contains(d, "iso 8601") || strings.Contains(d, "iso8601") {
		if p.has("date", "day") {
			return "2006-01-02"
		}
		return "2006-01-02T15:04:05Z"
	}
	candidates := append([]string{}, p.examples...)
	for w := range strings.FieldsFuncSeq(p.description, func(r rune) bool { return strings.ContainsRune(" \"'`()（）“”，,;。", r) }) {
		if len(w) >= 4 && w[0] >= '0' && w[0] <= '9' && len(candidates) < 16 {
			candidates = append(candidates, w)
		}
	}
	for _, c := range candidates {
		for _, l := range layouts {
			if len(c) == len(l.layout) {
				if _, err := time.Parse(l.layout, c); err == nil {
					return l.layout
				}
			}
		}
	}
	return ""
}

// timed finds a date or time for a parameter.
func (f *filler) timed(p *param, kind timeKind) (found, bool) {
	layout := p.layout()
	for _, m := range f.dates {
		if !f.free(m.at) || kind == wantsDate && !m.hasDate() || kind == wantsClock && !m.clock {
			continue
		}
		if layout == "" {
			if text := f.momentText(m, kind); p.fits(text) {
				return found{quote(text), m.claimedBy(kind)}, true
			}
			continue
		}
		day, known := m.resolve(f.today)
		if kind == wantsClock {
			day, known = time.Date(2000, 1, 1, m.hour, m.minute, 0, 0, time.UTC), true
		}
		if known {
			if text := day.Format(layout); p.fits(text) {
				return found{quote(text), m.claimedBy(kind)}, true
			}
		}
		if p.required && p.format == "" && p.fits(f.text[m.at.from:m.at.to]) {
			return found{quote(f.text[m.at.from:m.at.to]), m.at}, true
		}
	}
	return found{}, false
}

// claimedBy is the stretch that a parameter uses up. Of a date with a time the other half may be wanted by another
// parameter.
func (m moment) claimedBy(kind timeKind) span {
	if kind != wantsBoth && m.clock && m.hasDate() {
		return span{}
	}
	return m.at
}

// momentText is a moment in the words of the text.
func (f *filler) momentText(m moment, kind timeKind) string {
	text := f.text[m.at.from:m.at.to]
	if kind != wantsDate || !m.clock {
		return text
	}
	for n := len(text) - 1; n > 0; n-- { // the day without the time that follows it
		part := moment{weekday: -1}
		if used := parseMoment(sameLengthLower(text[:n]), &part); used > 0 && !part.clock && part.hasDate() {
			day := text[:used]
			for _, h := range hanHalves {
				day = strings.TrimSuffix(day, h.text)
			}
			return day
		}
	}
	return text
}
