package agent

import (
	"fmt"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	for _, test := range []struct {
		name, lines string
		all         int64
		title, text string
	}{
		{"none", "", 0, "0 rows", ""},
		{"all", `{"a":1,"b":"x"}` + "\n" + `{"a":null,"b":"y\u001b[2J\u202e"}`, 2, "2 rows", `["a","b"]` + "\n" + `[1,"x"]` + "\n" + `[null,"y\u001b[2J\u202e"]` + "\n"},
		{"some", `{"a":1}` + "\n", 12345, "1 of 12,345 rows, cut by the limit of this call: filter, aggregate, or ask for more rows", "[\"a\"]\n[1]\n"},
		{"no numbers of JSON", `{"a":NaN,"b":-Infinity,"c":[1,{"d":2}]}` + "\n", 1, "1 row", `["a","b","c"]` + "\n" + `["NaN","-Infinity",[1,{"d":2}]]` + "\n"},
		{"control characters", "{\"a\":\"\u202e\u009b\"}\n", 1, "1 row", `["a"]` + "\n" + `["\u202e\u009b"]` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := readRows(strings.NewReader(test.lines))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.title(test.all); got != test.title {
				t.Errorf("title %s, want %s", got, test.title)
			}
			if string(r.text) != test.text {
				t.Errorf("text\n%s, want\n%s", r.text, test.text)
			}
		})
	}
	if _, err := readRows(strings.NewReader("{\"a\":")); err == nil {
		t.Error("a row that is cut off is no error")
	}
}

// TestManyRows cuts an answer that is too long.
func TestManyRows(t *testing.T) {
	const all = 1000
	r, err := readRows(strings.NewReader(strings.Repeat(`{"name":"`+strings.Repeat("é", 100)+`"}`+"\n", all)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.text) > mostAnswer || r.shown == 0 || r.shown >= all || int64(strings.Count(string(r.text), "\n")) != r.shown+1 {
		t.Errorf("%d bytes, %d rows", len(r.text), r.shown)
	}
	if got, want := r.title(all), fmt.Sprintf("%d of 1,000 rows, cut at 32.0 KiB: select fewer columns, filter or aggregate", r.shown); got != want {
		t.Errorf("title %s, want %s", got, want)
	}
}

// TestLongValues cuts long values, between characters, and rejects rows that are too long.
func TestLongValues(t *testing.T) {
	long := strings.Repeat("é", mostValue)
	for _, line := range []string{`{"a":"` + long + `"}`, `{"a":"x` + long + `"}`, `{"a":["` + long + `"]}`} {
		r, err := readRows(strings.NewReader(line + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(r.text)
		if len(text) > mostValue+100 || !strings.Contains(text, "é… (4,") || strings.Contains(text, "\ufffd") {
			t.Errorf("%d bytes: %.20s...%s", len(text), text, text[len(text)-30:])
		}
		if got, want := r.title(1), "1 row; values beyond 2.0 KiB are cut"; got != want {
			t.Errorf("title %s, want %s", got, want)
		}
	}
	if _, err := readRows(strings.NewReader(`{"a":"` + strings.Repeat("x", mostLine) + `"}`)); err == nil || !strings.Contains(err.Error(), "a row has more than 1.0 MiB") {
		t.Errorf("error %v", err)
	}
}

func TestNeedle(t *testing.T) {
	for _, test := range []struct {
		needle, text string
		want         bool
	}{
		{"PORT", "the port 443", true}, {"443", "443", true}, {"443", "44", false}, {"aab", "AaAb", true},
		{"größe", "Die GRÖSSE", false}, {"GRÖßE", "größe", true}, {"x", "", false}, {"@", "`", false},
	} {
		n := newNeedle(test.needle)
		if got := n.in(test.text); got != test.want {
			t.Errorf("%q in %q: %v", test.needle, test.text, got)
		}
	}
}
