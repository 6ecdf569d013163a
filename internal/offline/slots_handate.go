package offline

import (
	"strings"
	"unicode/utf8"
)

// hanDays are the Chinese words for days near today.
var hanDays = []struct {
	text   string
	offset int
}{{"大后天", 3}, {"今天", 0}, {"今日", 0}, {"今晚", 0}, {"明天", 1}, {"明日", 1}, {"明晚", 1}, {"明早", 1}, {"后天", 2}, {"昨天", -1}, {"昨日", -1}, {"前天", -2}}

// hanHalves are the Chinese parts of the day, with what is added to hours up to 12.
var hanHalves = []struct {
	text  string
	after bool
}{{"上午", false}, {"早上", false}, {"凌晨", false}, {"清晨", false}, {"下午", true}, {"晚上", true}, {"傍晚", true}, {"中午", true}}

// parseHanMoment reads a Chinese date or time of day that starts with a Chinese character.
func parseHanMoment(s string, m *moment) int {
	for _, d := range hanDays {
		if strings.HasPrefix(s, d.text) {
			m.relative, m.offset = true, d.offset
			n := len(d.text)
			m.at.to = n
			return n + parseHanClock(s[n:], m)
		}
	}
	at := 0
	for _, p := range [...]string{"下", "本", "这"} {
		if strings.HasPrefix(s, p) {
			at = len(p)
			if p == "下" {
				m.week = 1
			}
		}
	}
	for _, p := range [...]string{"周", "星期", "礼拜"} {
		if !strings.HasPrefix(s[at:], p) {
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at+len(p):])
		if day, known := hanWeekdays[r]; known {
			m.weekday = day
			n := at + len(p) + size
			return n + parseHanClock(s[n:], m)
		}
	}
	m.week = 0
	if n := parseHanDate(s, m); n > 0 {
		return n
	}
	return parseHanClock(s, m)
}

// hanNumber reads digits or Chinese numerals.
func hanNumber(s string) (value, length int) {
	if value, length = digitsAt(s); length > 0 {
		return value, length
	}
	v, n := parseHan(s)
	if v != float64(int(v)) || v > 9999 {
		return 0, 0
	}
	return int(v), n
}

// parseHanDate reads 2024年5月6日, 5月6号 and 3天后.
func parseHanDate(s string, m *moment) int {
	v, n := hanNumber(s)
	if n == 0 {
		return 0
	}
	at, year := 0, 0
	if strings.HasPrefix(s[n:], "年") && v > 999 {
		year, at = v, n+len("年")
		if v, n = hanNumber(s[at:]); n == 0 {
			return 0
		}
	}
	if strings.HasPrefix(s[at+n:], "月") {
		month := v
		at += n + len("月")
		day, dn := hanNumber(s[at:])
		if dn == 0 || !validDay(month, day) {
			return 0
		}
		at += dn
		for _, end := range [...]string{"日", "号"} {
			if strings.HasPrefix(s[at:], end) {
				m.year, m.month, m.day = year, month, day
				at += len(end)
				return at + parseHanClock(s[at:], m)
			}
		}
		return 0
	}
	if year == 0 && v < 1000 {
		for _, u := range [...]struct {
			text string
			days int
		}{{"天后", 1}, {"天之后", 1}, {"周后", 7}, {"个星期后", 7}} {
			if strings.HasPrefix(s[n:], u.text) {
				m.relative, m.offset = true, v*u.days
				return n + len(u.text)
			}
		}
	}
	return parseHanClockNumber(s, m, false)
}

// parseHanClock reads 下午三点半, 9点, 15:30 with or without a part of the day before it.
func parseHanClock(s string, m *moment) int {
	for _, h := range hanHalves {
		if rest, ok := strings.CutPrefix(s, h.text); ok {
			if n := parseHanClockNumber(rest, m, h.after); n > 0 {
				return len(h.text) + n
			}
			if m.hasDate() { // 明天上午: part of the phrase, no hour
				return len(h.text)
			}
			return 0
		}
	}
	return parseHanClockNumber(s, m, false)
}

// parseHanClockNumber reads the hour and minute of a Chinese time of day.
func parseHanClockNumber(s string, m *moment, after bool) int {
	hour, n := hanNumber(s)
	if n == 0 || hour > 24 {
		return 0
	}
	set := func(minute int) {
		if after && hour < 12 {
			hour += 12
		}
		m.clock, m.hour, m.minute = true, hour%24, minute
	}
	if strings.HasPrefix(s[n:], ":") || strings.HasPrefix(s[n:], "：") {
		_, size := utf8.DecodeRuneInString(s[n:])
		if minute, mn := digitsAt(s[n+size:]); mn == 2 && minute < 60 {
			set(minute)
			return n + size + mn
		}
		return 0
	}
	rest, ok := strings.CutPrefix(s[n:], "点")
	if !ok || strings.HasPrefix(rest, "击") || strings.HasPrefix(rest, "评") {
		return 0
	}
	n += len("点")
	switch {
	case strings.HasPrefix(rest, "半"):
		set(30)
		return n + len("半")
	case strings.HasPrefix(rest, "钟"), strings.HasPrefix(rest, "整"):
		set(0)
		return n + len("钟")
	}
	minute, mn := hanNumber(rest)
	if mn > 0 && minute < 60 {
		set(minute)
		n += mn
		if strings.HasPrefix(rest[mn:], "分") {
			n += len("分")
		}
		return n
	}
	set(0)
	return n
}
