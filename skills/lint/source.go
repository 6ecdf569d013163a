package lint

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/skills"
)

const bom = "\ufeff"

// source is the text of a SKILL.md, read when a place in it is first asked for. Where there is no file, places fall
// back to the lines that loading remembered.
type source struct {
	skill  *skills.Skill
	data   []byte
	starts []int // byte offset of each line; that of the first is behind a byte order mark
	tried  bool

	schema     *schemaFile // of parameters.json beside it
	schemaRead bool
	refs       []reference // of the body
	refsRead   bool
}

func newSource(s *skills.Skill) *source { return &source{skill: s} }

// sourceOf is the source of bytes that are at hand.
func sourceOf(s *skills.Skill, data []byte) *source {
	f := &source{skill: s, tried: true}
	f.set(data)
	return f
}

func (f *source) set(data []byte) {
	f.data = data
	at := 0
	if bytes.HasPrefix(data, []byte(bom)) {
		at = len(bom)
	}
	f.starts = []int{at}
	for i := at; i < len(data); i++ {
		if data[i] == '\n' || data[i] == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			f.starts = append(f.starts, i+1)
		}
	}
}

// load tells whether there is a text.
func (f *source) load() bool {
	if !f.tried {
		f.tried = true
		if data, err := f.skill.Source(); err == nil {
			f.set(data)
		}
	}
	return f.data != nil
}

// lines is the number of lines; the empty one behind the last line end counts.
func (f *source) lines() int { return len(f.starts) }

// line gives a line, counted from 1, without its end.
func (f *source) line(n int) string {
	if !f.load() || n < 1 || n > len(f.starts) {
		return ""
	}
	end := len(f.data)
	if n < len(f.starts) {
		end = f.starts[n]
	}
	return strings.TrimRight(string(f.data[f.starts[n-1]:end]), "\r\n")
}

// offset is where a line begins, in bytes.
func (f *source) offset(line int) int { return f.starts[line-1] }

// place turns a byte offset into line and column.
func (f *source) place(offset int) (line, column int) {
	line = len(f.starts)
	for lo, hi := 0, len(f.starts); lo < hi; {
		if mid := (lo + hi) / 2; f.starts[mid] > offset {
			hi, line = mid, mid
		} else {
			lo = mid + 1
		}
	}
	line = max(line, 1)
	from := min(f.starts[line-1], offset)
	return line, utf8.RuneCount(f.data[from:offset]) + 1
}

// front gives the lines of the frontmatter, between its fences: from ≤ line < to.
func (f *source) front() (from, to int) {
	body := f.skill.Lines["body"]
	if !f.load() || body < 3 {
		return 1, 1
	}
	for n := 1; n < body; n++ {
		if strings.HasPrefix(f.line(n), "---") && strings.TrimRight(f.line(n)[3:], " \t") == "" {
			return n + 1, body - 1
		}
	}
	return 1, 1
}

// keyPlace gives the place of a frontmatter key.
func (f *source) keyPlace(field string) (line, column int) {
	line = f.skill.Lines[field]
	if line == 0 {
		return 1, 1
	}
	for field == "body" && line < f.lines() && strings.TrimSpace(f.line(line)) == "" {
		line++
	}
	return line, indent(f.line(line)) + 1
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// region gives the lines that belong to a frontmatter field, or to the body: from ≤ line < to.
func (f *source) region(field string) (from, to int) {
	from = f.skill.Lines[field]
	if from == 0 || !f.load() {
		return 1, 1
	}
	if field == "body" {
		return from, f.lines() + 1
	}
	_, end := f.front()
	depth := indent(f.line(from))
	for to = from + 1; to < end; to++ {
		if line := f.line(to); strings.TrimSpace(line) != "" && indent(line) <= depth {
			break
		}
	}
	return from, to
}

// find gives the place of words inside a field, or that of the field's key.
func (f *source) find(field, words string) (line, column int) {
	words = strings.TrimSpace(words)
	from, to := f.region(field)
	for n := from; words != "" && n < to; n++ {
		text := f.line(n)
		if i := strings.Index(text, words); i >= 0 {
			return n, utf8.RuneCountInString(text[:i]) + 1
		}
		// Words that a fold of the line cuts in two.
		for cut := strings.LastIndexAny(words, " \n"); cut > 0; cut = strings.LastIndexAny(words[:cut], " \n") {
			if text = strings.TrimRight(text, " \t"); strings.HasSuffix(text, words[:cut]) {
				return n, utf8.RuneCountInString(text[:len(text)-cut]) + 1
			}
		}
	}
	return f.keyPlace(field)
}

var topKey = regexp.MustCompile(`^["']?([^\s"':#-][^"':]*)["']?\s*[:：]`)

// keyAt names the top-level frontmatter key that a line belongs to.
func (f *source) keyAt(line int) string {
	from, to := f.front()
	for n := min(line, to-1); n >= from; n-- {
		if m := topKey.FindStringSubmatch(f.line(n)); m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	if from < to && line >= to {
		return "body"
	}
	return ""
}

// textLine is a line of the body with its number in the file.
type textLine struct {
	number int
	text   string
}

// body gives the lines behind the frontmatter.
func (f *source) body() []textLine {
	first := max(f.skill.Lines["body"], 1)
	var out []textLine
	if f.load() {
		for n := first; n <= f.lines(); n++ {
			out = append(out, textLine{n, f.line(n)})
		}
		return out
	}
	for line := range strings.SplitSeq(f.skill.Body, "\n") {
		out = append(out, textLine{first, line})
		first++
	}
	return out
}
