package lint

import (
	"fmt"
	"sort"
	"unicode"
	"unicode/utf8"
)

// invisible tells whether a character shows nothing and has no business between these neighbours: joiners inside an
// emoji or between letters of a script that needs them, and the tags of flag emoji, have.
func invisible(before, r, after rune) bool {
	switch {
	case r == 0x200c || r == 0x200d: // zero width non-joiner and joiner
		return !joins(before) || !joins(after)
	case r == 0x200b || r == 0x2060 || r == 0xfeff || r == 0x00ad || r == 0x180e || r == 0x034f:
		return true
	case r >= 0x2061 && r <= 0x2064: // invisible operators
		return true
	case r >= 0x115f && r <= 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags: text that only a model reads
		return before != 0x1f3f4
	case r >= 0xfe00 && r <= 0xfe0e, r >= 0xe0100 && r <= 0xe01ef: // variation selectors that follow nothing
		return before == 0 || before == ' ' || before < utf8.RuneSelf && r != 0xfe0e || selector(before)
	}
	return false
}

func selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// joins tells whether a joiner may stand beside a character.
func joins(r rune) bool {
	return r >= 0x2190 && unicode.IsSymbol(r) || r == 0xfe0f || r >= 0x1f000 && r <= 0x1faff || unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// bidi tells whether a character changes the direction of what is around it.
func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// control tells whether a character is a control character that is no white space.
func control(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029
}

// flagTags is how many tags a flag may have: six for a region, and the one that ends it.
const flagTags = 7

// found is a character of a kind that is looked for.
type found struct {
	char       rune
	start, end int // bytes
}

// search finds the characters for which is holds. A byte order mark at the very start is not looked at: it has a rule of
// its own.
func search(data []byte, is func(before, r, after rune) bool) []found {
	var out []found
	before, tags := rune(0), 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf && data[i] >= ' ' && data[i] != 0x7f {
			before = rune(data[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		after := rune(0)
		if i+size < len(data) {
			after, _ = utf8.DecodeRune(data[i+size:])
		}
		if !(i == 0 && r == 0xfeff) && is(before, r, after) {
			out = append(out, found{r, i, i + size})
		}
		tags++
		if r < 0xe0000 || r > 0xe007f {
			tags = 0
		}
		if before != 0x1f3f4 || tags == 0 || tags >= flagTags { // the tags of a flag follow it
			before = r
		}
		i += size
	}
	return out
}

// charactersOf is a rule about single characters: what they are called, and how a fix takes them out, if it can.
type charactersOf struct {
	is         func(before, r, after rune) bool
	what, hint string
	edit       func([]found) *Fix
}

// check reports the characters as one finding a part of the file. Of the frontmatter, it looks at the values as well:
// their text may have written a character as "\u200b".
func (c charactersOf) check(p *skillPass) {
	if !p.skill.Readable() {
		if p.file.load() {
			c.report(p, "file", search(p.file.data, c.is))
		}
		return
	}
	front, body := c.inFile(p)
	if !p.file.load() {
		body = search([]byte(p.skill.Body), c.is)
	}
	c.report(p, "frontmatter", front)
	c.report(p, "body", body)
	if len(front) > 0 {
		return
	}
	for _, v := range []struct{ field, text string }{{"name", p.skill.Name}, {"description", p.skill.Description}} {
		if p.skill.Lines[v.field] == 0 {
			continue
		}
		if hits := search([]byte(v.text), c.is); len(hits) > 0 {
			p.report(v.field, fmt.Sprintf("%s U+%04X in the %s", c.what, hits[0].char, v.field), c.hint)
		}
	}
}

// inFile splits what is found in the text of the file where its body begins.
func (c charactersOf) inFile(p *skillPass) (front, body []found) {
	if !p.file.load() {
		return nil, nil
	}
	hits := search(p.file.data, c.is)
	at := len(p.file.data)
	if line := p.skill.Lines["body"]; line <= p.file.lines() {
		at = p.file.offset(max(line, 1))
	}
	n := sort.Search(len(hits), func(i int) bool { return hits[i].start >= at })
	return hits[:n], hits[n:]
}

func (c charactersOf) report(p *skillPass, part string, hits []found) {
	if len(hits) == 0 {
		return
	}
	f := Finding{Message: fmt.Sprintf("%s U+%04X in the %s", c.what, hits[0].char, part), Hint: c.hint, Path: p.skill.Path, Skill: p.skill.Name, Key: part}
	if len(hits) > 1 {
		f.Message += fmt.Sprintf(", and %d more", len(hits)-1)
	}
	if p.file.load() {
		f.Line, f.Column = p.file.place(hits[0].start)
		if c.edit != nil {
			f.Fix = c.edit(hits)
		}
	} else {
		f.Line, f.Column = p.file.keyPlace(part)
	}
	p.add(f)
}
