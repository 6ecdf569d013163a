package offline

import "strings"

// clauses cuts a negative sentence at commas, semicolons, dashes and brackets.
func clauses(sentence string) []string {
	return strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;，；、()（）—", r) })
}
