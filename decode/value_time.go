package decode

import (
	"strconv"
	"time"
)

// unixEpoch is 1970-01-01 in seconds since 1601-01-01, where FILETIMEs begin.
const unixEpoch = 11_644_473_600

// lastFileTime is the start of the year 10,000, which RFC 3339 cannot represent.
const lastFileTime = 2_650_467_744_000_000_000

// appendFileTime appends a FILETIME as a date, or as a number if it is not a date.
func appendFileTime(dst []byte, t uint64) []byte {
	if t >= lastFileTime {
		return strconv.AppendUint(dst, t, 10)
	}
	return time.Unix(int64(t/1e7)-unixEpoch, int64(t%1e7)*100).UTC().AppendFormat(dst, time.RFC3339Nano)
}

// FileTimeUnixMicro returns a FILETIME in us since 1970-01-01 UTC, rounded down.
// Unlike FiletimeUnixNano it never saturates: 0, which often means "never", is in
// the year 1601.
func FileTimeUnixMicro(t uint64) int64 { return int64(t/10) - unixEpoch*1e6 }

// SystemTimeUnixNano returns a SYSTEMTIME in ns since 1970-01-01 UTC; ok is false
// if it is not a date, or outside the range of int64.
func SystemTimeUnixNano(b []byte) (ns int64, ok bool) {
	part := func(i int) int { return int(le.Uint16(b[2*i:])) }
	year, month, day := part(0), time.Month(part(1)), part(3)
	t := time.Date(year, month, day, part(4), part(5), part(6), part(7)*int(time.Millisecond), time.UTC)
	ok = t.Year() == year && t.Month() == month && t.Day() == day && year >= 1678 && year <= 2261 &&
		part(4) < 24 && part(5) < 60 && part(6) < 60 && part(7) < 1000
	return t.UnixNano(), ok
}

// appendSystemTime appends the numbers of a SYSTEMTIME, even if they are not a
// date, without the redundant day of the week.
func appendSystemTime(dst, b []byte) []byte {
	for _, part := range [...]struct {
		before string
		at     int
		digits int
	}{{"", 0, 4}, {"-", 2, 2}, {"-", 6, 2}, {"T", 8, 2}, {":", 10, 2}, {":", 12, 2}, {".", 14, 3}} {
		dst = appendDigits(append(dst, part.before...), uint64(le.Uint16(b[part.at:])), 10, part.digits)
	}
	return append(dst, 'Z')
}

// appendDigits appends a number with at least this many digits.
func appendDigits(dst []byte, n uint64, base, digits int) []byte {
	var scratch [64]byte
	text := strconv.AppendUint(scratch[:0], n, base)
	for range digits - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
