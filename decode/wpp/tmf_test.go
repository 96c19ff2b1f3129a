package wpp_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	blockLine = "01e9b841-7d67-315a-7b92-23b2033356de Foo Driver // SRC=foo.cpp MJ= MN=\n"
	trailer   = ` //   LEVEL=TRACE_LEVEL_ERROR FLAGS=TRACE_IO FUNC=Foo::operator == KEYWORD=Hot COMPNAME=Core SUBCOMP=Io`
)

// oneMessage returns the only message of a text with arguments.
func oneMessage(t *testing.T, text string, arguments ...string) *wpp.Message {
	t.Helper()
	var file strings.Builder
	fmt.Fprintf(&file, "%s#typev foo_cpp123 10 \"%s\"%s\n{\n", blockLine, text, trailer)
	for i, argument := range arguments {
		fmt.Fprintf(&file, "%s -- %d\n", argument, 10+i)
	}
	tmf, err := wpp.ParseTMF([]byte(file.String() + "}\n"))
	if err != nil || len(tmf.Messages) != 1 || tmf.Faults != 0 {
		t.Fatalf("%q: %+v, %v", arguments, tmf, err)
	}
	return tmf.Messages[0]
}

func TestMessage(t *testing.T) {
	m := oneMessage(t, "%0 text", "DeviceObject->Flags, ItemULongX", "max(a, b), ItemListLong(Low,High)", "a[i], ItemLong", "a.i, ItemLong", "&*, ItemEnum(_KIND)")
	if m.Source != schema.FromTMF || m.GUID.String() != "01e9b841-7d67-315a-7b92-23b2033356de" || m.ID != 10 || m.Class != "Foo Driver" || m.Name != "foo_cpp123" ||
		m.Level != 2 || m.LevelName != "TRACE_LEVEL_ERROR" || m.File != "foo.cpp" || m.Line != 123 || m.Function != "Foo::operator ==" || m.Flags != "TRACE_IO" ||
		m.Keyword != "Hot" || m.Component != "Core" || m.Part != "Io" || m.DisplayName() != "foo_cpp123" || m.Certainty != schema.Documented {
		t.Errorf("%+v", m)
	}
	var names, docs []string
	for _, f := range m.Fields {
		names, docs = append(names, f.Name), append(docs, f.Doc)
	}
	if want := []string{"device_object_flags", "max_a_b", "a_i", "a_i_2", "field_5"}; !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q", names, want)
	}
	if want := []string{"DeviceObject->Flags, ItemULongX", "max(a, b), ItemListLong", "a[i], ItemLong", "a.i, ItemLong", "&*, ItemEnum(_KIND)"}; !slices.Equal(docs, want) {
		t.Errorf("documented as %q, want %q", docs, want)
	}
}

