package texts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizeUnits are the units of sizes. As in most programs, a single letter is a
// binary unit, and decimal units end in B.
var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

// Size is the value of a flag that accepts a number of bytes.
type Size int64

func (s *Size) Type() string   { return "size" }
func (s *Size) String() string { return ExactSize(int64(*s)) }

// Set parses a size such as 512MiB, 2GB or 1.5g.
func (s *Size) Set(text string) error {
	number := text[:len(text)-len(strings.TrimLeft(text, ".0123456789"))]
	n, err := strconv.ParseFloat(number, 64)
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	if bytes := n * unit; err == nil && known && bytes < math.MaxInt64 {
		*s = Size(bytes)
		return nil
	}
	return fmt.Errorf("%q is not a size such as 512MiB or 2GB", text)
}

// ExactSize returns a size in the largest binary unit that divides it.
func ExactSize(n int64) string {
	unit := 0
	for unit < len(binaryUnits)-1 && n != 0 && n%1024 == 0 {
		n, unit = n/1024, unit+1
	}
	if unit == 0 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10) + binaryUnits[unit]
}

var binaryUnits = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// RoundSize returns a size for people, as in "4.2 MiB".
func RoundSize(n int64) string {
	unit, divisor := unitFor(n)
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", float64(n)/divisor, binaryUnits[unit])
}

// PartOfSize returns a part of a size, as in "0.3 of 4.2 MiB".
func PartOfSize(part, whole int64) string {
	unit, divisor := unitFor(whole)
	if unit == 0 {
		return fmt.Sprintf("%d of %d B", part, whole)
	}
	return fmt.Sprintf("%.1f of %.1f %s", float64(part)/divisor, float64(whole)/divisor, binaryUnits[unit])
}

// unitFor returns the unit in which a size has up to four digits.
func unitFor(n int64) (unit int, divisor float64) {
	divisor = 1
	for v := float64(n); v/divisor >= 1023.95 && unit < len(binaryUnits)-1; unit++ { // 1023.95 would be shown as 1024.0
		divisor *= 1024
	}
	return unit, divisor
}
