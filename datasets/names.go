package datasets

import (
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// nearest returns the name most like word, "" when none is close: at most a third of the longer one's bytes, or
// two, would have to change. Names that differ only in case or separators are closest.
func nearest(word string, names []string) string {
	if len(word) > 200 {
		return ""
	}
	best, least := "", 0
	for _, name := range names {
		if len(name) > 200 {
			continue
		}
		d := smetrics.WagnerFischer(plain(word), plain(name), 1, 1, 1)
		if d > max(2, max(len(word), len(name))/3) || d >= len(plain(name)) {
			continue
		}
		if best == "" || d < least {
			best, least = name, d
		}
	}
	return best
}

func plain(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// didYouMean words the nearest name as a question, "" when there is none.
func didYouMean(word string, names []string) string {
	if n := nearest(word, names); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// short cuts text for a message to 80 characters.
func short(s string) string {
	n := 0
	for i := range s {
		if n++; n > 80 {
			return s[:i] + "…"
		}
	}
	return s
}
