package prose

import "strings"

// Stem reduces an English word, already in lower case, to a common form of its inflections: light suffix
// stripping after Porter (1980), with -ise and -ize, -ation and -ate made one. Words of other scripts and short
// words come back as they are.
func Stem(w string) string {
	if len(w) < 4 || !IsASCIIWord(w) {
		return w
	}
	w = stemPlural(w)
	w = stemVerb(w)
	return stemNoun(w)
}

// stemPlural takes off plural and third-person endings.
func stemPlural(w string) string {
	switch {
	case strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// stemVerb takes off -ing and -ed where a syllable is left.
func stemVerb(w string) string {
	for _, suffix := range []string{"ing", "ed"} {
		base, ok := strings.CutSuffix(w, suffix)
		if !ok || len(base) < 3 || !hasVowel(base) {
			continue
		}
		if n := len(base); base[n-1] == base[n-2] && !strings.ContainsRune("lsz", rune(base[n-1])) {
			base = base[:n-1]
		}
		return base
	}
	return w
}

// stemNoun makes derived nouns and the spellings of one verb equal.
func stemNoun(w string) string {
	for _, r := range [...]struct{ suffix, with string }{
		{"isation", "iz"}, {"ization", "iz"}, {"ation", "at"}, {"ator", "at"}, {"ise", "iz"}, {"ize", "iz"}, {"iser", "iz"}, {"izer", "iz"},
		{"ment", ""}, {"ness", ""}, {"ly", ""}, {"er", ""}, {"or", ""},
	} {
		if base, ok := strings.CutSuffix(w, r.suffix); ok && len(base) >= 4 {
			return base + r.with
		}
	}
	if base, ok := strings.CutSuffix(w, "is"); ok && len(base) >= 5 { // analysing → analys, summaris(ing) → summariz
		return base + "iz"
	}
	if base, ok := strings.CutSuffix(w, "e"); ok && len(base) >= 3 {
		return base
	}
	if base, ok := strings.CutSuffix(w, "y"); ok && len(base) >= 3 {
		return base + "i"
	}
	return w
}

// hasVowel reports whether w has a vowel.
func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

// IsASCIIWord reports whether w is ASCII letters only.
func IsASCIIWord(w string) bool {
	for i := range len(w) {
		if c := w[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
