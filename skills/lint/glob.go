package lint

import (
	"path"
	"strings"
)

// matches tells whether a path fits a pattern: * and ? inside a folder name, ** for any number of folders.
func matches(pattern, name string) bool {
	return matchSegments(strings.Split(clean(pattern), "/"), strings.Split(clean(name), "/"))
}

func clean(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// matchSegments goes through both lists once; on a mismatch it takes one more name for the last ** seen, which is
// enough because an earlier ** can give nothing that a later one cannot.
func matchSegments(pattern, name []string) bool {
	i, star, mark := 0, -1, 0
	n := 0
	for n < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			star, mark = i, n
			i++
		case i < len(pattern) && segment(pattern[i], name[n]):
			i++
			n++
		case star >= 0:
			mark++
			i, n = star+1, mark
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == "**" {
		i++
	}
	return i == len(pattern)
}

func segment(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