// TestItems checks the size and the text of every type of item. The argument
// after it shows that no byte is left over.
func TestItems(t *testing.T) {
	const guid, guidText = "33221100554477668899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff"
	const pointer = "<00100000 008adaff|00100080>"
	for _, test := range []struct{ item, format, payload, want string }{
		{"ItemChar", "c", "41", "A"}, {"ItemChar", "hd", "ff", "-1"}, {"ItemUChar", "hu", "ff", "255"}, {"ItemUChar", "x", "fe", "fe"},
		{"ItemListByte(Low,APC,DPC)", "s", "01", "APC"}, {"ItemListByte(Low,APC,DPC)", "s", "07", "7"}, {"ItemListByte(Low,APC)", "d", "01", "1"},
		{"ItemListByte()", "s", "01", "1"}, {"ItemListByte", "s", "01", "1"}, {"ItemListByte(Low,,DPC)", "s", "02", "DPC"}, {"ItemListByte(a=1,b=1,c)", "s", "01", "a"},
		{"ItemSetByte(r,w,x)", "s", "05", "r|x"}, {"ItemSetByte(r,w)", "s", "81", "r|0x80"}, {"ItemSetByte(r,w)", "s", "00", "0x0"},

		{"ItemShort", "hd", "feff", "-2"}, {"ItemShort", "d", "feff", "-2"}, {"ItemUShort", "u", "feff", "65534"}, {"ItemUShort", "04X", "1f00", "001F"},
		{"ItemListShort(A,B)", "s", "0100", "B"}, {"ItemSetShort(A,B=15)", "s", "0180", "A|B"}, {"ItemPort", "d", "01bb", "443"}, {"ItemPort", "s", "01bb", "443"},

		{"ItemLong", "d", "ffffffff", "-1"}, {"ItemLong", "x", "ffffffff", "ffffffff"}, {"ItemLong", "u", "ffffffff", "4294967295"}, {"ItemLong", "-6d", "05000000", "5     "},
		{"ItemLong", "06.3d", "05000000", "   005"}, {"ItemULong", "u", "ffffffff", "4294967295"}, {"ItemULong", "s", "ffffffff", "4294967295"},
		{"ItemULongX", "08X", "efbe0000", "0000BEEF"}, {"ItemULongX", "s", "efbe0000", "0xbeef"},
		{"ItemListLong(A,B=5,C,D=0x10)", "s", "06000000", "C"}, {"ItemListLong(A,B=5,C,D=0x10)", "s", "10000000", "D"}, {"ItemListLong(A,B=5)", "s", "01000000", "1"},
		{"ItemListLong(A=-1,B)", "s", "ffffffff", "A"}, {"ItemListLong(x, ItemLong)", "s", "01000000", "ItemLong"}, {"ItemListLong(f(1), g(2))", "s", "01000000", "g(2)"},
		{"ItemSetLong(A,B,C=31)", "s", "02000080", "B|C"}, {"ItemEnum(_KIND)", "s", "feffffff", "-2"}, {"ItemEnum(_KIND)", "d", "02000000", "2"},
		{"ItemFlagsEnum(_FLAGS)", "s", "ff000000", "0xff"},
		{"ItemNTSTATUS", "s", "220000c0", "0xc0000022(STATUS_ACCESS_DENIED)"}, {"ItemNTSTATUS", "s", "ffffffff", "0xffffffff"}, {"ItemNTSTATUS", "X", "220000c0", "C0000022"},
		{"ItemNTSTATUS", "-12s", "ffffffff", "0xffffffff  "}, {"ItemNDIS_STATUS", "s", "220000c0", "0xc0000022(STATUS_ACCESS_DENIED)"},
		{"ItemHRESULT", "s", "05000780", "0x80070005"}, {"ItemWINERROR", "s", "05000000", "5"}, {"ItemNDIS_OID", "s", "0c010100", "0x0001010c"},
		{"ItemChar4", "s", "44617461", "Data"}, {"ItemChar4", "s", "41620000", "Ab"}, {"ItemIPAddr", "s", "c0a80001", "192.168.0.1"}, {"ItemIPAddr", "16s", "c0a80001", "     192.168.0.1"},

		{"ItemLongLong", "I64d", "feffffffffffffff", "-2"}, {"ItemULongLong", "I64u", "feffffffffffffff", "18446744073709551614"}, {"ItemLongLongX", "I64x", "feffffffffffffff", "fffffffffffffffe"},
		{"ItemLongLongXX", "012I64X", "efbeadde10000000", "0010DEADBEEF"}, {"ItemLongLongO", "I64o", "0800000000000000", "10"}, {"ItemLongLongX", "s", "0a00000000000000", "0xa"},
		{"ItemTimestamp", "s", "00803ed5deb19d01", "1970-01-01T00:00:00Z"}, {"ItemTimeDelta", "s", "e803000000000000", "0~0:00:01"}, {"ItemTimeDelta", "s", "e703000000000000", "0~0:00:00"},
		{"ItemTimeDelta", "s", "3930590a00000000", "2~0:13:37"}, {"ItemTimeDelta", "I64d", "e803000000000000", "1000"}, {"ItemTimeDelta", "12s", "e803000000000000", "   0~0:00:01"},
		{"ItemTimeDelta", "s", "0000000000000080", "-106751991167~7:12:55"}, {"ItemWaitTime", "s", "ffffffffffffff7f", "106751991167~7:12:55"},
		{"ItemDueTime", "s", "18fcffffffffffff", "-0~0:00:01"},

		{"ItemFloat", "f", "00006040", "3.500000"}, {"ItemFloat", "s", "cdcccc3d", "0.1"}, {"ItemDouble", "6.2f", "0000000000000c40", "  3.50"}, {"ItemDouble", "s", "9a9999999999b93f", "0.1"},
		{"ItemPtr", "p", pointer, "<FFDA8A0000001000|80001000>"}, {"ItemPtr", "s", pointer, "<0xffda8a0000001000|0x80001000>"}, {"ItemPtr", "Iu", "<0500000000000000|05000000>", "5"},
		{"ItemGuid", "s", guid, guidText}, {"ItemCLSID", "s", guid, guidText}, {"ItemLIBID", "s", guid, guidText}, {"ItemIID", "s", guid, guidText},
		{"ItemMACAddr", "s", "00155d01abcd", "00:15:5d:01:ab:cd"}, {"ItemSid", "s", "01 02 000000000005 20000000 20020000", "S-1-5-32-544"},

		{"ItemString", "s", "4142 00", "AB"}, {"ItemString", "s", "00", ""}, {"ItemString", ".1s", "4142 00", "A"}, {"ItemString", "s", "fc 00", "ü"}, {"ItemRString", "s", "4142 00", "AB"},
		{"ItemWString", "s", "4100 4200 0000", "AB"}, {"ItemRWString", "5s", "4100 4200 0000", "   AB"}, {"ItemWString", "s", "00d8 0000", "\uFFFD"},
		{"ItemPString", "s", "0200 4142", "AB"}, {"ItemPString", "s", "0000", ""}, {"ItemPWString", "s", "0400 4100 4200", "AB"}, {"ItemPWString", "s", "0300 4100 42", "A"},
		{"ItemHEXDump", "s", "0300 00ff10", "00ff10"}, {"ItemHEXBytes", "s", "0000", ""},
	} {
		m := oneMessage(t, "%0 %10!"+test.format+"!;%11!d!", "x, "+test.item, "y, ItemUChar")
		for _, pointerSize := range []int{4, 8} {
			want := forPointer(test.want, pointerSize) + ";42"
			if got := render(t, m, forPointer(test.payload, pointerSize)+"2a", pointerSize); got != want {
				t.Errorf("%s as %s: %q, want %q", test.item, test.format, got, want)
			}
		}
	}
}

