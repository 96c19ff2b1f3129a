package eventinfo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func plain(name string, in tdh.InType, out tdh.OutType) property {
	return property{name: name, in: uint16(in), out: uint16(out), count: 1}
}

func structOf(name string, first, members uint16) property {
	return property{flags: flagStruct, name: name, in: first, out: members, count: 1}
}

// counted makes a property an array whose length is in another property.
func counted(p property, by uint16) property {
	p.flags |= flagParamCount
	p.count = by
	return p
}

func times(p property, n uint16) property { p.count = n; return p }

func measured(p property, by uint16) property {
	p.flags |= flagParamLength
	p.length = by
	return p
}

func long(p property, n uint16) property { p.length = n; return p }

func mapped(p property, name string) property { p.mapName = name; return p }

var provider = schema.GUID{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}

var goldens = []struct {
	name string
	info
}{
	{"process_start", info{
		provider: provider, top: 7,
		descriptor: [16]byte{1, 0, 3, 16, 4, 1, 1, 0, 0x10, 0, 0, 0, 0, 0, 0, 0x80},
		names: map[int]string{
			providerNameAt: "Microsoft-Windows-Kernel-Process", levelNameAt: "Information ", channelNameAt: "Microsoft-Windows-Kernel-Process/Analytic ",
			keywordNamesAt: "WINEVENT_KEYWORD_PROCESS \x00Microsoft-Windows-Kernel-Process/Analytic \x00", taskNameAt: "ProcessStart ", opcodeNameAt: "Start ",
			messageAt: "Process %1 started at time %2 by parent %3. ",
		},
		properties: []property{
			plain("ProcessID", tdh.UInt32, tdh.PID), plain("CreateTime", tdh.FileTime, tdh.DateTime), long(plain("SessionID", tdh.UInt32, tdh.UnsignedInt), 4),
			mapped(plain("Flags", tdh.UInt32, tdh.OutHexInt32), "ProcessFlags "), plain("ImageName", tdh.UnicodeString, tdh.String),
			long(plain("Fixed", tdh.UnicodeString, tdh.String), 16), plain("Nothing", tdh.Null, tdh.Default),
		},
	}},
	{"predefined", info{ // as the merge tools of some versions write the names of winmeta.xml
		provider: provider, descriptor: [16]byte{1, 0, 1, 0, 4, 1, 7},
		names: map[int]string{
			levelNameAt: "win:Informational ", opcodeNameAt: "win:Start ", taskNameAt: "GarbageCollection ",
			keywordNamesAt: "win:ResponseTime \x00GCKeyword \x00", channelNameAt: "win:System ", providerNameAt: "win:provider",
		},
	}},
	{"arrays", info{
		provider: provider, top: 9, names: map[int]string{eventNameAt: "Arrays"},
		properties: []property{
			plain("Count", tdh.UInt16, tdh.UnsignedShort), plain("Size", tdh.UInt32, tdh.UnsignedInt), plain("Null", tdh.Null, tdh.Default),
			counted(plain("Addresses", tdh.Pointer, tdh.Default), 0), measured(plain("Blob", tdh.Binary, tdh.HexBinary), 1),
			measured(counted(plain("Texts", tdh.AnsiString, tdh.UTF8), 0), 1), times(plain("Three", tdh.UInt16, tdh.Port), 3),
			{flags: flagFixedCount, name: "One", in: uint16(tdh.UInt8), count: 1}, {flags: flagFixedCount, name: "None", in: uint16(tdh.UInt8), count: 0},
		},
	}},
	{"structures", info{
		provider: provider, top: 4, tags: 0x0fff_1234, names: map[int]string{eventNameAt: "Structures", messageAt: "%1 and %4"},
		properties: []property{
			plain("Count", tdh.UInt16, tdh.UnsignedShort), counted(structOf("Entries", 4, 3), 0), structOf("Empty", 9, 0),
			{flags: flagHasTags, name: "Last", in: uint16(tdh.SID), count: 1, tags: 0x1000},
			plain("Length", tdh.UInt8, tdh.UnsignedByte), measured(plain("Name", tdh.UnicodeString, tdh.String), 4), structOf("Inner", 7, 2),
			counted(plain("Outer", tdh.UInt8, tdh.OutHexInt8), 0), measured(plain("Sibling", tdh.Binary, tdh.SocketAddress), 4),
		},
	}},
	{"classic", info{
		provider: provider, class: schema.GUID{9, 9}, source: sourceWBEM, top: 6, descriptor: [16]byte{0, 0, 2, 0, 0, 11},
		names: map[int]string{providerNameAt: "NetLogon", opcodeNameAt: "Start", taskNameAt: "Logon ", eventNameAt: "an activity's"},
		properties: []property{
			plain("User", tdh.ReversedCountedString, tdh.String), plain("Sid", tdh.WBEMSID, tdh.Default), plain("Letter", tdh.UnicodeChar, tdh.Default),
			plain("Size", tdh.SizeT, tdh.UnsignedLong), plain("Dump", tdh.HexDump, tdh.Default), plain("Rest", tdh.NonNullTerminatedString, tdh.String),
		},
	}},
	{"names", info{
		provider: provider, top: 4, names: map[int]string{providerNameAt: "../../x", taskNameAt: "con"},
		properties: []property{plain("", tdh.UInt8, 0), plain("a", tdh.UInt8, 0), plain("A ", tdh.UInt8, 0), plain("\x01\u202e", tdh.UInt8, 0)},
	}},
}

