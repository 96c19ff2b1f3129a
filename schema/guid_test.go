package schema

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestGUID(t *testing.T) {
	g := GUID{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}
	const text = "00112233-4455-6677-8899-aabbccddeeff"
	if g.String() != text {
		t.Errorf("%s, want %s", g, text)
	}
	if b, err := g.AppendText([]byte("x=")); err != nil || string(b) != "x="+text {
		t.Errorf("%s, %v", b, err)
	}
	for _, form := range []string{text, strings.ToUpper(text), "{" + text + "}", "{" + strings.ToUpper(text) + "}"} {
		if got, err := ParseGUID(form); err != nil || got != g {
			t.Errorf("%s: %s, %v", form, got, err)
		}
	}
	if g.IsZero() || !(GUID{}).IsZero() || (GUID{15: 1}).IsZero() {
		t.Error("only the zero GUID is zero")
	}
	if fmt.Sprint(GUID{}) != "00000000-0000-0000-0000-000000000000" || len(text) != GUIDTextLen {
		t.Error(GUID{})
	}
}

func TestParseGUIDErrors(t *testing.T) {
	const text = "00112233-4455-6677-8899-aabbccddeeff"
	for _, bad := range []string{
		"", "{}", text[1:], text + "0", "{" + text, text + "}", "{{" + text + "}}", "(" + text + ")", " " + text, text[:35] + "g",
		strings.ReplaceAll(text, "-", ""), strings.ReplaceAll(text, "-", "0"), "0011223-34455-6677-8899-aabbccddeeff",
		"00112233-4455-6677-8899-aabbccddee\x00f", "+0112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddéf",
	} {
		if g, err := ParseGUID(bad); err == nil || !g.IsZero() {
			t.Errorf("%q: %s, no error", bad, g)
		}
	}
}

func TestMustGUID(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	MustGUID("none")
}

// FuzzParseGUID checks that a parsed GUID is written back unchanged.
func FuzzParseGUID(f *testing.F) {
	for _, seed := range []string{"00112233-4455-6677-8899-aabbccddeeff", "{00112233-4455-6677-8899-AABBCCDDEEFF}", "", "{}", "00112233-4455-6677-8899-aabbccddeefg"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseGUID(text)
		bare := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
		isGUID := form.MatchString(bare) && (len(text) == len(bare) || len(text) == len(bare)+2)
		if (err == nil) != isGUID {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && g.String() != strings.ToLower(bare) {
			t.Errorf("%q: %s", text, g)
		}
	})
}

func TestGUIDCompare(t *testing.T) {
	texts := []string{"00000000-0000-0000-0000-000000000001", "00000001-0000-0000-0000-000000000000", "01000000-0000-0000-0000-000000000000", "01000000-0001-0000-0000-000000000000"}
	for i, a := range texts {
		for j, b := range texts {
			if got := MustGUID(a).Compare(MustGUID(b)); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}
