package similarity

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// kind says what part of a description a term plays.
type kind uint8

const (
	plain     kind = iota // a word that the lexicon does not have
	generic               // boilerplate of descriptions: use, user, skill, provides
	action                // what is done: send, convert
	object                // what it is done to: invoice, calendar
	qualifier             // which, or how: latest, daily
	fragment              // two characters of a script without spaces, which may be parts of two words
)

var kinds = map[string]kind{"gen": generic, "act": action, "obj": object, "qual": qualifier}

// conceptsText holds words of one meaning in English and Chinese: "kind id | english, … | 中文, …", a concept a line.
//
//go:embed concepts.txt
var conceptsText string

// oppositesText lists concepts that exclude each other: a group of ids a line.
//
//go:embed opposites.txt
var oppositesText string

// concept is a meaning that several words share.
type concept struct {
	id   string
	kind kind
}

// lexicon finds the concept of a phrase.
type lexicon struct {
	written map[string]concept  // lower case, English words joined by spaces
	phrases map[string]concept  // English as stems joined by spaces, Chinese as written
	starts  map[string]bool     // first words of the English phrases of several words, as written and as stems
	longest map[rune]int        // by first character: characters of the longest Chinese phrase
	exclude map[string][]string // by token key of a concept: the keys of those it excludes
}

// maxPhrase is how many English words one phrase of the lexicon has at most.
const maxPhrase = 3

var defaultLexicon = sync.OnceValue(func() *lexicon {
	l, err := parseLexicon(conceptsText, oppositesText)
	if err != nil {
		panic("similarity: embedded concepts.txt: " + err.Error())
	}
	return l
})

// parseLexicon reads the lines of a lexicon and of its groups of opposites. An error names the line.
func parseLexicon(text, opposites string) (*lexicon, error) {
	l := &lexicon{written: map[string]concept{}, phrases: map[string]concept{}, starts: map[string]bool{}, longest: map[rune]int{}, exclude: map[string][]string{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := l.addLine(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	for line := range strings.Lines(opposites) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		group := strings.Fields(line)
		for _, x := range group {
			for _, y := range group {
				if x != y {
					l.exclude["="+x] = append(l.exclude["="+x], "="+y)
				}
			}
		}
	}
	return l, nil
}

func (l *lexicon) addLine(line string) error {
	parts := strings.Split(line, "|")
	head := strings.Fields(parts[0])
	if len(parts) != 3 || len(head) != 2 {
		return fmt.Errorf(`%q: want "kind id | english, … | 中文, …"`, line)
	}
	k, ok := kinds[head[0]]
	if !ok {
		return fmt.Errorf("kind %q: want gen, act, obj or qual", head[0])
	}
	c := concept{id: head[1], kind: k}
	for _, entry := range strings.Split(parts[1], ",") {
		words := strings.Fields(prose.Fold(entry))
		switch {
		case len(words) == 0:
			continue
		case len(words) > maxPhrase:
			return fmt.Errorf("%q: want at most %d words", strings.TrimSpace(entry), maxPhrase)
		case len(words) > 1:
			l.starts[words[0]], l.starts[prose.Stem(words[0])] = true, true
		}
		add(l.written, strings.Join(words, " "), c)
		add(l.phrases, stems(words), c)
	}
	for _, entry := range strings.Split(parts[2], ",") {
		if entry = strings.TrimSpace(prose.Fold(entry)); entry != "" {
			add(l.phrases, entry, c)
			first, _ := utf8.DecodeRuneInString(entry)
			l.longest[first] = max(l.longest[first], utf8.RuneCountInString(entry))
		}
	}
	return nil
}

// add keeps the first concept of a phrase: two words of different concepts may have one stem.
func add(phrases map[string]concept, phrase string, c concept) {
	if _, taken := phrases[phrase]; !taken {
		phrases[phrase] = c
	}
}

func stems(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = prose.Stem(w)
	}
	return strings.Join(out, " ")
}

// longestHan finds the longest phrase at the start of a run of Chinese characters, and its length in bytes.
func (l *lexicon) longestHan(run string) (concept, int, bool) {
	first, end := utf8.DecodeRuneInString(run)
	n := 1
	for longest := l.longest[first]; end < len(run) && n < longest; n++ {
		_, size := utf8.DecodeRuneInString(run[end:])
		end += size
	}
	for ; n > 1; n-- {
		if c, ok := l.phrases[run[:end]]; ok {
			return c, end, true
		}
		_, size := utf8.DecodeLastRuneInString(run[:end])
		end -= size
	}
	return concept{}, 0, false
}

// excludes reports whether two concepts exclude each other, by their token keys.
func (l *lexicon) excludes(x, y string) bool { return slices.Contains(l.exclude[x], y) }
