package tdh

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fieldText writes the parts of a field that Apply sets.
func fieldText(f *schema.Field) string {
	words := []string{f.Kind.String()}
	add := func(format string, v any, is bool) {
		if is {
			words = append(words, fmt.Sprintf(format, v))
		}
	}
	add("length %d", f.Length, f.Length != 0)
	add("length %s", f.LengthField, f.LengthField != "")
	add("prefix %d", f.LengthPrefix, f.LengthPrefix != schema.NoPrefix)
	add("count %d", f.Count, f.Count != 0)
	add("count %s", f.CountField, f.CountField != "")
	add("count before%.0v", "", f.CountPrefix)
	add("hex%.0v", "", f.Hex)
	return strings.Join(words, ", ")
}

func TestApply(t *testing.T) {
	scalar, four, times4 := schema.Field{}, schema.Field{Length: 4}, schema.Field{Count: 4}
	of, counted, before := schema.Field{LengthField: "n"}, schema.Field{CountField: "n"}, schema.Field{CountPrefix: true}
	for _, test := range []struct {
		f    schema.Field
		in   InType
		out  OutType
		want string
	}{
		{scalar, UnicodeString, Default, "text16"},
		{four, UnicodeString, String, "chars16, length 4"},
		{of, UnicodeString, XML, "chars16, length n"},
		{counted, UnicodeString, String, "text16, count n"},
		{scalar, AnsiString, UTF8, "text8"},
		{of, AnsiString, JSON, "chars8, length n"},
		{schema.Field{Length: 4, Count: 4}, AnsiString, Default, "chars8, length 4, count 4"},

		{scalar, Int8, Default, "i8"},
		{four, Int8, Byte, "i8"}, // records have the size of numbers too
		{scalar, Int8, String, "chars8, length 1"},
		{scalar, UInt8, OutHexInt8, "u8, hex"},
		{scalar, UInt8, OutBoolean, "bool8"},
		{times4, UInt8, String, "chars8, length 4"},
		{counted, UInt8, String, "chars8, length n"},
		{before, UInt8, String, "chars8, prefix 1"},
		{before, UInt8, UnsignedByte, "u8, count before"},
		{before, UInt16, String, "chars16, prefix 1"},
		{scalar, UInt16, String, "chars16, length 1"},
		{scalar, UInt16, Port, "port"},
		{times4, UInt16, Port, "port, count 4"},
		{scalar, UInt16, OutHexInt16, "u16, hex"},
		{scalar, Int16, Short, "i16"},
		{scalar, Int32, HResult, "i32, hex"},
		{scalar, UInt32, IPv4, "ipv4"},
		{scalar, UInt32, PID, "u32"},
		{scalar, UInt32, Win32Error, "u32"},
		{scalar, UInt32, NTStatus, "u32, hex"},
		{scalar, UInt32, ErrorCode, "u32, hex"},
		{scalar, UInt32, String, "u32"},
		{scalar, UInt32, OutBoolean, "bool32"},
		{scalar, UInt64, OutHexInt64, "u64, hex"},
		{scalar, UInt64, CodePointer, "u64, hex"},
		{scalar, UInt64, DateTime, "filetime"},
		{scalar, Int64, Default, "i64"},
		{scalar, Float, OutFloat, "f32"},
		{scalar, Double, Default, "f64"},
		{scalar, Boolean, Default, "bool32"},

		{four, Binary, Default, "bytes, length 4"},
		{scalar, Binary, Default, "bytes"},
		{of, Binary, HexBinary, "bytes, length n"},
		{scalar, Binary, IPv6, "ipv6"},
		{schema.Field{Length: 16}, Binary, IPv6, "ipv6"},
		{of, Binary, IPv6, "ipv6, length n"},
		{four, Binary, IPv6, "bytes, length 4"},
		{of, Binary, SocketAddress, "socketaddress, length n"},
		{scalar, GUID, OutGUID, "guid"},
		{scalar, Pointer, Default, "pointer, hex"},
		{scalar, Pointer, CodePointer, "pointer, hex"},
		{scalar, Pointer, UnsignedLong, "pointer"},
		{scalar, FileTime, DateTimeUTC, "filetime"},
		{scalar, SystemTime, DateTime, "systemtime"},
		{scalar, SID, String, "sid"},
		{scalar, HexInt32, Default, "u32, hex"},
		{scalar, HexInt32, UnsignedInt, "u32"},
		{scalar, HexInt64, OutHexInt64, "u64, hex"},
		{scalar, CountedUnicodeString, String, "chars16, prefix 2"},
		{of, CountedAnsiString, String, "chars8, prefix 2"},
		{scalar, CountedBinary, Default, "bytes, prefix 2"},
		{scalar, CountedBinary, IPv6, "ipv6, prefix 2"},
		{scalar, CountedBinary, SocketAddress, "socketaddress, prefix 2"},

		{scalar, WBEMCountedString, Default, "chars16, prefix 2"},
		{scalar, WBEMCountedAnsiString, Default, "chars8, prefix 2"},
		{scalar, ReversedCountedString, Default, "chars16, prefix 3"},
		{scalar, ReversedCountedAnsi, Default, "chars8, prefix 3"},
		{four, NonNullTerminatedString, Default, "chars16, length -1"},
		{of, NonNullTerminatedAnsi, Default, "chars8, length -1"},
		{scalar, UnicodeChar, Default, "chars16, length 1"},
		{times4, AnsiChar, UnsignedByte, "chars8, length 4"},
		{scalar, SizeT, Default, "size, hex"},
		{scalar, HexDump, Default, "bytes, prefix 4"},
		{scalar, WBEMSID, Default, "wbemsid"},

		{scalar, UInt32, 999, "u32"},
		{scalar, GUID, Port, "guid"},
	} {
		f := test.f
		if err := Apply(&f, test.in, test.out); err != nil {
			t.Errorf("%v, %v: %v", test.in, test.out, err)
		} else if got := fieldText(&f); got != test.want {
			t.Errorf("%v, %v of %+v: %s, want %s", test.in, test.out, test.f, got, test.want)
		}
	}
}