// TestTexts checks the prefix, names and inserts of a text.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"%0":               "",
		"%0 plain":         "plain",
		"%0plain":          "plain",
		"plain":            "plain",
		"[%!FUNC!] %10!d!": "[Foo::operator ==] 7",
		"%!func!":          "Foo::operator ==",
		"%10%!FUNC!%10":    "7Foo::operator ==7",
		"%!LEVEL! %!FLAGS! %!FILE!:%!LINE! %!COMPNAME! %!SUBCOMP! %!KEYWORD!": "TRACE_LEVEL_ERROR TRACE_IO foo.cpp:123 Core Io Hot",
		"%!STDPREFIX! %!FUNC!":   " Foo::operator ==",
		"%!OTHER! stays":         "%!OTHER! stays",
		"wow%!":                  "wow!",
		"%10!d! of %11 and %1":   "7 of %11 and %1",
		"100%% %10":              "100% 7",
		"%%!FUNC!":               "%!FUNC!",
		"%10!03d!%n%t.":          "007\n\t.",
		"in %0 the middle":       "in  the middle",
		`say "%10!s!" // or not`: `say "7" // or not`,
		`ends with "`:            `ends with "`,
	} {
		m := oneMessage(t, text, "x, ItemLong")
		if got := render(t, m, "07000000", 8); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for i, part := range m.Message {
			if part.Field < 0 && i+1 < len(m.Message) {
				t.Errorf("%q: literal text in pieces: %+v", text, m.Message)
			}
		}
	}
}

