package definition_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
)

func encode(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

func TestText(t *testing.T) {
	little, big := binary.LittleEndian, binary.BigEndian
	for _, test := range []struct{ name, data, want string }{
		{"empty", "", ""},
		{"one byte", "a", "a"},
		{"UTF-8", "a ü 𝄞", "a ü 𝄞"},
		{"UTF-8 with a mark", "\ufeffa ü", "a ü"},
		{"a code page", "a \xfc", "a \ufffd"},
		{"UTF-16", encode("a ü 𝄞", little), "a ü 𝄞"},
		{"UTF-16 with a mark", encode("\ufeffa ü 𝄞", little), "a ü 𝄞"},
		{"UTF-16 in network order", encode("a ü 𝄞", big), "a ü 𝄞"},
		{"UTF-16 in network order with a mark", encode("\ufeffü", big), "ü"},
		{"UTF-16 of odd length", encode("ab", little) + "c", "ab"},
		{"UTF-16 with half a pair", encode("a", little) + "\x00\xd8" + encode("b", little), "a\ufffdb"},
		{"UTF-16 that ends with half a pair", encode("a", little) + "\x00\xd8", "a\ufffd"},
		{"UTF-16 with a NUL", encode("a\x00b", little), "a\x00b"},
		{"NULs", "\x00\x00\x00", "\x00\x00\x00"},
	} {
		if got, err := definition.Text([]byte(test.data)); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
	if text, err := definition.Text(make([]byte, definition.MaxSize+1)); !errors.Is(err, decode.ErrUnsupported) || text != "" {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestPlaces(t *testing.T) {
	for pos, want := range []int{1, 1, 2, 3, 3} {
		if got := definition.Line("a\n\nb", pos); got != want {
			t.Errorf("line of %d: %d, want %d", pos, got, want)
		}
	}
	for most, want := range []string{"", "a", "a", "aü", "aü"} {
		if got := definition.Cut("aü", most); got != want {
			t.Errorf("cut at %d: %q, want %q", most, got, want)
		}
	}
	if got := definition.Cut(strings.Repeat("\x80", 3), 2); got != "" {
		t.Errorf("%q", got)
	}
}