// TestApplyAll checks that with any types a field is complete and has the width of
// its in-type.
func TestApplyAll(t *testing.T) {
	outs := []OutType{Default, 999}
	for out := range outTypes {
		outs = append(outs, out)
	}
	slices.Sort(outs)
	for in := range InType(400) {
		var plain schema.Field
		err := Apply(&plain, in, Default)
		if _, known := inTypes[in]; known != (err == nil) && in != Null {
			t.Errorf("%v: %v", in, err)
		}
		if err != nil {
			if !errors.Is(err, decode.ErrUnsupported) || plain.Kind != 0 {
				t.Errorf("%v: %v, %+v", in, err, plain)
			}
			continue
		}
		for _, out := range outs {
			var f schema.Field
			if err := Apply(&f, in, out); err != nil {
				t.Errorf("%v, %v: %v", in, out, err)
			}
			want, fixed := width(&plain)
			if got, ok := width(&f); (got != want || ok != fixed) && !(in == Binary && out == IPv6) {
				t.Errorf("%v, %v: %d bytes, %t, want %d, %t", in, out, got, ok, want, fixed)
			}
		}
	}
}

// width returns the width of a scalar in bytes, with 8-byte pointers.
func width(f *schema.Field) (int, bool) {
	unit, ok := f.Kind.Width(8)
	switch {
	case f.LengthPrefix != schema.NoPrefix:
		return 0, false
	case f.Kind.HasLength():
		return unit * f.Length, f.Length >= 0
	}
	return unit, ok
}

