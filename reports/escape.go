package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes untrusted text safe for a terminal or a log line: control characters (C0, C1, escape sequences),
// bidirectional overrides, invisible characters, line and paragraph separators and invalid UTF-8 become visible
// escapes; newlines and tabs become single spaces. A text that a CI runner would take for a command ("::error::" at
// the start, "##[" anywhere) shows an escape instead.
func Plain(s string) string {
	if isPlain(s) {
		return inert(s)
	}
	var b strings.Builder
	previous := rune(0) // the one before, when it was written as it is
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		before := previous
		previous = 0
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case !unsafeRune(r) && !(joiner(r) && before < utf8.RuneSelf):
			b.WriteRune(r)
			previous = r
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return inert(b.String())
}

func isPlain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unsafeRune(r) || joiner(r) })
}

// unsafeRune reports runes that act on a terminal, or hide, rather than show: controls, bidirectional controls,
// separators that start a new line somewhere, zero-width spaces, the tag characters, which mirror ASCII unseen, and the
// private planes.
func unsafeRune(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0x061C, r == 0x180E:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0x200B, r == 0x200E, r == 0x200F:
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F || r >= 0xF0000
}

// joiner reports the invisible runes that writing needs, between letters of some scripts and in emoji; next to ASCII
// they only hide something.
func joiner(r rune) bool { return r == 0x200C || r == 0x200D || r == 0x00AD }

// inert keeps one line of text from being a workflow command. GitHub's runner reads "::name::" after leading space,
// and the older "##[name]" anywhere in a line; it compares as its culture does, which ignores invisible characters.
func inert(s string) string {
	if i := commandStart(s); i >= 0 {
		s = s[:i] + `\x3a` + s[i+1:]
	}
	return strings.ReplaceAll(s, "##[", `#\x23[`)
}

// commandStart is where the "::" stands that makes s a workflow command; -1 when it is none.
func commandStart(s string) int {
	ignored := func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Mn) }
	rest := strings.TrimLeftFunc(s, ignored)
	if after, ok := strings.CutPrefix(rest, ":"); ok && strings.HasPrefix(strings.TrimLeftFunc(after, ignored), ":") {
		return len(s) - len(rest)
	}
	return -1
}

// jsonWriter passes JSON on with "##[" spelled as an escape, which means the same to every reader of JSON and nothing
// to a CI runner that scans a log. Each Write must hold whole tokens.
type jsonWriter struct{ w io.Writer }

// Write implements io.Writer.
func (j jsonWriter) Write(p []byte) (int, error) {
	out := p
	if bytes.Contains(p, []byte("##[")) {
		out = bytes.ReplaceAll(p, []byte("##["), []byte(`#\u0023[`))
	}
	if _, err := j.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Code makes untrusted text a Markdown code span that is safe inside a table cell too: in a code span nothing is
// markup, a link, a mention or an issue reference. An empty text gives an empty string.
func Code(s string) string {
	s = strings.ReplaceAll(Plain(s), "|", `\|`)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// active matches what is markup, a mention, a reference or a link of Markdown, and what is not in the figures and plain
// names that a report writes outside code spans.
var active = regexp.MustCompile("[<>|`&]|\\]\\(|://|\\b[wW]{3}\\.|(^|[^\\pL\\pN])[@#]")

// escapeMarkdown makes one line of figures and names safe for Markdown outside code spans: what would act is shown as an
// escape.
func escapeMarkdown(s string) string {
	return active.ReplaceAllStringFunc(Plain(s), func(m string) string {
		kept, last := m[:len(m)-1], m[len(m)-1]
		return fmt.Sprintf(`%s\x%02x`, kept, last)
	})
}

// Clip shortens s to at most n runes, ending in an ellipsis when something was cut.
func Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	kept := 0
	for i := range s {
		if kept == max(n-1, 0) {
			return s[:i] + "…"
		}
		kept++
	}
	return s
}

// safeLine makes untrusted text one safe line of at most n runes, escapes included.
func safeLine(s string, n int) string { return Clip(Plain(Clip(s, n)), n) }

// plainLines is Plain for each line of a text.
func plainLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, ended := strings.CutSuffix(line, "\n")
		b.WriteString(strings.TrimRight(Plain(text), " "))
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
