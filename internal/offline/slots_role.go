package offline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// links join a label and its value: "title: X", "the title is X", "标题为X".
var links = []string{":", "：", "=", "is set to", "set to", "should be", "is", "to", "as", "of", "设置为", "设为", "改为", "改成", "是", "为", "叫做", "叫", "用"}

// namers introduce a name or title without a label.
var namers = []string{"called ", "named ", "titled ", "entitled ", "under the name ", "名为", "叫做", "命名为", "题为", "标题为", "标题是", "名字叫", "名叫", "取名"}

// roles are the prepositions of parameters whose names say which side of an action they are on.
var roles = []struct {
	names        []string
	prepositions []string
}{
	{[]string{"from", "source", "origin", "src", "departure", "start"}, []string{"from ", "从", "自"}},
	{[]string{"to", "target", "dest", "destination", "into", "arrival", "end", "recipient", "recipients"}, []string{"into ", "to ", "成", "到", "至", "给", "为"}},
	{[]string{"topic", "subject", "about", "theme"}, []string{"about ", "regarding ", "concerning ", "on ", "关于", "有关", "围绕"}},
	{[]string{"with", "participants", "attendees", "people", "guests", "members"}, []string{"with ", "和", "跟", "与"}},
}

// labelled finds a string that the text labels with the parameter's name.
func (f *filler) labelled(p *param) (found, bool) {
	if !p.allows("string") || len(p.enum) > 0 {
		return found{}, false
	}
	s, ok := f.labelSpan(p, false)
	if ok && p.isText() { // free text goes on to the next mark
		for _, w := range f.words {
			if w.from >= s.from && w.mark && strings.Contains(",，。；;.!?！？", w.folded) || w.from > s.to && !f.free(w.span) {
				break
			}
			s.to = max(s.to, w.to)
		}
	}
	return f.textAt(p, s, ok)
}

// placed finds a string by the preposition that the parameter's name calls for.
func (f *filler) placed(p *param) (found, bool) {
	if !p.allows("string") || len(p.enum) > 0 || p.timeKind() != noTime || p.isURL() || p.isEmail() || p.isPath() {
		return found{}, false
	}
	s, ok := f.roleSpan(p, false)
	return f.textAt(p, s, ok)
}

// textAt makes a value of a stretch, if the schema takes it.
func (f *filler) textAt(p *param, s span, ok bool) (found, bool) {
	if !ok {
		return found{}, false
	}
	text := f.text[s.from:s.to]
	if !p.fits(text) {
		return found{}, false
	}
	return found{quote(text), s}, true
}

// labelSpan finds the stretch that a label of the parameter introduces.
func (f *filler) labelSpan(p *param, wide bool) (span, bool) {
	parts := nameParts(p.name)
	labels := append([]string{strings.Join(parts, " "), p.name}, labelsOf(p)...)
	if n := len(parts); n > 1 {
		labels = append(labels, parts[n-1])
	}
	for _, label := range labels {
		label = strings.ToLower(label)
		if len(label) < 3 || prose.IsStop(label) || lightWords[label] {
			continue
		}
		for at := 0; at < len(f.folded); {
			i := strings.Index(f.folded[at:], label)
			if i < 0 {
				break
			}
			after := at + i + len(label)
			if f.wordBounds(span{at + i, after}) {
				if s, ok := f.afterLink(after, wide); ok {
					return s, true
				}
			}
			at = after
		}
	}
	if p.has("name", "title", "label") {
		for _, n := range namers {
			if i := strings.Index(f.folded, n); i >= 0 {
				if s, ok := f.valueAt(i+len(n), wide); ok {
					return s, true
				}
			}
		}
	}
	return span{}, false
}

// afterLink reads the value behind a label: a link between the two is needed, or a quotation mark, or that the very
// next word is no function word.
func (f *filler) afterLink(at int, wide bool) (span, bool) {
	rest := f.folded[at:]
	trimmed := strings.TrimLeft(rest, " ")
	at += len(rest) - len(trimmed)
	for _, l := range links {
		if !strings.HasPrefix(trimmed, l) {
			continue
		}
		end := at + len(l)
		if r, _ := utf8.DecodeLastRuneInString(l); prose.IsWordRune(r) && end < len(f.folded) && f.folded[end] != ' ' {
			continue
		}
		return f.valueAt(end, wide)
	}
	for _, q := range f.quotes {
		if q.from > at && q.from-at <= 3 && f.free(q) {
			return q, true
		}
	}
	for _, w := range f.words {
		if w.from == at && !w.mark && !w.han && !f.isFiller(w.folded) && len(trimmed) < len(rest) {
			return f.valueAt(at, wide)
		}
	}
	return span{}, false
}

// roleSpan finds the stretch behind a preposition of the parameter's role.
func (f *filler) roleSpan(p *param, wide bool) (span, bool) {
	for _, r := range roles {
		if !p.has(r.names...) {
			continue
		}
		for _, prep := range r.prepositions {
			if s, ok := f.behind(prep, wide); ok {
				return s, true
			}
		}
	}
	return span{}, false
}

