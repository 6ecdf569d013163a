package datasets

import (
	"bytes"
	"encoding/json"

	"github.com/skilleval/skilleval/datasets/match"
)

// matcherText returns a matcher's name that stands in a label as a plain text, where the matcher was most likely meant;
// "" when none does.
func matcherText(args json.RawMessage) string {
	if !bytes.Contains(args, []byte(`"$`)) {
		return ""
	}
	for _, name := range match.Known() {
		quoted := []byte(`"` + name + `"`)
		for rest := args; ; {
			i := bytes.Index(rest, quoted)
			if i < 0 {
				break
			}
			rest = bytes.TrimLeft(rest[i+len(quoted):], " \t\r\n")
			if len(rest) == 0 || rest[0] != ':' { // a value, not a key
				return name
			}
		}
	}
	return ""
}
