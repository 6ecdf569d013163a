package offline

import "time"

// inMoment reports whether a stretch lies within a date or time.
func (f *filler) inMoment(s span) bool {
	for _, m := range f.dates {
		if s.from < m.at.to && m.at.from < s.to {
			return true
		}
	}
	return false
}

// resolve finds the day of a moment; ok is false when it cannot be known.
func (m moment) resolve(today time.Time) (day time.Time, ok bool) {
	switch {
	case m.year > 0 && m.day > 0:
		return time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, 0, 0, time.UTC), true
	case today.IsZero():
		return today, false
	case m.day > 0:
		day = time.Date(today.Year(), time.Month(m.month), m.day, m.hour, m.minute, 0, 0, time.UTC)
		if day.Before(today.AddDate(0, -6, 0)) {
			day = day.AddDate(1, 0, 0)
		}
		return day, true
	case m.weekday >= 0:
		ahead := (m.weekday - int(today.Weekday()) + 7) % 7
		if m.week > 0 { // Monday of next week, and on
			ahead = (8-int(today.Weekday()))%7 + (m.weekday+6)%7
			if today.Weekday() == time.Monday {
				ahead += 7
			}
		}
		day = today.AddDate(0, 0, ahead)
	default:
		day = today.AddDate(0, 0, m.offset)
	}
	return day.Add(time.Duration(m.hour)*time.Hour + time.Duration(m.minute)*time.Minute), true
}

// dayIn finds the first full date of a text; the zero time when there is none.
func dayIn(text string) time.Time {
	for i := 0; i+8 <= len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		m := moment{weekday: -1}
		if parseISO(text[i:], &m) == 0 && parseHanDate(text[i:], &m) == 0 || m.year == 0 {
			continue
		}
		m.hour, m.minute = 0, 0
		if day, ok := m.resolve(time.Time{}); ok {
			return day
		}
	}
	return time.Time{}
}
