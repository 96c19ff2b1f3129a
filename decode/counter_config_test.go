package decode_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

func TestParseCounterNames(t *testing.T) {
	for _, test := range []struct {
		name, payload string // hexadecimal
		want          []string
		err           error
	}{
		{"two", "02000000 410042000000 43000000", []string{"AB", "C"}, nil},
		{"an empty name", "01000000 0000", []string{""}, nil},
		{"a name without its NUL", "01000000 41004200", []string{"AB"}, nil},
		{"bytes after the names", "01000000 41000000 ff", []string{"A"}, nil},
		{"none", "00000000", nil, nil},
		{"no count", "020000", nil, decode.ErrTruncated},
		{"no bytes", "", nil, decode.ErrTruncated},
		{"one name too few", "02000000 4100420000 00", nil, decode.ErrTruncated},
		{"more names than bytes", "ffffffff 41000000", nil, decode.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := decode.ParseCounterNames(etltest.MustHex(t, test.payload))
			if !slices.Equal(got, test.want) || !errors.Is(err, test.err) {
				t.Errorf("%q, %v; want %q, %v", got, err, test.want, test.err)
			}
		})
	}
}

// FuzzParseCounterNames checks that the result has as many names as the payload claims,
// or is an error.
func FuzzParseCounterNames(f *testing.F) {
	for _, payload := range []string{"", "02000000410042000000430000", "0200000041004200000043000000", "01000000", "03000000000000000000"} {
		f.Add(etltest.MustHex(f, payload))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		names, err := decode.ParseCounterNames(p)
		size := 4
		for _, name := range names {
			size += 2 * len([]rune(name)) // at least
		}
		if err != nil && names != nil || err == nil && (len(names) != int(p[0])|int(p[1])<<8|int(p[2])<<16|int(p[3])<<24 || size > len(p)) {
			t.Fatalf("%d names, %v, in %x", len(names), err, p)
		}
	})
}