// TestGolden compares the dumps of records with testdata.
func TestGolden(t *testing.T) {
	for _, test := range goldens {
		t.Run(test.name, func(t *testing.T) {
			r, err := Parse(test.bytes())
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, r)
			testenv.Golden(t, filepath.Join("testdata", test.name+".golden"), recordText(r))
		})
	}
}

// TestDamaged checks that fields before the damage are kept, and that the error
// has its position.
func TestDamaged(t *testing.T) {
	a, b := plain("a", tdh.UInt8, 0), plain("b", tdh.UInt8, 0)
	at := func(i, offset int) int { return propertiesAt + i*propertySize + offset }
	for _, test := range []struct {
		name       string
		top        int
		properties []property
		want       string
		cause      error
		pos        int
	}{
		{"unknown in-type", 3, []property{a, plain("x", 200, 0), b}, "a", decode.ErrUnsupported, at(1, 8)},
		{"counted by itself", 2, []property{a, counted(b, 1)}, "a", decode.ErrCorrupt, at(1, 16)},
		{"counted by a later field", 3, []property{a, counted(b, 2), plain("c", tdh.UInt8, 0)}, "a", decode.ErrCorrupt, at(1, 16)},
		{"counted by a missing field", 2, []property{a, counted(b, 0xFFFF)}, "a", decode.ErrCorrupt, at(1, 16)},
		{"counted by a text", 2, []property{plain("a", tdh.UnicodeString, 0), counted(b, 0)}, "a", decode.ErrCorrupt, at(1, 16)},
		{"counted by an array", 2, []property{times(a, 2), counted(b, 0)}, "a", decode.ErrCorrupt, at(1, 16)},
		{"counted by a field of no bytes", 2, []property{plain("a", tdh.Null, 0), counted(b, 0)}, "", decode.ErrCorrupt, at(1, 16)},
		{"its length in a later field", 2, []property{measured(plain("a", tdh.Binary, 0), 1), b}, "", decode.ErrCorrupt, at(0, 18)},
		{"counted by a field of a structure", 3, []property{a, structOf("s", 3, 1), counted(b, 3), plain("c", tdh.UInt8, 0)}, "a s(c)", decode.ErrCorrupt, at(2, 16)},
		{"counted by an outer field that an inner one hides", 2, []property{a, structOf("s", 2, 2), plain("a", tdh.UInt8, 0), counted(b, 0)}, "a s(a)", decode.ErrUnsupported, at(3, 16)},
		{"a structure of itself", 2, []property{a, structOf("s", 1, 1)}, "a", decode.ErrCorrupt, at(1, 8)},
		{"a structure of fields at the top", 2, []property{a, structOf("s", 0, 1)}, "a", decode.ErrCorrupt, at(1, 8)},
		{"a structure inside that holds itself", 1, []property{structOf("s", 1, 2), b, structOf("t", 1, 2)}, "s(b)", decode.ErrCorrupt, at(2, 8)},
		{"two structures of the same fields", 2, []property{structOf("s", 2, 1), structOf("t", 2, 1), b}, "s(b)", decode.ErrCorrupt, at(1, 8)},
		{"a structure of more fields than the record has", 2, []property{a, structOf("s", 2, 2), b}, "a", decode.ErrCorrupt, at(1, 8)},
		{"a structure of far more fields", 2, []property{a, structOf("s", 0xFFFF, 0xFFFF)}, "a", decode.ErrCorrupt, at(1, 8)},
		{"an array of damaged structures", 2, []property{a, times(structOf("s", 2, 2), 2), b, plain("c", 200, 0)}, "a", decode.ErrUnsupported, at(3, 8)},
		{"more fields at the top than the record has", 3, []property{a, b}, "a b", decode.ErrCorrupt, topLevelCountAt},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Parse((&info{properties: test.properties, top: test.top}).bytes())
			checkRecord(t, r)
			checkError(t, err, test.cause, test.pos)
			if got := decodetest.Names(r.Fields); got != test.want {
				t.Errorf("fields %q, want %q", got, test.want)
			}
		})
	}
}

