package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1": 1, "100000000": 100_000_000, "12b": 12, "3KB": 3000, "200MB": 200_000_000, "2 gb": 2_000_000_000, "1TB": 1e12,
		"1KiB": 1024, "5mib": 5 << 20, "1GiB": 1 << 30, "2TiB": 2 << 40, "1.5GiB": 3 << 29, " 7 ": 7, "9223372036854775807": math.MaxInt64,
	} {
		var b byteSize
		assert.NoError(t, b.Set(text), text)
		assert.Equal(t, want, int64(b), text)
	}
	for text, says := range map[string]string{
		"":                    "is not a number of bytes",
		"lots":                "is not a number of bytes",
		"MB":                  "is not a number of bytes",
		"-5":                  "is not a number of bytes",
		"1e9":                 "is not a number of bytes",
		"1e999999999":         "is not a number of bytes",
		"1/2":                 "is not a number of bytes",
		"1.2.3":               "is not a number of bytes",
		"0x10":                "is not a number of bytes",
		"10XB":                "write B, KB, MB, GB, TB, KiB, MiB, GiB or TiB",
		"5 apples":            "write B, KB",
		"9223372036854775808": "too large",
		"99999999TiB":         "too large",
		"9999999999999999999999999999999999999999": "is not a number of bytes",
	} {
		var b byteSize
		assert.ErrorContains(t, b.Set(text), says, text)
		assert.Zero(t, b, text)
	}
	size := byteSize(1024)
	assert.Equal(t, []string{"1024", "bytes"}, []string{size.String(), size.Type()})
	assert.Empty(t, new(byteSize).String())
}

func FuzzByteSize(f *testing.F) {
	for _, seed := range []string{"200MB", "1.5 GiB", "1e9", "١٢", "0.000000000000000000000000000001tb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b byteSize
		if b.Set(text) != nil {
			assert.Zero(t, b)
		}
		assert.GreaterOrEqual(t, int64(b), int64(0))
	})
}
