package decode

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// AppendText appends one value of a field as text for people, valid UTF-8:
//
//   - a number as its name, if it has one, else in decimal, or in hexadecimal if
//     the field's Hex is set or it is a pointer or a key
//   - a time in RFC 3339 and UTC; ticks as a number, because they need the clock of
//     the trace
//   - bytes as hexadecimal digits, also those that are not a value of the kind, and
//     compressed text, whose size is in another field
//
// It is not for structures.
func AppendText(dst []byte, f *schema.Field, b []byte, pointerSize int) []byte {
	if width, ok := f.Kind.Width(pointerSize); ok && !f.Kind.HasLength() && len(b) != width {
		return hex.AppendEncode(dst, b)
	}
	if isNumber(f.Kind) {
		return appendNumber(dst, f, b)
	}
	switch f.Kind {
	case schema.Text16, schema.Chars16:
		return AppendUnits16(dst, TextUnits(f, b))
	case schema.Text8, schema.Chars8:
		return AppendUnits8(dst, TextUnits(f, b))
	case schema.GUIDs:
		dst, _ = schema.GUID(b).AppendText(dst) // never fails
		return dst
	case schema.FileTime:
		return appendFileTime(dst, le.Uint64(b))
	case schema.SystemTime:
		return appendSystemTime(dst, b)
	case schema.IPv4, schema.IPv6:
		address, _ := netip.AddrFromSlice(b)
		return address.AppendTo(dst)
	case schema.SocketAddress:
		return appendSocketAddress(dst, b)
	case schema.MAC:
		for i := range b {
			if i > 0 {
				dst = append(dst, ':')
			}
			dst = hex.AppendEncode(dst, b[i:i+1])
		}
		return dst
	case schema.F32:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(le.Uint32(b))), 'g', -1, 32)
	case schema.F64:
		return strconv.AppendFloat(dst, math.Float64frombits(le.Uint64(b)), 'g', -1, 64)
	case schema.WBEMSID:
		return AppendSID(dst, WBEMSID(b, pointerSize))
	case schema.SID:
		return AppendSID(dst, b)
	}
	return hex.AppendEncode(dst, b)
}

// isNumber reports whether a value of the kind is one whole number.
func isNumber(k schema.Kind) bool {
	switch k {
	case schema.U8, schema.I8, schema.U16, schema.I16, schema.U32, schema.I32, schema.U64, schema.I64, schema.Pointer, schema.Size, schema.Key, schema.WideU32,
		schema.Port, schema.Ticks, schema.Bool8, schema.Bool32:
		return true
	}
	return false
}

// isSigned reports whether the numbers of a kind may be negative.
func isSigned(k schema.Kind) bool {
	return k == schema.I8 || k == schema.I16 || k == schema.I32 || k == schema.I64
}

// fieldNumber returns the bits of a number, of at most 8 bytes.
func fieldNumber(k schema.Kind, b []byte) uint64 {
	if k == schema.Port {
		return uint64(binary.BigEndian.Uint16(b))
	}
	return Uint(b)
}

// Uint returns the little-endian number in b, of at most 8 bytes.
func Uint(b []byte) uint64 {
	n := uint64(0)
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n
}

// signed converts the bits of a number of size bytes to a signed number.
func signed(n uint64, size int) int64 {
	unused := 64 - 8*uint(size)
	return int64(n<<unused) >> unused
}

func appendNumber(dst []byte, f *schema.Field, b []byte) []byte {
	n := fieldNumber(f.Kind, b)
	if f.Map != nil || f.Values != "" {
		named := f.ValueNames().AppendText(dst, n)
		if len(named) > len(dst) {
			return named
		}
	}
	switch {
	case f.Kind == schema.Bool8, f.Kind == schema.Bool32:
		return strconv.AppendBool(dst, n != 0)
	case f.Hex, f.Kind == schema.Pointer, f.Kind == schema.Key:
		return strconv.AppendUint(append(dst, "0x"...), n, 16)
	case isSigned(f.Kind):
		return strconv.AppendInt(dst, signed(n, len(b)), 10)
	}
	return strconv.AppendUint(dst, n, 10)
}

// AppendUTF16 appends text up to a NUL; lone surrogates become U+FFFD.
func AppendUTF16(dst, b []byte) []byte {
	return AppendUnits16(dst, withoutNUL16(b[:wideEnd(b)]))
}

