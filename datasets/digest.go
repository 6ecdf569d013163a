package datasets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Digest returns "sha256:…" over the content of the cases, independent of their order, of the file format and of
// the order and spacing of JSON keys. Numbers count as written.
func Digest(cases []Case) string {
	order := make([]int, len(cases))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cases[a].ID, cases[b].ID) })
	h := sha256.New()
	for _, i := range order {
		c := &cases[i]
		h.Write(append(canonicalCase(c, true), '\n'))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// contentID makes an id from what a case asks and expects; tags, group and notes may change without changing it,
// and so may its place in the file.
func contentID(c *Case) string {
	sum := sha256.Sum256(canonicalCase(c, false))
	return "case-" + hex.EncodeToString(sum[:8])
}

// canonicalCase writes a case as JSON with sorted keys; without id, tags, group and notes unless whole.
func canonicalCase(c *Case, whole bool) []byte {
	var b []byte
	field := func(name string, write func()) {
		b = append(b, cmpByte(len(b) == 0, '{', ','))
		b = append(quote(b, name), ':')
		write()
	}
	field("input", func() { b = quote(b, c.Input) })
	if whole {
		field("id", func() { b = quote(b, c.ID) })
		field("group", func() { b = quote(b, c.Group) })
		field("notes", func() { b = quote(b, c.Notes) })
		field("tags", func() { b = quotes(b, c.Tags) })
	}
	field("context_tags", func() { b = quotes(b, c.ContextTags) })
	field("history", func() {
		for _, t := range c.History {
			b = append(quote(append(quote(b, t.Role), ':'), t.Content), ';')
		}
	})
	field("expect", func() { b = append(b, canonicalExpectation(&c.Expect)...) })
	field("accept", func() {
		for i := range c.Accept {
			b = append(append(b, canonicalExpectation(&c.Accept[i])...), ';')
		}
	})
	field("results", func() {
		for _, k := range slices.Sorted(maps.Keys(c.Results)) {
			b = append(quote(b, k), ':')
			b = append(append(b, canonicalJSON(c.Results[k])...), ';')
		}
	})
	return append(b, '}')
}

func cmpByte(first bool, a, b byte) byte {
	if first {
		return a
	}
	return b
}

// canonicalExpectation writes an expectation so that two of the same meaning and spelling are the same bytes.
func canonicalExpectation(e *Expectation) []byte {
	if e.None {
		return []byte("none")
	}
	var b []byte
	if e.Order == "strict" && len(e.Calls) > 1 {
		b = append(b, "strict "...)
	}
	for i := range e.Calls {
		b = append(quote(b, e.Calls[i].Skill), '(')
		b = append(append(b, canonicalJSON(e.Calls[i].Args)...), ')')
	}
	return b
}

// canonicalJSON sorts keys and drops white space; numbers keep their text, so that none passes through a float.
func canonicalJSON(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return nil
	}
	v := jsontext.Value(bytes.Clone(raw))
	err := v.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return raw
	}
	return v
}

func quote(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil { // invalid UTF-8: no reader lets it in
		return append(b, `""`...)
	}
	return out
}

func quotes(b []byte, list []string) []byte {
	b = append(b, '[')
	for _, s := range list {
		b = append(quote(b, s), ',')
	}
	return append(b, ']')
}
