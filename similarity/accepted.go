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
		return nil, yamlError(path, err)
	}
	if a.Schema != AcceptedSchema {
		return nil, fmt.Errorf("%s: schema is %q: this version reads %q", path, a.Schema, AcceptedSchema)
	}
	if err := a.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &a, nil
}

// yamlError names the first line that the YAML library refused, without the names of our types.
func yamlError(path string, err error) error {
	var all *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &all) && len(all.Errors) > 0:
		one = all.Errors[0]
	case !errors.As(err, &one):
		return fmt.Errorf("%s: %w", path, err)
	}
	message, _, _ := strings.Cut(one.Message, " in type ")
	message = strings.ReplaceAll(message, "similarity.", "")
	if one.Mark.Line == 0 {
		return fmt.Errorf("%s: %s: want \"schema: %s\" and a list of pairs", path, message, AcceptedSchema)
	}
	return fmt.Errorf("%s:%d: %s", path, one.Mark.Line, message)
}

// complete says which pair lacks a field.
func (a *Accepted) complete() error {
	for i, p := range a.Pairs {
		if p.A == "" || p.B == "" || strings.TrimSpace(p.Reason) == "" || p.DigestA == "" || p.DigestB == "" {
			return fmt.Errorf("pair %d (%s, %s): a, b, reason, digest_a and digest_b are all needed: write it with \"skilleval similar --accept A B --reason TEXT\"", i+1, p.A, p.B)
		}
	}
	return nil
}

// Encode gives the bytes of the file, pairs sorted. A pair without a reason is an error.
func (a *Accepted) Encode() ([]byte, error) {
	if err := a.complete(); err != nil {
		return nil, fmt.Errorf("write accepted pairs: %w", err)
	}
	doc := Accepted{Schema: AcceptedSchema, Pairs: slices.Clone(a.Pairs)}
	slices.SortFunc(doc.Pairs, func(x, y Acceptance) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B), cmp.Compare(x.DigestA, y.DigestA), cmp.Compare(x.DigestB, y.DigestB))
	})
	body, err := yaml.Dump(&doc)
	if err != nil {
		return nil, fmt.Errorf("write accepted pairs: %w", err)
	}
	const head = "# Pairs of descriptions that a reviewer let stand. A changed description re-opens its pair.\n"
	return slices.Concat([]byte(head), bytes.TrimSpace(body), []byte("\n")), nil
}

// Accept adds a pair, or renews it; which of the two is named first does not matter.
func (a *Accepted) Accept(x, y *Text, nameX, nameY, reason string) {
	if nameY < nameX {
		x, y, nameX, nameY = y, x, nameY, nameX
	}
	entry := Acceptance{A: nameX, B: nameY, Reason: strings.TrimSpace(reason), DigestA: Digest(x), DigestB: Digest(y)}
	a.Pairs = slices.DeleteFunc(a.Pairs, func(p Acceptance) bool {
		return p.A == nameX && p.B == nameY || p.A == nameY && p.B == nameX
	})
	a.Pairs = append(a.Pairs, entry)
}
