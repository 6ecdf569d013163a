package similarity

import (
	_ "embed"
	"fmt"
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
	written map[string]concept // lower case, English words joined by spaces
	phrases map[string]concept // English as stems joined by spaces, Chinese as written
	longest int                // characters of the longest Chinese phrase
	exclude map[[2]string]bool // token keys of concepts that exclude each other, both ways
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
	l := &lexicon{written: map[string]concept{}, phrases: map[string]concept{}, exclude: map[[2]string]bool{}}
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
				l.exclude[[2]string{"=" + x, "=" + y}] = x != y
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
		if words := strings.Fields(prose.Fold(entry)); len(words) > 0 && len(words) <= maxPhrase {
			add(l.written, strings.Join(words, " "), c)
			add(l.phrases, stems(words), c)
		}
	}
	for _, entry := range strings.Split(parts[2], ",") {
		if entry = strings.TrimSpace(prose.Fold(entry)); entry != "" {
			add(l.phrases, entry, c)
			l.longest = max(l.longest, utf8.RuneCountInString(entry))
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
	end, n := 0, 0
	for end < len(run) && n < l.longest {
		_, size := utf8.DecodeRuneInString(run[end:])
		end += size
		n++
	}
	for ; end > 0; n-- {
		if c, ok := l.phrases[run[:end]]; ok && n > 1 {
			return c, end, true
		}
		_, size := utf8.DecodeLastRuneInString(run[:end])
		end -= size
	}
	return concept{}, 0, false
}
