package decode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// messageText writes a message: text in quotes, fields as <index:format>.
func messageText(m schema.Message) string {
	var list []string
	for _, part := range m {
		if part.Text != "" {
			list = append(list, fmt.Sprintf("%q", part.Text))
		}
		if part.Field >= 0 {
			list = append(list, strings.TrimSuffix(fmt.Sprintf("<%d:%s", part.Field, part.Format), ":")+">")
		}
	}
	return strings.Join(list, " ")
}

// fieldsBelow maps the inserts 1 to n to the fields 0 to n-1.
func fieldsBelow(n int) func(int) (int, bool) {
	return func(insert int) (int, bool) { return insert - 1, insert >= 1 && insert <= n }
}

func TestParseMessage(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain", `"plain"`},
		{"%1", "<0>"},
		{"a%1b%2c", `"a" <0> "b" <1> "c"`},
		{"%1%2", "<0> <1>"},
		{"%12", "<11>"},
		{"%123", `<11> "3"`},
		{"%13", `"%13"`},
		{"%99!d!", `"%99!d!"`},
		{"%01", ""},
		{"kept%0 dropped", `"kept"`},
		{"%1!s!", "<0:s>"},
		{"%1!08X!!", `<0:08X> "!"`},
		{"%1!-+ #012.34I64d!.", `<0:-+ #012.34I64d> "."`},
		{"%1!", `<0> "!"`},
		{"%1! and %2!", `<0> "! and " <1> "!"`},
		{"%1!!.", `<0> "."`},
		{"%1!q!", `<0> "!q!"`},
		{"%1!*.*s!", `<0> "!*.*s!"`},
		{"%1!" + strings.Repeat("0", 40) + "d!", `<0> "!` + strings.Repeat("0", 40) + `d!"`},
		{"100%% of %1%%", `"100% of " <0> "%"`},
		{"%%4 is a text, %% 4 none", `"%%4 is a text, % 4 none"`},
		{"a%nb%tc%rd%be% f%.g%!h", `"a\nb\tc\rd e f.g!h"`},
		{"%z %", `"%z %"`},
		{"%", `"%"`},
		{"%%", `"%"`},
		{"%\xff", `"%\xff"`},
		{"für %1 €", `"für " <0> " €"`},
	} {
		if got := messageText(decode.ParseMessage(test.text, fieldsBelow(12))); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

// rendered returns the text of one field, at both pointer sizes.
func rendered(t *testing.T, f schema.Field, format, payload string, pointerSize int) string {
	t.Helper()
	e := &schema.Event{Class: "Test", Name: "A", Fields: []schema.Field{f}}
	l := decode.NewLayout(e, 0, pointerSize)
	b := etltest.MustHex(t, payload)
	spans, fit := l.Locate(b, nil)
	if fit.Err != nil || fit.Used != len(b) {
		t.Fatalf("%s %q: %+v", f.Kind, payload, fit)
	}
	return string(l.AppendMessage(nil, schema.Message{{Field: 0, Format: format}}, b, spans))
}

func hexadecimal(f schema.Field) schema.Field { f.Hex = true; return f }

func named(f schema.Field, flags bool, names ...string) schema.Field {
	f.Map = &schema.Values{Flags: flags}
	for i, name := range names {
		n := uint64(i)
		if flags {
			n = 1 << i
		}
		f.Map.Names = append(f.Map.Names, schema.ValueName{Value: n, Name: name})
	}
	return f
}

func TestFieldText(t *testing.T) {
	u8, i8, u16, i16 := field("a", schema.U8), field("a", schema.I8), field("a", schema.U16), field("a", schema.I16)
	u32, i32, u64, i64 := field("a", schema.U32), field("a", schema.I32), field("a", schema.U64), field("a", schema.I64)
	text, narrow, f64 := field("a", schema.Text16), field("a", schema.Text8), field("a", schema.F64)
	status := u32
	status.Values = "ntstatus"
	three := times(u16, 3)
	for _, test := range []struct {
		f             schema.Field
		format        string
		payload, want string
	}{
		{u8, "", "ff", "255"}, {i8, "", "ff", "-1"}, {u16, "", "ffff", "65535"}, {i16, "", "0080", "-32768"},
		{u32, "", "ffffffff", "4294967295"}, {i32, "", "00000080", "-2147483648"},
		{u64, "", "ffffffffffffffff", "18446744073709551615"}, {i64, "", "0000000000000080", "-9223372036854775808"},
		{hexadecimal(u8), "", "0a", "0xa"}, {hexadecimal(i32), "", "ffffffff", "0xffffffff"}, {hexadecimal(u32), "", "00000000", "0x0"},
		{field("a", schema.Port), "", "01bb", "443"}, {field("a", schema.Ticks), "", "0500000000000000", "5"},
		{field("a", schema.Bool8), "", "02", "true"}, {field("a", schema.Bool32), "", "00000000", "false"}, {field("a", schema.Bool32), "d", "01000000", "1"},
		{field("a", schema.GUIDs), "", "33221100554477668899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff"},

		{field("a", schema.FileTime), "", "00803ed5deb19d01", "1970-01-01T00:00:00Z"},
		{field("a", schema.FileTime), "", "01803ed5deb19d01", "1970-01-01T00:00:00.0000001Z"},
		{field("a", schema.FileTime), "", zeros8, "1601-01-01T00:00:00Z"},
		{field("a", schema.FileTime), "", "ff3fc0d15e5ac824", "9999-12-31T23:59:59.9999999Z"},
		{field("a", schema.FileTime), "", "0040c0d15e5ac824", "2650467744000000000"},
		{field("a", schema.FileTime), "I64x", "00803ed5deb19d01", "19db1ded53e8000"},
		{field("a", schema.SystemTime), "", "e907 0c00 0300 1f00 1700 3b00 0900 0700", "2025-12-31T23:59:09.007Z"},
		{field("a", schema.SystemTime), "", zeros16, zeros16},
		{field("a", schema.SystemTime), "", "ffffffffffffffffffffffffffffffff", "ffffffffffffffffffffffffffffffff"},

		{field("a", schema.IPv4), "", "7f000001", "127.0.0.1"}, {field("a", schema.IPv6), "", zeros8 + "0000000000000001", "::1"},
		{field("a", schema.MAC), "", "00155d01abcd", "00:15:5d:01:ab:cd"},
		{ofLength(field("a", schema.SocketAddress), 16), "", "0200 01bb 7f000001" + zeros8, "127.0.0.1:443"},
		{ofLength(field("a", schema.SocketAddress), 28), "", "1700 01bb 00000000 20010db8000000000000000000000001 00000000", "[2001:db8::1]:443"},
		{ofLength(field("a", schema.SocketAddress), 28), "", "1700 01bb 00000000 fe800000000000000000000000000001 07000000", "[fe80::1%7]:443"},
		{ofLength(field("a", schema.SocketAddress), 4), "", "0200 01bb", "family 2 01bb"},
		{ofLength(field("a", schema.SocketAddress), 2), "", "1100", "family 17"}, {ofLength(field("a", schema.SocketAddress), 1), "", "02", "02"},
		{field("a", schema.SID), "", "01 02 000000000005 20000000 20020000", "S-1-5-32-544"}, {field("a", schema.SID), "", "01 00 010000000000", "S-1-1099511627776"},
		{field("a", schema.WBEMSID), "", "00000000", ""},

		{text, "", "4100 3dd800de 3dd8 0000", "A\U0001F600\uFFFD"}, {text, "", "4100 42", "A"}, {narrow, "", "67fcdf 00", "g\u00fc\u00df"}, {narrow, "", "c3bc 00", "\u00fc"},
		{ofLength(field("a", schema.Chars16), 3), "", "4100 0000 4200", "A"}, {ofLength(field("a", schema.Chars8), 3), "", "41 00 42", "A"},
		{prefixed(field("a", schema.Chars16), schema.BytesIn16), "", "0400 41004200", "AB"}, {ofLength(field("a", schema.Bytes), 3), "", "00ff10", "00ff10"},

		{field("a", schema.F32), "", "00006040", "3.5"}, {f64, "", "9a9999999999b9bf", "-0.1"}, {f64, "", "010000000000f87f", "NaN"},
		{f64, "f", "5555555555 55e53f", "0.666667"}, {f64, ".2f", "555555555555e53f", "0.67"}, {f64, "08.2f", "9a9999999999b9bf", "-0000.10"}, {f64, "6.0f", "0000000000000c40", "     4"},
		{f64, "+.1e", "0000000000000c40", "+3.5e+00"}, {f64, "g", "0000000000000c40", "3.5"}, {f64, "05f", "000000000000f07f", " +Inf"}, {f64, "d", "0000000000000c40", "3.5"}, {f64, "s", "0000000000000c40", "3.5"},

		{u32, "d", "ffffffff", "-1"}, {u32, "i", "05000000", "5"}, {i32, "u", "ffffffff", "4294967295"}, {u16, "d", "ffff", "65535"}, {i16, "d", "ffff", "-1"}, {u16, "hd", "ffff", "-1"},
		{u32, "I64d", "ffffffff", "4294967295"}, {i32, "I64d", "ffffffff", "-1"}, {u64, "I64d", "ffffffffffffffff", "-1"}, {u64, "d", "ffffffffffffffff", "-1"}, {u64, "I32u", "ffffffff01000000", "4294967295"},
		{u64, "hhd", "80ffffff01000000", "-128"}, {u32, "hx", "efbeadde", "beef"}, {u64, "lld", "0500000000000000", "5"}, {u32, "ld", "feffffff", "-2"}, {u64, "Iu", "0500000000000000", "5"},
		{i8, "x", "ff", "ff"}, {u32, "X", "efbeadde", "DEADBEEF"}, {u32, "08x", "1f000000", "0000001f"}, {u32, "#x", "1f000000", "0x1f"}, {u32, "#X", "1f000000", "0X1F"}, {u32, "#010x", "1f000000", "0x0000001f"},
		{u32, "#x", "00000000", "0"}, {u32, "o", "08000000", "10"}, {u32, "#o", "08000000", "010"}, {u64, "012I64X", "efbeadde10000000", "0010DEADBEEF"},
		{u32, "6d", "feffffff", "    -2"}, {u32, "-6d", "feffffff", "-2    "}, {u32, "06d", "feffffff", "-00002"}, {u32, "-06d", "feffffff", "-2    "}, {u32, "+d", "02000000", "+2"}, {u32, " d", "02000000", " 2"}, {u32, "+u", "02000000", "2"},
		{u32, ".4d", "feffffff", "-0002"}, {u32, "6.3d", "02000000", "   002"}, {u32, "06.3d", "02000000", "   002"}, {u32, ".0d", "00000000", ""}, {u32, "3.0d", "00000000", "   "}, {u32, ".d", "07000000", "7"},
		{u32, "c", "41000000", "A"}, {u16, "C", "ac20", "\u20ac"}, {u8, "3c", "41", "  A"}, {u32, "c", "00d80000", "\uFFFD"}, {u32, "c", "00000000", ""}, {u64, "c", "ffffffffffffffff", "\uFFFD"},
		{u32, "p", "1f000000", "0000001F"}, {u64, "p", "1f000000000000ab", "AB0000000000001F"}, {u32, "s", "1f000000", "31"}, {u32, "99999999d", "01000000", strings.Repeat(" ", 511) + "1"},
		{field("a", schema.Port), "05d", "01bb", "00443"}, {u32, "f", "01000000", "1"}, {u32, "bad", "01000000", "1"},

		{text, "s", "41004200 0000", "AB"}, {text, "S", "41004200 0000", "AB"}, {text, "5s", "fc004200 0000", "   \u00fcB"}, {text, "-5s", "fc004200 0000", "\u00fcB   "}, {text, ".1s", "fc004200 0000", "\u00fc"},
		{text, "3.1s", "fc004200 0000", "  \u00fc"}, {text, ".0s", "fc004200 0000", ""}, {text, "d", "41004200 0000", "AB"}, {text, "ws", "41004200 0000", "AB"}, {narrow, "hs", "4142 00", "AB"}, {text, "05s", "41000000", "    A"},

		{named(u8, false, "Low", "APC"), "", "01", "APC"}, {named(u8, false, "Low", "APC"), "s", "01", "APC"}, {named(u8, false, "Low"), "s", "07", "7"}, {hexadecimal(named(u8, false, "Low")), "", "17", "0x17"},
		{named(u8, false, "Low", "APC"), "d", "01", "1"}, {named(u8, false, "Low", "APC"), "5s", "01", "  APC"}, {named(i8, false, "Low"), "", "ff", "-1"}, {named(field("a", schema.Bool8), false, "off", "on"), "", "01", "on"},
		{named(u32, true, "r", "w", "x"), "", "05000000", "r|x"}, {named(u32, true, "r"), "", "03000000", "r|0x2"}, {named(u32, true, "r"), "", "00000000", "0"},
		{status, "", "340000c0", "STATUS_OBJECT_NAME_NOT_FOUND"}, {status, "#s", "340000c0", "0xc0000034(STATUS_OBJECT_NAME_NOT_FOUND)"}, {status, "#s", "0000ffee", "0xeeff0000"}, {u32, "#s", "05000000", "0x00000005"}, {status, "X", "340000c0", "C0000034"},

		{three, "", "0100 0200 0300", "1, 2, 3"}, {three, "04X", "0100 0200 ff00", "0001, 0002, 00FF"}, {times(text, 2), "", "4100 0000 0000", "A, "}, {times(u8, schema.Rest), "", "", ""}, {countedBefore(narrow), "", "0200 4100 4200", "A, B"},
		{times(ofLength(field("a", schema.Chars8), 2), 2), "-3s", "41424344", "AB , CD "},
		{schema.Field{Name: "e", Count: 2, Struct: []schema.Field{field("x", schema.U8), counted(u16, "x"), narrow}}, "", "02 0100 0200 41 00 00 00", "{2, 1, 2, A}, {0, , }"},
	} {
		for _, pointerSize := range []int{4, 8} {
			if got := rendered(t, test.f, test.format, test.payload, pointerSize); got != test.want {
				t.Errorf("%s %s as %q: %q, want %q", test.f.Kind, test.payload, test.format, got, test.want)
			}
		}
	}
}

func TestPointerText(t *testing.T) {
	const tokenUser = "20dc9cfc88b4ffff"
	for _, test := range []struct {
		kind                  schema.Kind
		format, payload, want string
		pointerSize           int
	}{
		{schema.Pointer, "", "0010000000000080", "0x8000000000001000", 8}, {schema.Pointer, "", "00100080", "0x80001000", 4},
		{schema.Pointer, "p", "0010ab0000000000", "0000000000AB1000", 8}, {schema.Pointer, "p", "0010ab00", "00AB1000", 4}, {schema.Pointer, "20p", "0010ab00", "            00AB1000", 4},
		{schema.Pointer, "#p", "0010ab00", "00AB1000", 4}, {schema.Pointer, "d", "ffffffff", "-1", 4}, {schema.Pointer, "d", "ffffffff00000000", "4294967295", 8}, {schema.Size, "", "00100000", "4096", 4},
		{schema.WBEMSID, "", tokenUser + "01 01 000000000005 12000000", "S-1-5-18", 4}, {schema.WBEMSID, "s", tokenUser + zeros8 + "01 01 000000000005 12000000", "S-1-5-18", 8},
	} {
		if got := rendered(t, field("a", test.kind), test.format, test.payload, test.pointerSize); got != test.want {
			t.Errorf("%s %s as %q with pointers of %d: %q, want %q", test.kind, test.payload, test.format, test.pointerSize, got, test.want)
		}
	}
}

// TestMessageText renders literal text, fields in any order and more than once,
// and missing fields. Only structures may allocate.
func TestMessageText(t *testing.T) {
	e := &schema.Event{Class: "Test", Name: "A", Fields: []schema.Field{
		field("a", schema.U8), field("b", schema.Text16), times(field("c", schema.U16), 2), optional(field("d", schema.U32)),
		{Name: "e", Count: schema.Rest, Struct: []schema.Field{field("x", schema.U8), field("y", schema.GUIDs)}},
	}}
	l := decode.NewLayout(e, 0, 8)
	m := decode.ParseMessage("%2=%1!02x! %3 [%4] %%%1%n%5%6", fieldsBelow(5))
	m = append(m, schema.MessagePart{Text: "; ", Field: 99}, schema.MessagePart{Text: ".", Field: -1})
	payload := etltest.MustHex(t, "0a 41000000 0100 0200 07000000 ff"+zeros16)
	for size, want := range map[int]string{
		len(payload):      "A=0a 1, 2 [7] %10\n{255, 00000000-0000-0000-0000-000000000000}%6; .",
		len(payload) - 17: "A=0a 1, 2 [7] %10\n%6; .",
		len(payload) - 21: "A=0a 1, 2 [] %10\n%6; .",
		len(payload) - 22: "A=0a  [] %10\n%6; .",
		1:                 "=0a  [] %10\n%6; .",
		0:                 "=  [] %\n%6; .",
	} {
		spans, _ := l.Locate(payload[:size], nil)
		dst := l.AppendMessage([]byte("before "), m, payload[:size], spans)
		if got := string(dst); got != "before "+want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
		if n := allocations(func() { dst = l.AppendMessage(dst[:0], m, payload[:size], spans) }); (n != 0) != (size == len(payload)) {
			t.Errorf("%d bytes: %v allocations", size, n)
		}
	}
}

// TestMessageOfEmptyArrays renders a structure that begins with more zero-byte values than it has
// bytes.
func TestMessageOfEmptyArrays(t *testing.T) {
	e := &schema.Event{Class: "Test", Name: "A", Fields: []schema.Field{
		field("n", schema.U8), field("size", schema.U8),
		{Name: "e", Count: 2, Struct: []schema.Field{measured(counted(field("x", schema.Bytes), "n"), "size"), field("y", schema.U8)}},
		ofLength(field("rest", schema.Bytes), schema.Rest),
	}}
	l := decode.NewLayout(e, 0, 8)
	payload := etltest.MustHex(t, "09 00 01 02"+zeros16)
	spans, fit := l.Locate(payload, nil)
	if fit.Err != nil {
		t.Fatal(fit)
	}
	if got, want := string(l.AppendMessage(nil, schema.Message{{Field: 2}}, payload, spans)), "{, 1}, {, 2}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoValue checks that bytes that are not a valid value of the kind are shown as
// bytes.
func TestNoValue(t *testing.T) {
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		f := field("a", kind)
		got := string(decode.AppendText(nil, &f, []byte{0xfe}, 8))
		if width, ok := kind.Width(8); (!ok || width > 1) && !slices.Contains([]string{"fe", "\u00fe", ""}, got) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}
