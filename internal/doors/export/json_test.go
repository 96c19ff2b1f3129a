package export

import (
	"bytes"
	"math"
	"testing"
)

// TestMillis checks that times keep all of their digits.
func TestMillis(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0", 1: "0.000001", 1_000_000: "1", 1_500_000: "1.5", -2_000_100: "-2.0001", -1: "-0.000001",
		1_714_564_800_002_000_001: "1714564800002.000001", math.MaxInt64: "9223372036854.775807", math.MinInt64: "-9223372036854.775808",
	} {
		var b bytes.Buffer
		j := newJSON(&b)
		j.millis(ns)
		if err := j.flush(); err != nil || b.String() != want {
			t.Errorf("%d: %s, %v, want %s", ns, b.String(), err, want)
		}
	}
}
