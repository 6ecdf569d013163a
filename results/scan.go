package results

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scanner reads the JSON that this package writes, several times as fast as the strict reader. It knows less: it gives
// up on whatever is unusual, such as an escaped name or a lone surrogate, and on whatever is wrong, and then the strict
// reader decides. What it does accept, the strict reader accepts too, and reads in the same way.
//
// Its methods return false when they give up. They read the value at s.at and leave s.at behind it.
type scanner struct {
	text  []byte
	at    int
	depth int
	names []span      // of the members so far, of the objects that are open
	words [256]string // short texts that recur from trial to trial, by a hash
}

// span is a part of the text.
type span struct{ from, to int }

// Beyond these the scanner gives up, or keeps no more.
const (
	maxScanDepth   = 100
	maxScanMembers = 100
	maxWord        = 64 // bytes
)

// line reads a text that holds one value.
func (s *scanner) line(text []byte, value func() bool) bool {
	s.text, s.at, s.depth, s.names = text, 0, 0, s.names[:0]
	s.peek()
	if !value() {
		return false
	}
	s.peek()
	return s.at == len(s.text)
}

// peek skips white space and returns the next byte; 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// object reads an object; member reads the value of a member.
func (s *scanner) object(member func(name []byte) bool) bool {
	if s.depth++; s.depth > maxScanDepth || s.peek() != '{' {
		return false
	}
	s.at++
	first, seen := len(s.names), uint64(0)
	for c := s.peek(); c != '}'; {
		from := s.at + 1
		if plain, ok := s.quoted(); !ok || !plain || !s.fresh(span{from, s.at - 1}, first, &seen) || s.peek() != ':' {
			return false
		}
		name := s.text[s.names[len(s.names)-1].from:s.names[len(s.names)-1].to]
		s.at++
		if s.peek(); !member(name) {
			return false
		}
		if c = s.peek(); c == ',' {
			s.at++
			if c = s.peek(); c != '"' {
				return false
			}
		} else if c != '}' {
			return false
		}
	}
	s.at++
	s.depth--
	s.names = s.names[:first]
	return true
}

// fresh notes a name, and reports whether the object that began with the name at first had none like it. seen has a
// bit for each kind of name there was, so that few are compared.
func (s *scanner) fresh(n span, first int, seen *uint64) bool {
	name := s.text[n.from:n.to]
	kind := uint64(1) << (len(name) & 63)
	if len(name) > 0 {
		kind = uint64(1) << ((len(name)*7 + int(name[0])*3 + int(name[len(name)-1])) & 63)
	}
	if *seen&kind != 0 {
		for _, old := range s.names[first:] {
			if string(s.text[old.from:old.to]) == string(name) {
				return false
			}
		}
	}
	*seen |= kind
	s.names = append(s.names, n)
	return len(s.names)-first <= maxScanMembers
}

// array reads an array; item reads one of its values.
func (s *scanner) array(item func() bool) bool {
	if s.depth++; s.depth > maxScanDepth || s.peek() != '[' {
		return false
	}
	s.at++
	for c := s.peek(); c != ']'; {
		if !item() {
			return false
		}
		if c = s.peek(); c == ',' {
			s.at++
			s.peek() // no value begins with a bracket that ends the list
		} else if c != ']' {
			return false
		}
	}
	s.at++
	s.depth--
	return true
}

// value reads a value of any kind.
func (s *scanner) value() bool {
	switch s.peek() {
	case '"':
		_, ok := s.quoted()
		return ok
	case '{':
		return s.object(func([]byte) bool { return s.value() })
	case '[':
		return s.array(s.value)
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.number()
}

func (s *scanner) literal(word string) bool {
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// number reads a number.
func (s *scanner) number() bool {
	if s.at < len(s.text) && s.text[s.at] == '-' {
		s.at++
	}
	start := s.at
	if n := s.digits(); n == 0 || n > 1 && s.text[start] == '0' {
		return false
	}
	if s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		if s.digits() == 0 {
			return false
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		return s.digits() > 0
	}
	return true
}

// digits reads digits and returns how many.
func (s *scanner) digits() int {
	start := s.at
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		s.at++
	}
	return s.at - start
}

// Words of eight equal bytes.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// quoted reads a string. It is plain when its text stands for itself, without escapes.
func (s *scanner) quoted() (plain, ok bool) {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return false, false
	}
	start, foreign := s.at+1, uint64(0)
	plain = true
	for i := start; ; {
		for i+8 <= len(s.text) {
			x := binary.LittleEndian.Uint64(s.text[i:])
			foreign |= x & highs
			quote, escape := x^'"'*ones, x^'\\'*ones
			// The lowest bit set is that of the first quote, backslash or control character among the eight.
			if hit := ((quote-ones)&^quote | (escape-ones)&^escape | (x-' '*ones)&^x) & highs; hit != 0 {
				i += bits.TrailingZeros64(hit) / 8
				break
			}
			i += 8
		}
		if i >= len(s.text) {
			return false, false
		}
		switch c := s.text[i]; {
		case c == '"':
			s.at = i + 1
			return plain, foreign == 0 || utf8.Valid(s.text[start:i])
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 {
				return false, false
			}
			plain, i = false, i+n
		case c < ' ':
			return false, false
		default:
			foreign |= uint64(c) & 0x80
			i++
		}
	}
}

// escapeLength is the length of the escape at the beginning of a text; 0 for none that is known here: half of a
// surrogate pair may be half of nothing.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) < 6 || text[2]|0x20 == 'd' && text[3] >= '8' {
			return 0
		}
		for _, c := range text[2:6] {
			if c-'0' > 9 && (c|0x20)-'a' > 5 {
				return 0
			}
		}
		return 6
	}
	return 0
}
