package tracelogging

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

type fields = []etltest.SchemaField

func scalar(name string, in, out uint8) etltest.SchemaField {
	return etltest.SchemaField{Name: name, In: in, Out: out}
}

func array(f etltest.SchemaField, count uint16) etltest.SchemaField {
	f.Array, f.Count = etltest.ConstantArray, count
	return f
}

func anyNumber(f etltest.SchemaField) etltest.SchemaField {
	f.Array = etltest.VariableArray
	return f
}

func custom(f etltest.SchemaField, info string) etltest.SchemaField {
	f.Array, f.Custom = etltest.CustomArray, []byte(info)
	return f
}

func structure(name string, members ...etltest.SchemaField) etltest.SchemaField {
	return etltest.SchemaField{Name: name, Fields: append(fields{}, members...)}
}

// everyInType has a field of each in-type.
func everyInType() fields {
	var all fields
	for in := range uint8(26) {
		if inType(in) != inStruct {
			all = append(all, scalar("In"+string(rune('A'+in)), in, 0))
		}
	}
	return all
}

// everyOutType has each out-type that has an effect, with its in-types.
func everyOutType() fields {
	return fields{
		scalar("NotPrinted", 8, 1), scalar("Char8", 4, 2), scalar("Char16", 6, 2), scalar("Bool8", 4, 3), scalar("Bool32", 13, 3),
		scalar("Hex8", 4, 4), scalar("Hex16", 6, 4), scalar("Hex32", 7, 4), scalar("Hex64", 10, 4), scalar("Pid", 8, 5), scalar("Tid", 8, 6),
		scalar("Port", 6, 7), scalar("IPv4", 8, 8), scalar("IPv6", 14, 9), scalar("Socket", 14, 10), scalar("Xml", 1, 11), scalar("Json", 2, 12),
		scalar("Win32Error", 8, 13), scalar("NTStatus", 8, 14), scalar("HResult", 7, 15), scalar("FileTime", 10, 16),
		scalar("Signed", 8, 17), scalar("Unsigned", 7, 18), scalar("Insensitive", 17, 33), scalar("Utf8", 23, 35), scalar("Pkcs7", 14, 36),
		scalar("Code", 10, 37), scalar("CodeOf32", 8, 37), scalar("Utc", 18, 38), scalar("NotKnown", 8, 99), scalar("NotForIt", 15, 7),
	}
}

var goldens = []struct {
	name string
	etltest.Schema
}{
	{"in_types", etltest.Schema{Name: "InTypes", Fields: everyInType()}},
	{"out_types", etltest.Schema{Name: "OutTypes", Fields: everyOutType()}},
	{"arrays", etltest.Schema{Name: "Arrays", Fields: fields{
		array(scalar("Three", 8, 0), 3), anyNumber(scalar("AnyNumber", 8, 4)), anyNumber(scalar("Texts", 1, 0)), array(scalar("Counted", 22, 0), 2),
		anyNumber(scalar("Text16", 6, 2)), array(scalar("Text8", 4, 2), 8), array(scalar("NoText", 6, 2), 0), custom(scalar("Custom", 6, 2), "how"),
		array(scalar("NoneOfIt", 8, 0), 0), array(scalar("Nulls", 0, 0), 65535), anyNumber(scalar("AnyNulls", 0, 0)), anyNumber(scalar("Sids", 19, 0)),
	}}},
	{"structures", etltest.Schema{Name: "Structures", Tag: 0x0FFFFFFF, Fields: fields{
		structure("Point", scalar("X", 7, 0), scalar("Y", 7, 0)),
		anyNumber(structure("Points", scalar("X", 7, 0), scalar("Y", 7, 0), structure("Empty"))),
		array(structure("Two", anyNumber(structure("Inner", scalar("Name", 1, 0)))), 2),
		structure("Empty"), array(structure("EmptyOnes", structure("Empty")), 3), anyNumber(structure("AnyEmptyOnes", scalar("Null", 0, 0))),
		{Name: "Tagged", In: 8, Tag: 0x1000}, scalar("Last", 4, 0),
	}}},
	{"names", etltest.Schema{Name: "../../x\xff\n", Fields: fields{
		scalar("", 4, 0), scalar("a", 4, 0), scalar("A", 4, 0), scalar("a", 4, 0), scalar("con", 4, 0), scalar("\xff\x01", 4, 0), scalar("../b", 4, 0),
		structure("a", scalar("a", 4, 0), scalar("a", 4, 0)), scalar(strings.Repeat("Long", 50), 4, 0),
	}}},
}

