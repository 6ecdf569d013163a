package metrics

import "bytes"

// rowScanner reads the rows of a baseline as they are written: compact, without escapes, in counts of at most nine
// digits. It is given nothing but valid JSON without repeated names, and gives up on whatever it does not know.
type rowScanner struct {
	text  []byte
	at    int
	ok    bool              // it has not given up
	words map[string]string // tags and skills, which recur from row to row
}

// row reads one row and reports whether it could.
func (s *rowScanner) row(text []byte, c *BaselineCase) bool {
	s.text, s.at, s.ok = text, 0, true
	s.object(func(name []byte) {
		switch string(name) {
		case "case":
			c.Case = string(s.str())
		case "group":
			c.Group = string(s.str())
		case "tags":
			c.Tags = make([]string, 0, 4)
			s.list('[', ']', func() { c.Tags = append(c.Tags, s.word()) })
		case "label":
			c.Label = string(s.str())
		case "trials":
			c.Trials = s.count()
		case "prompt":
			c.Prompt = s.count()
		case "skills":
			c.Skills = map[string]SkillShare{}
			s.object(func(name []byte) {
				var counts SkillShare
				s.counts(counts[:])
				c.Skills[s.kept(name)] = counts
			})
		default:
			if share := c.share(string(name)); share != nil {
				s.counts(share[:])
			} else {
				s.ok = false
			}
		}
	})
	return s.ok && s.at == len(text)
}

// share is the share that a name of the file stands for; nil for none.
func (c *BaselineCase) share(name string) *Share {
	switch name {
	case "selection":
		return &c.Selection
	case "level1":
		return &c.Level1
	case "over":
		return &c.Over
	case "under":
		return &c.Under
	case "args":
		return &c.Args
	case "calls":
		return &c.Calls
	}
	return nil
}

// next takes one byte.
func (s *rowScanner) next() byte {
	if s.at >= len(s.text) {
		s.ok = false
		return 0
	}
	s.at++
	return s.text[s.at-1]
}

// list reads what stands between two brackets.
func (s *rowScanner) list(open, end byte, item func()) {
	if s.next() != open {
		s.ok = false
		return
	}
	if s.at < len(s.text) && s.text[s.at] == end {
		s.at++
		return
	}
	for s.ok {
		item()
		switch s.next() {
		case ',':
		case end:
			return
		default:
			s.ok = false
		}
	}
}

// object reads an object.
func (s *rowScanner) object(member func(name []byte)) {
	s.list('{', '}', func() {
		name := s.str()
		if s.next() != ':' {
			s.ok = false
			return
		}
		member(name)
	})
}

// str reads a string without escapes.
func (s *rowScanner) str() []byte {
	if s.next() != '"' {
		s.ok = false
		return nil
	}
	rest := s.text[s.at:]
	n := bytes.IndexByte(rest, '"')
	if n < 0 || bytes.IndexByte(rest[:n], '\\') >= 0 {
		s.ok = false
		return nil
	}
	s.at += n + 1
	return rest[:n]
}

// word reads a string that recurs.
func (s *rowScanner) word() string { return s.kept(s.str()) }

// maxWords bounds the strings that are kept to be used again.
const maxWords = 1000

func (s *rowScanner) kept(text []byte) string {
	if w, ok := s.words[string(text)]; ok {
		return w
	}
	if s.words == nil {
		s.words = map[string]string{}
	}
	w := string(text)
	if len(s.words) < maxWords {
		s.words[w] = w
	}
	return w
}

// counts reads a list of so many counts.
func (s *rowScanner) counts(into []int) {
	i := 0
	s.list('[', ']', func() {
		n := s.count()
		if i < len(into) {
			into[i] = n
		}
		i++
	})
	s.ok = s.ok && i == len(into)
}

// count reads a whole number of at most nine digits.
func (s *rowScanner) count() int {
	n, start := 0, s.at
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 && s.at-start < 10 {
		n = n*10 + int(s.text[s.at]-'0')
		s.at++
	}
	s.ok = s.ok && s.at > start && s.at-start < 10
	return n
}
