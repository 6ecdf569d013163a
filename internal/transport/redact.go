package transport

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// shortestSecret is the length in bytes below which a secret is ignored: replacing "a" everywhere would
// destroy the text and hide nothing.
const shortestSecret = 4

// shortestCut is the least that is taken for the beginning of a secret at the end of a text.
const shortestCut = 6

// Redact returns a function that takes secrets out of a text: the given ones, exactly and in the forms that they take
// inside JSON and URLs; credentials after "Bearer" and "Authorization:"; the user information of URLs; and the values
// of URL parameters whose names sound like keys. Secrets that overlap go as one piece, so that no part of a key is
// left; the beginning of a secret at the end of a text that was cut goes too, and so does any longer part of a long
// secret. Empty secrets and those shorter than 4 bytes are ignored. Redact before a text is cut, not after. The
// function is safe for concurrent use.
func Redact(secrets ...string) func(string) string {
	forms := secretForms(secrets)
	marker := pickMarker(forms)
	return func(text string) string {
		spans := findSecrets(text, forms)
		spans = findCredentials(spans, text)
		spans = findUserInfo(spans, text)
		spans = findParameters(spans, text)
		return replaceSpans(text, spans, marker)
	}
}

// RedactExact is [Redact] for data, such as arguments that are to be compared again: it takes out the given secrets, in
// all their forms, and changes nothing else.
func RedactExact(secrets ...string) func(string) string {
	forms := secretForms(secrets)
	marker := pickMarker(forms)
	return func(text string) string { return replaceSpans(text, findSecrets(text, forms), marker) }
}

// findSecrets lists where the secrets stand.
func findSecrets(text string, forms []string) (spans []span) {
	for _, form := range forms {
		spans = findAll(spans, text, form)
		spans = findCut(spans, text, form)
		spans = findFragments(spans, text, form)
	}
	return spans
}

// span is a piece of text, from its first byte to before its end.
type span struct{ start, end int }

// secretForms lists every way in which the secrets may be written, without duplicates.
func secretForms(secrets []string) []string {
	var forms []string
	for _, s := range secrets {
		s = strings.TrimSpace(s)
		if len(s) < shortestSecret {
			continue
		}
		user := strings.TrimSuffix(url.UserPassword(s, "").String(), ":")
		for _, f := range []string{url.QueryEscape(s), url.PathEscape(s), user} {
			forms = append(forms, f, lowerEscapes(f))
		}
		forms = append(forms, s)
		if quoted, err := json.Marshal(s); err == nil {
			escaped := string(quoted[1 : len(quoted)-1])
			plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(escaped)
			forms = append(forms, escaped, plain, strings.ReplaceAll(plain, "/", `\/`))
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// lowerEscapes writes percent escapes in lower case.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(s[i+1:i+3]))
		}
	}
	return string(b)
}

// pickMarker chooses what stands in a secret's place: a text whose first and last character are in no secret, so
// that neither the marker nor the marker with its neighbours can spell one.
func pickMarker(forms []string) string {
	all := strings.Join(forms, "\n")
	for _, m := range []string{"[redacted]", "<redacted>", "***", "█"} {
		first, _ := utf8.DecodeRuneInString(m)
		last, _ := utf8.DecodeLastRuneInString(m)
		inside := slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(m, f) })
		if !inside && !strings.ContainsRune(all, first) && !strings.ContainsRune(all, last) {
			return m
		}
	}
	r := rune(0xE000) // private use
	for strings.ContainsRune(all, r) {
		r++
	}
	return string(r)
}

// findAll adds every occurrence of form, overlapping ones too.
func findAll(spans []span, text, form string) []span {
	for from := 0; ; {
		i := strings.Index(text[from:], form)
		if i < 0 {
			return spans
		}
		spans = append(spans, span{from + i, from + i + len(form)})
		from += i + 1
	}
}

// findCut adds the beginning of form that a text cut too early ends with.
func findCut(spans []span, text, form string) []span {
	for n := min(len(form)-1, len(text)); n >= shortestCut; n-- {
		if strings.HasSuffix(text, form[:n]) {
			return append(spans, span{len(text) - n, len(text)})
		}
	}
	return spans
}

// replaceSpans puts the marker in the place of every span; touching and overlapping spans are one.
func replaceSpans(text string, spans []span, marker string) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for i := 0; i < len(spans); {
		start, end := spans[i].start, spans[i].end
		for i++; i < len(spans) && spans[i].start <= end; i++ {
			end = max(end, spans[i].end)
		}
		b.WriteString(text[at:start])
		b.WriteString(marker)
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}
