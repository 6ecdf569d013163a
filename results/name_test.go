package results

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"gpt-4.1_mini":           "gpt-4.1_mini",
		"org/m:free":             "org-m-free-",
		"../../x":                "x-",
		"CON":                    "xcon-",
		"nul.txt":                "xnul.txt-",
		"com1":                   "xcom1-",
		"com":                    "com",
		"":                       "x-",
		"杭州":                     "x-",
		"name.":                  "name-",
		strings.Repeat("y", 64):  strings.Repeat("y", 64),
		strings.Repeat("y", 65):  strings.Repeat("y", 51) + "-",
		strings.Repeat("y", 300): strings.Repeat("y", 51) + "-",
	} {
		got := SafeName(in)
		if strings.HasSuffix(want, "-") {
			assert.Regexp(t, "^"+regexp.QuoteMeta(want)+"[0-9a-f]{12}$", got, "%q", in)
		} else {
			assert.Equal(t, want, got)
		}
	}
	assert.NotEqual(t, SafeName("org/m"), SafeName("org:m"))
	assert.NotEqual(t, strings.ToLower(SafeName("Model")), strings.ToLower(SafeName("model")), "also where case does not count")
}

func TestSafeNameIsAlwaysOneShortName(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z0-9_][a-z0-9._-]*$|^-[a-z0-9._-]*$`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[./\\:A-Za-z0-9-]{0,80}`)).Draw(t, "text")
		name := SafeName(text)
		require.Regexp(t, valid, name)
		require.LessOrEqual(t, len(name), 64)
		require.Equal(t, name, filepath.Base(name))
		require.NotContains(t, []string{"", ".", ".."}, name)
	})
}
