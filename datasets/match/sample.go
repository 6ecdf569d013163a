package match

import "encoding/json"

// Sample is a concrete value that stands for an expectation, for validation against a schema.
type Sample struct {
	Value json.RawMessage
	// Loose are the places, as JSON paths, at which the value is only one of many that match: only its JSON type
	// can be held against a schema. Unknown are those of which not even the type is known.
	Loose, Unknown []string
	// Partial are the objects that may hold more keys than the sample shows ("" is the root).
	Partial []string
}

// maxSamples bounds Samples.
const maxSamples = 64

// Samples returns concrete values for the expectation: as many as its longest $anyOf has alternatives (at most
// 64), so that each alternative of each $anyOf is in one of them.
func (p *Pattern) Samples() []Sample {
	n := min(p.root.alternatives(), maxSamples)
	out := make([]Sample, 0, n)
	for pick := range n {
		s := sampler{pick: pick}
		b, present := p.root.sample(&s, nil, nil)
		if !present {
			continue
		}
		s.out.Value = b
		out = append(out, s.out)
	}
	return out
}

// Literal returns the expected value with each matcher replaced by a value that satisfies it (the first
// alternative, the inside of $optional), and false when a matcher admits too many values for one to stand for
// all ($any, $regex, $range, …); the value is then only an illustration.
func (p *Pattern) Literal() (json.RawMessage, bool) {
	all := p.Samples()
	if len(all) == 0 {
		return nil, false
	}
	s := all[0]
	return s.Value, len(s.Loose)+len(s.Unknown)+len(s.Partial) == 0
}

// sampler collects what is known of one sample.
type sampler struct {
	pick int
	out  Sample
}

func (s *sampler) loose(at *path)   { s.out.Loose = append(s.out.Loose, at.String()) }
func (s *sampler) unknown(at *path) { s.out.Unknown = append(s.out.Unknown, at.String()) }

func (n *scalar) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	if n.fold {
		s.loose(at)
	}
	return n.v.append(b), true
}

func (n *record) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	if n.open {
		s.out.Partial = append(s.out.Partial, at.String())
	}
	b = append(b, '{')
	first := true
	for i, f := range n.fields {
		mark := len(b)
		if !first {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, n.keys[i]), ':')
		out, present := f.sample(s, at.at(n.keys[i]), b)
		if !present {
			b = b[:mark]
			continue
		}
		b, first = out, false
	}
	return append(b, '}'), true
}

func (n *list) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	b = append(b, '[')
	shown := 0
	for _, item := range n.items {
		mark := len(b)
		if shown > 0 {
			b = append(b, ',')
		}
		out, present := item.sample(s, at.item(shown), b)
		if !present {
			b = b[:mark]
			continue
		}
		b = out
		shown++
	}
	return append(b, ']'), true
}

func (anything) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.unknown(at)
	return append(b, "null"...), true
}

func (n *anyOf) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	return n.items[s.pick%len(n.items)].sample(s, at, b)
}

func (absent) sample(_ *sampler, _ *path, b []byte) ([]byte, bool) { return b, false }

func (n *optional) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	return n.inner.sample(s, at, b)
}

func (n *pattern) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.loose(at)
	return append(b, `""`...), true
}

func (n *contains) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.unknown(at)
	return append(b, "null"...), true
}

func (n *within) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.loose(at)
	return append(b, n.typical...), true
}

func (n *date) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.loose(at)
	return appendQuoted(b, n.given), true
}

func (n *similar) sample(s *sampler, at *path, b []byte) ([]byte, bool) {
	s.loose(at)
	return appendQuoted(b, n.given), true
}

func (n *record) alternatives() int { return most(n.fields) }
func (n *list) alternatives() int   { return most(n.items) }

func (n *anyOf) alternatives() int    { return max(len(n.items), most(n.items)) }
func (n *optional) alternatives() int { return n.inner.alternatives() }

func most(nodes []node) int {
	k := 1
	for _, n := range nodes {
		k = max(k, n.alternatives())
	}
	return k
}
