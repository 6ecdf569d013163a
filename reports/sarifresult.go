package reports

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// sarifLimits is what one file may hold.
type sarifLimits struct {
	results int // of a run
	zipped  int // bytes after gzip, at the fastest level, which makes the largest file
	bytes   int // before it: what a reader must hold
}

// codeScanning is what GitHub's code scanning takes: 25,000 results, and files up to 10 MB after gzip.
func codeScanning() sarifLimits {
	return sarifLimits{results: 25_000, zipped: 9_500_000, bytes: 50_000_000}
}

// sarifBatch is how many bytes of results are compressed before they are counted.
const sarifBatch = 1 << 16

// fitting encodes the results, in order, as long as the file stays within the limits; head is the size of the rest of
// the file in bytes, taken as if it could not be compressed.
func fitting(head int, all []remark, rules []sarifRule, limits sarifLimits) ([]json.RawMessage, error) {
	index := make(map[string]int, len(rules))
	for i := range rules {
		index[rules[i].ID] = i
	}
	zipped := countingWriter(head)
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	out := []json.RawMessage{}
	total, counted, pending := head, 0, 0 // counted results are known to fit, pending bytes follow them
	for i := range all[:min(len(all), limits.results)] {
		data, err := json.Marshal(newSARIFResult(&all[i], index))
		if err != nil {
			return nil, err
		}
		if total += len(data) + 1; total > limits.bytes {
			break
		}
		out = append(out, data)
		if _, err := z.Write(data); err != nil {
			return nil, err
		}
		if pending += len(data); pending < sarifBatch {
			continue
		}
		if err := z.Flush(); err != nil {
			return nil, err
		}
		if int(zipped) > limits.zipped {
			return out[:counted], nil
		}
		counted, pending = len(out), 0
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if int(zipped) > limits.zipped {
		out = out[:counted]
	}
	return out, nil
}

// countingWriter counts the bytes that are written to it.
type countingWriter int

var _ io.Writer = (*countingWriter)(nil)

// Write implements io.Writer.
func (c *countingWriter) Write(p []byte) (int, error) {
	*c += countingWriter(len(p))
	return len(p), nil
}

func newSARIFResult(m *remark, rules map[string]int) sarifResult {
	s := sarifResult{RuleID: m.rule, Level: m.severity, Locations: []sarifLocation{newSARIFLocation(m.at)},
		Fingerprints: map[string]string{fingerprintKey: m.fingerprint}}
	if i, ok := rules[m.rule]; ok {
		s.RuleIndex = &i
	}
	if m.skill != "" {
		s.Locations[0].Logical = []sarifLogical{{Name: m.skill, Kind: "module"}}
	}
	text := unlinked(m.message)
	if len(m.related) > 0 {
		text = sentence(text)
	}
	for i, rel := range m.related {
		if i == sarifLocations-1 {
			text += fmt.Sprintf(" See %d more places.", len(m.related)-i)
			break
		}
		l := newSARIFLocation(rel.at)
		l.ID = i + 1
		l.Message = &sarifMessage{Text: unlinked(rel.label)}
		s.Related = append(s.Related, l)
		text += fmt.Sprintf(" See [%s](%d).", linkText(rel.label), l.ID)
	}
	s.Message = sarifMessage{Text: text}
	if m.accepted != "" {
		s.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: m.accepted}}
	}
	return s
}

func newSARIFLocation(s spot) sarifLocation {
	return sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{URI: relativeURI(s.path), BaseID: sarifRoot},
		Region: sarifRegion{StartLine: s.line, StartColumn: s.column}}}
}

// linkText escapes the text of a link embedded in a message (SARIF 2.1.0, section 3.11.6).
func linkText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(s)
}

// unlinked keeps a text from holding an embedded link; one that could not is left as it is.
func unlinked(s string) string {
	if strings.Contains(s, "](") {
		return linkText(s)
	}
	return s
}
