package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/similarity"
)

// Schema is the version of the JSON report.
const Schema = "skilleval.report/v1"

// Report is what any command has to say; a command fills the parts it has. The field names are a contract.
type Report struct {
	Schema     string               `json:"schema"`
	Run        *results.Header      `json:"run,omitempty"` // without the skills' bodies
	Arms       []metrics.Arm        `json:"arms,omitempty"`
	AB         *AB                  `json:"ab,omitempty"`
	Ablation   *Ablation            `json:"ablation,omitempty"`
	Comparison *metrics.Comparison  `json:"comparison,omitempty"`
	Gates      []metrics.GateResult `json:"gates,omitempty"`
	Findings   []Finding            `json:"findings,omitempty"`
	Skills     *SkillList           `json:"skills,omitempty"`
	Similar    *SimilarInfo         `json:"similar,omitempty"`
	Pairs      []similarity.Pair    `json:"pairs,omitempty"`
	Dataset    any                  `json:"dataset,omitempty"` // statistics of the cases, for JSON
	Notes      []string             `json:"notes,omitempty"`

	// Rules describes the rules that findings name, for formats that carry their documentation.
	Rules []Rule `json:"-"`
	// TextPlaces says where the texts of the pairs stand, by [similarity.Text.ID]: the line of a description. A text
	// that is not in it is placed at line 1 of its id.
	TextPlaces map[string]Place `json:"-"`
	// ToolVersion is the version of the program that made the report; "" when unknown.
	ToolVersion string `json:"-"`
	// SourceRoot is the absolute path of the repository's root, which the paths in SARIF and in annotations are
	// relative to; "": the directory that the report's paths are relative to already.
	SourceRoot string `json:"-"`
	// WorkDir is the absolute path of the directory that the report's own relative paths start from; "": SourceRoot.
	WorkDir string `json:"-"`
	// FallbackPath is the file that a finding is placed at when it names none, or one outside SourceRoot, in a format
	// that demands a place: the dataset or the configuration. "": skilleval.yaml.
	FallbackPath string `json:"-"`
	// Marker is a word that a hidden comment carries in the first line of a Markdown report, so that a later one can
	// find it and take its place; "": no such line.
	Marker string `json:"-"`

	// Counts shows the same statistics, and what else is counted, for a reader.
	Counts []CountTable `json:"-"`
	// Trials streams the run's trials in canonical order, for formats that list them; nil when there are none.
	Trials func(yield func(*results.Trial) error) error `json:"-"`
	// Stable leaves ids, clock times, latencies and what else depends on timing out of the report.
	Stable bool `json:"-"`
}

// CountTable is a list of counts under a title.
type CountTable struct {
	Title string
	Rows  []Count
}

// Count is a name and how often.
type Count struct {
	Name string
	N    int
}

// SkillList is what loading a catalogue found.
type SkillList struct {
	Found    int         `json:"found"`
	Loaded   int         `json:"loaded"`
	Failed   int         `json:"failed"`
	List     []SkillItem `json:"list"`
	Failures []Place     `json:"failures"`
	// Duplicates holds every name that more than one file claims, with all of its paths.
	Duplicates []Duplicate `json:"duplicates,omitempty"`
	Shadowed   []Duplicate `json:"shadowed,omitempty"` // hidden by an earlier root; first path wins
	Notes      []Place     `json:"notes,omitempty"`
}

// SkillItem is one loaded skill.
type SkillItem struct {
	Name        string  `json:"name"`
	Path        string  `json:"path"`
	Description string  `json:"description"`
	Available   bool    `json:"available"`
	Unavailable string  `json:"unavailable,omitempty"` // why not
	Tolerated   []Place `json:"tolerated"`
}

// Duplicate is a name and the files that claim it.
type Duplicate struct {
	Name  string   `json:"name"`
	Paths []string `json:"paths"`
}

// Place is a message about a position in a file; 0 means unknown.
type Place struct {
	Code    string `json:"code,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// String is "path:line:column: message", without the parts that are unknown.
func (p Place) String() string {
	where := p.Path
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
		if p.Column > 0 {
			where += fmt.Sprintf(":%d", p.Column)
		}
	}
	if where == "" {
		return p.Message
	}
	return where + ": " + p.Message
}

// Format is one output format: a name, the usual file extension, and the reporter.
type Format struct {
	Name  string
	Write func(w io.Writer, r *Report) error
}

// Formats lists the formats in the order they are documented.
func Formats() []Format {
	return []Format{
		{"table", WriteTable},
		{"json", WriteJSON},
		{"jsonl", WriteJSONL},
		{"markdown", WriteMarkdown},
		{"sarif", WriteSARIF},
		{"github", WriteGitHub},
	}
}

// Lookup finds a format by name; the error lists the known ones.
func Lookup(name string) (Format, error) {
	all := Formats()
	if i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name
	}
	return Format{}, fmt.Errorf("unknown report format %q: write one of %s", name, strings.Join(names, ", "))
}

// RunPart prepares a run file's header for a report: without the catalogue, and in a stable report without ids,
// clock times and the concurrency, which must not change any figure.
func RunPart(h results.Header, stable bool) *results.Header {
	h.Skills = nil
	if stable {
		h.ID, h.CreatedAt, h.FinishedAt, h.Concurrency = "", "", "", 0
	}
	return &h
}

// stableTrial returns a copy of t without what depends on the clock.
func stableTrial(t *results.Trial) *results.Trial {
	c := *t
	c.StartedAt, c.LatencyMS, c.Retries = "", 0, 0
	return &c
}

// WriteJSON writes the report as one indented JSON document.
func WriteJSON(w io.Writer, r *Report) error {
	doc := *r
	doc.Schema = Schema
	enc := json.NewEncoder(jsonWriter{w})
	enc.SetIndent("", "  ")
	if err := enc.Encode(&doc); err != nil {
		return fmt.Errorf("write json report: %w", err)
	}
	return nil
}

// WriteJSONL writes one JSON document a line: the trials of a run in canonical order, or, for a command that has
// none, its skills, pairs and findings.
func WriteJSONL(w io.Writer, r *Report) error {
	enc := json.NewEncoder(jsonWriter{w})
	encode := func(v any) error {
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("write jsonl report: %w", err)
		}
		return nil
	}
	if r.Trials != nil {
		return r.Trials(func(t *results.Trial) error {
			if r.Stable {
				t = stableTrial(t)
			}
			return encode(t)
		})
	}
	if r.Skills != nil {
		for i := range r.Skills.List {
			if err := encode(&r.Skills.List[i]); err != nil {
				return err
			}
		}
		for i := range r.Skills.Failures {
			if err := encode(&r.Skills.Failures[i]); err != nil {
				return err
			}
		}
	}
	for i := range r.Pairs {
		if err := encode(&r.Pairs[i]); err != nil {
			return err
		}
	}
	for i := range r.Findings {
		if err := encode(&r.Findings[i]); err != nil {
			return err
		}
	}
	return nil
}
