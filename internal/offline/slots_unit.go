package offline

import (
	"strings"

	"github.com/skilleval/skilleval/internal/prose"
)

// unit is a measure that numbers come with: its spellings, what it measures, and how many of the smallest one it is.
type unit struct {
	words   string // separated by spaces
	measure string
	factor  float64
}

// units are the measures that are told apart and converted.
var units = []unit{
	{"second seconds sec secs s 秒 秒钟", "time", 1}, {"minute minutes min mins 分钟 分", "time", 60},
	{"hour hours hr hrs h 小时 个小时 钟头", "time", 3600}, {"day days d 天 日", "time", 86400}, {"week weeks wk 周 星期 个星期", "time", 604800},
	{"month months 个月 月", "months", 1}, {"year years yr yrs 年", "months", 12},
	{"word words 词 个词", "words", 1}, {"character characters chars 字 个字 字符", "characters", 1}, {"sentence sentences 句 句话", "sentences", 1},
	{"paragraph paragraphs 段 段落", "paragraphs", 1}, {"line lines 行", "lines", 1}, {"page pages 页", "pages", 1},
	{"percent % 百分之", "percent", 1}, {"meter meters metre metres m 米", "length", 1}, {"kilometer kilometers kilometre kilometres km 公里 千米", "length", 1000},
	{"gram grams g 克", "mass", 1}, {"kilogram kilograms kg 公斤 千克", "mass", 1000},
	{"item items result results entry entries record records 条 个 项 份 篇 件", "items", 1},
}

// countWords name parameters that say how many things are wanted.
var countWords = []string{"limit", "count", "max", "num", "number", "top", "n", "k", "size", "amount", "quantity", "total"}

// unitOf finds the unit of a word, or of the start of a run of Han characters.
func unitOf(w string) (unit, bool) {
	if w == "" {
		return unit{}, false
	}
	best, length := unit{}, 0
	for _, u := range units {
		for spelling := range strings.FieldsSeq(u.words) {
			if w == spelling || hasHan(spelling) && strings.HasPrefix(w, spelling) {
				if len(spelling) > length {
					best, length = u, len(spelling)
				}
			}
		}
	}
	return best, length > 0
}

// unitsOf lists the units that a parameter's name and description speak of.
func (p *param) unitsOf() []unit {
	var list []unit
	description := strings.ToLower(p.description)
	parts := append(nameParts(p.name), strings.FieldsFunc(description, func(r rune) bool { return !prose.IsWordRune(r) })...)
	for _, u := range units {
		for spelling := range strings.FieldsSeq(u.words) {
			if hasHan(spelling) && len(spelling) > 3 && strings.Contains(description, spelling) || len(spelling) > 2 && contains(parts, spelling) {
				list = append(list, u)
				break
			}
		}
	}
	return list
}

// numberFor judges how well a number fits a parameter, and converts it to the parameter's unit. 2 and more is
// evidence of its own; 1 is a number that nothing speaks against.
func (f *filler) numberFor(p *param, n number) (number, float64) {
	score := 1.0
	if f.text[n.at.from:n.at.to] == "一" { // mostly an article: 一个
		score = 0.4
	}
	have, known := unitOf(n.unit)
	wanted := p.unitsOf()
	for i, u := range wanted {
		if !known || u.measure != have.measure {
			continue
		}
		if i == 0 && u.factor != have.factor {
			n.value = n.value * have.factor / u.factor
			n.text = formatNumber(n.value)
		}
		return n, 4
	}
	if known && len(wanted) > 0 && have.measure != "items" {
		score = min(score, 0.4)
	}
	own := append(nameParts(p.name), labelsOf(p)...)
	for _, label := range own {
		near := f.text[max(0, n.at.from-24):n.at.from]
		folded := sameLengthLower(near)
		if label != "" && !prose.IsStop(label) && (strings.HasSuffix(withoutLink(folded), label) || hasHan(label) && strings.Contains(lastRunes(folded, 6), label)) {
			return n, 5
		}
		if n.unit != "" && len(label) > 2 && prose.Stem(n.unit) == prose.Stem(label) {
			score = max(score, 3)
		}
	}
	if before := strings.Fields(f.folded[max(0, n.at.from-16):n.at.from]); len(before) > 1 { // "out of 6"
		if phrase := strings.Join(before[len(before)-2:], " "); len(phrase) > 4 && strings.Contains(strings.ToLower(p.description), phrase) {
			return n, 4
		}
	}
	if r := strings.TrimLeft(n.unit, "个位名张"); r != n.unit && r != "" && hasHan(r) && strings.Contains(p.description, firstRunes(r, 1)) {
		score = max(score, 3)
	}
	counts := p.has(countWords...) || p.says("how many", "number of", "maximum number", "数量", "条数", "个数")
	if counts && (n.front == "top" || n.front == "first" || n.front == "last" || n.front == "latest" || strings.HasSuffix(n.front, "前") || n.front == "最近" || n.front == "最新" || known && have.measure == "items") {
		score = max(score, 3)
	}
	if counts && !known && n.unit != "" && f.about[prose.Stem(n.unit)] {
		score = max(score, 2.5)
	}
	return n, score
}

// withoutLink takes the words off the end of a text that link a label to its value.
func withoutLink(s string) string {
	s = strings.TrimRight(s, " :=：是为约")
	for _, link := range [...]string{" is", " of", " to", " at", " as", " set to", " be"} {
		s = strings.TrimSuffix(s, link)
	}
	return s
}

// labelsOf are the words by which a description names a parameter: of Chinese, the end of the first clause.
func labelsOf(p *param) []string {
	head := strings.FieldsFunc(p.description, func(r rune) bool { return strings.ContainsRune("，。,.;；:：(（、", r) })
	if len(head) == 0 || !hasHan(head[0]) {
		return nil
	}
	h := strings.TrimSpace(head[0])
	list := []string{h}
	for _, n := range [...]int{4, 3, 2} {
		if tail := lastRunes(h, n); inRunes(tail) == n && tail != h {
			list = append(list, tail)
		}
	}
	return list
}

// contains reports whether a list holds a word.
func contains(list []string, w string) bool {
	for _, s := range list {
		if s == w {
			return true
		}
	}
	return false
}
