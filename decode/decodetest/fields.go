package decodetest

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Names writes the columns of fields: "a s(b c)".
func Names(fields []schema.Field) string {
	var words []string
	for i := range fields {
		word := fields[i].Name
		if fields[i].Struct != nil {
			word += "(" + Names(fields[i].Struct) + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// OpenText reports whether a text has no NUL. It takes all remaining bytes, so
// that using up the payload proves nothing.
func OpenText(fields []schema.Field, payload []byte, spans []decode.Span) bool {
	for i, s := range spans {
		k, end := fields[i].Kind, int(s.To)
		if (k == schema.Text16 || k == schema.Text8) && !fields[i].IsArray() && (end == 0 || payload[end-1] != 0) {
			return true
		}
	}
	return false
}

// CheckFit compares the spans of fields with the payload and with each other.
func CheckFit(t *testing.T, fields []schema.Field, payload []byte, spans []decode.Span, fit decode.Fit) {
	t.Helper()
	if len(spans) != len(fields) || fit.Used < 0 || fit.Used > len(payload) || (fit.Err == nil) != (fit.Field == nil) {
		t.Fatalf("%d spans, %+v", len(spans), fit)
	}
	at, missing := 0, false
	for i, span := range spans {
		if span.From < 0 {
			missing = true
			continue
		}
		if missing || int(span.From) < at || span.To < span.From || int(span.To) > len(payload) {
			t.Fatalf("%s at %v, after %d, of %s", fields[i].Name, span, at, Names(fields))
		}
		at = int(span.To)
	}
	if missing != (fit.Err != nil) || at != fit.Used {
		t.Fatalf("fields up to %d, %+v", at, fit)
	}
}
