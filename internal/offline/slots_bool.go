package offline

import (
	"strings"

	"github.com/skilleval/skilleval/internal/prose"
)

// switchWords are the words of boolean parameters' names and descriptions that do not say what is switched.
var switchWords = prose.WordSet(`include includes with is has have should enable enabled use show only allow allowed flag whether add return
if true false set when want the a an of to be or not and for also default output result results`)

// negators come before what is not wanted.
var negators = []string{"without ", "no ", "not ", "don't ", "do not ", "exclude ", "excluding ", "skip ", "omit ", "disable ",
	"不要", "不用", "不需要", "不包含", "不含", "不带", "无需", "别", "去掉", "不"}

// boolean finds whether the text asks for what a parameter switches, or asks to leave it.
func (f *filler) boolean(p *param) (found, bool) {
	at, ok := f.switched(p)
	if !ok {
		return found{}, false
	}
	before := strings.TrimRight(f.folded[max(0, at.from-30):at.from], " ")
	for _, n := range negators {
		tail := before
		if !hasHan(n) { // "without any code": a word may stand between
			if i := strings.LastIndexAny(before, ".,;:"); i >= 0 {
				tail = before[i:]
			}
			words := strings.Fields(tail)
			tail = strings.Join(words[max(0, len(words)-2):], " ") + " "
			if strings.HasPrefix(tail, n) || strings.Contains(tail, " "+n) {
				return found{json: "false"}, true
			}
			continue
		}
		if strings.HasSuffix(tail, n) || strings.Contains(lastRunes(tail, 5), n) {
			return found{json: "false"}, true
		}
	}
	return found{json: "true"}, true
}

// switched finds where the text speaks of what a boolean parameter switches: all words of its name that say
// something, or the words of a Chinese description.
func (f *filler) switched(p *param) (span, bool) {
	at, all, any := span{}, true, false
	for _, part := range nameParts(p.name) {
		if switchWords[part] || prose.IsStop(part) {
			continue
		}
		any = true
		s, ok := f.locateStem(part)
		if !ok {
			all = false
			break
		}
		if at.to == 0 || s.from < at.from {
			at = s
		}
	}
	if any && all {
		return at, true
	}
	for _, label := range labelsOf(p) {
		label = strings.TrimPrefix(label, "是否")
		for _, prefix := range [...]string{"需要", "包含", "包括", "启用", "显示", "使用", "允许", "返回", "要"} {
			label = strings.TrimPrefix(label, prefix)
		}
		if inRunes(label) < 2 || strings.Contains(label, "是否") {
			continue
		}
		if i := strings.Index(f.folded, label); i >= 0 {
			return span{i, i + len(label)}, true
		}
	}
	return span{}, false
}

// locateStem finds a word of the text with the same stem.
func (f *filler) locateStem(w string) (span, bool) {
	want := prose.Stem(w)
	for _, word := range f.words {
		if !word.mark && !word.han && prose.Stem(word.folded) == want {
			return word.span, true
		}
	}
	return span{}, false
}
