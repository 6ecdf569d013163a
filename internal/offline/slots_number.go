package offline

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// number is a number of the text, in digits or words.
type number struct {
	at    span
	value float64
	text  string // in digits, as JSON has it; exact where the text was in digits
	unit  string // the word or Han characters that follow, folded
	whole bool
	front string // the word before, folded
}

// json is the number as the schema takes it.
func (n number) json(p *param) string {
	if p.allows("integer") && !p.allows("number") {
		return strconv.FormatFloat(math.Trunc(n.value), 'f', -1, 64)
	}
	return n.text
}

// formatNumber writes a number without an exponent.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// findNumbers lists the numbers of a text that are not part of a date, an address or a name.
func findNumbers(f *filler) []number {
	var list []number
	for i := 0; i < len(f.words); i++ {
		w := f.words[i]
		if f.inMoment(w.span) {
			continue
		}
		switch {
		case w.han:
			list = append(list, f.hanNumbers(w)...)
		case w.mark:
		default:
			if n, used, ok := f.latinNumber(i); ok {
				list = append(list, n)
				i += used - 1
			}
		}
	}
	return list
}

// latinNumber reads the number that starts at a word: digits with separators, a multiplier, or number words.
func (f *filler) latinNumber(i int) (n number, used int, ok bool) {
	w := f.words[i]
	n.at, used = w.span, 1
	if i > 0 && !f.words[i-1].mark {
		n.front = f.words[i-1].folded
	}
	if next := i + 1; (w.folded == "a" || w.folded == "an") && next < len(f.words) { // an hour
		if u, known := unitOf(f.words[next].folded); !known || u.measure != "time" && u.measure != "months" {
			return n, 0, false
		}
		n.value, n.text = 1, "1"
	} else if w.folded[0] >= '0' && w.folded[0] <= '9' {
		used = f.digits(i, &n)
	} else if !wordNumber(f.words, i, &n, &used) {
		return n, 0, false
	}
	if used == 0 {
		return n, 0, false
	}
	if n.at.from > 0 && f.text[n.at.from-1] == '-' && (n.at.from == 1 || !prose.IsWordRune(rune(f.text[n.at.from-2]))) {
		n.value, n.text = -n.value, "-"+n.text
		n.at.from--
	}
	if next := i + used; w.folded == "half" && next+1 < len(f.words) && (f.words[next].folded == "an" || f.words[next].folded == "a") {
		used++ // half an hour
	}
	if next := i + used; n.unit == "" && next < len(f.words) {
		switch w := f.words[next]; {
		case w.mark && (w.folded == "%" || w.folded == "$" || w.folded == "°"):
			n.unit = w.folded
		case w.han:
			n.unit = firstRunes(w.folded, 3)
		case !w.mark:
			n.unit = w.folded
		}
	}
	n.whole = n.value == math.Trunc(n.value)
	return n, used, true
}

// digits reads "1,200", "3.5k", "15min" or "2.5"; it returns the words used, 0 when the word is no number.
func (f *filler) digits(i int, n *number) int {
	w := f.words[i]
	used := 1
	text := w.folded
	for i+used+1 < len(f.words) && f.words[i+used].folded == "," && f.words[i+used].from == n.at.to &&
		f.words[i+used+1].from == n.at.to+1 && len(text) <= 15 && len(f.words[i+used+1].folded) >= 3 && allDigits(f.words[i+used+1].folded[:3]) && !endsInLetter(text) {
		text += f.words[i+used+1].folded
		n.at.to = f.words[i+used+1].to
		used += 2
	}
	cut := 0
	for cut < len(text) && (text[cut] >= '0' && text[cut] <= '9' || text[cut] == '.' && cut > 0) {
		cut++
	}
	body, suffix := text[:cut], text[cut:]
	value, err := strconv.ParseFloat(body, 64)
	if err != nil || len(body) > 18 || strings.ContainsAny(suffix, "-_./@") || len(suffix) > 8 {
		return 0
	}
	n.value, n.text = value, body
	switch suffix {
	case "", "st", "nd", "rd", "th":
	case "k":
		n.value *= 1e3
		n.text = formatNumber(n.value)
	default:
		n.unit = suffix
	}
	if strings.HasPrefix(n.text, "0") && len(n.text) > 1 && n.text[1] != '.' { // 007: JSON takes no leading zeros
		n.text = formatNumber(n.value)
	}
	n.text = strings.TrimSuffix(n.text, ".")
	return used
}

