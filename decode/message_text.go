package decode

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// AppendMessage appends the text of an event. It takes the values of fields from
// payload at spans, which Locate returned. The values of an array are joined by
// ", ", a structure is in braces, and a missing field adds nothing.
//
// The formats are those of printf:
//
//   - A number has the size of the field if the format gives none. Hexadecimal
//     numbers are not sign-extended.
//   - "p" has all digits of a pointer.
//   - "s" is the text of [AppendText], whatever the kind of the field. A format that
//     does not suit the kind has the same result.
//   - "#s" of a status is the number in hexadecimal, followed by its name in
//     parentheses if it has one. "#s" of milliseconds is days~hours:minutes:seconds.
//
// It allocates only to grow dst and, for structures, their spans.
func (l *Layout) AppendMessage(dst []byte, m schema.Message, payload []byte, spans []Span) []byte {
	for i := range m {
		part := &m[i]
		dst = append(dst, part.Text...)
		if part.Field < 0 || part.Field >= len(spans) || spans[part.Field].From < 0 {
			continue
		}
		f, ok := parseFormat(part.Format)
		if !ok {
			f = format{precision: -1} // the default form of the field
		}
		dst = l.appendField(dst, part.Field, &f, payload, spans, nil)
	}
	return dst
}

// appendField appends all values of the field with this index. spans has the field and its
// neighbours, outer the fields around them.
func (l *Layout) appendField(dst []byte, index int, how *format, payload []byte, spans []Span, outer *Frame) []byte {
	f, s := &l.all[index], spans[index]
	if f.Struct != nil {
		return l.Structure(index).appendStructs(dst, payload, s, &Frame{spans, outer})
	}
	b := payload[s.From:s.To]
	if !f.IsArray() {
		return appendFormatted(dst, f, how, b, l.PointerSize)
	}
	for first := true; len(b) > 0; first = false {
		if !first {
			dst = append(dst, ", "...)
		}
		value, rest := l.Value(f, b)
		if len(value) == 0 && len(rest) == len(b) { // values of length 0, which another field holds
			value, rest = b, nil
		}
		dst = appendFormatted(dst, f, how, value, l.PointerSize)
		b = rest
	}
	return dst
}

// appendStructs appends the structures in the span all.
func (l *Layout) appendStructs(dst, payload []byte, all Span, outer *Frame) []byte {
	own := format{precision: -1}
	var spans []Span
	for at := int(all.From); at < int(all.To); {
		var next int
		spans, next = l.Element(payload, at, outer, spans)
		if next <= at { // cannot happen in a span that Locate returned
			break
		}
		if at > int(all.From) {
			dst = append(dst, ", "...)
		}
		dst = append(dst, '{')
		for i, s := range spans {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if s.From >= 0 {
				dst = l.appendField(dst, i, &own, payload, spans, outer)
			}
		}
		dst = append(dst, '}')
		at = next
	}
	return dst
}

// appendFormatted appends one value, padded to the width of the format.
func appendFormatted(dst []byte, f *schema.Field, how *format, b []byte, pointerSize int) []byte {
	start := len(dst)
	zeros := -1 // the position at which zeros pad a number
	width, fixed := f.Kind.Width(pointerSize)
	switch {
	case fixed && !f.Kind.HasLength() && len(b) != width:
		return AppendText(dst, f, b, pointerSize)
	case isNumber(f.Kind) && how.isNumeric():
		dst, zeros = how.appendNumber(dst, f, b)
	case f.Kind == schema.FileTime && how.isNumeric():
		dst, zeros = how.appendNumber(dst, f, b)
	case isNumber(f.Kind) && (how.verb == 'c' || how.verb == 'C'):
		if r := rune(min(fieldNumber(f.Kind, b), math.MaxInt32)); r != 0 {
			dst = utf8.AppendRune(dst, r)
		}
	case isNumber(f.Kind) && (how.verb == 's' || how.verb == 'S') && how.alternate:
		if f.Unit == schema.InMillis {
			dst = appendDuration(dst, f.Kind, b)
		} else {
			dst = appendStatus(dst, f, b)
		}
	case (f.Kind == schema.F32 || f.Kind == schema.F64) && how.isFloat():
		dst, zeros = how.appendFloat(dst, f.Kind, b)
	default:
		dst = AppendText(dst, f, b, pointerSize)
		if how.precision >= 0 && (how.verb == 's' || how.verb == 'S') {
			dst = firstRunes(dst, start, how.precision)
		}
	}
	return how.pad(dst, start, zeros)
}

// appendStatus appends a number and its name: 0xc0000034(STATUS_...).
func appendStatus(dst []byte, f *schema.Field, b []byte) []byte {
	n := fieldNumber(f.Kind, b)
	dst = appendDigits(append(dst, "0x"...), n, 16, 2*len(b))
	if f.Map == nil && f.Values == "" {
		return dst
	}
	opened := append(dst, '(')
	if named := f.ValueNames().AppendText(opened, n); len(named) > len(opened) {
		return append(named, ')')
	}
	return dst
}

