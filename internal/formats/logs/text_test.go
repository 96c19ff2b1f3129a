package logs

import (
	"math"
	"testing"
)

// TestListsFields checks which messages of several lines only repeat the fields.
func TestListsFields(t *testing.T) {
	for message, want := range map[string]bool{
		"a=1\r\nb=two words\r\n":   true,
		"a=1\n\nb=\n":              true,
		"a=1":                      false, // one line
		"a=1\nsome text\n":         false,
		"a=1\n=2\n":                false,
		"a=1\ntwo words=2\n":       false, // a sentence with a sign in it
		"a=1\n\ttab=2\n":           false,
		"the value is\nx=1\ny=2\n": false,
	} {
		if got := listsFields([]byte(message)); got != want {
			t.Errorf("%q: %t", message, got)
		}
	}
}

// TestLargeKeywords checks that OTLP has a keyword as a text where int64 does not hold it.
func TestLargeKeywords(t *testing.T) {
	for number, want := range map[uint64]string{
		0: `"intValue":"0"`, math.MaxInt64: `"intValue":"9223372036854775807"`,
		1 << 63: `"stringValue":"9223372036854775808"`, math.MaxUint64: `"stringValue":"18446744073709551615"`,
	} {
		var e event
		e.numbers[keyword] = int64(number)
		if got := string(appendAttribute(nil, &e, keyword)); got != want {
			t.Errorf("%d: %s, want %s", number, got, want)
		}
	}
}
