package offline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// moment is a date, a time of day or both, as the text says it.
type moment struct {
	at               span
	year, month, day int // 0: not said
	relative         bool
	offset           int // days from today, when relative
	weekday          int // 0 Sunday … 6; -1: none
	week             int // 1: of next week
	clock            bool
	hour, minute     int
}

// hasDate reports whether the moment says which day.
func (m moment) hasDate() bool { return m.day > 0 || m.relative || m.weekday >= 0 }

// maxMoments bounds how many dates and times of a text are kept.
const maxMoments = 32

// findMoments lists the dates and times of a text; a date with a time beside it is one moment.
func findMoments(f *filler) []moment {
	var list []moment
	for i := 0; i < len(f.words) && len(list) < maxMoments; i++ {
		w := f.words[i]
		if w.mark {
			continue
		}
		for at := w.from; at < w.to; {
			m := moment{weekday: -1}
			n := parseMoment(f.folded[at:], &m)
			if n > 0 {
				m.at = span{at, at + n}
				list = appendMoment(f.text, list, m)
				at += n
				for i+1 < len(f.words) && f.words[i+1].to <= at {
					i++
				}
				if i+1 < len(f.words) && f.words[i+1].from < at {
					i++
					w = f.words[i]
				}
				continue
			}
			if !w.han {
				break
			}
			_, size := utf8.DecodeRuneInString(f.folded[at:])
			at += size
		}
	}
	return list
}

// appendMoment adds a moment, joining it to the one before when the two are date and time side by side.
func appendMoment(text string, list []moment, m moment) []moment {
	if n := len(list); n > 0 {
		last := &list[n-1]
		between := strings.ToLower(strings.TrimSpace(text[last.at.to:m.at.from]))
		near := between == "" || between == "at" || between == "on" || between == "," || between == "的" || between == "t"
		switch {
		case !near:
		case last.hasDate() && !last.clock && m.clock && !m.hasDate():
			last.clock, last.hour, last.minute, last.at.to = true, m.hour, m.minute, m.at.to
			return list
		case last.clock && !last.hasDate() && m.hasDate() && !m.clock:
			m.clock, m.hour, m.minute, m.at.from = true, last.hour, last.minute, last.at.from
			list[n-1] = m
			return list
		}
	}
	return append(list, m)
}

// parseMoment reads a date or a time of day at the start of folded text and returns its length.
func parseMoment(s string, m *moment) int {
	if r, _ := utf8.DecodeRuneInString(s); prose.IsIdeographic(r) {
		return parseHanMoment(s, m)
	}
	for _, parse := range [...]func(string, *moment) int{parseISO, parseClock, parseHanDate, parseMonthDay, parseRelative} {
		if n := parse(s, m); n > 0 {
			return n
		}
	}
	return 0
}

// parseISO reads 2024-05-06 and 2024/5/6.
func parseISO(s string, m *moment) int {
	year, n := digitsAt(s)
	if n != 4 || len(s) < 8 || s[4] != '-' && s[4] != '/' && s[4] != '.' {
		return 0
	}
	month, n2 := digitsAt(s[5:])
	at := 5 + n2
	if n2 == 0 || n2 > 2 || at >= len(s) || s[at] != s[4] {
		return 0
	}
	day, n3 := digitsAt(s[at+1:])
	if n3 == 0 || n3 > 2 || !validDay(month, day) {
		return 0
	}
	m.year, m.month, m.day = year, month, day
	end := at + 1 + n3
	if end+1 < len(s) && s[end] == 't' {
		if n := parseClock(s[end+1:], m); n > 0 {
			end += 1 + n
			if end < len(s) && s[end] == 'z' {
				end++
			}
		}
	}
	return end
}

// parseMonthDay reads "May 6, 2024", "May 6th", "6 May 2024" and "6th of May".
func parseMonthDay(s string, m *moment) int {
	first, n := wordAt(s)
	month, named := months[first]
	var day, at int
	if named {
		rest := strings.TrimPrefix(strings.TrimPrefix(s[n:], "."), " ")
		rest = strings.TrimPrefix(rest, "the ")
		at = len(s) - len(rest)
		d, dn := digitsAt(rest)
		if dn == 0 || dn > 2 {
			return 0
		}
		day, at = d, at+dn+ordinalAt(rest[dn:])
	} else {
		d, dn := digitsAt(s)
		if dn == 0 || dn > 2 {
			return 0
		}
		day, at = d, dn+ordinalAt(s[dn:])
		rest := strings.TrimPrefix(strings.TrimPrefix(s[at:], " "), "of ")
		name, nn := wordAt(rest)
		if month, named = months[name]; !named || len(name) < 3 {
			return 0
		}
		at = len(s) - len(rest) + nn
	}
	if !validDay(month, day) {
		return 0
	}
	m.month, m.day = month, day
	rest := strings.TrimPrefix(strings.TrimPrefix(s[at:], ","), " ")
	if year, yn := digitsAt(rest); yn == 4 && len(rest) < len(s[at:]) {
		m.year = year
		at = len(s) - len(rest) + yn
	}
	return at
}

