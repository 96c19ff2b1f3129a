package texts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "Ångström": 8, "A\u030angstro\u0308m": 8, "日本語": 6, "a🙂": 3, "x\u200dy": 2, "…─│": 3} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestShortened(t *testing.T) {
	for _, test := range []struct {
		text        string
		n           int
		end, middle string
	}{
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "ab…ef"},
		{"abcdef", 4, "abc…", "ab…f"},
		{"abcdef", 1, "…", "…"},
		{"abcdef", 0, "…", "…"},
		{"日本語日本", 5, "日本…", "日…本"},
		{"日本語日本", 4, "日…", "日…"},
	} {
		if got := Shortened(test.text, test.n); got != test.end {
			t.Errorf("Shortened(%q, %d) = %q, want %q", test.text, test.n, got, test.end)
		}
		if got := Middle(test.text, test.n); got != test.middle {
			t.Errorf("Middle(%q, %d) = %q, want %q", test.text, test.n, got, test.middle)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want []string
	}{
		{"", 10, []string{""}},
		{"aaaa bbbb cccc", 9, []string{"aaaa bbbb", "cccc"}},
		{"in Microsoft-Windows-DotNETRuntimeRundown it", 20, []string{"in", "Microsoft-Windows-", "DotNETRuntimeRundown", "it"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"日本語日本", 5, []string{"日本", "語日", "本"}},
		{"SYSTEM64 18.9 %, MESSAGE 2.2 %, 1 2 and 3", 27, []string{"SYSTEM64 18.9 %, MESSAGE", "2.2 %, 1 2 and 3"}},
		{"日本", 1, []string{"日", "本"}},
	} {
		if diff := cmp.Diff(test.want, Wrap(test.text, test.n)); diff != "" {
			t.Errorf("Wrap(%q, %d) (-want +got):\n%s", test.text, test.n, diff)
		}
	}
}

// FuzzWrap checks that no line is too wide, and that nothing but spaces is lost.
func FuzzWrap(f *testing.F) {
	f.Add("Microsoft-Windows-日本語 a\u0300b", 7)
	f.Fuzz(func(t *testing.T, text string, n int) {
		lines := Wrap(text, n)
		for _, line := range lines {
			if Width(line) > max(n, 2) {
				t.Errorf("%q: %d cells", line, Width(line))
			}
		}
		if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, short := range []string{Shortened(text, n), Middle(text, n)} {
			if Width(short) > max(n, 1) {
				t.Errorf("%q is wider than %d", short, n)
			}
		}
	})
}
