package similarity

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// labelledText holds the labelled pairs, one JSON object a line; LABELLED.md says how they were made.
//
//go:embed labelled.jsonl
var labelledText string

// The labels of a pair, by meaning. Duplicate and Paraphrase are one ability.
const (
	LabelDuplicate  = "duplicate"  // the same ability in nearly the same words
	LabelParaphrase = "paraphrase" // the same ability in other words
	LabelSibling    = "sibling"    // the same template, different abilities
	LabelBoundary   = "boundary"   // neighbours or opposites that a reader can tell apart
	LabelUnrelated  = "unrelated"
)

// LabelledPair is two descriptions and what a reader makes of them.
type LabelledPair struct {
	ID      string       `json:"id"`
	Label   string       `json:"label"`
	Lang    string       `json:"lang"` // en, zh, mixed or cross
	Domain  string       `json:"domain"`
	Catalog string       `json:"catalog"` // pairs of one catalogue are weighed together; "": the catalogue of all the rest
	A       LabelledText `json:"a"`
	B       LabelledText `json:"b"`
}

// LabelledText is one side of a labelled pair.
type LabelledText struct {
	Name         string   `json:"name"`
	Description  string   `json:"description"`
	UseWhen      []string `json:"use_when"`
	DoNotUseWhen []string `json:"do_not_use_when"`
	Parameters   []string `json:"parameters"`
}

// Labelled gives the labelled pairs that the thresholds were chosen on and judged by.
func Labelled() ([]LabelledPair, error) {
	var out []LabelledPair
	n := 0
	for line := range strings.Lines(labelledText) {
		n++
		var p LabelledPair
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			return nil, fmt.Errorf("labelled.jsonl:%d: %w", n, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// Tuning reports whether a pair belongs to the half that weights and thresholds were chosen on; the other half judges
// them. All pairs of a named catalogue are in one half.
func (p *LabelledPair) Tuning() bool {
	h := fnv.New32a()
	if p.Catalog != "" {
		h.Write([]byte(p.Catalog))
	} else {
		h.Write([]byte(p.ID))
	}
	return h.Sum32()%2 == 0
}

// same reports whether the pair is one ability.
func (p *LabelledPair) same() bool { return p.Label == LabelDuplicate || p.Label == LabelParaphrase }

// positive reports whether a pair should be found at a level.
func (p *LabelledPair) positive(l Level) bool {
	switch l {
	case Duplicate:
		return p.Label == LabelDuplicate
	case Near:
		return p.same()
	}
	return p.Label != LabelUnrelated
}

// Quality counts the pairs that a threshold finds and misses.
type Quality struct {
	Level     Level   `json:"level"`
	Threshold float64 `json:"threshold"`
	Found     int     `json:"found"`  // rightly
	Wrong     int     `json:"wrong"`  // found, and should not be
	Missed    int     `json:"missed"` // should be found, and are not
	Passed    int     `json:"passed"` // rightly not found
}

// Judged is a labelled pair with its score.
type Judged struct {
	LabelledPair
	Score float64 `json:"score"` // the probability of one ability
	Field float64 `json:"field"` // the probability of one field
	Level Level   `json:"level"`
	// Candidate is false for a pair that the search through the index would not have measured.
	Candidate bool `json:"candidate"`
	features  features
}

// Calibration is how well the score tells the labelled pairs apart.
type Calibration struct {
	Pairs      []Judged   `json:"pairs"`
	Thresholds Thresholds `json:"thresholds"`
}

// HeldOut gives the pairs that did not choose weights and thresholds.
func (c *Calibration) HeldOut() []Judged {
	return slices.DeleteFunc(slices.Clone(c.Pairs), func(j Judged) bool { return j.Tuning() })
}

// Calibrate scores labelled pairs, each in its catalogue.
func Calibrate(ctx context.Context, pairs []LabelledPair, t Thresholds) (*Calibration, error) {
	judged, err := judge(ctx, pairs, t)
	return &Calibration{Pairs: judged, Thresholds: t}, err
}

// QualityOf counts what each threshold finds and misses, from Duplicate to Related.
func QualityOf(judged []Judged, t Thresholds) []Quality {
	out := []Quality{{Level: Duplicate, Threshold: t.Duplicate}, {Level: Near, Threshold: t.Near}, {Level: Related, Threshold: t.Related}}
	for i := range out {
		for k := range judged {
			out[i].count(judged[k].positive(out[i].Level), judged[k].Level.AtLeast(out[i].Level))
		}
	}
	return out
}

func (q *Quality) count(positive, found bool) {
	switch {
	case positive && found:
		q.Found++
	case found:
		q.Wrong++
	case positive:
		q.Missed++
	default:
		q.Passed++
	}
}

// judge scores each pair among the texts of its catalogue.
func judge(ctx context.Context, pairs []LabelledPair, t Thresholds) ([]Judged, error) {
	out := make([]Judged, len(pairs))
	same, field := sameModel(), fieldModel()
	for _, members := range catalogues(pairs) {
		b, err := newLabelledCatalogue(ctx, pairs, members)
		if err != nil {
			return nil, err
		}
		for k, i := range members {
			s := b.sides[k]
			j := Judged{LabelledPair: pairs[i], features: b.corpus.measure(b.corpus.texts[s.a], b.corpus.texts[s.b]), Candidate: b.found[s]}
			j.Score, j.Field = same.score(j.features), field.fieldScore(j.features)
			if b.corpus.texts[s.a].whole == b.corpus.texts[s.b].whole {
				j.Score, j.Field = 1, 1
			}
			j.Level = t.Level(j.Score, j.Field)
			out[i] = j
		}
	}
	return out, nil
}

// catalogues groups the indexes of pairs by catalogue, in the order of their first pairs.
func catalogues(pairs []LabelledPair) [][]int {
	var out [][]int
	at := map[string]int{}
	for i, p := range pairs {
		k, ok := at[p.Catalog]
		if !ok {
			k = len(out)
			at[p.Catalog] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// labelledCatalogue is one catalogue of labelled pairs as the search sees it.
type labelledCatalogue struct {
	corpus *corpus
	sides  []indexPair        // of each pair, the smaller index first
	found  map[indexPair]bool // candidates
}

// newLabelledCatalogue makes the corpus of some pairs; a text that stands in several pairs counts once.
func newLabelledCatalogue(ctx context.Context, pairs []LabelledPair, members []int) (*labelledCatalogue, error) {
	var texts []Text
	at := map[string]int32{}
	place := func(t LabelledText) int32 {
		key := t.Name + "\x00" + t.Description
		i, ok := at[key]
		if !ok {
			i = int32(len(texts))
			at[key] = i
			texts = append(texts, Text{ID: fmt.Sprint(i), Name: t.Name, Description: t.Description, UseWhen: t.UseWhen, DoNotUseWhen: t.DoNotUseWhen, Parameters: t.Parameters})
		}
		return i
	}
	b := &labelledCatalogue{found: map[indexPair]bool{}}
	for _, i := range members {
		x, y := place(pairs[i].A), place(pairs[i].B)
		b.sides = append(b.sides, indexPair{min(x, y), max(x, y)})
	}
	var err error
	if b.corpus, err = newCorpus(ctx, texts); err != nil {
		return nil, err
	}
	all := make([]int32, len(texts))
	for i := range all {
		all[i] = int32(i)
	}
	found, err := b.corpus.candidates(ctx, all)
	for _, p := range found {
		b.found[p] = true
	}
	return b, err
}
