package decode

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
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

// SystemTimeUnixMicro returns a SYSTEMTIME in us since 1970-01-01 UTC. The value must be a date;
// see [IsDate].
func SystemTimeUnixMicro(b []byte) int64 {
	return systemTime(b).UnixMicro()
}

// IsDate reports whether a value of the kind FileTime or SystemTime is a date from the year 1601 to
// 9999. Other values have no time: programs write -1 for "never", and bytes that they never set.
// Values of other kinds are always dates.
func IsDate(k schema.Kind, b []byte) bool {
	switch k {
	case schema.FileTime:
		return le.Uint64(b) < lastFileTime
	case schema.SystemTime:
		year, month, day := systemTime(b).Date()
		return year == part(b, 0) && int(month) == part(b, 1) && day == part(b, 3) && year >= 1601 && year <= 9999 &&
			part(b, 4) < 24 && part(b, 5) < 60 && part(b, 6) < 60 && part(b, 7) < 1000
	}
	return true
}

// part returns one of the numbers of a SYSTEMTIME: year, month, day of the week, day, hour,
// minute, second, millisecond.
func part(b []byte, i int) int { return int(le.Uint16(b[2*i:])) }

func systemTime(b []byte) time.Time {
	return time.Date(part(b, 0), time.Month(part(b, 1)), part(b, 3), part(b, 4), part(b, 5), part(b, 6), part(b, 7)*int(time.Millisecond), time.UTC)
}

// appendSystemTime appends a SYSTEMTIME as a date without the redundant day of the week, or
// as bytes if it is not a date.
func appendSystemTime(dst, b []byte) []byte {
	if !IsDate(schema.SystemTime, b) {
		return hex.AppendEncode(dst, b)
	}
	for _, piece := range [...]struct {
		before string
		part   int
		digits int
	}{{"", 0, 4}, {"-", 1, 2}, {"-", 3, 2}, {"T", 4, 2}, {":", 5, 2}, {":", 6, 2}, {".", 7, 3}} {
		dst = appendDigits(append(dst, piece.before...), uint64(part(b, piece.part)), 10, piece.digits)
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
