package skills

import (
	"bytes"
	"strings"
)

// jsonAdvice says in plain words what is wrong with a file that is not JSON, and what to write, for the mistakes that
// people make by hand: they write what JavaScript, Python or JSON with comments accept.
func jsonAdvice(data []byte, f *jsonFault) string {
	rest := data[f.offset:]
	if len(rest) == 0 {
		return f.reason
	}
	before := bytes.TrimRight(data[:f.offset], " \t\r\n")
	switch {
	case rest[0] == ',':
		return strayComma(before, rest[1:])
	case rest[0] == '\'' || bytes.HasPrefix(rest, []byte("‘")) || bytes.HasPrefix(rest, []byte("“")) || bytes.HasPrefix(rest, []byte("”")):
		return `text stands in straight double quotes: write "…"`
	case rest[0] == '/' || rest[0] == '#':
		return "JSON has no comments: take it out"
	case rest[0] == ';' && strings.HasPrefix(f.reason, "invalid character"):
		return "write a comma in place of the semicolon"
	case strings.Contains(f.reason, "(expecting ',' or"):
		if strings.IndexByte(`"{[-0123456789tfn`, rest[0]) >= 0 && data[f.offset-1] != '0' { // 01 is no number
			return "a comma is missing in front of this"
		}
	case strings.Contains(f.reason, "(expecting ':')"):
		return "a colon is missing between the name and its value"
	case strings.HasSuffix(f.reason, "at start of value"), strings.HasSuffix(f.reason, "in number (expecting digit)"):
		return bareWord(f.reason, before, rest)
	}
	return f.reason
}

// strayComma is about a comma where a value belongs.
func strayComma(before, behind []byte) string {
	next := bytes.TrimLeft(behind, " \t\r\n")
	switch {
	case len(next) > 0 && (next[0] == '}' || next[0] == ']'):
		return "a comma before " + string(next[:1]) + ": take it out"
	case len(before) > 0 && before[len(before)-1] == ',':
		return "two commas in a row: take one out"
	}
	return "a comma without a value in front of it: take it out"
}

// bareWords maps words of other languages to what JSON has in their place.
var bareWords = map[string]string{
	"True": "write true", "False": "write false", "None": "write null", "undefined": "write null",
	"NaN": "JSON has no NaN: write a number or null", "Infinity": "JSON has no Infinity: write a number or null",
}

// bareWord is about a word that is no value of JSON.
func bareWord(reason string, before, rest []byte) string {
	end := 0
	for end < len(rest) && end < maxGiven && (rest[end] == '_' || rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z') {
		end++
	}
	word := string(rest[:end])
	if advice := bareWords[word]; advice != "" {
		return advice
	}
	if key := bytes.TrimLeft(rest[end:], " \t\r\n"); end > 0 && len(before) > 0 && (len(key) > 0 && key[0] == ':') {
		return `names stand in double quotes: write "` + word + `"`
	}
	if end > 1 {
		return `text stands in double quotes: write "` + clip(word, 40) + `…"`
	}
	return reason
}
