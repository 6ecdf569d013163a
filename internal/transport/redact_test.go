package transport

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRedact(t *testing.T) {
	const key = "sk-test-abc123"
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"nothing to see", "nothing to see"},
		{"key sk-test-abc123 was refused", "key [redacted] was refused"},
		{"sk-test-abc123sk-test-abc123", "[redacted]"},
		{`{"echo":"Authorization: Bearer sk-test-abc123"}`, `{"echo":"Authorization: Bearer [redacted]"}`},
		{"cut off at sk-test-ab", "cut off at [redacted]"},
		{"ends in sk-te", "ends in sk-te"},

		{"Authorization: Bearer other-key-9", "Authorization: Bearer [redacted]"},
		{"authorization=abcdef", "authorization=[redacted]"},
		{`"Authorization":"Basic dXNlcjpwdw=="`, `"Authorization":"Basic [redacted]"`},
		{`{\"authorization\": \"bearer zzz\"}`, `{\"authorization\": \"bearer [redacted]\"}`},
		{"map[Authorization:[Bearer xyz]]", "map[Authorization:[Bearer [redacted]]]"},
		{"Authorization: [redacted]", "Authorization: [redacted]"},
		{"authorization failed", "authorization failed"},
		{"Bearer eyJhbGciOi.J9-_x, then", "Bearer [redacted], then"},
		{"BEARER ABC-1", "BEARER [redacted]"},
		{"the bearer of good news", "the bearer of good news"},
		{"bearer abcdefghijklmnopqrstuvwxyz", "bearer [redacted]"},
		{"the bearer token was refused", "the bearer token was refused"},
		{"Bearer ", "Bearer "},
		{"bearer", "bearer"},
		{"Bearer a1", "Bearer a1"},

		{"https://user:pw@host/v1", "https://[redacted]@host/v1"},
		{"https://user:p@ss@host/v1", "https://[redacted]@host/v1"},
		{"https://host/a@b", "https://host/a@b"},
		{"https://@host/", "https://@host/"},
		{"see http://h and a@b", "see http://h and a@b"},
		{"Post \"http://u:p@h\": x", "Post \"http://[redacted]@h\": x"},

		{"https://h/v1?key=abc&api-version=2", "https://h/v1?key=[redacted]&api-version=2"},
		{"https://h/?x=1&API_KEY=abc#frag", "https://h/?x=1&API_KEY=[redacted]#frag"},
		{"?sig=a%2Fb&amp;token=t", "?sig=[redacted]&amp;token=[redacted]"},
		{`?a=1\u0026access_token=t"`, `?a=1\u0026access_token=[redacted]"`},
		{"https://h/#access_token=t", "https://h/#access_token=[redacted]"},
		{"?X-Amz-Signature=ff&subscription-key=1", "?X-Amz-Signature=[redacted]&subscription-key=[redacted]"},
		{"?client_secret=s&password=p&auth=a", "?client_secret=[redacted]&password=[redacted]&auth=[redacted]"},
		{"?max_tokens=5&monkey=1&design=2", "?max_tokens=5&monkey=1&design=2"},
		{"?key=", "?key="},
		{"key=abc", "key=abc"},
		{"sort(key=len)", "sort(key=len)"},
		{"=", "="},
	} {
		assert.Equal(t, c.want, Redact(key)(c.in), "%q", c.in)
	}
}

// A secret is found in the forms that it takes inside other texts, and short ones are left alone.
func TestRedactForms(t *testing.T) {
	const key = `p&ss/w"o<rd é\`
	r := Redact(key)
	quoted, err := json.Marshal(map[string]string{"k": key})
	assert.NoError(t, err)
	for _, text := range []string{key, url.QueryEscape(key), url.PathEscape(key), strings.ToLower(url.QueryEscape(key)),
		url.UserPassword(key, "x").String(), string(quoted), `p&ss\/w\"o<rd é\\`} {
		got := r("a " + text + " b")
		for _, part := range []string{"ss", "rd"} {
			assert.NotContains(t, got, part, "%q", text)
		}
	}
	assert.Equal(t, "abc def", Redact("", "abc", "  ")("abc def"))
	assert.Equal(t, "x [redacted]", Redact(" abcd\n")("x abcd"))
}

