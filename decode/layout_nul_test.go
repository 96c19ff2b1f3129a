package decode_test

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestEmbeddedNULs reads payloads with NULs inside of texts that end with a NUL.
func TestEmbeddedNULs(t *testing.T) {
	i32 := func(name string) schema.Field { return field(name, schema.I32) }
	s := func(name string) schema.Field { return field(name, schema.Text16) }
	list := func(fields ...schema.Field) []schema.Field { return fields }
	bytesOf := list(i32("n"), s("s"), field("size", schema.U32), measured(field("b", schema.Bytes), "size"))
	for _, test := range []struct {
		name    string
		nuls    schema.NULs
		fields  []schema.Field
		payload string
		want    string
		fault   string
	}{
		{"no NUL inside", schema.HoldsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:ab,i32:-1`, "a 0:4, b 4:10, c 10:14", ""},
		{"the case of the runtime", schema.HoldsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:"aaa\x00bbb",i32:-10`, "a 0:4, b 4:20, c 20:24", ""},
		{"NULs at both ends", schema.HoldsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:"\x00ab\x00",i32:-1`, "a 0:4, b 4:14, c 14:18", ""},
		{"NULs alone, before zeros", schema.HoldsNULs, list(s("a"), i32("b")), `str16:"\x00\x00",i32:0`, "a 0:6, b 6:10", ""},
		{"the text is the last field", schema.HoldsNULs, list(i32("a"), s("b")), `u32:1,str16:"a\x00b"`, "a 0:4, b 4:12", ""},
		{"two texts around a number", schema.HoldsNULs, list(s("a"), i32("b"), s("c")), `str16:"a\x00b",u32:5,str16:c`, "a -, b -, c -", "a: corrupt"},
		{"two texts, distinguished by a count", schema.HoldsNULs, list(s("a"), field("n", schema.U32), measured(field("d", schema.Bytes), "n"), s("c")),
			`str16:"a\x00b",u32:2,hex:7777,str16:c`, "a 0:8, n 8:12, d 12:14, c 14:18", ""},
		{"a count behind it", schema.HoldsNULs, bytesOf, `i32:1,str16:"a\x00b",u32:3,hex:010203`, "n 0:4, s 4:12, size 12:16, b 16:19", ""},
		{"two texts, two readings", schema.HoldsNULs, list(i32("a"), s("b"), s("c")), `u32:1,str16:"a\x00b",str16:c`, "a 0:4, b -, c -", "b: corrupt"},
		{"bytes that no NUL explains", schema.HoldsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:a,i32:1,hex:aabbcc`, "a 0:4, b 4:8, c 8:12", ""},
		{"no text", schema.HoldsNULs, list(i32("a")), `u32:1,u32:0`, "a 0:4", ""},
		{"cut before the text", schema.HoldsNULs, list(i32("a"), i32("b"), s("c")), `u32:1,u16:0`, "a 0:4, b -, c -", "b: truncated"},
		{"not known who logs it", schema.PerhapsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:"aaa\x00bbb",i32:-10`, "a 0:4, b -, c -", "b: corrupt"},
		{"not known, but no reading with NULs", schema.PerhapsNULs, list(i32("a"), s("b"), i32("c")), `u32:1,str16:a,i32:1,u16:0`, "a 0:4, b 4:8, c 8:12", ""},
		{"Windows' own", schema.NoNULs, list(s("a"), i32("b")), `str16:"a\x00b",u32:1`, "a 0:4, b 4:8", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			payload, err := etltest.Payload(test.payload, 8)
			if err != nil {
				t.Fatal(err)
			}
			e := &schema.Event{Class: "Test", Name: "A", NULs: test.nuls, Fields: test.fields}
			l := decode.NewLayout(e, 0, 8)
			spans, fit := l.Locate(payload, nil)
			checkSpans(t, l, payload, spans, fit)
			if got := spansText(e, spans); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if got := faultText(fit); got != test.fault {
				t.Errorf("%s, want %s", got, test.fault)
			}
		})
	}
}

func faultText(fit decode.Fit) string {
	if fit.Err == nil {
		return ""
	}
	cause, _, _ := strings.Cut(fit.Err.Error(), ":")
	return fit.Field.Name + ": " + cause
}

// TestEmbeddedNULsAreBounded reads payloads of NULs with a layout of many texts: the search for
// readings must end.
func TestEmbeddedNULsAreBounded(t *testing.T) {
	var fields []schema.Field
	for range 500 {
		fields = append(fields, field("t", schema.Text16))
	}
	fields = append(fields, field("n", schema.U8))
	l := decode.NewLayout(&schema.Event{Fields: fields, NULs: schema.HoldsNULs}, 0, 8)
	if _, fit := l.Locate(make([]byte, 60_000), nil); fit.Field == nil || fit.Used != 0 {
		t.Errorf("%+v", fit)
	}
}

// TestTextUnits checks which NULs end a text.
func TestTextUnits(t *testing.T) {
	manifest := func(f schema.Field) schema.Field { f.InType = "win:UnicodeString"; return f }
	for _, test := range []struct {
		name  string
		field schema.Field
		bytes string
		want  string
	}{
		{"ends with a NUL", field("t", schema.Text16), `str16:ab`, "ab"},
		{"ends with the payload", field("t", schema.Text16), `chars16:ab,hex:00`, "ab"},
		{"EventSource's", field("t", schema.Text16), `str16:"a\x00b"`, "a\x00b"},
		{"counted", prefixed(field("t", schema.Chars16), schema.BytesIn16), `chars16:"a\x00b"`, "a\x00b"},
		{"counted with its NUL", measured(field("t", schema.Chars16), "n"), `chars16:"a\x00b\x00"`, "a\x00b"},
		{"a list that two NULs end", measured(field("t", schema.Chars16), "n"), `chars16:"a\x00b\x00\x00"`, "a\x00b\x00"},
		{"the rest of the payload", ofLength(field("t", schema.Chars8), schema.Rest), `chars8:"a\x00b\x00"`, "a\x00b"},
		{"fixed, padded", manifest(ofLength(field("t", schema.Chars16), 6)), `chars16:"a\x00b\x00\x00\x00"`, "a\x00b"},
		{"fixed, of bytes", manifest(ofLength(field("t", schema.Chars8), 4)), `chars8:"\x00a\x00\x00"`, "\x00a"},
		{"fixed, full", manifest(ofLength(field("t", schema.Chars16), 2)), `chars16:ab`, "ab"},
		{"fixed, nothing", manifest(ofLength(field("t", schema.Chars16), 2)), `chars16:"\x00\x00"`, ""},
		{"the kernel's", ofLength(field("t", schema.Chars16), 4), `chars16:"a\x00xy"`, "a"},
		{"the kernel's, of bytes", ofLength(field("t", schema.Chars8), 4), `chars8:"a\x00xy"`, "a"},
		{"Latin-1", prefixed(field("t", schema.Chars8), schema.BytesIn16), `hex:e400fc00`, "ä\x00ü"},
		{"surrogates and NULs", prefixed(field("t", schema.Chars16), schema.BytesIn16), `chars16:"😀\x00😀\x00€"`, "😀\x00😀\x00€"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := etltest.Payload(test.bytes, 8)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(decode.AppendText(nil, &test.field, b, 8)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
