package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes untrusted text safe for a terminal or a log line: control characters (C0, C1, escape sequences),
// bidirectional overrides, line and paragraph separators and invalid UTF-8 become visible escapes; newlines and
// tabs become single spaces.
func Plain(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case !unsafeRune(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

func isPlain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unsafeRune)
}

// unsafeRune reports runes that act on a terminal rather than show: controls, bidirectional controls and
// separators that start a new line somewhere.
func unsafeRune(r rune) bool {
	if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xFEFF {
		return true
	}
	return r == 0x061C || r == 0x200E || r == 0x200F || (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
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

// Clip shortens s to at most n runes, ending in an ellipsis when something was cut.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:max(n-1, 0)]) + "…"
}
