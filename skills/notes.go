package skills

import (
	"fmt"
	"strings"
)

// Codes of the notes in [Skill.Tolerated]: what loading accepted although the open format does not, or what
// a YAML reader would lose without a word.
const (
	CodeBOM             = "bom"                   // a byte order mark in front of the file
	CodeUTF8            = "invalid-utf8"          // bytes that are not UTF-8, replaced by U+FFFD
	CodeFileName        = "file-name"             // skill.md in another case than SKILL.md
	CodeLeadingText     = "leading-text"          // blank lines, a comment or a code fence before the first ---
	CodeNoFrontmatter   = "no-frontmatter"        // the file has no frontmatter at all
	CodePlainScalar     = "plain-scalar"          // a value that is not valid YAML, read as plain text
	CodeIgnoredLine     = "ignored-line"          // a frontmatter line that belongs to no key
	CodeDuplicateKey    = "duplicate-key"         // a key given twice: the last one counts
	CodeKeyCase         = "key-case"              // Name, allowedTools or when_to_use in place of the documented key
	CodeTopLevel        = "top-level-field"       // a field of ours outside metadata
	CodeScalarType      = "scalar-type"           // a number, truth value or date where text belongs
	CodeNotText         = "not-text"              // a list or map where text belongs
	CodeCommentCut      = "comment-cut"           // text after " #" that YAML takes for a comment
	CodeNameFromDir     = "name-from-directory"   // no usable name
	CodeDescriptionBody = "description-from-body" // no description: the first paragraph of the body stands in
	CodeMetadata        = "metadata-not-map"      // metadata that is neither a map nor JSON text of one
	CodeBadValue        = "bad-value"             // a value that cannot be used and is left out
	CodeAliasTarget     = "unknown-alias-target"  // an alias for an argument that the schema does not declare
	CodeUnchecked       = "unchecked-pattern"     // a pattern of the schema that this program cannot check
)

// Codes of the notes in [Catalog.Failures], [Catalog.Notes] and those that [CheckDependencies] returns.
const (
	CodeUnreadable     = "unreadable"      // a file or folder that cannot be read
	CodeTooLarge       = "too-large"       // a file over the size limit
	CodeEncoding       = "encoding"        // not UTF-8 text
	CodeUnclosed       = "unclosed"        // frontmatter without its closing ---
	CodeNotMapping     = "not-a-mapping"   // frontmatter without any key
	CodeExpansion      = "yaml-expansion"  // aliases that expand without bound
	CodeNoName         = "no-name"         // neither a name nor a directory to take it from
	CodeNoDescription  = "no-description"  // neither a description nor a paragraph of text
	CodeSchema         = "schema"          // parameters.json is not a usable JSON Schema
	CodeResult         = "result"          // result.json is not JSON
	CodePathEscape     = "path-escape"     // a link that leads out of the root
	CodeLinkCycle      = "link-cycle"      // a link to a folder that holds it
	CodeLinkSeen       = "link-seen"       // a link to a folder that was already read
	CodeDangling       = "dangling-link"   // a link to nothing
	CodeNoSkillFile    = "no-skill-file"   // a folder that looks like a skill and has no SKILL.md
	CodeSkippedFolder  = "skipped-folder"  // a hidden or vendored folder that was not searched
	CodeDepth          = "too-deep"        // folders nested deeper than are searched
	CodeResourceSkill  = "resource-skill"  // a SKILL.md among the resources of another skill
	CodeSecondFile     = "second-file"     // a second SKILL.md in one folder, in another case
	CodeDuplicateName  = "duplicate-name"  // equal names inside one root
	CodeUnknownDepends = "unknown-depends" // depends-on names no skill
	CodeDependsCycle   = "depends-cycle"   // depends-on leads back to where it began
)

// String gives the note as "path:line:column: message", without the parts that are unknown.
func (n Note) String() string {
	var b strings.Builder
	if n.Path != "" {
		b.WriteString(n.Path)
		if n.Line > 0 {
			fmt.Fprintf(&b, ":%d", n.Line)
			if n.Column > 0 {
				fmt.Fprintf(&b, ":%d", n.Column)
			}
		}
		b.WriteString(": ")
	}
	b.WriteString(n.Message)
	return b.String()
}

// LoadError says why one file could not be loaded, and where.
type LoadError struct{ Note }

// Error implements error.
func (e *LoadError) Error() string { return e.String() }

func loadError(code, path string, line, column int, format string, args ...any) *LoadError {
	return &LoadError{Note{Code: code, Path: path, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}}
}

// CatalogError lists everything that makes a catalogue unfit for a run.
type CatalogError struct{ Faults []Note }

// Error gives one line a fault.
func (e *CatalogError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, n := range e.Faults {
		lines[i] = n.String()
	}
	return strings.Join(lines, "\n")
}
