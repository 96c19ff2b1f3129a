package valuetext

import "time"

// Times writes times as RFC 3339 in UTC. Most times are in the same second as the one before,
// whose text is cached.
type Times struct {
	second int64
	text   []byte // of the cached second, without a fraction
}

// Nanos appends a time in ns since 1970.
func (w *Times) Nanos(dst []byte, ns int64) []byte {
	second, rest := floorDiv(ns, 1e9)
	return appendFraction(w.upTo(dst, second), rest, 1e8)
}

// Micros appends a time in us since 1970. A year may have more than four digits, which RFC 3339 does
// not allow.
func (w *Times) Micros(dst []byte, us int64) []byte {
	second, rest := floorDiv(us, 1e6)
	return appendFraction(w.upTo(dst, second), rest, 1e5)
}

// upTo appends a time up to the second.
func (w *Times) upTo(dst []byte, second int64) []byte {
	if second != w.second || len(w.text) == 0 {
		w.second = second
		w.text = time.Unix(second, 0).UTC().AppendFormat(w.text[:0], "2006-01-02T15:04:05.")
	}
	return append(dst, w.text...)
}

// appendFraction writes the digits after the second. units is the weight of the first digit.
func appendFraction(dst []byte, rest, units int64) []byte {
	for ; units > 0; units /= 10 {
		dst = append(dst, byte('0'+rest/units%10))
	}
	return append(dst, 'Z')
}

// floorDiv divides a by b, rounding down; the remainder is not negative.
func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}