func TestLevels(t *testing.T) {
	for trailer, want := range map[string]string{
		"LEVEL=TRACE_LEVEL_NONE FLAGS=A":        "0 TRACE_LEVEL_NONE A",
		"LEVEL=TRACE_LEVEL_RESERVED9 FLAG=A":    "9 TRACE_LEVEL_RESERVED9 A",
		"LEVEL=4 Flags=A|B":                     "4 TRACE_LEVEL_INFORMATION A|B",
		"LEVEL=9 FLAGS=A":                       "9 TRACE_LEVEL_RESERVED9 A",
		"LEVEL=0x5 FLAGS=A | B FUNC=f":          "5 TRACE_LEVEL_VERBOSE A | B",
		"LEVEL=MY_FLAG FLAGS=TRACE_LEVEL_ERROR": "2 TRACE_LEVEL_ERROR MY_FLAG",
		"LEVEL=Noise FLAGS=A":                   "0 Noise A",
		"LEVEL=17":                              "0 17 ",
		"LEVEL= FLAGS=":                         "0  ",
		"":                                      "0  ",
		"words, no pairs":                       "0  ",
	} {
		tmf, err := wpp.ParseTMF([]byte(blockLine + `#type foo_c1 10 "x" //   ` + trailer + "\n{\n}\n"))
		if err != nil || len(tmf.Messages) != 1 {
			t.Fatalf("%q: %+v, %v", trailer, tmf, err)
		}
		m := tmf.Messages[0]
		if got := fmt.Sprintf("%d %s %s", m.Level, m.LevelName, m.Flags); got != want {
			t.Errorf("%q: %q, want %q", trailer, got, want)
		}
	}
}