// wordNumber reads English number words: "twenty five", "two hundred", "half".
func wordNumber(words []word, i int, n *number, used *int) bool {
	if words[i].folded == "half" {
		n.value, n.text = 0.5, "0.5"
		return true
	}
	var sum wordSum
	count := 0
	for ; i+count < len(words) && count < 6 && sum.addWord(words[i+count].folded); count++ {
		n.at.to = words[i+count].to
	}
	if count == 0 {
		return false
	}
	*used = count
	n.value = float64(sum.total + sum.current)
	n.text = formatNumber(n.value)
	return true
}

// wordSum adds up number words: current is what a following "hundred" or "thousand" multiplies.
type wordSum struct{ total, current int64 }

// addWord takes a word in, such as "five", "twenty-five" or "hundred"; it reports whether all of it is a number and
// can follow what came before.
func (s *wordSum) addWord(w string) bool {
	next := *s
	for part := range strings.SplitSeq(w, "-") {
		v, known := numberWords[part]
		switch {
		case known && next.current%10 == 0:
			next.current += v
		case part == "hundred" && next.current > 0:
			next.current *= 100
		case part == "thousand" && next.current > 0:
			next = wordSum{next.total + next.current*1000, 0}
		case part == "million" && next.current > 0:
			next = wordSum{next.total + next.current*1000000, 0}
		default:
			return false
		}
	}
	*s = next
	return true
}

// hanNumbers finds numbers written in Chinese characters inside a run; single digits count only before a unit or
// at an end of the run, as they are parts of many words.
func (f *filler) hanNumbers(w word) []number {
	var list []number
	for i := 0; i < len(w.folded); {
		value, length := parseHan(w.folded[i:])
		if length == 0 {
			_, size := utf8.DecodeRuneInString(w.folded[i:])
			i += size
			continue
		}
		rest := w.folded[i+length:]
		n := number{at: span{w.from + i, w.from + i + length}, value: value, text: formatNumber(value), whole: value == math.Trunc(value), unit: firstRunes(rest, 3)}
		n.front = lastRunes(w.folded[:i], 2)
		if !strings.HasPrefix(rest, "下") && !strings.HasPrefix(rest, "些") && !strings.HasPrefix(rest, "起") && !strings.HasPrefix(rest, "样") && !f.inMoment(n.at) {
			list = append(list, n)
		}
		i += length
	}
	return list
}

// parseHan reads a number in Chinese characters at the start of s and returns its length in bytes.
func parseHan(s string) (value float64, length int) {
	if strings.HasPrefix(s, "半") {
		return 0.5, len("半")
	}
	total, section, digit := int64(0), int64(0), int64(-1)
	for i, r := range s {
		if d, known := hanDigits[r]; known {
			if digit > 0 && section == 0 && total == 0 { // 二零二五
				digit = digit*10 + d
			} else {
				digit = d
			}
		} else if p, known := hanPowers[r]; known && (digit >= 0 || section > 0 || total > 0 || p == 10) {
			switch {
			case p >= 10000:
				total, section, digit = (total+section+max(digit, 0))*p, 0, -1
			case digit < 0:
				section, digit = section+p, -1
			default:
				section, digit = section+digit*p, -1
			}
		} else {
			break
		}
		length = i + utf8.RuneLen(r)
		if length > 30 {
			break
		}
	}
	return float64(total + section + max(digit, 0)), length
}

// numeric finds a number for a parameter: by the unit or the word next to it, or, for a required one, as the only
// number there is.
func (f *filler) numeric(p *param) (found, bool) {
	best, bestScore := number{}, 0.0
	for _, n := range f.numbers {
		if !f.free(n.at) {
			continue
		}
		n, score := f.numberFor(p, n)
		if !p.inRange(n.value) || p.allows("integer") && !p.allows("number") && n.value != math.Trunc(n.value) {
			continue
		}
		if score > bestScore {
			best, bestScore = n, score
		}
	}
	need := 2.0
	if p.required {
		need = 0.5
	}
	if bestScore < need {
		return found{}, false
	}
	return found{best.json(p), best.at}, true
}

// inRange reports whether a number lies within the schema's bounds.
func (p *param) inRange(v float64) bool {
	return (p.minimum == nil || v >= *p.minimum) && (p.maximum == nil || v <= *p.maximum)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func endsInLetter(s string) bool { return s == "" || s[len(s)-1] > '9' || s[len(s)-1] < '0' }

// firstRunes and lastRunes are the first and the last n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}
