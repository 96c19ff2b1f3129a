package texts

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendText(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `""`,
		"plain":                  `"plain"`,
		`a "quote" and \`:        `"a \"quote\" and \\"`,
		"lines\r\n\tand\x00\x1b": `"lines\r\n\tand\u0000\u001b"`,
		"\u007f\u009b31m":        `"\u007f\u009b31m"`,
		"Größe € ÷ \u00a0":       "\"Größe € ÷ \u00a0\"",
		"\u2028\u202e\u2066":     `"\u2028\u202e\u2066"`,
		"\u2027\u202f\u2065😀":    "\"\u2027\u202f\u2065😀\"",
	} {
		if got := string(AppendJSON(nil, []byte(text))); got != want {
			t.Errorf("AppendText(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for _, test := range []struct {
		v    float64
		bits int
		want string
	}{
		{0, 64, "0"}, {0.1, 64, "0.1"}, {float64(float32(0.1)), 32, "0.1"}, {-1e300, 64, "-1e+300"},
		{math.NaN(), 64, `"NaN"`}, {math.Inf(1), 32, `"+Inf"`}, {math.Inf(-1), 64, `"-Inf"`},
	} {
		if got := string(AppendJSONFloat(nil, test.v, test.bits)); got != test.want {
			t.Errorf("AppendFloat(%v) = %s, want %s", test.v, got, test.want)
		}
	}
}

// FuzzAppendText checks that package json reads the written text back, and that the output
// cannot control a terminal.
func FuzzAppendText(f *testing.F) {
	for _, seed := range []string{"", "a\"\\\n", "\u009b\u202e\u2066€", "\x7f\xc2\xa0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		got := AppendJSON(nil, []byte(text))
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%q was written as %s, read as %q: %v", text, got, back, err)
		}
		if strings.ContainsFunc(string(got), isControl) {
			t.Errorf("%q has a control character", got)
		}
	})
}

// TestWriteLines checks that each value is on a line, and that texts cannot control a terminal.
func TestWriteLines(t *testing.T) {
	var out strings.Builder
	type value struct{ Name string }
	if err := WriteJSONLines(&out, []value{{"<a>"}, {"b\n\u009b\u202e\"\\"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "{\"Name\":\"<a>\"}\n{\"Name\":\"b\\n\\u009b\\u202e\\\"\\\\\"}\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
