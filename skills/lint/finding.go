package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/skilleval/skilleval/skills"
)

// Severity is how much a finding counts.
type Severity string

// The severities, from the gravest. Off is for configuration: a rule that is off finds nothing.
const (
	Error   Severity = "error"   // the skill is not loaded, or asks for what is not there
	Warning Severity = "warning" // some host drops or misreads the skill, or a model is led astray
	Note    Severity = "note"    // worth a look
	Off     Severity = "off"
)

// severities lists them in order of weight.
var severities = []Severity{Error, Warning, Note, Off}

// AtLeast tells whether s weighs as much as limit, or more.
func (s Severity) AtLeast(limit Severity) bool {
	return slices.Index(severities, s) <= slices.Index(severities, limit)
}

// Finding is one remark about a skill or a catalogue.
type Finding struct {
	Rule     string // id of the rule
	Severity Severity
	Message  string // what is the matter, one line
	Hint     string // what to write instead
	Path     string // file, with slashes, as reached from the root that was loaded
	Line     int    // 1-based; 0: the file as a whole
	Column   int    // 1-based, in characters; 0: unknown
	Skill    string // name of the skill; "" where the file could not be loaded

	// Key is what inside the file the finding is about, such as "description" or the name of a parameter.
	Key string
	// Related holds the other places that belong to it, such as the other skill of a pair.
	Related []skills.Note
	// Fix mends it without judgement; nil for most findings.
	Fix *Fix

	touches []string // further files whose change brings the finding up, such as a file that is missing
}

// Fingerprint identifies a finding in files that change: a hash of rule, path and key, not of the line.
func (f Finding) Fingerprint() string { return f.FingerprintAt(f.Path) }

// FingerprintAt is the fingerprint under another spelling of the file's path, such as that from the root of the
// repository, which does not depend on where the command was run.
func (f Finding) FingerprintAt(path string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", f.Rule, path, f.Key))
	return hex.EncodeToString(sum[:16])
}

// Fix is a change that needs no judgement: edits of a file's own bytes, or a new name for it.
type Fix struct {
	Edits  []Edit // in order, not overlapping
	Rename string // new name inside the folder; "" keeps it
}

// Edit replaces the bytes from Start up to End.
type Edit struct {
	Start, End int
	Text       string
}

// compare orders findings by place, then rule, then what they are about.
func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message))
}
