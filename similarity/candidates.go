package similarity

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// The bounds of the search for candidates. The most telling terms of a text are looked up, from the rarest on. Up to
// about 5,000 texts every posting that matters is read; beyond, the common words of a text are left out once its share
// of reads is used up, so that time grows with the number of texts and not with its square.
const (
	candidateTerms  = 48                 // terms of one text that are looked up
	candidateReads  = 150_000_000        // postings read in all
	leastReads      = 2_000              // postings read for one text, whatever their number
	candidateCosine = leastShared - 1e-4 // of the terms that were looked up, with the whole lengths
	candidateTop    = 64                 // candidates of one text
)

// indexPair is two texts by index, the smaller first.
type indexPair struct{ a, b int32 }

// candidates finds the pairs that are worth measuring, sorted. It looks every text of list up in an inverted index of
// list and keeps the pairs whose words are alike.
func (c *corpus) candidates(ctx context.Context, list []int32) ([]indexPair, error) {
	postings := c.postings(list)
	inverse := make([]float32, len(c.texts))
	for _, i := range list {
		inverse[i] = float32(1 / c.texts[i].norm)
	}
	reads := max(candidateReads/max(len(list), 1), leastReads)
	found := make([][]indexPair, len(list))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			s := search{corpus: c, postings: postings, dots: make([]float32, len(c.texts)), inverse: inverse, reads: reads}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				found[i] = s.partners(list[i])
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return sortPairs(slices.Concat(found...)), nil
}

// posting is one text that holds a term, and how much the term counts there.
type posting struct {
	text   int32
	weight float32
}

// postings lists, for every term, the texts of list that hold it.
func (c *corpus) postings(list []int32) [][]posting {
	sizes := make([]int32, len(c.kinds))
	for _, i := range list {
		for _, e := range c.texts[i].terms {
			sizes[e.id]++
		}
	}
	out := make([][]posting, len(c.kinds))
	for _, i := range list {
		for _, e := range c.texts[i].terms {
			if out[e.id] == nil {
				out[e.id] = make([]posting, 0, sizes[e.id])
			}
			out[e.id] = append(out[e.id], posting{i, e.weight})
		}
	}
	return out
}

// search is the working memory of one goroutine.
type search struct {
	corpus   *corpus
	postings [][]posting
	dots     []float32 // by text; zero between searches
	inverse  []float32 // by text: 1 / length
	touched  []int32
	partner  []partner
	terms    vector
	reads    int
}

// partner is a text that shares words with another, and their cosine times the length of the other.
type partner struct {
	text   int32
	cosine float32
}

// partners gives the candidate pairs of one text.
func (s *search) partners(i int32) []indexPair {
	p := s.corpus.texts[i]
	s.terms = append(s.terms[:0], p.terms...)
	slices.SortFunc(s.terms, func(x, y entry) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.id, y.id)) })
	s.terms = s.terms[:min(len(s.terms), candidateTerms)]
	slices.SortStableFunc(s.terms, func(x, y entry) int { return cmp.Compare(len(s.postings[x.id]), len(s.postings[y.id])) })
	left := s.reads
	for n, e := range s.terms {
		list := s.postings[e.id]
		if n > 0 && len(list) > left {
			break
		}
		left -= len(list)
		for _, post := range list[:min(len(list), s.reads)] {
			if s.dots[post.text] == 0 {
				s.touched = append(s.touched, post.text)
			}
			s.dots[post.text] += e.weight * post.weight
		}
	}
	out := s.best(i)
	for _, j := range s.touched {
		s.dots[j] = 0
	}
	s.touched = s.touched[:0]
	return out
}

// best keeps the partners whose cosine is large enough, the largest first.
func (s *search) best(i int32) []indexPair {
	list := s.partner[:0]
	least := float32(candidateCosine / s.inverse[i])
	for _, j := range s.touched {
		if scaled := s.dots[j] * s.inverse[j]; scaled >= least && j != i {
			list = append(list, partner{j, scaled})
		}
	}
	s.partner = list
	slices.SortFunc(list, func(x, y partner) int { return cmp.Or(cmp.Compare(y.cosine, x.cosine), cmp.Compare(x.text, y.text)) })
	out := make([]indexPair, min(len(list), candidateTop))
	for k := range out {
		out[k] = indexPair{min(i, list[k].text), max(i, list[k].text)}
	}
	return out
}

// sortPairs sorts pairs and leaves each in once.
func sortPairs(list []indexPair) []indexPair {
	slices.SortFunc(list, func(x, y indexPair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return slices.Compact(list)
}
