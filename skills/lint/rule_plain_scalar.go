package lint

import (
	"regexp"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

func plainScalar() Rule {
	return Rule{ID: skills.CodePlainScalar, Title: "value is not valid YAML", Severity: Warning, loaded: skills.CodePlainScalar, fixes: true,
		hint: "put the value in quotes", skill: checkPlainScalar,
		Doc: doc{what: "A value cannot be read as YAML and was read as plain text, most often because of a colon and a blank in it, or a bracket at its start.",
			why:   "Hosts with a strict reader drop the skill, often without a word, or drop every field and show the first line of the body.",
			wrong: "description: Tidy notes. Triggers on: clean up, sort notes", right: "description: 'Tidy notes. Triggers on: clean up, sort notes'",
			fix: "quote the value, doubling single quotes inside; --fix does where that changes nothing else.", source: "YAML 1.2, section 7.3.3"}.text()}
}

func checkPlainScalar(p *skillPass) {
	for _, n := range p.notes(skills.CodePlainScalar) {
		p.note(n, quoteFix(p.file, n))
	}
}

var valueLine = regexp.MustCompile(`^([ \t]*)([^\s:"'][^:]*:[ \t]*)(.*)$`)

// quoteFix puts single quotes around the value whose key stands at or above a note; it may go on in indented lines.
func quoteFix(f *source, n skills.Note) *Fix {
	key, _, named := strings.Cut(n.Message, ":")
	from, to := f.front()
	at := min(n.Line, to-1)
	var m []int
	for ; named && at >= from; at-- {
		if m = valueLine.FindStringSubmatchIndex(f.line(at)); m != nil && strings.HasPrefix(f.line(at)[m[4]:], key) {
			break
		}
		m = nil
	}
	if m == nil {
		return nil
	}
	text := f.line(at)
	value, depth := text[m[6]:], m[3]-m[2]
	if value == "" || strings.ContainsAny(value[:1], "|>") {
		return nil
	}
	last := at
	for n := at + 1; n < to; n++ {
		line := f.line(n)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if indent(line) <= depth {
			break
		}
		last = n
	}
	sep := ""
	if m[6] > 0 && text[m[6]-1] == ':' { // key:value
		sep = " "
	}
	start := f.offset(at) + m[6]
	end := f.offset(last) + len(strings.TrimRight(f.line(last), " \t"))
	inner := string(f.data[start:end])
	if c := value[0]; last == at && len(inner) > 1 && (c == '"' || c == '\'') && inner[len(inner)-1] == c {
		inner = strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`) // as the tolerant reader does
		if c == '\'' {
			inner = strings.ReplaceAll(inner, "''", "'")
		}
	}
	return &Fix{Edits: []Edit{{start, end, sep + "'" + strings.ReplaceAll(inner, "'", "''") + "'"}}}
}