// TestFaults checks that a fault loses only its own message, and names its line.
func TestFaults(t *testing.T) {
	const first, last = "#typev a_c1 1 \"one\"\n{\n}\n", "#typev a_c2 2 \"two\" // LEVEL=1\n{\nx, ItemLong -- 10\n}\n"
	for _, test := range []struct {
		name, text string
		want       string   // numbers of the messages
		faults     []string // after the line of the fault
	}{
		{"nothing", "", "1 2", nil},
		{"comments and empty lines", "\n// PDB: x\n   \n", "1 2", nil},
		{"carriage returns", "#typev a_c3 3 \"x\"\r\n{\r\n\r\nx, ItemLong -- 10\r\n}\r\n", "1 3 2", nil},
		{"the same message again", first, "1 2", nil},
		{"the same message with another comment", "#typev a_c1 1 \"one\" // FUNC=x\n{\n}\n", "1 2", nil},
		{"the same number again", "#typev a_c1 1 \"other\"\n{\n}\n", "1 2", []string{"5: corrupt: message 1 of "}},
		{"no text", "#typev a_c3 3\n{\n}\n", "1 2", []string{"5: corrupt: no name, number and text"}},
		{"no end of the text", "#typev a_c3 3 \"x\n{\n}\n", "1 2", []string{"5: corrupt: the text does not end"}},
		{"an empty text", "#typev a_c3 3 \"\"\n{\n}\n", "1 3 2", nil},
		{"no number", "#typev a_c3 x \"x\"\n{\n}\n", "1 2", []string{"5: corrupt: message number"}},
		{"too large a number", "#typev a_c3 65536 \"x\"\n{\n}\n", "1 2", []string{"5: corrupt: message number"}},
		{"no braces", "#typev a_c3 3 \"x\"\n", "1 2", []string{"6: corrupt: no {"}},
		{"no closing brace", "#typev a_c3 3 \"x\"\n{\nx, ItemLong -- 10\n", "1 2", []string{"8: corrupt: no argument"}},
		{"no item", "#typev a_c3 3 \"x\"\n{\nx, Long -- 10\n}\n", "1 2", []string{"7: corrupt: no item"}},
		{"no expression", "#typev a_c3 3 \"x\"\n{\nItemLong -- 10\n}\n", "1 2", []string{"7: corrupt: no item"}},
		{"a list without end", "#typev a_c3 3 \"x\"\n{\nx, ItemListLong(a -- 10\n}\n", "1 2", []string{"7: corrupt: no item"}},
		{"no number of an argument", "#typev a_c3 3 \"x\"\n{\nx, ItemLong\n}\n", "1 2", []string{"7: corrupt: no argument"}},
		{"a number left out", "#typev a_c3 3 \"x\"\n{\nx, ItemLong -- 11\n}\n", "1 2", []string{"7: corrupt: argument \"11\" where 10 is next"}},
		{"an unknown item", "#typev a_c3 3 \"x\"\n{\nx, ItemNovel -- 10\ny, ItemStrange -- 11\n}\n", "1 3 2", []string{"7: unsupported: the size of ItemNovel"}},
		{"a name's number", "#typev a_c3 3 \"x\"\n{\nx, ItemListLong(a=b) -- 10\n}\n", "1 3 2", []string{"7: corrupt: \"b\" is no number"}},
		{"a value that is too large", "#typev a_c3 3 \"x\"\n{\nx, ItemListByte(a=256) -- 10\n}\n", "1 3 2", []string{"7: corrupt: \"a\" has a number that does not fit"}},
		{"a bit that is too large", "#typev a_c3 3 \"x\"\n{\nx, ItemSetByte(a=7,b) -- 10\n}\n", "1 3 2", []string{"7: corrupt: \"b\" has a number that does not fit"}},
		{"a negative bit", "#typev a_c3 3 \"x\"\n{\nx, ItemSetByte(a=-1) -- 10\n}\n", "1 3 2", []string{"7: corrupt: \"a\" has a number that does not fit"}},
		{"an unknown statement", "#enum x\n{\nA, 0\n}\n", "1 2", []string{"5: unsupported: \"#enum x\""}},
		{"a stray line", "stray\n", "1 2", []string{"5: corrupt: neither a GUID nor a message"}},
		{"a stray brace", "}\n", "1 2", []string{"5: corrupt: neither"}},
		{"a long line", strings.Repeat("x", 1<<17) + "\n", "1 2", []string{"5: corrupt: a line of 131072 bytes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tmf, err := wpp.ParseTMF([]byte(blockLine + first + test.text + last))
			if err != nil {
				t.Fatal(err)
			}
			var numbers []string
			for _, m := range tmf.Messages {
				numbers = append(numbers, fmt.Sprint(m.ID))
			}
			if got := strings.Join(numbers, " "); got != test.want {
				t.Errorf("messages %s, want %s", got, test.want)
			}
			if tmf.Faults != len(test.faults) || len(tmf.Errors) != len(test.faults) {
				t.Fatalf("%d faults: %v, want %q", tmf.Faults, tmf.Errors, test.faults)
			}
			for i, e := range tmf.Errors {
				if !strings.HasPrefix(e.Error(), "line "+test.faults[i]) || !errors.Is(e, decode.ErrCorrupt) && !errors.Is(e, decode.ErrUnsupported) {
					t.Errorf("%v, want line %s", e, test.faults[i])
				}
			}
		})
	}
}

