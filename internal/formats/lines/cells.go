package lines

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
)

// appendCell writes a text as a value of CSV.
func appendCell(dst, text []byte) []byte {
	n := len(text)
	if n > 0 && text[0] != ' ' && text[n-1] != ' ' && bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, ',') < 0 {
		return jsontext.AppendEscaped(dst, text, false)
	}
	dst = append(dst, '"')
	for i, piece := range bytes.Split(text, []byte{'"'}) {
		if i > 0 {
			dst = append(dst, `""`...)
		}
		dst = jsontext.AppendEscaped(dst, piece, false)
	}
	return append(dst, '"')
}

// appendQuoted writes a value of CSV, escaped before, in quotes.
func appendQuoted(dst, cell []byte) []byte {
	dst = append(dst, '"')
	for _, c := range cell {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}
