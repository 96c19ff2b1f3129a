package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// TestMessageOfInput checks that a file that is no trace has a message without a position, and that what
// the error says beside that stays.
func TestMessageOfInput(t *testing.T) {
	_, noTrace := decode.NewFile(bytes.NewReader(make([]byte, 8)), 8)
	if noTrace == nil {
		t.Fatal("8 bytes are a trace")
	}
	const want = "not an ETL trace: it has only 8 bytes"
	for _, test := range []struct {
		err  error
		want string
	}{
		{noTrace, want},
		{fmt.Errorf("it shares files with a, which cannot be converted again: %w", noTrace), "it shares files with a, which cannot be converted again: " + want},
	} {
		if got := messageOfInput("a.etl", test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
