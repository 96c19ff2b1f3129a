package main

import (
	"strings"
	"testing"
)

// TestMetadata checks the footer where DuckDB reads it: fields from the end, before the
// signature.
func TestMetadata(t *testing.T) {
	footer, err := metadata("linux_amd64", "v1")
	if err != nil || len(footer) != footerSize || footerSize != 534 {
		t.Fatalf("%d bytes, %v", len(footer), err)
	}
	for i, want := range []string{"4", "linux_amd64", "v1.2.0", "v1", "C_STRUCT", "", "", ""} {
		end := len(footer) - signatureSize - i*fieldSize
		if got := strings.TrimRight(string(footer[end-fieldSize:end]), "\x00"); got != want {
			t.Errorf("field %d is %q, want %q", i+1, got, want)
		}
	}
	if _, err := metadata("linux_amd64", strings.Repeat("v", 33)); err == nil {
		t.Error("a version of 33 bytes is accepted")
	}
}
