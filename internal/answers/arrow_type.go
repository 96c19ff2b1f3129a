package answers

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
)

// plainTypes are the Arrow types of DuckDB's types without parameters. Values of all other types
// are text.
var plainTypes = sync.OnceValue(func() map[string]arrow.DataType {
	return map[string]arrow.DataType{
		"BOOLEAN": arrow.FixedWidthTypes.Boolean,
		"TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16, "INTEGER": arrow.PrimitiveTypes.Int32, "BIGINT": arrow.PrimitiveTypes.Int64,
		"UTINYINT": arrow.PrimitiveTypes.Uint8, "USMALLINT": arrow.PrimitiveTypes.Uint16, "UINTEGER": arrow.PrimitiveTypes.Uint32, "UBIGINT": arrow.PrimitiveTypes.Uint64,
		"HUGEINT": &arrow.Decimal128Type{Precision: 38}, // such as a sum of BIGINT
		"FLOAT":   arrow.PrimitiveTypes.Float32, "DOUBLE": arrow.PrimitiveTypes.Float64,
		"BLOB": arrow.BinaryTypes.Binary, "DATE": arrow.FixedWidthTypes.Date32,
		"TIMESTAMP":                &arrow.TimestampType{Unit: arrow.Microsecond},
		"TIMESTAMP_NS":             &arrow.TimestampType{Unit: arrow.Nanosecond},
		"TIMESTAMP WITH TIME ZONE": arrow.FixedWidthTypes.Timestamp_us,
	}
})

// arrowType returns the Arrow type of a type as DuckDB writes it.
func arrowType(kind string) arrow.DataType {
	if item, ok := strings.CutSuffix(kind, "[]"); ok {
		return arrow.ListOf(arrowType(item))
	}
	if members, ok := between(kind, "STRUCT("); ok {
		if t := structType(members); t != nil {
			return t
		}
	}
	if size, ok := between(kind, "DECIMAL("); ok {
		var t arrow.Decimal128Type
		if _, err := fmt.Sscanf(size, "%d,%d", &t.Precision, &t.Scale); err == nil {
			return &t
		}
	}
	if t := plainTypes()[kind]; t != nil {
		return t
	}
	return arrow.BinaryTypes.String
}

// between returns the text in the parentheses of a type.
func between(kind, begin string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(kind, begin)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, ")")
}

// structType returns the type with these members, such as a INTEGER, "b c" VARCHAR[], or nil if
// they cannot be read.
func structType(members string) arrow.DataType {
	var fields []arrow.Field
	for _, member := range splitMembers(members) {
		name, kind := "", ""
		if rest, ok := strings.CutPrefix(member, `"`); ok {
			end := endOfQuotes(rest, '"')
			if end < 0 {
				return nil
			}
			name, kind = strings.ReplaceAll(rest[:end], `""`, `"`), strings.TrimSpace(rest[end+1:])
		} else {
			name, kind, _ = strings.Cut(member, " ")
		}
		if kind == "" {
			return nil
		}
		fields = append(fields, arrow.Field{Name: name, Type: arrowType(kind), Nullable: true})
	}
	return arrow.StructOf(fields...)
}

// endOfQuotes returns the index of the quote that ends a quoted text, or -1. Quotes in the text are
// doubled.
func endOfQuotes(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		if i+1 == len(text) || text[i+1] != quote {
			return i
		}
		i++
	}
	return -1
}

// splitMembers splits at commas outside of parentheses and quotes.
func splitMembers(members string) []string {
	var list []string
	start, depth := 0, 0
	for i := 0; i < len(members); i++ {
		switch c := members[i]; c {
		case '(':
			depth++
		case ')':
			depth--
		case '"', '\'':
			end := endOfQuotes(members[i+1:], c)
			if end < 0 {
				return append(list, strings.TrimSpace(members[start:]))
			}
			i += 1 + end
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(members[start:i]))
				start = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(members[start:]))
}

// blobBytes returns the bytes of a BLOB that DuckDB has written as text, with \xNN for bytes that are
// not plain.
func blobBytes(text string) ([]byte, error) {
	bytes := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			bytes = append(bytes, text[i])
			continue
		}
		if i+4 > len(text) || text[i+1] != 'x' {
			return nil, fmt.Errorf("%.20q is no escape of a byte", text[i:])
		}
		b, err := strconv.ParseUint(text[i+2:i+4], 16, 8)
		if err != nil {
			return nil, fmt.Errorf("%.20q is no escape of a byte", text[i:])
		}
		bytes = append(bytes, byte(b))
		i += 3
	}
	return bytes, nil
}