// AppendUnits16 appends UTF-16 text with the NULs in it; lone surrogates become U+FFFD.
func AppendUnits16(dst, b []byte) []byte {
	dst, b = appendASCII16(dst, b)
	for len(b) >= 2 {
		r, size := rune(le.Uint16(b)), 2
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if len(b) >= 4 {
				next = rune(le.Uint16(b[2:]))
			}
			if r = utf16.DecodeRune(r, next); r != utf8.RuneError {
				size = 4
			}
		}
		dst, b = utf8.AppendRune(dst, r), b[size:]
		if len(b) >= 8 && le.Uint64(b)&notASCII == 0 { // mostly a single character is not ASCII
			dst, b = appendASCII16(dst, b)
		}
	}
	return dst
}

// appendASCII16 appends text as long as there are four ASCII units, the common case, and
// returns the rest.
func appendASCII16(dst, b []byte) (to, rest []byte) {
	at, n, i := len(dst), len(b)/2, 0
	dst = slices.Grow(dst, n)
	room := dst[at : at+n]
	for ; i+8 <= n; i += 8 {
		eight := b[2*i : 2*i+16]
		v, w := le.Uint64(eight), le.Uint64(eight[8:])
		if (v|w)&notASCII != 0 {
			break
		}
		le.PutUint64(room[i:], uint64(narrowed(v))|uint64(narrowed(w))<<32)
	}
	for ; i+4 <= n; i += 4 {
		four := le.Uint64(b[2*i:])
		if four&notASCII != 0 {
			break
		}
		le.PutUint32(room[i:], narrowed(four))
	}
	if i == n || n < 4 {
		return dst[:at+i], b[2*i:]
	}
	last := min(i, n-4) // these four may overlap those before
	four := le.Uint64(b[2*last:])
	if four&notASCII != 0 {
		return dst[:at+i], b[2*i:]
	}
	le.PutUint32(room[last:], narrowed(four))
	return dst[:at+last+4], b[2*last+8:]
}

// notASCII has the bits of four units that no ASCII character has.
const notASCII = 0xff80_ff80_ff80_ff80

// narrowed returns the lower bytes of four units of less than 256.
func narrowed(four uint64) uint32 {
	pairs := four | four>>8
	return uint32(pairs&0xffff | pairs>>16&0xffff_0000)
}

// zeroUnits returns a number whose lowest set bit is in the first of four units that is 0, or
// 0 if there is none.
func zeroUnits(four uint64) uint64 {
	return (four - 0x0001_0001_0001_0001) &^ four & 0x8000_8000_8000_8000
}

// AppendNarrow appends text of 8-bit units up to a NUL or the end: as UTF-8 if it
// is valid, else as Latin-1, because the code page is not recorded.
func AppendNarrow(dst, b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return AppendUnits8(dst, b)
}

// AppendUnits8 is [AppendNarrow] with the NULs in the text.
func AppendUnits8(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	for _, c := range b {
		dst = utf8.AppendRune(dst, rune(c))
	}
	return dst
}

// NarrowText returns the text that [AppendNarrow] appends.
func NarrowText(b []byte) string { return string(AppendNarrow(nil, b)) }

// WBEMSID returns the SID in a value in the form of WBEM, or nil if there is none.
func WBEMSID(b []byte, pointerSize int) []byte {
	if tokenUser := 2 * pointerSize; len(b) > tokenUser {
		return b[tokenUser:]
	}
	return nil
}

// AppendSID appends a SID as S-1-5-21-..., or as bytes if it is too short.
func AppendSID(dst, b []byte) []byte {
	if len(b) < 8 || len(b) < 8+4*int(b[1]) {
		return hex.AppendEncode(dst, b)
	}
	authority := uint64(binary.BigEndian.Uint16(b[2:]))<<32 | uint64(binary.BigEndian.Uint32(b[4:]))
	dst = strconv.AppendUint(append(dst, "S-"...), uint64(b[0]), 10)
	dst = strconv.AppendUint(append(dst, '-'), authority, 10)
	for i := range int(b[1]) {
		dst = strconv.AppendUint(append(dst, '-'), uint64(le.Uint32(b[8+4*i:])), 10)
	}
	return dst
}
