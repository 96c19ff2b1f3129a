package texts

import (
	"testing"
	"time"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 168298: "168,298", 1234567: "1,234,567", -1234: "-1,234", -123: "-123",
		-1 << 63: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 traces", 1: "1 trace", 2000: "2,000 traces"} {
		if got := Counted(n, "trace"); got != want {
			t.Errorf("Counted(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPerSecond(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1.00 k", 21400: "21.4 k", 99_960: "100 k", 793_000: "793 k", 2_134_000: "2.13 M", 5e9: "5.00 G",
	} {
		if got := PerSecond(rate); got != want {
			t.Errorf("PerSecond(%v) = %q, want %q", rate, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", 900 * time.Millisecond: "0:01", 75 * time.Second: "1:15", 3661 * time.Second: "1:01:01", 100 * time.Hour: "100:00:00",
	} {
		if got := Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "0 s",
		30937 * time.Microsecond: "30.9 ms",
		2250 * time.Millisecond:  "2.25 s",
		90 * time.Second:         "1 min 30.0 s",
		8*time.Hour + 12*time.Minute + 5671*time.Millisecond: "8 h 12 min 5 s",
		100 * time.Hour: "4 d 4 h 0 min",
	} {
		if got := Elapsed(d); got != want {
			t.Errorf("Elapsed(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	if got := Share(1, 3); got != "33.3 %" {
		t.Errorf("Share(1, 3) = %q", got)
	}
	if got := Share(0, 0); got != "-" {
		t.Errorf("Share(0, 0) = %q", got)
	}
}
