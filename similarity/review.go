package similarity

import "slices"

// review joins pairs with what reviewers let stand.
type review struct {
	texts   []*prepared
	named   map[string][]int32         // texts by name and by ID
	entries map[[2]string][]Acceptance // by what they call the two, in both orders
	digests map[int32]string
}

// review reads the accepted pairs, and reports entries that no longer hold; nil without any.
func (f *finder) review() *review {
	if f.options.Accepted == nil {
		return nil
	}
	r := &review{texts: f.corpus.texts, named: map[string][]int32{}, entries: map[[2]string][]Acceptance{}, digests: map[int32]string{}}
	for i := range r.texts {
		for _, name := range r.namesOf(int32(i)) {
			r.named[name] = append(r.named[name], int32(i))
		}
	}
	for _, e := range f.options.Accepted.Pairs {
		as, bs := r.named[e.A], r.named[e.B]
		switch {
		case !twoOf(as, bs):
			f.result.Stale = append(f.result.Stale, e)
		case !twoOf(r.unchanged(as, e.DigestA), r.unchanged(bs, e.DigestB)):
			f.result.Reopened = append(f.result.Reopened, e)
		default:
			r.entries[[2]string{e.A, e.B}] = append(r.entries[[2]string{e.A, e.B}], e)
			r.entries[[2]string{e.B, e.A}] = append(r.entries[[2]string{e.B, e.A}], Acceptance{Reason: e.Reason, DigestA: e.DigestB, DigestB: e.DigestA})
		}
	}
	return r
}

// namesOf lists what an entry can call a text.
func (r *review) namesOf(i int32) []string {
	t := r.texts[i].source
	if t.ID == t.Name || t.ID == "" {
		return []string{t.Name}
	}
	return []string{t.Name, t.ID}
}

// twoOf reports whether one text of each list makes a pair.
func twoOf(as, bs []int32) bool {
	return len(as) > 0 && len(bs) > 0 && !(len(as) == 1 && slices.Equal(as, bs))
}

// unchanged keeps the texts that are as they were reviewed.
func (r *review) unchanged(list []int32, digest string) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(i int32) bool { return r.digest(i) != digest })
}

func (r *review) digest(i int32) string {
	d, ok := r.digests[i]
	if !ok {
		d = Digest(r.texts[i].source)
		r.digests[i] = d
	}
	return d
}

// reason is why a reviewer let a pair stand; "" when nobody has.
func (r *review) reason(p indexPair) string {
	if r == nil || len(r.entries) == 0 {
		return ""
	}
	for _, x := range r.namesOf(p.a) {
		for _, y := range r.namesOf(p.b) {
			for _, e := range r.entries[[2]string{x, y}] {
				if r.digest(p.a) == e.DigestA && r.digest(p.b) == e.DigestB {
					return e.Reason
				}
			}
		}
	}
	return ""
}