// TestGolden compares the schemas of metadata with testdata.
func TestGolden(t *testing.T) {
	for _, test := range goldens {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse(test.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			checkSchema(t, s)
			testenv.Golden(t, filepath.Join("testdata", test.name+".golden"), schemaText(s))
		})
	}
}

// nested returns metadata of structures nested depth deep.
func nested(depth int) []byte {
	f := scalar("Innermost", 4, 0)
	for range depth {
		f = structure("S", f)
	}
	return (&etltest.Schema{Name: "E", Fields: fields{scalar("Before", 4, 0), f}}).Bytes()
}

// TestDamaged checks that fields before the damage are kept, and that the error
// has its position.
func TestDamaged(t *testing.T) {
	const head = "\x00\x01\x00E\x00" // 256 bytes, no tag
	for _, test := range []struct {
		name, metadata, want string
		cause                error
		pos                  int
	}{
		{"nothing", "", "", decode.ErrTruncated, 0},
		{"one byte", "\x05", "", decode.ErrTruncated, 0},
		{"a size of 0", "\x00\x00\x00E\x00", "", decode.ErrTruncated, 2},
		{"no tag", "\x02\x00\x00E\x00", "", decode.ErrTruncated, 2},
		{"tag without end", "\x00\x01" + strings.Repeat("\xff", 200), "", decode.ErrTruncated, 202},
		{"no name", "\x00\x01\x00Event", "", decode.ErrTruncated, 3},
		{"a byte shorter than its size", "\x09\x00\x00E\x00a\x00\x04", "a", decode.ErrTruncated, 8},
		{"shorter than its size", head + "a\x00\x04", "a", decode.ErrTruncated, 8},
		{"field name without end", head + "a\x00\x04b", "a", decode.ErrTruncated, 8},
		{"no in-type", head + "a\x00\x04b\x00", "a", decode.ErrTruncated, 10},
		{"no out-type", head + "a\x00\x04b\x00\x84", "a", decode.ErrTruncated, 11},
		{"no tags", head + "a\x00\x04b\x00\x84\x82", "a", decode.ErrTruncated, 12},
		{"no constant number", head + "a\x00\x04b\x00\x24\x01", "a", decode.ErrTruncated, 11},
		{"no size of a custom type", head + "a\x00\x04b\x00\x64", "a", decode.ErrTruncated, 11},
		{"custom type too long", head + "a\x00\x04b\x00\x64\x03\x00xy", "a", decode.ErrTruncated, 13},
		{"unknown in-type", head + "a\x00\x04b\x00\x1a" + "c\x00\x04", "a", decode.ErrUnsupported, 10},
		{"in-type of 31", head + "a\x00\x04b\x00\x5f", "a", decode.ErrUnsupported, 10},
		{"fewer fields than the structure has", head + "a\x00\x04s\x00\x98\x03b\x00\x04", "a s(b)", decode.ErrTruncated, 15},
		{"fewer fields than the array's structure has", head + "a\x00\x04s\x00\xd8\x03b\x00\x04", "a", decode.ErrTruncated, 15},
		{"a structure of a structure without fields", head + "s\x00\x98\x02b\x00\x04t\x00\x98\x02", "s(b)", decode.ErrTruncated, 16},
		{"a custom structure", head + "s\x00\xf8\x01\x00\x00", "s", decode.ErrTruncated, 11},
		{"every in-type byte 0xc0", head + strings.Repeat("\xc0", 20), "", decode.ErrTruncated, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse([]byte(test.metadata))
			var e *decode.Error
			if !errors.As(err, &e) || !errors.Is(err, test.cause) || e.Pos != test.pos {
				t.Errorf("error %v, want %v at %#x", err, test.cause, test.pos)
			}
			checkSchema(t, s)
			if got := decodetest.Names(s.Fields); got != test.want {
				t.Errorf("fields %q, want %q", got, test.want)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	s, err := Parse(nested(maxDepth))
	if err != nil || len(s.Fields) != 2 {
		t.Errorf("%d fields, %v", len(s.Fields), err)
	}
	checkSchema(t, s)
	for _, depth := range []int{maxDepth + 1, 8000} {
		s, err := Parse(nested(depth))
		if !errors.Is(err, decode.ErrUnsupported) || len(s.Fields) != 1 {
			t.Errorf("%d deep: %d fields, %v", depth, len(s.Fields), err)
		}
	}
}

// TestBytesBehind checks that bytes beyond the metadata's size are ignored.
func TestBytesBehind(t *testing.T) {
	metadata := (&etltest.Schema{Name: "E", Fields: fields{scalar("A", 4, 0)}}).Bytes()
	s, err := Parse(append(metadata, "b\x00\x04"...))
	if err != nil || decodetest.Names(s.Fields) != "a" {
		t.Errorf("%s, %v", decodetest.Names(s.Fields), err)
	}
}

// TestBombs parses metadata of 64 KiB that try to allocate much memory.
func TestBombs(t *testing.T) {
	for _, test := range []struct {
		name, field, first string
		last               byte
	}{
		{"nulls", "\x00\x00", "", 0},
		{"constant arrays of nulls", "a\x00\x20\xff\xff", "", 0},
		{"any number of nulls", "a\x00\x40", "a", 0},
		{"empty structures", "a\x00\x98\x00", "", 0},
		{"one name", "a\x00\x04", "a", 0},
		{"no name", "\x00\x04", "field_1", 0},
		{"constant arrays", "a\x00\x21\xff\xff", "a", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			const size = 0xFFFF
			n := (size - 5) / len(test.field)
			metadata := append([]byte("\x00\x00\x00E\x00"), strings.Repeat(test.field, n)...)
			metadata[0], metadata[1] = byte(len(metadata)&0xff), byte(len(metadata)>>8)
			s, err := Parse(metadata)
			if err != nil {
				t.Fatal(err)
			}
			checkSchema(t, s)
			want := n
			if test.first == "" {
				want = 0
			}
			if len(s.Fields) != want || want > 0 && s.Fields[0].Name != test.first {
				t.Errorf("%d fields, want %d", len(s.Fields), want)
			}
			payload := bytes.Repeat([]byte{0, 0xff}, 0x8000)
			if _, fit := decode.NewLayout(&s.Event, 0, 8).Locate(payload, nil); fit.Used > len(payload) {
				t.Errorf("%d bytes used of %d", fit.Used, len(payload))
			}
		})
	}
}

// TestProviderGUID computes the GUIDs of providers seen in real traces.
func TestProviderGUID(t *testing.T) {
	for name, want := range map[string]string{
		"MySource":                               "a61ea624-4944-55fc-c2a8-37838829438d",
		"Microsoft-Diagnostics-DiagnosticSource": "adb401e1-5296-51f8-c125-5fda75826144",
		"Microsoft.Windows.WaaSMedic.Local":      "30d25124-a468-505c-de82-8411646eb8b5",
	} {
		if got := ProviderGUID(name).String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if ProviderGUID(strings.ToLower(name)) != ProviderGUID(strings.ToUpper(name)) {
			t.Errorf("%s: the case matters", name)
		}
	}
}

// FuzzTraceLogging reads arbitrary bytes as metadata, and arbitrary bytes as a payload of the
// described event.
func FuzzTraceLogging(f *testing.F) {
	seeds := 0
	add := func(metadata []byte) {
		for _, payload := range [][]byte{nil, bytes.Repeat([]byte{1, 0}, 100), bytes.Repeat([]byte("A\x00\x00\x00"), 50)} {
			f.Add(metadata, payload)
			seeds++
		}
	}
	for _, g := range goldens {
		metadata := g.Bytes()
		add(metadata)
		add(metadata[:len(metadata)/2])
		add(slices.Repeat([]byte{0xc0}, len(metadata)))
	}
	add(nested(maxDepth))
	add(nested(maxDepth + 1))
	if seeds < 50 {
		f.Fatalf("%d seeds", seeds)
	}
	var spans []decode.Span
	f.Fuzz(func(t *testing.T, metadata, payload []byte) {
		if len(metadata) > 1<<16 || len(payload) > 1<<16 {
			return
		}
		s, err := Parse(metadata)
		var e *decode.Error
		if err != nil && (!errors.As(err, &e) || e.Pos < 0 || e.Pos > len(metadata)) {
			t.Fatalf("%d bytes, but the error is elsewhere: %v", len(metadata), err)
		}
		checkSchema(t, s)
		again, errAgain := Parse(slices.Clip(metadata))
		if schemaText(s) != schemaText(again) || (err == nil) != (errAgain == nil) {
			t.Fatalf("first\n%s%v, then\n%s%v", schemaText(s), err, schemaText(again), errAgain)
		}
		if n := strings.Count(schemaText(s), "\n"); n > len(metadata)+1 {
			t.Fatalf("%d fields of %d bytes", n-1, len(metadata))
		}
		for _, pointerSize := range []int{4, 8} {
			var fit decode.Fit
			spans, fit = decode.NewLayout(&s.Event, 0, pointerSize).Locate(payload, spans)
			decodetest.CheckFit(t, s.Fields, payload, spans, fit)
		}
	})
}
