package transport

import "strings"

// findCredentials adds what follows "Bearer" and "Authorization:".
func findCredentials(spans []span, text string) []span {
	for _, word := range []string{"Bearer", "bearer", "BEARER"} {
		for at := after(text, 0, word); at >= 0; at = after(text, at, word) {
			start := skip(text, at, " \t")
			if end := tokenEnd(text, start); start > at && isCredential(text[start:end]) {
				spans = append(spans, span{start, end})
			}
		}
	}
	for _, word := range []string{"uthorization", "UTHORIZATION"} {
		for at := after(text, 0, word); at >= 0; at = after(text, at, word) {
			start := skip(text, at, "\"'\\ \t")
			if start >= len(text) || text[start] != ':' && text[start] != '=' {
				continue
			}
			if start, end := headerValue(text, start+1); end > start {
				spans = append(spans, span{start, end})
			}
		}
	}
	return spans
}

// headerValue finds the credential in the value of an Authorization header, past quotes and the scheme.
func headerValue(text string, i int) (start, end int) {
	start = skip(text, i, "\"'\\ \t")
	if strings.HasPrefix(text[start:], "[") && !strings.HasPrefix(text[start:], "[redacted]") {
		start++ // as fmt prints a header
	}
	end = tokenEnd(text, start)
	switch strings.ToLower(text[start:end]) {
	case "bearer", "basic", "digest", "token", "apikey", "api-key":
		start = skip(text, end, " \t")
		end = tokenEnd(text, start)
	}
	return start, end
}

// after is the position after the next word from i on, -1 when there is none.
func after(text string, i int, word string) int {
	n := strings.Index(text[i:], word)
	if n < 0 {
		return -1
	}
	return i + n + len(word)
}

// isCredential tells "Bearer eyJhb" from "bearer of good news": a credential has a character that words have not,
// or is longer than they are.
func isCredential(s string) bool {
	if len(s) < shortestSecret {
		return false
	}
	return len(s) > 20 || strings.ContainsFunc(strings.TrimRight(s, ".-_/"), func(r rune) bool { return r < 'a' || r > 'z' })
}

// tokenEnd is the end of the credential that starts at i: RFC 6750 section 2.1 and what vendors add to it.
func tokenEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if !isWordByte(c) && strings.IndexByte("-._~+/=:|%", c) < 0 {
			break
		}
		i++
	}
	return i
}

// findUserInfo adds what stands between "://" and the last "@" of a URL's authority.
func findUserInfo(spans []span, text string) []span {
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return spans
		}
		at += i + len("://")
		end := at
		for end < len(text) && strings.IndexByte("/?# \t\r\n\"'<>\\`", text[end]) < 0 {
			end++
		}
		if last := strings.LastIndexByte(text[at:end], '@'); last > 0 {
			spans = append(spans, span{at, at + last})
		}
	}
}

// findParameters adds the values of URL parameters whose names sound like keys.
func findParameters(spans []span, text string) []span {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return spans
		}
		name := at + i
		for name > at && (isWordByte(text[name-1]) || text[name-1] == '-' || text[name-1] == '.') {
			name--
		}
		secret := isParameterStart(text, name) && isKeyName(text[name:at+i])
		at += i + 1
		if !secret {
			continue
		}
		end := at
		for end < len(text) && strings.IndexByte("&# \t\r\n\"'<>\\`", text[end]) < 0 {
			end++
		}
		if end > at {
			spans = append(spans, span{at, end})
		}
	}
}

// isParameterStart reports whether a URL parameter may start at i: after ?, &, # or an escaped &.
func isParameterStart(text string, i int) bool {
	if i == 0 {
		return false
	}
	switch text[i-1] {
	case '?', '&', '#':
		return true
	case '\\':
		return strings.HasPrefix(text[i:], "u0026")
	}
	return strings.HasSuffix(text[:i], "&amp;")
}

// isKeyName reports whether a parameter of this name holds a secret.
func isKeyName(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	name = strings.TrimPrefix(name, "u0026") // the rest of an escaped &
	switch name {
	case "key", "sig", "auth", "pass", "pwd", "jwt", "sas":
		return true
	}
	for _, part := range []string{"apikey", "accesskey", "secret", "token", "password", "passwd", "signature",
		"credential", "subscriptionkey", "authkey", "privatekey", "authorization"} {
		if strings.Contains(name, part) {
			return !strings.HasSuffix(name, "tokens") // a number of tokens
		}
	}
	return false
}

// skip returns the first position from i on whose byte is not in set.
func skip(text string, i int, set string) int {
	for i < len(text) && strings.IndexByte(set, text[i]) >= 0 {
		i++
	}
	return i
}

// isWordByte reports an ASCII letter, digit or underscore.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
