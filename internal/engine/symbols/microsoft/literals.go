package microsoft

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// literal reads a string literal. Only its first 32 characters are in the name. A literal of
// char16_t or char32_t looks like one of char, so its kind is a guess.
func (r *reader) literal() symbol {
	r.want("@_")
	wide := r.oneOf("01")
	size := r.unsigned() // bytes of the whole literal, with the zero at its end
	r.until()            // a checksum
	var bytes []byte
	for !r.failed && !r.accept("@") {
		bytes = append(bytes, r.literalByte())
	}
	if r.failed || len(bytes) == 0 || uint64(len(bytes)) > size {
		r.fail()
		return symbol{}
	}
	width, prefix := charWidth(bytes, size), map[int]string{1: "", 2: "u", 4: "U"}
	read := binary.ByteOrder(binary.LittleEndian)
	if wide == '1' {
		width, prefix[2], read = 2, "L", binary.BigEndian
	}
	cut := size > uint64(len(bytes))
	var b strings.Builder
	b.WriteString(prefix[width] + `"`)
	for at := 0; at+width <= len(bytes); at += width {
		if last := at+2*width > len(bytes); last && !cut {
			break // the zero at the end
		}
		b.WriteString(escaped(char(read, bytes[at:at+width])))
	}
	b.WriteByte('"')
	if cut {
		b.WriteString("...")
	}
	text := r.made(b.String())
	return symbol{text, text}
}

func char(order binary.ByteOrder, b []byte) uint32 {
	switch len(b) {
	case 1:
		return uint32(b[0])
	case 2:
		return uint32(order.Uint16(b))
	}
	return order.Uint32(b)
}

// literalByte reads a byte: a letter, digit, _ or $ stands for itself.
func (r *reader) literalByte() byte {
	if !r.accept("?") {
		return r.next()
	}
	c := r.next()
	switch {
	case c == '$':
		high, low := r.next()-'A', r.next()-'A'
		if high > 15 || low > 15 {
			r.fail()
		}
		return high<<4 | low
	case isDigit(c):
		return ",/\\:. \n\t'-"[c-'0']
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return c + 0x80
	}
	r.fail()
	return 0
}

// charWidth guesses the bytes of a character from the zeros in a literal.
func charWidth(b []byte, size uint64) int {
	if size%2 == 1 {
		return 1
	}
	zeros := 0
	if size < 32 {
		for zeros < len(b) && b[len(b)-1-zeros] == 0 {
			zeros++
		}
		switch {
		case zeros >= 4 && size%4 == 0:
			return 4
		case zeros >= 2:
			return 2
		}
		return 1
	}
	for _, c := range b {
		if c == 0 {
			zeros++
		}
	}
	switch {
	case zeros >= 2*len(b)/3 && size%4 == 0:
		return 4
	case zeros >= len(b)/3:
		return 2
	}
	return 1
}

var escapes = map[uint32]string{
	0: `\0`, '\'': `\'`, '"': `\"`, '\\': `\\`, '\a': `\a`, '\b': `\b`, '\f': `\f`, '\n': `\n`,
	'\r': `\r`, '\t': `\t`, '\v': `\v`,
}

func escaped(c uint32) string {
	if text, ok := escapes[c]; ok {
		return text
	}
	if ' ' <= c && c <= '~' {
		return string(rune(c))
	}
	digits := fmt.Sprintf("%X", c)
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	return `\x` + digits
}
