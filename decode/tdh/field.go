package tdh

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Apply sets the kind of a field from its types. The caller has set its name and,
// from the source, Length or LengthField and the count; Apply clears those that do not
// apply to the type. It ignores an out-type that does not suit the in-type. A binary value
// without a length is unstated, unless it is an IPv6 address. It returns an error for an
// unknown type, and for Null, which takes no bytes.
func Apply(f *schema.Field, in InType, out OutType) error {
	spec, ok := inTypes[in]
	if !ok || spec.kind == 0 {
		return fmt.Errorf("%w: %v", decode.ErrUnsupported, in)
	}
	f.Kind, f.LengthPrefix = spec.kind, spec.prefix
	switch in {
	case NonNullTerminatedString, NonNullTerminatedAnsi:
		f.Length, f.LengthField = schema.Rest, ""
	case UnicodeString, AnsiString:
		if f.Length != 0 || f.LengthField != "" {
			f.Kind = charsOf(f.Kind)
		}
	case Binary:
	case UnicodeChar, AnsiChar:
		out = String
		fallthrough
	default:
		f.Length, f.LengthField = 0, ""
	}
	if out == Default {
		out = spec.out
	}
	show(f, out)
	if (f.Kind == schema.Bytes || f.Kind == schema.SocketAddress) && f.LengthPrefix == schema.NoPrefix && f.Length == 0 && f.LengthField == "" {
		f.Unstated |= schema.LengthUnstated
	}
	nameMAC(f)
	return nil
}

// macSize is the size of the address of a network adapter.
const macSize = 6

// nameMAC makes a binary value of six bytes a MAC address if its name says so, because no out-type
// does. All six-byte values of Windows' own providers are MAC addresses.
func nameMAC(f *schema.Field) {
	if f.Kind != schema.Bytes || f.Length != macSize {
		return
	}
	name := strings.ToLower(f.Original)
	if strings.Contains(name, "mac") || strings.Contains(name, "bssid") || strings.HasSuffix(name, "addr") {
		f.Kind, f.Length = schema.MAC, 0
	}
}

// show changes the kind to one with the same bytes and another meaning, if the
// out-type asks for it.
func show(f *schema.Field, out OutType) {
	f.Hex = isHex(out) && f.Kind.IsNumber()
	switch k := f.Kind; out {
	case String:
		if k == schema.U8 || k == schema.I8 || k == schema.U16 || k == schema.I16 {
			makeText(f)
		}
	case OutBoolean:
		switch k {
		case schema.U8, schema.I8:
			f.Kind = schema.Bool8
		case schema.U32, schema.I32:
			f.Kind = schema.Bool32
		}
	case Port:
		if k == schema.U16 || k == schema.I16 {
			f.Kind = schema.Port
		}
	case IPv4:
		if k == schema.U32 || k == schema.I32 {
			f.Kind = schema.IPv4
		}
	case IPv6:
		if k == schema.Bytes && (f.Length == 0 || f.Length == ipv6Size) {
			f.Kind, f.Length = schema.IPv6, 0
		}
	case SocketAddress:
		if k == schema.Bytes {
			f.Kind = schema.SocketAddress
		}
	case DateTime, DateTimeCultureInsensitive, DateTimeUTC:
		if k == schema.U64 || k == schema.I64 {
			f.Kind = schema.FileTime
		}
	}
}

const ipv6Size = 16

// makeText turns a character or an array of characters into one text.
func makeText(f *schema.Field) {
	f.Kind = charsOf(f.Kind)
	switch {
	case f.CountPrefix:
		f.LengthPrefix = schema.UnitsIn16
	case f.CountField != "":
		f.LengthField = f.CountField
	case f.Count != 0:
		f.Length = f.Count
	default:
		f.Length = 1
	}
	f.Count, f.CountField, f.CountPrefix = 0, "", false
}

// charsOf returns the kind of text with a length instead of a NUL.
func charsOf(k schema.Kind) schema.Kind {
	switch k {
	case schema.Text16, schema.U16, schema.I16:
		return schema.Chars16
	}
	return schema.Chars8
}

func isHex(out OutType) bool {
	switch out {
	case OutHexInt8, OutHexInt16, OutHexInt32, OutHexInt64, ErrorCode, NTStatus, HResult, CodePointer:
		return true
	}
	return false
}

// Declare sets the original name and types of a field, and its documentation, which
// begins with them. [Apply] sets the kind; either may be called first.
func Declare(f *schema.Field, name string, in InType, out OutType, more ...string) {
	f.InType, f.OutType = in.String(), inTypes[in].out.String()
	words := []string{f.InType}
	if out != Default && out != inTypes[in].out {
		f.OutType = out.String()
		words = append(words, f.OutType)
	}
	declare(f, name, append(words, more...))
	nameMAC(f)
}

// IsDefault reports whether a field that [Declare] has declared is shown in the default form of its in-type.
func IsDefault(f *schema.Field) bool {
	in, ok := ParseInType(f.InType)
	return ok && f.OutType == inTypes[in].out.String()
}

// DeclareStruct is [Declare] for a structure.
func DeclareStruct(f *schema.Field, name string, more ...string) {
	f.InType = schema.StructType
	declare(f, name, append([]string{schema.StructType}, more...))
}

// declare sets the name, and the documentation from the name and words. Names are
// untrusted: characters that cannot be printed are replaced.
func declare(f *schema.Field, name string, words []string) {
	f.Original = strings.ToValidUTF8(name, string(unicode.ReplacementChar))
	printable := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, f.Original)
	f.Doc = printable + ", " + strings.Join(words, ", ") + "."
}
