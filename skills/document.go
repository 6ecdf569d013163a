package skills

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxFileSize is the largest SKILL.md, parameters.json or result.json that is read, in bytes.
const maxFileSize = 4 << 20

const bom = "\ufeff"

// document is a SKILL.md cut into frontmatter and body. Lines are 1-based in the file.
type document struct {
	path      string
	hasFront  bool
	front     []string
	frontLine int // of front[0]
	body      string
	bodyLine  int
	notes     []Note
}

// maxNotes is how many notes one file can have; the last one says that there are more.
const maxNotes = 200

func (d *document) note(code string, line, column int, message string) {
	if len(d.notes) >= maxNotes {
		return
	}
	if len(d.notes) == maxNotes-1 {
		message = "and more like this; the rest is not listed: " + message
	}
	d.notes = append(d.notes, Note{Code: code, Path: d.path, Line: line, Column: column, Message: message})
}

// readDocument decodes the bytes of a SKILL.md and finds the fences of its frontmatter.
func readDocument(path string, data []byte) (*document, *LoadError) {
	if len(data) > maxFileSize {
		return nil, loadError(CodeTooLarge, path, 0, 0, "file has %d bytes; at most %d are read", len(data), maxFileSize)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, loadError(CodeEncoding, path, 1, 1, "file is UTF-16; save it as UTF-8")
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		line, column := position(data, i)
		return nil, loadError(CodeEncoding, path, line, column, "file holds a NUL byte and is not text; save it as UTF-8 text")
	}
	d := &document{path: path}
	text := d.decode(data)
	lines := strings.Split(text, "\n")
	start, ok := d.opening(lines)
	if !ok {
		d.body, d.bodyLine = text, 1
		d.note(CodeNoFrontmatter, 1, 1, "no frontmatter: begin the file with a line --- , then name and description, then a line ---")
		return d, nil
	}
	end := start + 1
	for end < len(lines) && !isFence(lines[end]) {
		end++
	}
	if end == len(lines) {
		return nil, loadError(CodeUnclosed, path, start+1, 1,
			"frontmatter opened at line %d is never closed: write a line --- after its last key", start+1)
	}
	d.hasFront = true
	d.front, d.frontLine = lines[start+1:end], start+2
	d.body, d.bodyLine = strings.Join(lines[end+1:], "\n"), end+2
	return d, nil
}

// decode strips one byte order mark, replaces bytes that are not UTF-8 and makes every line end "\n".
func (d *document) decode(data []byte) string {
	text := string(data)
	if strings.HasPrefix(text, bom) {
		text = text[len(bom):]
		d.note(CodeBOM, 1, 1, "byte order mark in front of the file; save it as UTF-8 without one")
	}
	if !utf8.ValidString(text) {
		line, column := position([]byte(text), firstInvalid(text))
		d.note(CodeUTF8, line, column, "bytes that are not UTF-8, replaced by U+FFFD; save the file as UTF-8")
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	if strings.ContainsRune(text, '\r') {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

func firstInvalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

// position turns a byte offset into a 1-based line and column; columns count characters. CRLF, CR and LF
// all end a line.
func position(data []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(data))
	line = 1
	start := 0
	for i := 0; i < offset; i++ {
		if data[i] == '\n' && i > 0 && data[i-1] == '\r' {
			start = i + 1
			continue
		}
		if data[i] == '\n' || data[i] == '\r' {
			line++
			start = i + 1
		}
	}
	return line, utf8.RuneCount(data[start:offset]) + 1
}

// isFence tells whether a line is a frontmatter fence: --- at column 0, nothing but blanks behind it.
func isFence(line string) bool {
	return strings.HasPrefix(line, "---") && strings.TrimRight(line[3:], " \t") == ""
}

// opening finds the line of the opening fence. Blank lines, HTML comments and the opening of a code fence may
// stand before it; each is noted.
func (d *document) opening(lines []string) (int, bool) {
	i, comment := 0, false
	for ; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case comment:
			comment = !strings.HasSuffix(line, "-->")
		case isFence(lines[i]):
			if i > 0 {
				d.note(CodeLeadingText, 1, 1, "the frontmatter must begin on the first line; what stands before it is left out")
			}
			return i, true
		case line == "":
		case strings.HasPrefix(line, "<!--"):
			comment = !strings.HasSuffix(line, "-->")
		case strings.HasPrefix(line, "```") && i+1 < len(lines) && isFence(lines[i+1]):
		default:
			return 0, false
		}
	}
	return 0, false
}

// firstParagraph gives the first paragraph of Markdown that is prose: no heading, rule, fence, table or comment.
func firstParagraph(body string) string {
	var para []string
	fence, comment := "", false
	for _, l := range strings.Split(body, "\n") {
		t := strings.TrimSpace(l)
		switch {
		case comment:
			comment = !strings.Contains(t, "-->")
			continue
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		}
		prose := t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "|") && !strings.HasPrefix(t, "<!--") &&
			!strings.HasPrefix(t, "```") && !strings.HasPrefix(t, "~~~") && strings.Trim(t, "-*_= ") != ""
		if prose {
			para = append(para, t)
			continue
		}
		if len(para) > 0 {
			break
		}
		switch {
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fence = t[:3]
		case strings.HasPrefix(t, "<!--"):
			comment = !strings.Contains(t, "-->")
		}
	}
	return strings.Join(para, " ")
}