// TestUnknownItem checks that fields before the unknown item are read, the rest of the
// payload is not, and inserts of the missing fields stay as they are.
func TestUnknownItem(t *testing.T) {
	tmf, err := wpp.ParseTMF([]byte(blockLine + "#typev a_c1 1 \"%10!d! %11!s! %12!d!\"\n{\na, ItemLong -- 10\nb, ItemNovel -- 11\nc, ItemLong -- 12\n}\n"))
	if err != nil || tmf.Faults != 1 || len(tmf.Messages) != 1 || len(tmf.Messages[0].Fields) != 1 {
		t.Fatalf("%+v, %v", tmf, err)
	}
	if got, want := render(t, tmf.Messages[0], "07000000", 8), "7 %11!s! %12!d!"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEncodings reads files in UTF-8 and UTF-16 with their marks, and in Latin-1.
func TestEncodings(t *testing.T) {
	const text = blockLine + "#typev a_c1 1 \"gr\u00fc\u00df\"\n{\n}\n"
	wide := []byte{0xff, 0xfe}
	var latin []byte
	for _, r := range text {
		wide = append(wide, byte(r), byte(r>>8))
		latin = append(latin, byte(r))
	}
	for _, data := range [][]byte{[]byte(text), []byte("\xef\xbb\xbf" + text), wide, latin} {
		tmf, err := wpp.ParseTMF(data)
		if err != nil || len(tmf.Messages) != 1 || tmf.Messages[0].Message[0].Text != "gr\u00fc\u00df" {
			t.Errorf("%.20q: %+v, %v", data, tmf, err)
		}
	}
}

// TestNoTMF checks that other files are rejected.
func TestNoTMF(t *testing.T) {
	for _, text := range []string{"", "\n\n", "// PDB: x\n", "MZ\x90\x00", "#typev a_c1 1 \"x\"\n{\n}\n", "01e9b841-7d67-315a-7b92\n"} {
		if tmf, err := wpp.ParseTMF([]byte(text)); err == nil || tmf != nil || !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%q: %+v, %v", text, tmf, err)
		}
	}
}

// TestBounds checks that claims and repetitions in a file cost no more than its bytes.
func TestBounds(t *testing.T) {
	testenv.Sequential(t)
	faulty, err := wpp.ParseTMF([]byte(blockLine + strings.Repeat("x\n", 1000)))
	if err != nil || faulty.Faults != 1000 || len(faulty.Errors) != 100 {
		t.Errorf("%d faults, %d kept, %v", faulty.Faults, len(faulty.Errors), err)
	}
	block := func(guid int) string { return fmt.Sprintf("01e9b841-7d67-315a-7b92-%012x x\n", guid) }
	for _, test := range []struct {
		what, message string // a file has too many of these
		most          int
	}{
		{"messages", "#type a %d \"\"\n{\n}\n", 1 << 18},
		{"arguments", "#type a %d \"\"\n{\n,ItemLong--10\n,ItemLong--11\n,ItemLong--12\n,ItemLong--13\n,ItemLong--14\n,ItemLong--15\n,ItemLong--16\n,ItemLong--17\n}\n", 1 << 17},
		{"names of numbers", "#type a %d \"\"\n{\n,ItemListLong(" + strings.Repeat("a,", 1<<10) + ")--10\n}\n", 1 << 10},
	} {
		if testing.Short() && test.most > 1<<17 {
			continue // a second of work, for the same count as of arguments
		}
		var file strings.Builder
		for i := range test.most + 2 {
			if i%(1<<16) == 0 {
				file.WriteString(block(i))
			}
			fmt.Fprintf(&file, test.message, i%(1<<16))
		}
		tmf, err := wpp.ParseTMF([]byte(file.String()))
		if err != nil || tmf.Faults != 1 || len(tmf.Messages) != test.most || !strings.Contains(tmf.Errors[0].Error(), test.what) {
			t.Errorf("%s: %d of %d, %v, %v", test.what, len(tmf.Messages), test.most, tmf.Errors, err)
		}
	}
	var arguments strings.Builder
	for i := range 300 {
		fmt.Fprintf(&arguments, "x, ItemLong -- %d\n", 10+i)
	}
	long := "\"" + strings.Repeat("%!FUNC!", 1000) + "\" // FUNC=" + strings.Repeat("f", 1000)
	inserts := "\"" + strings.Repeat("%10", 2000) + "\"\n{\nx, ItemLong -- 10\n}\n"
	for _, message := range []string{"\"x\"\n{\n" + arguments.String() + "}\n", long + "\n{\n}\n", inserts} {
		tmf, err := wpp.ParseTMF([]byte(blockLine + "#typev a_c1 1 " + message))
		if err != nil || tmf.Faults != 1 || len(tmf.Messages) != 0 {
			t.Errorf("%.40q: %+v, %v", message, tmf, err)
		}
	}
}
