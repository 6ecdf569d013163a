package similarity

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// AcceptedSchema is the version of the file of accepted pairs.
const AcceptedSchema = "skilleval.accepted/v1"

// Accepted is the reviewed file of pairs that may sound alike.
type Accepted struct {
	Schema string       `yaml:"schema"`
	Pairs  []Acceptance `yaml:"pairs"`
}

// Acceptance is one pair that a reviewer let stand, and the descriptions that were reviewed.
type Acceptance struct {
	A       string `yaml:"a" json:"a"` // name of the skill, or its path where the name is not unique
	B       string `yaml:"b" json:"b"`
	Reason  string `yaml:"reason" json:"reason"`
	DigestA string `yaml:"digest_a" json:"digest_a"` // of the description that was reviewed
	DigestB string `yaml:"digest_b" json:"digest_b"`
}

// Digest identifies what a reviewer sees of a text: description, use-when and do-not-use-when.
func Digest(t *Text) string {
	h := sha256.New()
	for _, part := range slices.Concat([]string{t.Description}, t.UseWhen, []string{""}, t.DoNotUseWhen) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// ParseAccepted reads a file of accepted pairs. Errors name the path, and the line where there is one.
func ParseAccepted(path string, data []byte) (*Accepted, error) {
	var a Accepted
	if err := yaml.Load(data, &a, yaml.WithKnownFields(), yaml.WithUniqueKeys()); err != nil {
		var all *yaml.LoadErrors
		if errors.As(err, &all) && len(all.Errors) > 0 {
			return nil, fmt.Errorf("%s:%d: %w", path, all.Errors[0].Mark.Line, all.Errors[0])
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if a.Schema != AcceptedSchema {
		return nil, fmt.Errorf("%s: schema is %q: this version reads %q", path, a.Schema, AcceptedSchema)
	}
	for i, p := range a.Pairs {
		if p.A == "" || p.B == "" || strings.TrimSpace(p.Reason) == "" || p.DigestA == "" || p.DigestB == "" {
			return nil, fmt.Errorf("%s: pair %d (%s, %s): a, b, reason, digest_a and digest_b are all needed: write it with \"skilleval similar --accept A B --reason TEXT\"", path, i+1, p.A, p.B)
		}
	}
	return &a, nil
}

// Encode gives the bytes of the file, pairs sorted.
func (a *Accepted) Encode() ([]byte, error) {
	doc := Accepted{Schema: AcceptedSchema, Pairs: slices.Clone(a.Pairs)}
	slices.SortFunc(doc.Pairs, func(x, y Acceptance) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	body, err := yaml.Dump(&doc)
	if err != nil {
		return nil, fmt.Errorf("write accepted pairs: %w", err)
	}
	const head = "# Pairs of descriptions that a reviewer let stand. A changed description re-opens its pair.\n"
	return append([]byte(head), bytes.TrimSpace(body)...), nil
}

// Accept adds a pair, or renews it.
func (a *Accepted) Accept(x, y *Text, nameX, nameY, reason string) {
	if nameY < nameX {
		x, y, nameX, nameY = y, x, nameY, nameX
	}
	entry := Acceptance{A: nameX, B: nameY, Reason: strings.TrimSpace(reason), DigestA: Digest(x), DigestB: Digest(y)}
	if i := slices.IndexFunc(a.Pairs, func(p Acceptance) bool { return p.A == nameX && p.B == nameY }); i >= 0 {
		a.Pairs[i] = entry
		return
	}
	a.Pairs = append(a.Pairs, entry)
}

// accept marks the pairs that reviewers let stand, and reports entries that no longer hold.
func (f *finder) accept() {
	if f.options.Accepted == nil {
		return
	}
	by := map[string][]*Text{}
	for _, p := range f.corpus.texts {
		t := p.source
		by[t.Name] = append(by[t.Name], t)
		if t.ID != t.Name {
			by[t.ID] = append(by[t.ID], t)
		}
	}
	reasons := map[[2]string]string{}
	for _, entry := range f.options.Accepted.Pairs {
		as, bs := by[entry.A], by[entry.B]
		if len(as) == 0 || len(bs) == 0 {
			f.result.Stale = append(f.result.Stale, entry)
			continue
		}
		held := false
		for _, x := range as {
			for _, y := range bs {
				if x != y && Digest(x) == entry.DigestA && Digest(y) == entry.DigestB {
					held = true
					reasons[[2]string{x.ID, y.ID}], reasons[[2]string{y.ID, x.ID}] = entry.Reason, entry.Reason
				}
			}
		}
		if !held {
			f.result.Reopened = append(f.result.Reopened, entry)
		}
	}
	for i := range f.result.Pairs {
		p := &f.result.Pairs[i]
		p.Accepted = reasons[[2]string{p.IDA, p.IDB}]
	}
}
