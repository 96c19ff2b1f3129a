package etltest

import (
	"encoding/hex"
	"strings"
	"testing"
)

// MustHex returns the bytes of hexadecimal digits between white space, in which a semicolon begins a comment.
func MustHex(t testing.TB, text string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, ";")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatalf("the test's own hex: %v", err)
	}
	return b
}
