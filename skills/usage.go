package skills

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A usage sentence begins after a sentence, a line, a bracket, a comma or a dash.
const (
	boundary  = `(?:^|[.!?;:,)。！？；，：）*]["'”’]?\s*|\n\s*|\s[-–—]+\s*)(?:[-*•]\s+)?\*{0,2}`
	verb      = `(?:use|invoke|trigger|call|activate|load|prefer)\b(?:\s+(?:this|it|me))?(?:\s+(?:skill|tool|agent|command)\b)?`
	condition = `(?:when(?:ever)?|if|for|after|before|while|during)\b`
	english   = `(?:(?:(?:please|also|always|only|must|claude\s+should|agents?\s+should)\s+)*` + verb +
		`(?:\s+(?:only|proactively|immediately|automatically|always))?\s*(?:[:,]|\b` + condition + `):?` +
		`|(?:this\s+(?:skill|tool)\s+|it\s+)?(?:should|must)\s+be\s+used\s+` + condition + `:?` +
		`|triggers?(?:\s+(?:when|on|if|include|with|phrases?|words?|keywords?)\b)?:|triggers?\s+(?:when|on|if|with)\b|when\s+to\s+use\b:?|when(?:ever)?\s+(?P<user>(?:the\s+|a\s+)?users?\b))`
	englishNot = `(?:(?:please\s+)?(?:do\s+not|don['’]t|never)\s+` + verb + `(?:\s+(?:` + condition + `|(?:to|on|in|with)\b))?:?` +
		`|(?:not|never)\s+(?:(?:intended|suitable|meant|designed|used|to\s+be\s+used)\s+)?for\b:?` +
		`|avoid\s+(?:using|this\s+skill)\b(?:\s+(?:when|if|for)\b)?:?|skip\s+(?:this\s+skill\s+)?(?:when|if)\b:?|when\s+not\s+to\s+use\b:?)`
	chinese    = `(?:使用场景|适用场景|用于|适用于|何时使用|使用时机|触发条件|触发场景)(?:是|为|包括)?[:：]?`
	chineseNot = `(?:(?:请|也|并)?(?:不要|不应|不能|勿|切勿)(?:在)?(?:使用|用于|用来|用|调用|触发)(?:本技能|此技能|该技能|它)?(?:于|来)?|不适用(?:于|的?场景)?|不用于|不适合(?:用于|于)?|禁用场景|不使用场景)[:：]?`
)

var (
	useStart = regexp.MustCompile(`(?i)` + boundary + `(?:(?P<not>` + englishNot + `|` + chineseNot + `)|(?P<use>` + english + `|` + chinese + `))\*{0,2}\s*`)
	// 当用户询问天气时使用 has its condition in the middle.
	whenClause = regexp.MustCompile(`当([^。！？；;\n]+?)时[，,]?(?:请|可以|可|应|应该|需要|需)?(不要|不应|勿|不)?(?:使用|调用|触发|启用)(?:本技能|此技能|该技能)?`)
)

const (
	maxConditions = 64       // usage sentences of one description that are looked at
	maxUsageText  = 64 << 10 // bytes of a description that are searched for them
)

// deriveUse fills UseWhen and DoNotUseWhen from sentences of the description where metadata gave none.
func (s *Skill) deriveUse() {
	if len(s.UseWhen) > 0 && len(s.DoNotUseWhen) > 0 {
		return
	}
	use, not := usageSentences(s.Description)
	if len(s.UseWhen) == 0 {
		s.UseWhen = use
	}
	if len(s.DoNotUseWhen) == 0 {
		s.DoNotUseWhen = not
	}
}

// usageSentences finds the conditions of sentences such as "Use when …", "Do not use for …", "使用场景：…",
// "当…时使用" and "不要使用…".
func usageSentences(text string) (use, not []string) {
	if len(text) > maxUsageText {
		text = strings.ToValidUTF8(text[:maxUsageText], "")
	}
	type start struct {
		from, to, end int // the words that begin the sentence, and where the sentence ends
		not           bool
	}
	var starts []start
	for _, m := range useStart.FindAllStringSubmatchIndex(text, maxConditions) {
		st := start{from: m[0], to: m[1], not: m[2] >= 0}
		if user := 2 * useStart.SubexpIndex("user"); m[user] >= 0 {
			st.to = m[user] // "When the user asks": the user belongs to the condition
		}
		starts = append(starts, st)
	}
	for i := range starts {
		st, limit := &starts[i], len(text)
		if i+1 < len(starts) {
			limit = max(starts[i+1].from, st.to)
		}
		st.end = sentenceEnd(text[:limit], st.to)
		add(&use, &not, st.not, text[st.to:st.end])
	}
	for _, m := range whenClause.FindAllStringSubmatchIndex(text, maxConditions) {
		if !slices.ContainsFunc(starts, func(st start) bool { return st.to <= m[2] && m[2] < st.end }) {
			add(&use, &not, m[4] >= 0, text[m[2]:m[3]])
		}
	}
	return use, not
}

func add(use, not *[]string, negative bool, condition string) {
	condition = strings.TrimRight(strings.Join(strings.Fields(condition), " "), " .,;:。，；：、-–—*(（")
	condition = strings.TrimLeft(condition, " ,;:。，；：、-–—*")
	if utf8.RuneCountInString(condition) < 2 {
		return
	}
	to := use
	if negative {
		to = not
	}
	if !slices.Contains(*to, condition) {
		*to = append(*to, condition)
	}
}

// sentenceEnd gives the offset behind the sentence that goes on at from. A full stop ends a sentence when what
// follows does not begin in lower case; an empty line and a list item end it, too.
func sentenceEnd(text string, from int) int {
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch r {
		case '。', '！', '？':
			return i + size
		case '.', '!', '?':
			if stops(text[i+1:]) {
				return i + 1
			}
		case '\n':
			next := strings.TrimLeft(text[i+1:], " \t")
			if next == "" || next[0] == '\n' || listItem(next) {
				return i
			}
		}
		i += size
	}
	return len(text)
}

// stops tells whether a full stop with this text behind it ends a sentence.
func stops(rest string) bool {
	rest = strings.TrimLeft(rest, `"')”’*`)
	next := strings.TrimLeft(rest, " \t\n")
	if next == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(next)
	return len(next) < len(rest) && (!unicode.IsLower(r) || strings.Count(rest[:len(rest)-len(next)], "\n") > 1)
}

// listMarks begin an item of a list.
var listMarks = []string{"- ", "* ", "• "}

func listItem(line string) bool {
	return slices.ContainsFunc(listMarks, func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// firstSentence cuts a description behind its first sentence.
func firstSentence(text string) string {
	return strings.TrimSpace(text[:sentenceEnd(text, 0)])
}

// missing gives the conditions that the text does not already hold, white space and case apart.
func missing(conditions []string, text string) []string {
	if len(conditions) == 0 {
		return nil
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	var out []string
	for _, c := range conditions {
		if !strings.Contains(text, strings.ToLower(strings.Join(strings.Fields(c), " "))) {
			out = append(out, c)
		}
	}
	return out
}