// Secrets that overlap go together: no end of one is left.
func TestRedactOverlaps(t *testing.T) {
	r := Redact("abcdef", "defghi", "cdef")
	assert.Equal(t, "1[redacted]2", r("1abcdefghi2"))
	assert.Equal(t, "[redacted]", Redact("abab")("ababab"))
	assert.Equal(t, "ab[redacted]", Redact("cdef")("abcdef"))
}

// The marker never spells a secret, alone or with its neighbours.
func TestRedactMarker(t *testing.T) {
	for secret, marker := range map[string]string{
		"redacted": "<redacted>", // any secret inside the marker, or with one of its ends
		"a[bcd":    "<redacted>",
		"a[<bcd":   "***",
		"a[<*bcd":  "█",
		"a[<*█bcd": "\uE000",
	} {
		if secret == "redacted" {
			marker = "***" // the second marker holds it too
		}
		assert.Equal(t, "x"+marker+"y", Redact(secret)("x"+secret+"y"), secret)
	}
}

func TestRedactProperty(t *testing.T) {
	alphabet := rapid.SampledFrom([]rune(`ab[]redct<*%&="\/é.k`))
	text := func(low, high int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(alphabet, low, high).Draw(t, "text")) })
	}
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(text(0, 8), 1, 3).Draw(t, "secrets")
		var b strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			b.WriteString(text(0, 6).Draw(t, "filler"))
			s := rapid.SampledFrom(secrets).Draw(t, "secret")
			quoted, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(rapid.SampledFrom([]string{s, url.QueryEscape(s), string(quoted)}).Draw(t, "form"))
		}
		r := Redact(secrets...)
		out := r(b.String())
		for _, s := range secrets {
			s = strings.TrimSpace(s)
			if len(s) < shortestSecret {
				continue
			}
			if strings.Contains(out, s) || strings.Contains(out, url.QueryEscape(s)) {
				t.Fatalf("%q is left in %q, from %q", s, out, b.String())
			}
		}
		if again := r(out); again != out {
			t.Fatalf("redacting twice: %q, then %q", out, again)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", "Bearer ", "authorization:", "Authorization=[", "://@", "?key=", `\u0026key=v`, "secret-key", "\xff=://"} {
		f.Add(s)
	}
	r := Redact("secret-key")
	f.Fuzz(func(t *testing.T, s string) {
		if out := r(s); strings.Contains(out, "secret-key") {
			t.Fatalf("%q is left in %q", "secret-key", out)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	text := strings.Repeat("- get_weather: Current weather and rain forecast for a city. Use when the user asks about rain.\n", 100)
	r := Redact("sk-test-0123456789abcdef0123456789abcdef")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r(text)
	}
}

func TestRedactExactLeavesDataAlone(t *testing.T) {
	redact := RedactExact("sk-secret-1234")
	const data = `{"url":"https://user:pw@h.example/?token=abc&key=1","auth":"Bearer xyz"}`
	require.Equal(t, data, redact(data))
	require.NotContains(t, redact(`{"q":"sk-secret-1234"}`), "secret")
	require.NotContains(t, redact(`https://h/?k=sk%2Dsecret%2D1234 sk-secret-1234`), "sk-secret-1234")
}

func TestRedactTakesLongPartsOfASecret(t *testing.T) {
	const key = "sk-test-ABCDEF0123456789abcdefXYZ"
	for _, redact := range []func(string) string{Redact(key), RedactExact(key)} {
		for _, text := range []string{`{"city":"\u0073k-test-ABCDEF0123456789abcdefXYZ"}`, "yyysk-test-ABCDEF012345…", `sk-test-ABC\u0044EF0123456789abcdefXYZ`,
			"ABCDEF0123456789abc", key[1:], key[:len(key)-1], "x" + key[5:25] + "y" + key[8:30]} {
			got := redact(text)
			for i := 0; i+fragmentLength <= len(key); i++ {
				require.NotContains(t, got, key[i:i+fragmentLength], text)
			}
		}
		require.Equal(t, "0123456789abc is no key", redact("0123456789abc is no key"))
	}
}
