package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The functions that choose. A skill of such a name gets another function name.
const (
	selectSkill    = "select_skill"
	selectCategory = "select_category"
)

// functionName is what servers accept as the name of a function.
var functionName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// functionNames gives every skill name its function name: the name itself where servers accept it, else its
// letters and digits with a hash of the whole. The mapping depends on the list alone and can be reversed.
func functionNames(names []string) map[string]string {
	taken := map[string]bool{selectSkill: true, selectCategory: true}
	functions := make(map[string]string, len(names))
	for _, name := range names {
		if functionName.MatchString(name) && !taken[name] {
			functions[name], taken[name] = name, true
		}
	}
	for _, name := range names {
		if functions[name] != "" {
			continue
		}
		for salt := ""; functions[name] == ""; salt += "+" {
			if candidate := mappedName(name, salt); !taken[candidate] {
				functions[name], taken[candidate] = candidate, true
			}
		}
	}
	return functions
}

// mappedName is name with every other character as "_", and eight hexadecimal digits of its SHA-256.
func mappedName(name, salt string) string {
	plain := strings.Trim(acceptable(name), "_")
	if plain == "" {
		plain = "skill"
	}
	sum := sha256.Sum256([]byte(name + salt))
	return plain[:min(len(plain), 55)] + "_" + hex.EncodeToString(sum[:4])
}

// acceptable is name with "_" for each run of characters that a server would refuse in a function's name.
func acceptable(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return b.String()
}

// index finds what a name that a model wrote stands for.
type index[T any] struct {
	exact  map[string]T
	folded map[string][]T // by fold: several where names differ in nothing else
	strict bool
}

func newIndex[T any](strict bool) *index[T] {
	return &index[T]{exact: map[string]T{}, folded: map[string][]T{}, strict: strict}
}

// add files an item under its name, and under other spellings that are exact as well.
func (x *index[T]) add(item T, name string, spellings ...string) {
	x.exact[name] = item
	x.folded[fold(name)] = append(x.folded[fold(name)], item)
	for _, s := range spellings {
		if _, ok := x.exact[s]; !ok {
			x.exact[s] = item
		}
	}
}

// find looks for the name itself. Unless strict, it then takes the one item whose name differs only in case
// or Unicode normal form, and at last the one that what follows the last ".", ":" or "/" names
// ("functions.search" → search). Whatever fits more than one item fits none.
func (x *index[T]) find(name string) (item T, normalized, ok bool) {
	if item, ok = x.exact[name]; ok || x.strict {
		return item, false, ok
	}
	name = strings.TrimSpace(name)
	for _, spelling := range []string{name, name[strings.LastIndexAny(name, ".:/")+1:]} {
		if item, ok = x.exact[spelling]; ok {
			return item, true, true
		}
		if same := x.folded[fold(spelling)]; len(same) > 0 {
			return same[0], true, len(same) == 1
		}
	}
	return item, false, false
}

// fold is the spelling in which names that differ only in case or Unicode normal form are equal.
func fold(name string) string {
	return strings.ToLower(norm.NFC.String(name))
}