func TestNames(t *testing.T) {
	for in, spec := range inTypes {
		for _, name := range []string{spec.name, strings.ToUpper(spec.name), localName(spec.name)} {
			if got, ok := ParseInType(name); !ok || got != in {
				t.Errorf("%s: %v, %t", name, got, ok)
			}
		}
		if _, ok := outTypes[spec.out]; !ok && in != Null {
			t.Errorf("%v: no out-type of this name", in)
		}
	}
	for out, name := range outTypes {
		if got, ok := ParseOutType(name); !ok || got != out {
			t.Errorf("%s: %v, %t", name, got, ok)
		}
	}
	if len(inTypesByName()) != len(inTypes) || len(outTypesByName()) != len(outTypes) {
		t.Errorf("%d names of %d in-types, %d of %d out-types", len(inTypesByName()), len(inTypes), len(outTypesByName()), len(outTypes))
	}
	for _, name := range []string{"", "win:", "win:Struct", "UInt32:win"} {
		if _, ok := ParseInType(name); ok {
			t.Errorf("%q is an in-type", name)
		}
		if _, ok := ParseOutType(name); ok {
			t.Errorf("%q is an out-type", name)
		}
	}
}

func TestDeclare(t *testing.T) {
	declared := func(name string, in InType, out OutType, more ...string) (f schema.Field) {
		Declare(&f, name, in, out, more...)
		return f
	}
	var structure schema.Field
	DeclareStruct(&structure, "Point")
	for _, test := range []struct {
		got  schema.Field
		want schema.Field
	}{
		{declared("ProcessID", UInt32, OutHexInt32), schema.Field{Original: "ProcessID", InType: "win:UInt32", OutType: "win:HexInt32", Doc: "ProcessID, win:UInt32, win:HexInt32."}},
		{declared("ProcessID", UInt32, UnsignedInt), schema.Field{Original: "ProcessID", InType: "win:UInt32", OutType: "xs:unsignedInt", Doc: "ProcessID, win:UInt32."}},
		{declared("ProcessID", UInt32, Default, "tag 0x1"), schema.Field{Original: "ProcessID", InType: "win:UInt32", OutType: "xs:unsignedInt", Doc: "ProcessID, win:UInt32, tag 0x1."}},
		{declared("a\nb\xff", 26, 999), schema.Field{Original: "a\nb\uFFFD", InType: "in-type 26", OutType: "out-type 999", Doc: "a\uFFFDb\uFFFD, in-type 26, out-type 999."}},
		{declared("none", Null, Default), schema.Field{Original: "none", InType: "win:Null", Doc: "none, win:Null."}},
		{structure, schema.Field{Original: "Point", InType: "struct", Doc: "Point, struct."}},
	} {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%+v, want %+v", test.got, test.want)
		}
	}
}

// TestKernelTypes checks that the in-type and out-type of each kind of the kernel's
// events exist in manifests, and mean that kind.
func TestKernelTypes(t *testing.T) {
	sized := map[schema.Kind]bool{schema.Chars16: true, schema.Chars8: true, schema.Bytes: true, schema.SocketAddress: true}
	special := map[schema.Kind]schema.Kind{ // no type means these
		schema.Ticks: schema.U64, schema.MAC: schema.Bytes, schema.LZNT1Text16: schema.Bytes, schema.Key: schema.Pointer, schema.WideU32: schema.Pointer,
	}
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		f := schema.Field{Kind: kind}
		inName, outName := f.SourceTypes()
		in, ok := ParseInType(inName)
		out, known := ParseOutType(outName)
		if !ok || !known || in.String() != inName || out.String() != outName {
			t.Errorf("%v: %q, %q", kind, inName, outName)
			continue
		}
		var got schema.Field
		if sized[kind] {
			got.Length = 4
		}
		want := kind
		if other, ok := special[kind]; ok {
			want = other
		}
		if err := Apply(&got, in, out); err != nil || got.Kind != want {
			t.Errorf("%v: %s, %s mean %v (%v)", kind, inName, outName, got.Kind, err)
		}
	}
}
