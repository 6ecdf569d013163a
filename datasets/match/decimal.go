package match

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// decimal is an exact decimal number, sign × 0.digits × 10^scale, with digits free of outer zeros. Zero has no
// digits. Comparing two needs time and memory in proportion to their digits, whatever their exponents.
type decimal struct {
	neg    bool
	digits string
	scale  int64
	// huge marks an exponent beyond maxExponent: greater (or smaller) than any other, equal to none.
	huge bool
}

// maxExponent is the largest exponent told apart; beyond it only order against other numbers is known.
const maxExponent = 1_000_000_000_000_000_000

// maxWorkDigits bounds digits and exponents of the numbers that matchers calculate with.
const maxWorkDigits = 1000

// parseDecimal reads the text of a JSON number.
func parseDecimal(s string) decimal {
	var d decimal
	if strings.HasPrefix(s, "-") {
		d.neg, s = true, s[1:]
	}
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole
	if fraction != "" {
		digits += fraction
	}
	scale := int64(len(whole))
	trimmed := strings.TrimLeft(digits, "0")
	scale -= int64(len(digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	exp, ok := parseExponent(exponent)
	d.scale, d.huge = scale+exp, !ok
	return d
}

// parseExponent reads an exponent; beyond ±maxExponent it returns that bound and false.
func parseExponent(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(s, 10, 64) // on overflow n is the bound of int64
	switch {
	case n > maxExponent:
		return maxExponent, false
	case n < -maxExponent:
		return -maxExponent, false
	}
	return n, err == nil
}

// equal compares by value: 1, 1.0 and 1e0 are one number.
func (d decimal) equal(e decimal) bool {
	return !d.huge && !e.huge && d.neg == e.neg && d.scale == e.scale && d.digits == e.digits
}

// cmp orders two numbers: -1, 0 or +1.
func (d decimal) cmp(e decimal) int {
	if s := d.sign() - e.sign(); s != 0 {
		return max(-1, min(1, s))
	}
	c := 0
	switch {
	case d.scale < e.scale:
		c = -1
	case d.scale > e.scale:
		c = 1
	default:
		c = strings.Compare(d.digits, e.digits) // no trailing zeros: a longer one is greater
	}
	if d.neg {
		return -c
	}
	return c
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// workable reports whether the number is small enough in length to calculate with.
func (d decimal) workable() bool {
	return !d.huge && len(d.digits) <= maxWorkDigits && d.scale <= maxWorkDigits && d.scale >= -maxWorkDigits
}

// rat returns the number as a fraction. Only for workable numbers.
func (d decimal) rat() *big.Rat {
	if d.digits == "" {
		return new(big.Rat)
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	if d.neg {
		n.Neg(n)
	}
	exp := d.scale - int64(len(d.digits))
	pow := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exp, -exp)), nil)
	if exp < 0 {
		return new(big.Rat).SetFrac(n, pow)
	}
	return new(big.Rat).SetInt(n.Mul(n, pow))
}

// decimalOf turns a fraction whose denominator divides a power of ten back into a decimal.
func decimalOf(r *big.Rat) decimal {
	digits, _ := r.FloatPrec()
	return parseDecimal(r.FloatString(digits))
}

// text writes the number as a JSON number. Only for workable numbers.
func (d decimal) text() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	n := int64(len(d.digits))
	switch {
	case d.scale >= n && d.scale <= 40:
		return sign + d.digits + strings.Repeat("0", int(d.scale-n))
	case d.scale > 0 && d.scale < n:
		return sign + d.digits[:d.scale] + "." + d.digits[d.scale:]
	case d.scale <= 0 && d.scale > -20:
		return sign + "0." + strings.Repeat("0", int(-d.scale)) + d.digits
	}
	return sign + d.digits + "e" + strconv.FormatInt(d.scale-n, 10)
}

// workNumber reads a number that a matcher calculates with.
func workNumber(v *value) (decimal, error) {
	if v.kind != number {
		return decimal{}, fmt.Errorf("a number is needed, not %s", kindNames(v.kind))
	}
	d := parseDecimal(v.text)
	if !d.workable() {
		return decimal{}, fmt.Errorf("the number is out of range: up to %d digits and exponents within ±%d", maxWorkDigits, maxWorkDigits)
	}
	return d, nil
}
