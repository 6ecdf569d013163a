package prose

import "strings"

// negativeCues start what a skill is not for. They are looked for in folded text.
var negativeCues = []string{
	"do not use", "don't use", "dont use", "do not trigger", "don't trigger", "do not invoke", "do not call", "never use", "should not be used", "must not be used",
	"not for ", "not intended for", "not meant for", "not suitable for", "does not support", "doesn't support", "does not cover", "does not handle", "cannot be used",
	"不要用于", "不要使用", "不要用来", "请勿", "勿用", "不用于", "不适用", "不适合", "不能用于", "不可用于", "不应用于", "不要在", "不支持", "不负责", "不处理", "不包括",
}

// Sides is a text taken apart: what the skill is for, and what it is not for.
type Sides struct{ Positive, Negative []string }

// TakeApart splits a description into its sides. From a cue to the end of its sentence is negative.
func TakeApart(text string) Sides {
	var s Sides
	for _, sentence := range Sentences(text) {
		at := negativeAt(sentence)
		if at < 0 {
			s.Positive = append(s.Positive, sentence)
			continue
		}
		if before := strings.TrimSpace(sentence[:at]); before != "" {
			s.Positive = append(s.Positive, before)
		}
		s.Negative = append(s.Negative, sentence[at:])
	}
	return s
}

// negativeAt is the byte offset at which a sentence turns negative, -1 when it does not.
func negativeAt(sentence string) int {
	folded := sentence
	if lowered := strings.ToLower(sentence); len(lowered) == len(sentence) {
		folded = lowered
	}
	at := -1
	for _, cue := range negativeCues {
		if i := strings.Index(folded, cue); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// Sentences cuts a text after full stops, exclamation and question marks and line ends. A stop inside a word, as
// in example.com, cuts nothing.
func Sentences(text string) []string {
	var list []string
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			list = append(list, s)
		}
	}
	for i, r := range text {
		end := i
		switch r {
		case '.', '!', '?':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '\n' || isAbbreviation(text[start:i]) {
				continue
			}
			end = i + 1
		case '\n':
			end = i + 1
		case '。', '！', '？':
			end = i + len("。")
		default:
			continue
		}
		add(end)
		start = end
	}
	add(len(text))
	return list
}

// isAbbreviation reports whether a full stop after s belongs to an abbreviation.
func isAbbreviation(s string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "approx"} {
		if strings.HasSuffix(s, a) {
			return true
		}
	}
	return false
}
