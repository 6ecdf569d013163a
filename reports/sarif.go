package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What GitHub's code scanning shows of a file, and accepts in it; it refuses one with more whole. See also [codeScanning].
const (
	sarifShown     = 5_000 // results that it keeps, the most severe first
	sarifRules     = 25_000
	sarifLocations = 100 // of one result: 1,000 are accepted, 100 kept
	sarifText      = 1024
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifRoot   = "%SRCROOT%"
	projectURI  = "https://github.com/skilleval/skilleval"
	// fingerprintKey names the way in which the fingerprints are made.
	fingerprintKey = "skilleval/v1"
)

// WriteSARIF writes the findings and the pairs as SARIF 2.1.0 (OASIS, errata 01): one run, compact, the most severe
// results first and within the limits of GitHub's code scanning; a notification counts what is left out for them.
// Every result has one location, relative to SourceRoot: a finding that names no file in it stands at line 1 of
// FallbackPath, and says so in its message when its file lies outside. A report without findings gives an empty run.
//
// An accepted pair is a result with a suppression. Code scanning does not read suppressions, so that its level is
// note, whatever the pair's.
func WriteSARIF(w io.Writer, r *Report) error { return writeSARIF(w, r, codeScanning()) }

func writeSARIF(w io.Writer, r *Report, limits sarifLimits) error {
	all := remarks(r)
	rules := sarifRulesOf(r, all)
	driver := sarifDriver{Name: "skilleval", Version: safeLine(r.ToolVersion, 100), InformationURI: projectURI, Rules: rules}
	doc := sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool:               sarifTool{driver},
		ColumnKind:         "unicodeCodePoints",
		OriginalURIBaseIDs: map[string]sarifBase{sarifRoot: {Description: sarifMessage{Text: "The root of the repository."}}},
	}}}
	run := &doc.Runs[0]
	head, err := json.Marshal(&doc)
	if err != nil {
		return fmt.Errorf("write sarif report: %w", err)
	}
	if run.Results, err = fitting(len(head), all, rules, limits); err != nil {
		return fmt.Errorf("write sarif report: %w", err)
	}
	run.Invocations = []sarifInvocation{{ExecutionSuccessful: true, Notifications: sarifNotices(all, len(run.Results))}}
	if err := json.NewEncoder(jsonWriter{w}).Encode(&doc); err != nil {
		return fmt.Errorf("write sarif report: %w", err)
	}
	return nil
}

// sarifNotices says what is left out, and what code scanning will not show.
func sarifNotices(all []remark, kept int) []sarifNotification {
	out := []sarifNotification{}
	notice := func(id, level, text string) {
		out = append(out, sarifNotification{Descriptor: sarifReference{id}, Level: level, Message: sarifMessage{Text: text}})
	}
	if rest := all[kept:]; len(rest) > 0 {
		var t tally
		for i := range rest {
			t.add(rest[i].severity)
		}
		notice("truncated", severityWarning, fmt.Sprintf("%d more results (%s) are left out for the size limits of code scanning; the JSON report lists all", len(rest), t))
	}
	if kept > sarifShown {
		notice("shown", severityNote, fmt.Sprintf("code scanning shows the %d most severe of %d results", sarifShown, kept))
	}
	return out
}

// sarifRulesOf lists the rules: those the report describes, in its order, then those that only results name, by id.
func sarifRulesOf(r *Report, all []remark) []sarifRule {
	out := []sarifRule{}
	known := map[string]bool{}
	add := func(rule Rule) {
		if id := safeLine(rule.ID, 200); id != "" && !known[id] && len(out) < sarifRules {
			known[id] = true
			out = append(out, newSARIFRule(id, rule))
		}
	}
	for _, rule := range r.Rules {
		add(rule)
	}
	worst := map[string]string{}
	for i := range all {
		if id := all[i].rule; !known[id] && worst[id] == "" {
			worst[id] = all[i].severity // the first is the worst of those not accepted
		}
	}
	ids := make([]string, 0, len(worst))
	for id := range worst {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		rule := Rule{ID: id, Title: id, Severity: worst[id]}
		if id == pairRule {
			rule = similarRule
		}
		add(rule)
	}
	return out
}

// similarRule describes [pairRule] for a report that does not.
var similarRule = Rule{ID: pairRule, Title: "Two skill descriptions sound alike.", Severity: severityWarning,
	Doc: `A model chooses a skill by its description alone. When two descriptions say the same, it has no ground to choose between them.

Say in each what it is not for and which skill is: "Do not use for …; use …". Merge the skills when there is no such boundary, or accept the pair with a reason.`}

func newSARIFRule(id string, rule Rule) sarifRule {
	title := cmp.Or(safeLine(rule.Title, sarifText), id)
	doc := cmp.Or(strings.TrimSpace(plainLines(Clip(rule.Doc, 20_000))), title)
	first, _, _ := strings.Cut(doc, "\n\n")
	s := sarifRule{ID: id, ShortDescription: sarifMessage{Text: title}, FullDescription: sarifMessage{Text: safeLine(first, sarifText)},
		Help: sarifMessage{Text: doc, Markdown: doc}, Configuration: sarifConfiguration{Level: severity(rule.Severity)}}
	if rule.Severity == "off" {
		off := false
		s.Configuration = sarifConfiguration{Enabled: &off, Level: "none"}
	}
	return s
}
