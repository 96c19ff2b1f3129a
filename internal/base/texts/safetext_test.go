package texts

import (
	"bytes"
	"testing"
)

// TestWriter writes texts in pieces of every length: the output is the same.
func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"\"a\nb \"\"\r\n\",c\n":             "\"a\\nb \"\"\\r\\n\",c\n",
		"a,\"b\"\r\n\tc\\":                  "a,\"b\"\\r\n\tc\\",
		"\x1b]0;title\a \u009b31m \u202e":   `\u001b]0;title\u0007 \u009b31m \u202e`,
		"Ångström 日本 😀 \u2029\x00":          `Ångström 日本 😀 \u2029\u0000`,
		"cut \xe2\x80":                      "cut \ufffd",
		"\xe2\x80\xe2\x80\xae invalid \xff": "\ufffd\\u202e invalid \ufffd",
	} {
		for size := 1; size <= len(text)+1; size++ {
			var out bytes.Buffer
			w := SafeWriter{W: &out}
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if n, err := w.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
					t.Fatal(n, err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if out.String() != want {
				t.Errorf("%q, %d bytes at a time: %q, want %q", text, size, &out, want)
			}
		}
	}
}
