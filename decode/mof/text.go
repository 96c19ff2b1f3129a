package mof

import (
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/decode/definition"
)

// sentence returns a description as one line of printable text, without a final full
// stop. Descriptions are untrusted.
func sentence(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, definition.Cut(text, maxText))
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ". ")
}
