package results

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// items reads an array, in which there are mostly no more than so many values.
func items[T any](s *scanner, into *[]T, mostly int, item func(*T) bool) bool {
	if s.peek() == '[' && s.at+1 < len(s.text) && s.text[s.at+1] == ']' {
		mostly = 0
	}
	list := make([]T, 0, mostly)
	ok := s.array(func() bool {
		var zero T
		list = append(list, zero)
		return item(&list[len(list)-1])
	})
	*into = list
	return ok
}

// pointer reads a value that may be absent, and is there.
func pointer[T any](into **T, value func(*T) bool) bool {
	*into = new(T)
	return value(*into)
}

// raw keeps the text of a value.
func (s *scanner) raw(into *json.RawMessage) bool {
	from := s.at
	if !s.value() {
		return false
	}
	*into = bytes.Clone(s.text[from:s.at])
	return true
}

// str reads a string.
func (s *scanner) str(into *string) bool {
	from := s.at
	plain, ok := s.quoted()
	switch {
	case !ok:
		return false
	case plain:
		*into = string(s.text[from+1 : s.at-1])
		return true
	}
	text, err := jsontext.AppendUnquote(nil, s.text[from:s.at])
	*into = string(text)
	return err == nil
}

// word reads a string that is the same in many trials.
func (s *scanner) word(into *string) bool {
	from := s.at
	plain, ok := s.quoted()
	if !ok || !plain {
		s.at = from
		return ok && s.str(into)
	}
	*into = s.kept(s.text[from+1 : s.at-1])
	return true
}

// kept returns a text, mostly the same one for the same bytes.
func (s *scanner) kept(text []byte) string {
	n := len(text)
	if n == 0 || n > maxWord {
		return string(text)
	}
	hash := n*5 + int(text[0]) + int(text[n/2])*29 + int(text[n-1])*101
	w := &s.words[hash%len(s.words)]
	if *w != string(text) {
		*w = string(text)
	}
	return *w
}

// count reads a whole number that is not negative, of at most nine digits. Of another number it reads the beginning, which
// nothing that may follow a value follows.
func (s *scanner) count(into *int) bool {
	start, n := s.at, 0
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		n = n*10 + int(s.text[s.at]-'0')
		s.at++
		if s.at-start > 9 {
			return false
		}
	}
	*into = n
	return s.at > start && (s.at-start == 1 || s.text[start] != '0')
}

func (s *scanner) float(into *float64) bool {
	from := s.at
	if !s.number() {
		return false
	}
	x, err := strconv.ParseFloat(string(s.text[from:s.at]), 64)
	*into = x
	return err == nil
}

func (s *scanner) flag(into *bool) bool {
	*into = s.peek() == 't'
	return *into && s.literal("true") || !*into && s.literal("false")
}