// behind finds a free value right behind a preposition.
func (f *filler) behind(prep string, wide bool) (span, bool) {
	for at := 0; at < len(f.folded); {
		i := strings.Index(f.folded[at:], prep)
		if i < 0 {
			break
		}
		i += at
		at = i + len(prep)
		if !hasHan(prep) && i > 0 && f.folded[i-1] != ' ' {
			continue
		}
		if s, ok := f.valueAt(at, wide); ok {
			return s, true
		}
	}
	return span{}, false
}

// breakers end an unquoted value; with wide lists, conjunctions do not.
var (
	breakers = prose.WordSet(`with in for to from at on as by that then into about of please using via but so because when if than is are was were please thanks
	including which who whose during after before under over starting between without having where while per via`)
	joiners     = prose.WordSet(`and or &`)
	hanBreakers = []string{"的", "并", "然后", "给", "到", "在", "请", "吗", "吧", "呢", "成", "用", "从", "把", "再", "是", "为", "里", "上的", "写", "发", "有"}
	hanJoiners  = []string{"和", "与", "跟", "及"}
	articles    = prose.WordSet(`the a an my our your this that some`)
)

// valueAt reads the value that starts at an offset: a quotation, or words up to a mark, a preposition, a date or
// something already used. It fails when the value would be a function word or one of the skill's own words.
func (f *filler) valueAt(at int, wide bool) (span, bool) {
	i := slices.IndexFunc(f.words, func(w word) bool { return w.to > at })
	if i < 0 {
		return span{}, false
	}
	for _, q := range f.quotes {
		if q.from > at && q.from <= f.words[i].to && f.free(q) {
			return q, true
		}
	}
	for i < len(f.words) && articles[f.words[i].folded] {
		i++
	}
	s := span{}
	substance, last := false, 0 // last: the end of the last word that is not the skill's own
	for ; i < len(f.words); i++ {
		w := f.words[i]
		from := max(w.from, at)
		if s.to > 0 && w.han != hasHan(f.text[s.from:s.to]) && !w.mark && from > s.to+1 {
			break
		}
		if w.mark && !(wide && strings.Contains(",、，", w.folded)) || !w.han && (breakers[w.folded] || !wide && joiners[w.folded]) || !w.han && (f.inMoment(w.span) || !f.free(w.span)) {
			break
		}
		to := w.to
		if w.han {
			to = f.firstTaken(span{from, from + f.hanEnd(f.folded[from:w.to], wide)})
		}
		if to == from {
			break
		}
		if s.to == 0 {
			s.from = from
		}
		s.to = to
		if owner, possessive := possessor(w.folded); possessive {
			s.to = from + owner
			substance = substance || !f.isFiller(w.folded[:owner]) || w.capital
			break
		}
		if w.capital || w.han || !f.isFiller(w.folded) {
			last = to
		}
		substance = substance || w.han || !w.mark && !f.isFiller(w.folded) || w.capital
		if to < w.to {
			break
		}
	}
	if last > s.from && !wide {
		s.to = min(s.to, last)
	}
	text := strings.TrimRight(f.text[s.from:s.to], " ,，、")
	s.to = s.from + len(text)
	if !substance || s.to == s.from || hasHan(text) && f.allAbout(text) {
		return span{}, false
	}
	return s, true
}

// possessor is the length of a word without its possessive ending.
func possessor(w string) (int, bool) {
	for _, ending := range [...]string{"'s", "’s"} {
		if base, ok := strings.CutSuffix(w, ending); ok && base != "" {
			return len(base), true
		}
	}
	return len(w), false
}

// firstTaken is where in a stretch a date or a used value starts; its end when there is none.
func (f *filler) firstTaken(s span) int {
	end := s.to
	for _, c := range f.claims {
		if s.from < c.to && c.from < end {
			end = max(c.from, s.from)
		}
	}
	for _, m := range f.dates {
		if s.from < m.at.to && m.at.from < end {
			end = max(m.at.from, s.from)
		}
	}
	return end
}

// hanEnd is the length of a value at the start of a run of Han characters.
func (f *filler) hanEnd(run string, wide bool) int {
	end := len(run)
	for _, b := range hanBreakers {
		if i := strings.Index(run, b); i >= 0 && i < end {
			end = i
		}
	}
	if !wide {
		for _, b := range hanJoiners {
			if i := strings.Index(run, b); i > 0 && i < end {
				end = i
			}
		}
	}
	for i := range run { // the skill's own words are no value
		if i >= end {
			break
		}
		if pair := firstRunes(run[i:], 2); i > 0 && inRunes(pair) == 2 && i+len(pair) <= end && f.about[pair] {
			return i
		}
	}
	return end
}

// allAbout reports whether every pair of characters of a text is one of the skill's own.
func (f *filler) allAbout(text string) bool {
	all, any := true, false
	previous := -1
	for i, r := range text {
		if previous >= 0 {
			any = true
			all = all && f.about[text[previous:i+utf8.RuneLen(r)]]
		}
		previous = i
	}
	return any && all
}