// parseClock reads 15:30, 3:30 pm, 3pm, noon and midnight.
func parseClock(s string, m *moment) int {
	switch w, n := wordAt(s); w {
	case "noon", "midday":
		m.clock, m.hour = true, 12
		return n
	case "midnight":
		m.clock = true
		return n
	}
	hour, n := digitsAt(s)
	if n == 0 || n > 2 || hour > 24 {
		return 0
	}
	minute, colon := 0, false
	if n+2 < len(s) && s[n] == ':' {
		if v, mn := digitsAt(s[n+1:]); mn == 2 && v < 60 {
			minute, colon = v, true
			n += 1 + mn
			if sec, sn := digitsAt(strings.TrimPrefix(s[n:], ":")); sn == 2 && sec < 60 && s[n] == ':' {
				n += 3
			}
		}
	}
	rest := strings.TrimPrefix(s[n:], " ")
	half, hn := wordAt(strings.ReplaceAll(firstRunes(rest, 5), ".", ""))
	switch {
	case half == "am" && hour <= 12:
		hour %= 12
	case half == "pm" && hour <= 12:
		hour = hour%12 + 12
	case half == "o" && strings.HasPrefix(rest, "o'clock"):
		hn = len("o'clock")
	case !colon:
		return 0
	default:
		half, hn = "", 0
	}
	if hn > 0 {
		if strings.HasPrefix(rest, "a.m.") || strings.HasPrefix(rest, "p.m.") {
			hn = 4
		}
		n = len(s) - len(rest) + hn
	}
	m.clock, m.hour, m.minute = true, hour%24, minute
	return n
}

// parseRelative reads today, tomorrow, next Monday, in 3 days and the like.
func parseRelative(s string, m *moment) int {
	for _, r := range [...]struct {
		text   string
		offset int
	}{{"the day after tomorrow", 2}, {"day after tomorrow", 2}, {"tomorrow", 1}, {"today", 0}, {"tonight", 0}, {"yesterday", -1}} {
		if strings.HasPrefix(s, r.text) {
			m.relative, m.offset = true, r.offset
			return len(r.text)
		}
	}
	at := 0
	for _, p := range [...]string{"next ", "this ", "coming "} {
		if strings.HasPrefix(s, p) {
			at = len(p)
		}
	}
	name, n := wordAt(s[at:])
	if day, known := weekdays[name]; known && (len(name) > 3 || at > 0) {
		m.weekday = day
		return at + n
	}
	if strings.HasPrefix(s, "in ") {
		v, vn := digitsAt(s[3:])
		if vn == 0 {
			w, wn := wordAt(s[3:])
			if number, known := numberWords[w]; known {
				v, vn = int(number), wn
			}
		}
		rest := s[3+vn:]
		for _, u := range [...]struct {
			word string
			days int
		}{{" days", 1}, {" day", 1}, {" weeks", 7}, {" week", 7}} {
			if vn > 0 && vn < 12 && v < 1000 && strings.HasPrefix(rest, u.word) {
				m.relative, m.offset = true, v*u.days
				return 3 + vn + len(u.word)
			}
		}
	}
	return 0
}

// validDay reports whether a month has such a day, whatever the year.
func validDay(month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 && (day <= 30 || !slices.Contains([]int{4, 6, 9, 11}, month)) && (month != 2 || day <= 29)
}

// digitsAt reads up to nine digits at the start of s.
func digitsAt(s string) (value, length int) {
	for length < len(s) && length < 9 && s[length] >= '0' && s[length] <= '9' {
		value = value*10 + int(s[length]-'0')
		length++
	}
	return value, length
}

// wordAt reads ASCII letters at the start of s.
func wordAt(s string) (word string, length int) {
	for length < len(s) && length < 16 && lower(s[length]) {
		length++
	}
	return s[:length], length
}

// ordinalAt is the length of an ordinal ending at the start of s.
func ordinalAt(s string) int {
	for _, o := range [...]string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(s, o) {
			return 2
		}
	}
	return 0
}
