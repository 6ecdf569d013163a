package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Summarize shortens a skill's result to at most limit characters, so that it can go back to the model. JSON
// stays JSON wherever that is possible: long strings, lists and objects are shortened and say how much was
// left out. Other text is cut between characters as a reader sees them, never inside one.
func Summarize(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	if short, ok := summarizeJSON(text, limit); ok {
		return short
	}
	return cutText(text, limit)
}

// cutText keeps the beginning of text and says how many characters follow.
func cutText(text string, limit int) string {
	total := utf8.RuneCountInString(text)
	note := fmt.Sprintf("\n… (%d more characters)", total)
	room := limit - utf8.RuneCountInString(note)
	if room <= 0 {
		return text[:cutAt(text, limit)]
	}
	end := cutAt(text, room)
	return text[:end] + fmt.Sprintf("\n… (%d more characters)", utf8.RuneCountInString(text[end:]))
}

// maxCluster bounds how far cutAt goes back, for text that stacks marks without end.
const maxCluster = 32

// cutAt returns the byte index after the first n characters of text, moved back where the cut would part a
// letter from its marks, an emoji from its modifiers, or a flag's two halves.
func cutAt(text string, n int) int {
	var starts []int // of the last characters before the cut
	end := len(text)
	for i := range text {
		if n == 0 {
			end = i
			break
		}
		n--
		if starts = append(starts, i); len(starts) > 4*maxCluster {
			starts = append(starts[:0], starts[len(starts)-maxCluster:]...)
		}
	}
	for cut, back := end, 0; back < maxCluster && back < len(starts); back++ {
		if !insideCluster(text, cut) {
			return cut
		}
		cut = starts[len(starts)-1-back]
	}
	return end
}

// insideCluster tells whether text[:cut] ends in the middle of what a reader sees as one character. It knows
// the common cases of Unicode Standard Annex 29: combining marks, joiners, emoji modifiers, regional
// indicators, Hangul and line ends.
func insideCluster(text string, cut int) bool {
	if cut <= 0 || cut >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:cut])
	after, _ := utf8.DecodeRuneInString(text[cut:])
	const joiner = '\u200d'
	switch {
	case before == '\r':
		return after == '\n'
	case after == joiner || before == joiner, unicode.In(after, unicode.Mn, unicode.Me, unicode.Mc):
		return true
	case after >= 0x1F3FB && after <= 0x1F3FF, after >= 0xE0020 && after <= 0xE007F:
		return true
	case after >= 0x1160 && after <= 0x11FF: // medial and final Hangul
		return true
	}
	return regional(after) && regionalRun(text[:cut])%2 == 1
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// regionalRun counts the regional indicators at the end of text, up to a bound.
func regionalRun(text string) int {
	n := 0
	for n < maxCluster {
		r, size := utf8.DecodeLastRuneInString(text)
		if !regional(r) {
			break
		}
		n++
		text = text[:len(text)-size]
	}
	return n
}

// node is a JSON value whose members keep their order.
type node struct {
	scalar json.RawMessage // neither list nor object
	text   *string         // a string's value
	keys   []string        // object
	items  []*node         // object or list
	object bool
}

// summarizeJSON tries shorter and shorter limits for strings and lists until the encoded value fits.
func summarizeJSON(text string, limit int) (string, bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	root, ok := readNode(dec, 0)
	if !ok || dec.More() || root.items == nil && root.text == nil {
		return "", false
	}
	for _, size := range []clipSize{
		{2000, 100, 100}, {1000, 50, 100}, {500, 20, 50}, {200, 10, 50}, {100, 5, 30}, {50, 3, 20}, {20, 1, 10}, {10, 1, 3},
	} {
		var b bytes.Buffer
		root.write(&b, size, 4*limit)
		if utf8.RuneCount(b.Bytes()) <= limit {
			return b.String(), true
		}
	}
	return "", false
}

// clipSize says how much of strings (characters), lists (items) and objects (fields) is kept.
type clipSize struct{ characters, items, fields int }

// readNode reads one value. It refuses nesting beyond maxDepth.
func readNode(dec *json.Decoder, depth int) (*node, bool) {
	token, err := dec.Token()
	if err != nil || depth > maxDepth {
		return nil, false
	}
	switch v := token.(type) {
	case json.Delim:
		n := &node{object: v == '{', items: []*node{}}
		for dec.More() {
			if n.object {
				key, err := dec.Token()
				name, ok := key.(string)
				if err != nil || !ok {
					return nil, false
				}
				n.keys = append(n.keys, name)
			}
			item, ok := readNode(dec, depth+1)
			if !ok {
				return nil, false
			}
			n.items = append(n.items, item)
		}
		_, err := dec.Token()
		return n, err == nil
	case string:
		return &node{text: &v}, true
	case json.Number:
		return &node{scalar: json.RawMessage(v)}, true
	case bool:
		return &node{scalar: json.RawMessage(fmt.Sprint(v))}, true
	}
	return &node{scalar: json.RawMessage("null")}, true
}

// write encodes the value at a size. It stops growing at most bytes: such a value does not fit anyway.
func (n *node) write(b *bytes.Buffer, size clipSize, most int) {
	switch {
	case n.text != nil:
		b.Write(quoteJSON(clipString(*n.text, size.characters)))
	case n.items == nil:
		b.Write(n.scalar)
	case n.object:
		n.writeItems(b, size, size.fields, "{}", most)
	default:
		n.writeItems(b, size, size.items, "[]", most)
	}
}

func (n *node) writeItems(b *bytes.Buffer, size clipSize, keep int, brackets string, most int) {
	b.WriteByte(brackets[0])
	for i, item := range n.items {
		if b.Len() > most {
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		if i == keep {
			n.writeRest(b, len(n.items)-i)
			break
		}
		if n.object {
			b.Write(quoteJSON(n.keys[i]))
			b.WriteByte(':')
		}
		item.write(b, size, most)
	}
	b.WriteByte(brackets[1])
}

// writeRest says how many items or fields were left out.
func (n *node) writeRest(b *bytes.Buffer, left int) {
	if n.object {
		fmt.Fprintf(b, `"…":"%d more fields"`, left)
		return
	}
	fmt.Fprintf(b, `"… %d more items"`, left)
}

func clipString(text string, characters int) string {
	total := utf8.RuneCountInString(text)
	if total <= characters {
		return text
	}
	end := cutAt(text, characters)
	return fmt.Sprintf("%s… (%d more characters)", text[:end], utf8.RuneCountInString(text[end:]))
}
