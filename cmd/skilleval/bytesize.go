package main

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"unicode"
)

// byteSize is the value of a flag that takes a number of bytes, with or without a unit.
type byteSize int64

// byteUnits are the units of a [byteSize], in bytes.
var byteUnits = map[string]int64{
	"": 1, "b": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	text = strings.TrimSpace(text)
	end := strings.LastIndexFunc(text, unicode.IsDigit) + 1
	unit, known := byteUnits[strings.ToLower(strings.TrimSpace(text[end:]))]
	number, isNumber := new(big.Rat), false
	if digits := text[:end]; len(digits) < 30 && strings.Trim(digits, "0123456789.") == "" {
		number, isNumber = number.SetString(digits)
	}
	switch {
	case !known && isNumber:
		return fmt.Errorf("%q has a unit that is not known: write B, KB, MB, GB, TB, KiB, MiB, GiB or TiB, as in 200MB or 1GiB", text)
	case !isNumber:
		return fmt.Errorf("%q is not a number of bytes: write one such as 200MB, 1GiB or 100000000", text)
	}
	number.Mul(number, big.NewRat(unit, 1))
	if number.Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0 {
		return fmt.Errorf("%q is too large a number of bytes", text)
	}
	*b = byteSize(new(big.Int).Quo(number.Num(), number.Denom()).Int64())
	return nil
}

// String implements pflag.Value.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return fmt.Sprintf("%d", int64(*b))
}

// Type implements pflag.Value.
func (*byteSize) Type() string { return "bytes" }