// appendDuration appends milliseconds as WPP's tools show them: 2~3:04:05 is two
// days and three hours, four minutes and five seconds. Fractions of a second are
// dropped. (The form is from Microsoft's "What are the WPP extended format
// specification strings"; two digits for minutes and seconds are an assumption.)
func appendDuration(dst []byte, kind schema.Kind, b []byte) []byte {
	n := fieldNumber(kind, b)
	if v := signed(n, len(b)); isSigned(kind) && v < 0 {
		dst, n = append(dst, '-'), -uint64(v)
	}
	const (
		second = 1000
		minute = 60 * second
		hour   = 60 * minute
		day    = 24 * hour
	)
	dst = append(strconv.AppendUint(dst, n/day, 10), '~')
	dst = append(strconv.AppendUint(dst, n%day/hour, 10), ':')
	dst = append(appendDigits(dst, n%hour/minute, 10, 2), ':')
	return appendDigits(dst, n%minute/second, 10, 2)
}

// firstRunes cuts the text at start to most characters.
func firstRunes(dst []byte, start, most int) []byte {
	at := start
	for ; most > 0 && at < len(dst); most-- {
		_, size := utf8.DecodeRune(dst[at:])
		at += size
	}
	return dst[:at]
}

func (f *format) isNumeric() bool {
	switch f.verb {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'p', 'P':
		return true
	}
	return false
}

func (f *format) isFloat() bool {
	switch f.verb {
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return true
	}
	return false
}

// appendNumber appends a whole number. zeros is the position at which zeros can pad it, or -1.
func (f *format) appendNumber(dst []byte, field *schema.Field, b []byte) (all []byte, zeros int) {
	n, size := fieldNumber(field.Kind, b), len(b)
	if f.size > 0 && f.size < size {
		size = f.size
		n &= 1<<(8*size) - 1
	}
	digits, base := max(f.precision, 0), 10
	switch f.verb {
	case 'd', 'i':
		negative := isSigned(field.Kind) || f.size == size || f.size == 0 && size >= 4
		if v := signed(n, size); negative && v < 0 {
			dst, n = append(dst, '-'), -uint64(v)
		} else {
			dst = f.appendPlus(dst)
		}
	case 'x', 'X', 'o':
		if base = 16; f.verb == 'o' {
			base = 8
		}
		dst = f.appendBase(dst, n)
	case 'p', 'P':
		base, digits = 16, max(digits, 2*size)
	}
	zeros = len(dst)
	if n != 0 || f.precision != 0 {
		dst = appendDigits(dst, n, base, digits)
	}
	if f.verb == 'X' || f.verb == 'p' || f.verb == 'P' {
		capitals(dst[zeros:])
	}
	if f.precision >= 0 {
		return dst, -1
	}
	return dst, zeros
}

// capitals converts hexadecimal digits to upper case.
func capitals(digits []byte) {
	for i, c := range digits {
		if c >= 'a' {
			digits[i] = c - 'a' + 'A'
		}
	}
}

// appendPlus appends the sign of a number that is not negative: +, a space or nothing.
func (f *format) appendPlus(dst []byte) []byte {
	switch {
	case f.plus:
		return append(dst, '+')
	case f.space:
		return append(dst, ' ')
	}
	return dst
}

// appendBase appends the prefix of the base, such as 0x, if the format has #.
func (f *format) appendBase(dst []byte, n uint64) []byte {
	switch {
	case !f.alternate || n == 0:
		return dst
	case f.verb == 'o':
		return append(dst, '0')
	}
	return append(dst, '0', f.verb)
}

// appendFloat appends a number with a fraction.
func (f *format) appendFloat(dst []byte, kind schema.Kind, b []byte) (all []byte, zeros int) {
	bits, n := 64, 0.0
	if kind == schema.F32 {
		bits, n = 32, float64(math.Float32frombits(le.Uint32(b)))
	} else {
		n = math.Float64frombits(le.Uint64(b))
	}
	precision := f.precision
	if precision < 0 {
		precision = 6
	}
	if !math.Signbit(n) {
		dst = f.appendPlus(dst)
	}
	zeros = len(dst)
	if math.IsNaN(n) || math.IsInf(n, 0) {
		zeros = -1
	} else if math.Signbit(n) {
		zeros++
	}
	verb := f.verb
	if verb == 'F' {
		verb = 'f'
	}
	return strconv.AppendFloat(dst, n, verb, precision, bits), zeros
}

// pad pads the value that begins at start to the width.
func (f *format) pad(dst []byte, start, zeros int) []byte {
	missing := f.width - utf8.RuneCount(dst[start:])
	if missing <= 0 {
		return dst
	}
	at, fill := start, byte(' ')
	switch {
	case f.left:
		at = len(dst)
	case f.zeros && zeros >= 0:
		at, fill = zeros, '0'
	}
	end := len(dst)
	for range missing {
		dst = append(dst, fill)
	}
	copy(dst[at+missing:], dst[at:end])
	for i := range missing {
		dst[at+i] = fill
	}
	return dst
}
