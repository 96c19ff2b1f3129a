package texts

import "testing"

func TestSizeSet(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64 // -1: an error
	}{
		{"0", 0},
		{"1048576", 1 << 20},
		{"512MiB", 512 << 20},
		{"512 mib", 512 << 20},
		{"512m", 512 << 20},
		{"2GB", 2e9},
		{"2G", 2 << 30},
		{"1.5GiB", 3 << 29},
		{"64KB", 64000},
		{"1TiB", 1 << 40},
		{"", -1},
		{"MiB", -1},
		{"-1MiB", -1},
		{"12 bananas", -1},
		{"1e3", -1},
		{"NaN", -1},
		{"1..5G", -1},
		{"99999999TiB", -1},
	} {
		t.Run(test.text, func(t *testing.T) {
			var s Size
			err := s.Set(test.text)
			switch {
			case test.want < 0 && err == nil:
				t.Errorf("got %d, want an error", s)
			case test.want >= 0 && (err != nil || int64(s) != test.want):
				t.Errorf("got %d, %v, want %d", s, err, test.want)
			}
		})
	}
}

func TestExactSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1000: "1000", 1024: "1KiB", 512 << 20: "512MiB", 3 << 29: "1536MiB"} {
		if got := ExactSize(n); got != want {
			t.Errorf("Exact(%d) = %q, want %q", n, got, want)
		}
		var s Size
		if err := s.Set(ExactSize(n)); err != nil || int64(s) != n {
			t.Errorf("%q reads as %d, %v", want, s, err)
		}
	}
}

func TestRoundSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 4388184: "4.2 MiB",
		1<<20 - 1: "1.0 MiB", 1 << 40: "1.0 TiB", 1<<63 - 1: "8.0 EiB",
	} {
		if got := RoundSize(n); got != want {
			t.Errorf("Round(%d) = %q, want %q", n, got, want)
		}
	}
	if got, want := PartOfSize(300<<10, 4388184), "0.3 of 4.2 MiB"; got != want {
		t.Errorf("PartOf: %q, want %q", got, want)
	}
	if got, want := PartOfSize(0, 500), "0 of 500 B"; got != want {
		t.Errorf("PartOf: %q, want %q", got, want)
	}
}
