package table

import (
	"strconv"
	"strings"
	"testing"
)

// TestBeyondSample checks that rows after those that determine the widths are written, also wider ones.
func TestBeyondSample(t *testing.T) {
	for _, rows := range []int{0, 1, SampledRows - 1, SampledRows, SampledRows + 2} {
		var out strings.Builder
		w := NewWriter(&out, []Column{{"n", true}, {"text", false}}, 20)
		for i := range rows {
			if err := w.Add([]string{strconv.Itoa(i % 10), strings.Repeat("a\n", min(i, 30))}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != rows+2 {
			t.Errorf("%d lines of %d rows", len(lines), rows)
		}
		for _, line := range lines {
			if n := len([]rune(line)); n > 20 {
				t.Errorf("a line of %d characters: %s", n, line)
			}
		}
	}
}
