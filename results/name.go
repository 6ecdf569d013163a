package results

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// SafeName turns any text, such as a model's name or a case id, into one file name that is valid on every
// system: at most 64 characters of a-z, 0-9, "-", "_" and ".". A text that had to be changed gets a short hash,
// so that different texts keep different names.
func SafeName(text string) string {
	const keep = 51 // with "-" and 12 characters of hash: 64
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
		if b.Len() > 64 {
			break
		}
	}
	name := strings.Trim(b.String(), ".-")
	if name == text && len(name) <= 64 && name != "" && !reserved(name) {
		return name
	}
	name = strings.Trim(name[:min(len(name), keep)], ".-")
	if name == "" || reserved(name) {
		name = "x" + name
	}
	return name + "-" + shortHash(text)
}

// reserved reports the device names that Windows takes whatever the extension.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	device, digit := "", byte(0)
	if len(stem) == 4 {
		device, digit = stem[:3], stem[3]
	}
	return (device == "com" || device == "lpt") && digit >= '0' && digit <= '9'
}

// shortHash is 12 hexadecimal characters of SHA-256.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
