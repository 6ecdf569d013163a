package transport

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// keySchema is part of every key: what was stored under other rules is never found.
const keySchema = "skilleval.key/v1"

// digest names a request: a SHA-256.
type digest [sha256.Size]byte

// String is the digest in hexadecimal.
func (d digest) String() string { return hex.EncodeToString(d[:]) }

// keyOf is the digest of everything a reply may depend on: method, scheme and host, path, query, body and
// repetition. The order of a JSON body's fields does not matter, the text of its numbers does (1.0 is not 1, and an
// absent field is not 0). Headers, user information and query parameters whose names sound like keys are left out:
// they say who asks, not what.
func keyOf(req *http.Request, body []byte, repetition string) digest {
	h := sha256.New()
	var length [8]byte
	add := func(part []byte) {
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:]) // a hash never fails
		h.Write(part)
	}
	kind, text := canonical(body)
	for _, part := range []string{keySchema, req.Method, strings.ToLower(req.URL.Scheme), strings.ToLower(req.URL.Host),
		req.URL.EscapedPath(), publicQuery(req.URL.RawQuery), kind} {
		add([]byte(part))
	}
	add(text)
	add([]byte(repetition))
	return digest(h.Sum(nil))
}

// canonical writes a JSON body without white space and with its fields in order; strings and numbers stay as they
// are written. What is not JSON, has a field twice or is not UTF-8 is taken byte for byte.
func canonical(body []byte) (kind string, text []byte) {
	out, err := jsontext.AppendFormat(make([]byte, 0, len(body)), body,
		jsontext.ReorderRawObjects(true), jsontext.PreserveRawStrings(true),
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return "raw", body
	}
	return "json", out
}

// publicQuery is a query without parameters that sound like keys, in the order of the names.
func publicQuery(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" || isKeyName(parameterName(part)) })
	slices.SortStableFunc(parts, func(a, b string) int { return strings.Compare(parameterName(a), parameterName(b)) })
	return strings.Join(parts, "&")
}

// parameterName is the name of a query parameter, unescaped where that can be done.
func parameterName(part string) string {
	name, _, _ := strings.Cut(part, "=")
	if plain, err := url.QueryUnescape(name); err == nil {
		return plain
	}
	return name
}

// publicURL is the address of a request without user information and keys.
func publicURL(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath, RawQuery: publicQuery(u.RawQuery)}
	return shown.String()
}