func checkError(t *testing.T, err, cause error, pos int) {
	t.Helper()
	var e *decode.Error
	if !errors.As(err, &e) || !errors.Is(err, cause) || e.Pos != pos {
		t.Errorf("error %v, want %v at %#x", err, cause, pos)
	}
}

// TestDamagedNumbers checks counts and offsets that point outside the record.
func TestDamagedNumbers(t *testing.T) {
	good := (&info{
		properties: []property{plain("a", tdh.UInt8, 0), plain("b", tdh.UInt8, 0)}, top: 2,
		names: map[int]string{providerNameAt: "P", keywordNamesAt: "K\x00", messageAt: "M"},
	}).bytes()
	for _, test := range []struct {
		name  string
		at    int
		value uint32
		want  string
		cause error
	}{
		{"properties", propertyCountAt, 0xFFFFFFFF, "a b", decode.ErrTruncated},
		{"properties at the top", topLevelCountAt, 0xFFFFFFFF, "a b", decode.ErrCorrupt},
		{"provider name", providerNameAt, 0xFFFFFFFF, "a b", decode.ErrCorrupt},
		{"keyword names", keywordNamesAt, uint32(len(good)), "a b", decode.ErrCorrupt},
		{"message", messageAt, 0x80000000, "a b", decode.ErrCorrupt},
		{"name of a property", propertiesAt + 4, 0xFFFFFFFF, "field_1 b", decode.ErrCorrupt},
		{"name of a map", propertiesAt + 12, 0xFFFFFFFF, "a b", decode.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := slices.Clone(good)
			binary.LittleEndian.PutUint32(data[test.at:], test.value)
			r, err := Parse(data)
			checkRecord(t, r)
			checkError(t, err, test.cause, test.at)
			if got := decodetest.Names(r.Fields); got != test.want {
				t.Errorf("fields %q, want %q", got, test.want)
			}
		})
	}
	for n := range propertiesAt {
		if r, err := Parse(good[:n]); !errors.Is(err, decode.ErrTruncated) || len(r.Fields) != 0 {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// nested returns a record of structures nested depth deep.
func nested(depth int) []byte {
	properties := []property{structOf("s", 1, 1)}
	for i := 1; i < depth; i++ {
		properties = append(properties, structOf("s", uint16(i+1), 1))
	}
	return (&info{properties: append(properties, plain("x", tdh.UInt8, 0)), top: 1}).bytes()
}

func TestDepth(t *testing.T) {
	if r, err := Parse(nested(maxDepth)); err != nil || len(r.Fields) != 1 {
		t.Errorf("%d fields, %v", len(r.Fields), err)
	}
	for _, depth := range []int{maxDepth + 1, 2000} {
		if r, err := Parse(nested(depth)); !errors.Is(err, decode.ErrUnsupported) || len(r.Fields) != 0 {
			t.Errorf("%d deep: %d fields, %v", depth, len(r.Fields), err)
		}
	}
}

// TestLongNames checks that the total length of names that share the bytes of a long
// text is bounded by the size of the record.
func TestLongNames(t *testing.T) {
	data := (&info{properties: slices.Repeat([]property{plain("", tdh.UInt8, 0)}, 1000), top: 1000, names: map[int]string{messageAt: strings.Repeat("x", 20000)}}).bytes()
	for i := range 1000 {
		copy(data[propertiesAt+i*propertySize+4:], data[messageAt:messageAt+4])
	}
	r, err := Parse(data)
	if !errors.Is(err, decode.ErrCorrupt) || len(r.Fields) != 1000 || len(r.MessageText) != 20000 {
		t.Errorf("%d fields, %v", len(r.Fields), err)
	}
	for _, f := range r.Fields {
		if len(f.Doc) > maxName+100 {
			t.Fatalf("%d bytes", len(f.Doc))
		}
	}
}

func TestParseMap(t *testing.T) {
	for _, test := range []struct {
		name    string
		payload []byte
		want    string
	}{
		{"values", mapBytes("M ", mapValues, 0, entry{"B ", 2}, entry{"A", 1}, entry{"again", 2}), `"M" flags false [{1 A} {2 B}]`},
		{"bits", mapBytes("M", mapBits, 0, entry{"A", 1}, entry{"Top", 1 << 31}), `"M" flags true [{1 A} {2147483648 Top}]`},
		{"without a name", mapBytes("M", mapValues, 0, entry{"", 2}, entry{"A", 1}), `"M" flags false [{1 A}]`},
		{"no entry", mapBytes("M", mapValues, 0), `"M" flags false []`},
		{"WBEM values", mapBytes("M", mapWBEMValues, 0, entry{"A", 7}), `"M" flags false [{7 A}]`},
		{"WBEM bits", mapBytes("M", mapWBEMBits, 0, entry{"A", 4}), `"M" flags true [{4 A}]`},
		{"WBEM flags", mapBytes("M", mapWBEMValues|mapWBEMFlag, 0, entry{"A", 4}), `"M" flags true [{4 A}]`},
		{"WBEM, counting up", mapBytes("M", mapWBEMValues|mapWBEMNoNumbers, 0, entry{"A", 9}, entry{"B", 9}), `"M" flags false [{0 A} {1 B}]`},
		{"WBEM bits, counting up", mapBytes("M", mapWBEMBits|mapWBEMNoNumbers, 0, slices.Repeat([]entry{{"A", 9}}, 70)...)[:], ""},
		{"patterns", mapBytes("M", mapPatterns, 0, entry{"A", 1}), "none"},
		{"texts", mapBytes("M", mapValues, stringValues, entry{"A", 1}), "none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			provider, values, err := ParseMap(test.payload)
			if err != nil || provider != (schema.GUID{1, 2, 3}) {
				t.Fatalf("%v, %v", provider, err)
			}
			if test.want == "none" {
				if values != nil {
					t.Errorf("%+v", values)
				}
				return
			}
			checkValues(t, values)
			if test.want == "" {
				if len(values.Names) != 64 || values.Names[63].Value != 1<<63 {
					t.Errorf("%+v", values)
				}
				return
			}
			if got := fmt.Sprintf("%q flags %t %v", values.Name, values.Flags, values.Names); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestDamagedMap(t *testing.T) {
	good := mapBytes("M", mapValues, 0, entry{"A", 1}, entry{"B", 2})
	for n := range guidSize + mapEntriesAt {
		if _, values, err := ParseMap(good[:n]); !errors.Is(err, decode.ErrTruncated) || values != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, test := range []struct {
		name  string
		at    int // in EVENT_MAP_INFO
		value uint32
		want  string
		cause error
	}{
		{"entries", 8, 0xFFFFFFFF, "[{1 A} {2 B}", decode.ErrTruncated},
		{"name", 0, 0xFFFFFFFF, "[{1 A} {2 B}]", decode.ErrCorrupt},
		{"name of an entry", mapEntriesAt, 0x7FFFFFFF, "[{2 B}]", decode.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			payload := slices.Clone(good)
			binary.LittleEndian.PutUint32(payload[guidSize+test.at:], test.value)
			_, values, err := ParseMap(payload)
			checkError(t, err, test.cause, test.at)
			checkValues(t, values)
			if got := fmt.Sprint(values.Names); !strings.HasPrefix(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestLink(t *testing.T) {
	known := &schema.Values{Name: "Known"}
	list := []schema.Field{
		{Name: "a", Values: "Known"}, {Name: "b", Values: "major_function"}, {Name: "c"},
		{Name: "s", Struct: []schema.Field{{Name: "d", Values: "Known"}}},
	}
	Link(list, func(name string) *schema.Values {
		if name == known.Name {
			return known
		}
		return nil
	})
	for _, test := range []struct {
		f    schema.Field
		want *schema.Values
	}{{list[0], known}, {list[1], nil}, {list[2], nil}, {list[3].Struct[0], known}} {
		if test.f.Values != "" || test.f.ValueNames() != test.want {
			t.Errorf("%s: %q, %v", test.f.Name, test.f.Values, test.f.Map)
		}
	}
}

// FuzzEventInfo reads arbitrary bytes as a record, and arbitrary bytes as a payload of the
// described event.
func FuzzEventInfo(f *testing.F) {
	seeds := 0
	add := func(data []byte) {
		for _, payload := range [][]byte{nil, bytes.Repeat([]byte{1, 0}, 100), bytes.Repeat([]byte("A\x00\x00\x00"), 50)} {
			f.Add(data, payload)
			seeds++
		}
	}
	for _, g := range goldens {
		data := g.bytes()
		add(data)
		add(data[:len(data)*2/3])
	}
	add(nested(maxDepth))
	add(nested(maxDepth + 1))
	if seeds < 30 {
		f.Fatalf("%d seeds", seeds)
	}
	var spans []decode.Span
	f.Fuzz(func(t *testing.T, data, payload []byte) {
		if len(data) > 1<<16 || len(payload) > 1<<16 {
			return
		}
		r, err := Parse(data)
		var e *decode.Error
		if err != nil && (!errors.As(err, &e) || e.Pos < 0 || e.Pos > len(data)) {
			t.Fatalf("%d bytes, but the error is elsewhere: %v", len(data), err)
		}
		checkRecord(t, r)
		again, errAgain := Parse(slices.Clip(data))
		if recordText(r) != recordText(again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("first\n%s%v, then\n%s%v", recordText(r), err, recordText(again), errAgain)
		}
		for _, pointerSize := range []int{4, 8} {
			var fit decode.Fit
			spans, fit = decode.NewLayout(&r.Event, 0, pointerSize).Locate(payload, spans)
			decodetest.CheckFit(t, r.Fields, payload, spans, fit)
		}
	})
}

// FuzzMap reads arbitrary bytes as the record of a map.
func FuzzMap(f *testing.F) {
	for _, kind := range []uint32{mapValues, mapBits, mapPatterns, mapWBEMValues, mapWBEMBits | mapWBEMNoNumbers} {
		payload := mapBytes("M ", kind, 0, entry{"B", 2}, entry{"A ", 1}, entry{"again", 2})
		if len(payload) < 60 {
			f.Fatalf("%d bytes", len(payload))
		}
		f.Add(payload)
		f.Add(payload[:len(payload)-9])
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, values, err := ParseMap(payload)
		var e *decode.Error
		if err != nil && (!errors.As(err, &e) || e.Pos < 0 || e.Pos > len(payload)) {
			t.Fatalf("%d bytes, but the error is elsewhere: %v", len(payload), err)
		}
		if values == nil {
			return
		}
		checkValues(t, values)
		if len(values.Names) > len(payload)/mapEntrySize {
			t.Fatalf("%d names in %d bytes", len(values.Names), len(payload))
		}
		for _, n := range values.Names {
			if got := values.Text(n.Value); got != n.Name {
				t.Fatalf("%#x: %q, want %q", n.Value, got, n.Name)
			}
		}
	})
}
