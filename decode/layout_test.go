package decode_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// spansText writes the positions of the fields: "a 0:4, b -".
func spansText(e *schema.Event, spans []decode.Span) string {
	var list []string
	for i, s := range spans {
		place := "-"
		if s.From >= 0 || s.To >= 0 {
			place = fmt.Sprintf("%d:%d", s.From, s.To)
		}
		list = append(list, e.Fields[i].Name+" "+place)
	}
	return strings.Join(list, ", ")
}

func field(name string, kind schema.Kind) schema.Field { return schema.Field{Name: name, Kind: kind} }

func optional(f schema.Field) schema.Field { f.Optional = true; return f }

func counted(f schema.Field, by string) schema.Field { f.CountField = by; return f }

func times(f schema.Field, n int) schema.Field { f.Count = n; return f }

func measured(f schema.Field, by string) schema.Field { f.LengthField = by; return f }

func ofLength(f schema.Field, n int) schema.Field { f.Length = n; return f }

func prefixed(f schema.Field, p schema.Prefix) schema.Field { f.LengthPrefix = p; return f }

func countedBefore(f schema.Field) schema.Field { f.CountPrefix = true; return f }

func between(f schema.Field, since, before uint8) schema.Field {
	f.Since, f.Before = since, before
	return f
}

const (
	zeros8  = "0000000000000000"
	zeros16 = zeros8 + zeros8
)

// TestLocate compares positions and errors with values written by hand.
func TestLocate(t *testing.T) {
	const noError = ""
	a8, b16, c32, d64, p := field("a", schema.U8), field("b", schema.U16), field("c", schema.U32), field("d", schema.U64), field("p", schema.Pointer)
	text, narrow, sid := field("t", schema.Text16), field("n", schema.Text8), field("s", schema.WBEMSID)
	entry := schema.Field{Name: "e", CountField: "a", Struct: []schema.Field{field("x", schema.U32), field("y", schema.Pointer)}}
	list := func(fields ...schema.Field) []schema.Field { return fields }
	for _, test := range []struct {
		name        string
		fields      []schema.Field
		version     uint8
		pointerSize int
		natural     bool
		payload     string
		want        string
		used        int
		fault       string // field and cause, if one does not fit
	}{
		{"no field, no bytes", nil, 0, 8, false, "", "", 0, noError},
		{"no field, bytes", nil, 0, 8, false, "0102", "", 0, noError},
		{"no bytes", list(a8, p), 0, 8, false, "", "a -, p -", 0, "a: truncated"},

		{"packed, 64", list(a8, b16, c32, d64, p, a8), 0, 8, false, zeros8 + zeros8 + zeros8, "a 0:1, b 1:3, c 3:7, d 7:15, p 15:23, a 23:24", 24, noError},
		{"packed, 32", list(a8, b16, c32, d64, p, a8), 0, 4, false, zeros8 + zeros8 + "00000000", "a 0:1, b 1:3, c 3:7, d 7:15, p 15:19, a 19:20", 20, noError},
		{"natural, 64", list(a8, b16, a8, c32, a8, d64, a8, p), 0, 8, true, zeros16 + zeros16 + zeros8, "a 0:1, b 2:4, a 4:5, c 8:12, a 12:13, d 16:24, a 24:25, p 32:40", 40, noError},
		{"natural, 32", list(a8, b16, a8, c32, a8, d64, a8, p), 0, 4, true, zeros16 + zeros16, "a 0:1, b 2:4, a 4:5, c 8:12, a 12:13, d 16:24, a 24:25, p 28:32", 32, noError},
		{"natural: GUIDs and addresses", list(a8, field("g", schema.GUIDs), a8, field("v", schema.IPv4), a8, field("w", schema.Port)), 0, 8, true, zeros16 + zeros16,
			"a 0:1, g 4:20, a 20:21, v 24:28, a 28:29, w 30:32", 32, noError},
		{"natural: bytes need none", list(a8, ofLength(field("b", schema.Bytes), 3), ofLength(field("t", schema.Chars16), 2), c32), 0, 8, true, zeros8 + "00000000",
			"a 0:1, b 1:4, t 4:8, c 8:12", 12, noError},
		{"natural: the payload ends in padding", list(a8, p), 0, 8, true, "01 000000", "a 0:1, p -", 1, "p: truncated"},
		{"natural: padding and no more", list(a8, p), 0, 8, true, "01 00000000000000", "a 0:1, p -", 1, "p: truncated"},
		{"natural: optional after padding", list(a8, optional(d64)), 0, 4, true, "01 000000", "a 0:1, d -", 1, noError},
		{"natural: optional, part of it", list(a8, optional(d64)), 0, 4, true, "01 00000000000000 01", "a 0:1, d -", 1, "d: truncated"},
		{"natural: structures, 64", list(a8, entry, a8), 0, 8, true, "02 00000000000000" + zeros16 + zeros16 + "03", "a 0:1, e 8:40, a 40:41", 41, noError},
		{"natural: structures, 32", list(a8, entry, a8), 0, 4, true, "02 000000" + zeros16 + "03", "a 0:1, e 4:20, a 20:21", 21, noError},
		{"packed: structures, 64", list(a8, entry), 0, 8, false, "02" + zeros16 + zeros8, "a 0:1, e 1:25", 25, noError},
		{"structures, one short of a byte", list(a8, entry), 0, 8, false, "02" + zeros16 + "00000000000000", "a 0:1, e -", 1, "e: truncated"},

		{"since", list(a8, between(b16, 2, 0), c32), 2, 8, false, "01 0200 03000000", "a 0:1, b 1:3, c 3:7", 7, noError},
		{"before since", list(a8, between(b16, 2, 0), c32), 1, 8, false, "01 03000000", "a 0:1, b -, c 1:5", 5, noError},
		{"until", list(a8, between(b16, 0, 2), c32), 1, 8, false, "01 0200 03000000", "a 0:1, b 1:3, c 3:7", 7, noError},
		{"from until on", list(a8, between(b16, 0, 2), c32), 2, 8, false, "01 03000000", "a 0:1, b -, c 1:5", 5, noError},
		{"between", list(between(a8, 1, 3), between(b16, 3, 4), between(c32, 4, 0)), 3, 8, false, "0200", "a -, b 0:2, c -", 2, noError},
		{"greatest version", list(between(a8, 1, 3), between(b16, 3, 4), between(c32, 255, 0)), 255, 8, false, "02000000", "a -, b -, c 0:4", 4, noError},

		{"optional, present", list(a8, optional(c32)), 0, 8, false, "01 02000000", "a 0:1, c 1:5", 5, noError},
		{"optional, missing", list(a8, optional(c32)), 0, 8, false, "01", "a 0:1, c -", 1, noError},
		{"optional, part of it", list(a8, optional(c32)), 0, 8, false, "01 020000", "a 0:1, c -", 1, "c: truncated"},
		{"two optional, one present", list(a8, optional(c32), optional(d64)), 0, 8, false, "01 02000000", "a 0:1, c 1:5, d -", 5, noError},
		{"only optional", list(optional(text)), 0, 8, false, "", "t -", 0, noError},
		{"optional text of nothing", list(a8, optional(text)), 0, 8, false, "01 0000", "a 0:1, t 1:3", 3, noError},
		{"more than the fields", list(a8), 0, 8, false, "0102", "a 0:1", 1, noError},
		{"more than optional fields", list(a8, optional(c32)), 0, 8, false, "01 02000000 03", "a 0:1, c 1:5", 5, noError},

		{"text", list(text, a8), 0, 8, false, "4100 4200 0000 07", "t 0:6, a 6:7", 7, noError},
		{"text of nothing", list(text, a8), 0, 8, false, "0000 07", "t 0:2, a 2:3", 3, noError},
		{"text with a NUL at an odd place", list(text, a8), 0, 8, false, "4100 0041 0000 07", "t 0:6, a 6:7", 7, noError},
		{"text to the end", list(a8, text), 0, 8, false, "07 4100 4200", "a 0:1, t 1:5", 5, noError},
		{"text to the end, odd", list(text), 0, 8, false, "4100 42", "t 0:3", 3, noError},
		{"text of one byte", list(text), 0, 8, false, "00", "t 0:1", 1, noError},
		{"text takes all", list(text, a8), 0, 8, false, "4100 4200", "t 0:4, a -", 4, "a: truncated"},
		{"text after the end", list(a8, text), 0, 8, false, "07", "a 0:1, t -", 1, "t: truncated"},
		{"narrow text", list(narrow, a8), 0, 8, false, "41 42 00 07", "n 0:3, a 3:4", 4, noError},
		{"narrow text to the end", list(a8, narrow), 0, 8, false, "07 4142", "a 0:1, n 1:3", 3, noError},
		{"narrow text of high bytes", list(narrow, a8), 0, 8, false, "c4ff 00 07", "n 0:3, a 3:4", 4, noError},
		{"narrow text after the end", list(narrow, narrow), 0, 8, false, "4100", "n 0:2, n -", 2, "n: truncated"},
		{"units", list(ofLength(field("u", schema.Chars16), 3), a8), 0, 8, false, "4100 0000 4200 07", "u 0:6, a 6:7", 7, noError},
		{"units, one missing", list(ofLength(field("u", schema.Chars16), 3)), 0, 8, false, "4100 0000 42", "u -", 0, "u: truncated"},

		{"compressed text of the rest", list(a8, ofLength(field("z", schema.LZNT1Text16), schema.Rest)), 0, 8, false, "ff 0102 0000 03", "a 0:1, z 1:6", 6, noError},
		{"compressed text of nothing", list(a8, ofLength(field("z", schema.LZNT1Text16), schema.Rest)), 0, 8, false, "00", "a 0:1, z 1:1", 1, noError},
		{"narrow units", list(ofLength(field("u", schema.Chars8), 3), a8), 0, 8, false, "41 00 42 07", "u 0:3, a 3:4", 4, noError},
		{"array of units", list(times(ofLength(field("u", schema.Chars16), 2), 2), a8), 0, 8, false, "41004200 43004400 07", "u 0:8, a 8:9", 9, noError},
		{"text of the rest", list(a8, ofLength(field("u", schema.Chars16), schema.Rest)), 0, 8, false, "07 4100 4200 43", "a 0:1, u 1:5", 5, noError},
		{"text of a missing rest", list(a8, ofLength(field("u", schema.Chars16), schema.Rest)), 0, 8, false, "07", "a 0:1, u 1:1", 1, noError},
		{"units counted before", list(prefixed(field("u", schema.Chars16), schema.UnitsIn16), a8), 0, 8, false, "0200 41004200 07", "u 2:6, a 6:7", 7, noError},
		{"bytes counted before", list(prefixed(field("u", schema.Chars16), schema.BytesIn16), a8), 0, 8, false, "0400 41004200 07", "u 2:6, a 6:7", 7, noError},
		{"nothing counted before", list(prefixed(field("b", schema.Bytes), schema.BytesIn16), a8), 0, 8, false, "0000 07", "b 2:2, a 2:3", 3, noError},
		{"big-endian count before", list(prefixed(field("b", schema.Chars8), schema.BytesIn16Big), a8), 0, 8, false, "0001 41 07", "b 2:3, a 3:4", 4, noError},
		{"long count before", list(prefixed(field("b", schema.Bytes), schema.BytesIn32), a8), 0, 8, false, "01000000 41 07", "b 4:5, a 5:6", 6, noError},
		{"long count beyond the payload", list(prefixed(field("b", schema.Bytes), schema.BytesIn32), a8), 0, 8, false, "ffffffff 41 07", "b -, a -", 0, "b: truncated"},
		{"half a count before", list(prefixed(field("b", schema.Bytes), schema.BytesIn16)), 0, 8, false, "01", "b -", 0, "b: truncated"},
		{"array counted before", list(countedBefore(b16), a8), 0, 8, false, "0200 0100 0200 07", "b 2:6, a 6:7", 7, noError},
		{"array of none counted before", list(countedBefore(b16), a8), 0, 8, false, "0000 07", "b 2:2, a 2:3", 3, noError},
		{"array of too many", list(countedBefore(b16)), 0, 8, false, "ffff 0100", "b -", 0, "b: truncated"},
		{"array of texts counted before", list(countedBefore(text), a8), 0, 8, false, "0200 41000000 0000 07", "t 2:8, a 8:9", 9, noError},
		{"array of counted bytes", list(countedBefore(prefixed(field("b", schema.Bytes), schema.BytesIn16)), a8), 0, 8, false, "0200 0000 0100 41 07", "b 2:7, a 7:8", 8, noError},
		{"array of lengths elsewhere", list(a8, measured(times(field("b", schema.Chars16), 2), "a"), b16), 0, 8, false, "01 4100 4200 0700", "a 0:1, b 1:5, b 5:7", 7, noError},
		{"length of nothing", list(a8, measured(field("b", schema.Bytes), "a"), b16), 0, 8, false, "00 0700", "a 0:1, b 1:1, b 1:3", 3, noError},
		{"length of too much", list(a8, measured(field("b", schema.Bytes), "a")), 0, 8, false, "02 07", "a 0:1, b -", 1, "b: truncated"},
		{"a plain SID", list(field("s", schema.SID), a8), 0, 8, false, "01 01 000000000005 12000000 07", "s 0:12, a 12:13", 13, noError},
		{"a plain SID, cut", list(field("s", schema.SID)), 0, 8, false, "01 02 000000000005 12000000", "s -", 0, "s: truncated"},
		{"one structure", list(schema.Field{Name: "e", Struct: list(text, b16)}, a8), 0, 8, false, "41000000 0100 07", "e 0:6, a 6:7", 7, noError},
		{"one structure, cut", list(schema.Field{Name: "e", Struct: list(text, b16)}, a8), 0, 8, false, "41000000 01", "e -, a -", 0, "e: truncated"},
		{"structures of texts", list(countedBefore(schema.Field{Name: "e", Struct: list(a8, text)}), a8), 0, 8, false, "0200 01 41000000 02 0000 07", "e 2:10, a 10:11", 11, noError},
		{"structures of nothing", list(countedBefore(schema.Field{Name: "e", Struct: []schema.Field{}}), a8), 0, 8, false, "ffff 07", "e -, a -", 0, "e: truncated"},
		{"one structure of nothing", list(schema.Field{Name: "e", Struct: list(ofLength(field("b", schema.Bytes), 0))}, a8), 0, 8, false, "07", "e 0:0, a 0:1", 1, noError},
		{"one structure of none of a field's many", list(a8, schema.Field{Name: "e", Struct: list(counted(b16, "a"))}, a8), 0, 8, false, "00 07", "a 0:1, e 1:1, a 1:2", 2, noError},
		{"an address counted before", list(prefixed(field("v", schema.IPv6), schema.BytesIn16), a8), 0, 8, false, "1000" + zeros16 + "07", "v 2:18, a 18:19", 19, noError},
		{"an address of another length", list(prefixed(field("v", schema.IPv6), schema.BytesIn16), a8), 0, 8, false, "0400 7f000001 07", "v -, a -", 0, "v: corrupt"},
		{"an address of a length elsewhere", list(a8, measured(field("v", schema.IPv6), "a")), 0, 8, false, "10" + zeros16, "a 0:1, v 1:17", 17, noError},
		{"an address of another length elsewhere", list(a8, measured(field("v", schema.IPv6), "a")), 0, 8, false, "04" + zeros16, "a 0:1, v -", 1, "v: corrupt"},
		{"units, more than any payload has", list(a8, ofLength(field("u", schema.Chars16), math.MaxInt32)), 0, 8, false, "01 4100", "a 0:1, u -", 1, "u: truncated"},
		{"numbers, more than any payload has", list(a8, times(c32, math.MaxInt32)), 0, 8, false, "01 4100", "a 0:1, c -", 1, "c: truncated"},
		{"a length inside", list(countedBefore(schema.Field{Name: "e", Struct: list(a8, measured(field("b", schema.Bytes), "a"))}), a8), 0, 8, false, "0200 01 41 02 4243 07", "e 2:7, a 7:8", 8, noError},
		{"a length outside", list(c32, countedBefore(schema.Field{Name: "e", Struct: list(a8, measured(field("b", schema.Bytes), "c"))})), 0, 8, false,
			"02000000 0200 01 4142 02 4344", "c 0:4, e 6:12", 12, noError},
		{"structures in structures", list(countedBefore(schema.Field{Name: "e", Struct: list(a8, countedBefore(schema.Field{Name: "f", Struct: list(b16, text)}))}), a8), 0, 8, false,
			"0200 01 0100 0700 41000000 02 0000 07", "e 2:14, a 14:15", 15, noError},

		{"no SID", list(sid, a8), 0, 8, false, "00000000 07", "s 0:4, a 4:5", 5, noError},
		{"SID, 64", list(sid, a8), 0, 8, false, "20dc9cfc88b4ffff 0000000000000000 01 01 000000000005 12000000 07", "s 0:28, a 28:29", 29, noError},
		{"SID, 32", list(sid, a8), 0, 4, false, "20dc9cfc 00000000 01 02 000000000005 20000000 20020000 07", "s 0:24, a 24:25", 25, noError},
		{"SID without sub-authorities", list(sid), 0, 4, false, "20dc9cfc 00000000 01 00 000000000005", "s 0:16", 16, noError},
		{"SID of no byte", list(sid), 0, 8, false, "", "s -", 0, "s: truncated"},
		{"SID of three bytes", list(sid), 0, 8, false, "000000", "s -", 0, "s: truncated"},
		{"SID without its own bytes", list(sid), 0, 8, false, "20dc9cfc88b4ffff 0000000000000000 01 01 0000000000", "s -", 0, "s: truncated"},
		{"SID without its last byte", list(sid), 0, 8, false, "20dc9cfc88b4ffff 0000000000000000 01 01 000000000005 120000", "s -", 0, "s: truncated"},
		{"SID of garbage", list(sid), 0, 8, false, "ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff", "s -", 0, "s: corrupt"},
		{"SID of 15 sub-authorities", list(sid), 0, 4, false, "ffffffff ffffffff 01 0f 000000000005" + strings.Repeat("00000000", 15), "s 0:76", 76, noError},
		{"SID of 16 sub-authorities", list(sid), 0, 4, false, "ffffffff ffffffff 01 10 000000000005" + strings.Repeat("00000000", 16), "s -", 0, "s: corrupt"},
		{"SID of another revision", list(sid), 0, 4, false, "ffffffff ffffffff 02 01 000000000005 12000000", "s -", 0, "s: corrupt"},

		{"counted", list(a8, counted(b16, "a"), a8), 0, 8, false, "02 1100 2200 07", "a 0:1, b 1:5, a 5:6", 6, noError},
		{"counted, none", list(a8, counted(b16, "a"), c32), 0, 8, false, "00 07000000", "a 0:1, b 1:1, c 1:5", 5, noError},
		{"counted, none, at the end", list(a8, counted(b16, "a")), 0, 8, false, "00", "a 0:1, b 1:1", 1, noError},
		{"counted, one too many", list(a8, counted(b16, "a")), 0, 8, false, "03 1100 2200", "a 0:1, b -", 1, "b: truncated"},
		{"counted, far too many", list(a8, counted(b16, "a")), 0, 8, false, "ff 1100 2200", "a 0:1, b -", 1, "b: corrupt"},
		{"counted, fewer", list(a8, counted(b16, "a")), 0, 8, false, "01 1100 2200", "a 0:1, b 1:3", 3, noError},
		{"counted, 2^32 - 1", list(c32, counted(b16, "c")), 0, 8, false, "ffffffff 1100", "c 0:4, b -", 4, "b: corrupt"},
		{"counted, 2^63", list(d64, counted(b16, "d")), 0, 8, false, "0000000000000080 1100", "d 0:8, b -", 8, "b: corrupt"},
		{"counted, 2^64 - 1", list(d64, counted(d64, "d")), 0, 8, false, "ffffffffffffffff 1100", "d 0:8, d -", 8, "d: corrupt"},
		{"counted, 2^61: times 8 is 0", list(d64, counted(p, "d")), 0, 8, false, "0000000000000020", "d 0:8, p -", 8, "p: corrupt"},
		{"counted by a negative number", list(field("i", schema.I32), counted(a8, "i")), 0, 8, false, "ffffffff 11", "i 0:4, a -", 4, "a: corrupt"},
		{"counted by a pointer, 32", list(p, counted(a8, "p")), 0, 4, false, "02000000 1122", "p 0:4, a 4:6", 6, noError},
		{"counted by a pointer, 64", list(p, counted(a8, "p")), 0, 8, false, "02000000 00000000 1122", "p 0:8, a 8:10", 10, noError},
		{"counted bytes", list(a8, measured(field("b", schema.Bytes), "a"), b16), 0, 8, false, "03 112233 0700", "a 0:1, b 1:4, b 4:6", 6, noError},
		{"counted units", list(a8, measured(field("u", schema.Chars16), "a"), b16), 0, 8, false, "02 41004200 0700", "a 0:1, u 1:5, b 5:7", 7, noError},
		{"counted by a missing field", list(optional(a8), counted(b16, "a")), 0, 8, false, "", "a -, b -", 0, "b: corrupt"},
		{"counted texts", list(a8, counted(text, "a"), a8), 0, 8, false, "02 4100 0000 0000 07", "a 0:1, t 1:7, a 7:8", 8, noError},
		{"counted texts, none", list(a8, counted(text, "a"), a8), 0, 8, false, "00 07", "a 0:1, t 1:1, a 1:2", 2, noError},
		{"counted texts, the last to the end", list(a8, counted(text, "a")), 0, 8, false, "02 4100 0000 4200", "a 0:1, t 1:7", 7, noError},
		{"counted texts, one too many", list(a8, counted(text, "a")), 0, 8, false, "02 4100 0000", "a 0:1, t -", 1, "t: truncated"},
		{"counted texts, far too many", list(a8, counted(text, "a")), 0, 8, false, "ff 4100 0000", "a 0:1, t -", 1, "t: corrupt"},
		{"fixed number", list(times(b16, 2), a8), 0, 8, false, "1100 2200 07", "b 0:4, a 4:5", 5, noError},
		{"fixed number, one missing", list(times(b16, 2), a8), 0, 8, false, "1100 22", "b -, a -", 0, "b: truncated"},
		{"rest", list(a8, times(p, schema.Rest)), 0, 8, false, "01" + zeros16, "a 0:1, p 1:17", 17, noError},
		{"rest of nothing", list(a8, times(p, schema.Rest)), 0, 8, false, "01", "a 0:1, p 1:1", 1, noError},
		{"rest, some over", list(a8, times(p, schema.Rest)), 0, 4, false, "01 00000000 000000", "a 0:1, p 1:5", 5, noError},
		{"rest of bytes", list(a8, ofLength(field("r", schema.Bytes), schema.Rest)), 0, 8, false, "01 020304", "a 0:1, r 1:4", 4, noError},
		{"natural: rest after padding", list(a8, times(p, schema.Rest)), 0, 8, true, "01 00000000000000" + zeros8, "a 0:1, p 8:16", 16, noError},
		{"natural: rest of nothing, without padding", list(a8, times(p, schema.Rest)), 0, 8, true, "01", "a 0:1, p 1:1", 1, noError},
		{"natural: rest of nothing, part of the padding", list(a8, times(p, schema.Rest)), 0, 8, true, "01 0000", "a 0:1, p 1:1", 1, noError},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &schema.Event{Class: "Test", Name: "A", Natural: test.natural, Fields: test.fields}
			layout := decode.NewLayout(e, test.version, test.pointerSize)
			if layout.Event != e || layout.Version != test.version || layout.PointerSize != test.pointerSize {
				t.Fatalf("%+v", layout)
			}
			payload := etltest.MustHex(t, test.payload)
			// Neither the spans of an earlier payload nor the slice's size matter.
			dirty := slices.Repeat([]decode.Span{{7, 9}}, 32)
			for _, spans := range [][]decode.Span{nil, dirty, dirty[:0], dirty[:1:1]} {
				got, fit := layout.Locate(payload, spans)
				if text := spansText(e, got); text != test.want {
					t.Fatalf("fields at\n\t%s, want\n\t%s (%v)", text, test.want, fit.Err)
				}
				checkFit(t, fit, test.used, test.fault)
			}
		})
	}
}

func checkFit(t *testing.T, fit decode.Fit, used int, fault string) {
	t.Helper()
	got := ""
	if fit.Err != nil {
		cause := "other"
		switch {
		case errors.Is(fit.Err, decode.ErrTruncated):
			cause = "truncated"
		case errors.Is(fit.Err, decode.ErrCorrupt):
			cause = "corrupt"
		}
		got = fit.Field.Name + ": " + cause
	}
	if fit.Used != used || got != fault || (fit.Field == nil) != (fit.Err == nil) {
		t.Fatalf("%d bytes used, fault %q (%v); want %d, %q", fit.Used, got, fit.Err, used, fault)
	}
}

// allLayouts calls f with every layout of the kernel's events: each version that
// changes something and one later version, in both pointer sizes.
func allLayouts(f func(l *decode.Layout)) {
	for _, table := range schema.KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			versions := []uint8{e.Since, 255}
			for i := range e.Fields {
				versions = append(versions, e.Fields[i].Since, e.Fields[i].Before)
			}
			slices.Sort(versions)
			for _, version := range slices.Compact(versions) {
				if e.In(version) {
					f(decode.NewLayout(e, version, 4))
					f(decode.NewLayout(e, version, 8))
				}
			}
		}
	}
}

// payloadWriter writes payloads that fit a layout. It shares only the
// description of the fields with Layout.
type payloadWriter struct {
	layout  *decode.Layout
	payload []byte
	spans   []decode.Span // per field; From -1: not in this version
	counts  map[string]int
}

func naturalAlign(f *schema.Field, pointerSize int) int {
	if f.Struct != nil {
		most := 1
		for i := range f.Struct {
			most = max(most, naturalAlign(&f.Struct[i], pointerSize))
		}
		return most
	}
	switch f.Kind {
	case schema.U16, schema.I16, schema.Port, schema.Chars16:
		return 2
	case schema.U32, schema.I32, schema.GUIDs, schema.IPv4, schema.IPv6:
		return 4
	case schema.U64, schema.I64, schema.FileTime, schema.Ticks:
		return 8
	case schema.Pointer, schema.Size:
		return pointerSize
	}
	return 1
}

func (w *payloadWriter) pad(f *schema.Field) {
	if w.layout.Event.Natural {
		for len(w.payload)%naturalAlign(f, w.layout.PointerSize) != 0 {
			w.payload = append(w.payload, 0xcc)
		}
	}
}

// writePayload writes a payload with elements elements in every array of
// variable length.
func writePayload(l *decode.Layout, elements int) *payloadWriter {
	w := &payloadWriter{layout: l, counts: make(map[string]int)}
	for i := range l.Event.Fields {
		for _, by := range []string{l.Event.Fields[i].CountField, l.Event.Fields[i].LengthField} {
			if by != "" {
				w.counts[by] = elements
			}
		}
	}
	for i := range l.Event.Fields {
		f := &l.Event.Fields[i]
		if !f.In(l.Version) {
			w.spans = append(w.spans, decode.Span{From: -1, To: -1})
			continue
		}
		w.pad(f)
		from := len(w.payload)
		n := 1
		switch {
		case f.CountField != "" || f.LengthField != "" || f.Count == schema.Rest || f.Length == schema.Rest:
			n = elements
		case f.Count > 0 || f.Length > 0:
			n = max(f.Count, f.Length)
		}
		for range n {
			if f.Struct == nil {
				w.value(f)
				continue
			}
			for j := range f.Struct {
				w.pad(&f.Struct[j])
				w.value(&f.Struct[j])
			}
			w.pad(f)
		}
		w.spans = append(w.spans, decode.Span{From: int32(from), To: int32(len(w.payload))})
	}
	return w
}

func (w *payloadWriter) value(f *schema.Field) {
	size := 0
	switch f.Kind {
	case schema.U8, schema.I8, schema.Bytes, schema.LZNT1Text16:
		size = 1
	case schema.U16, schema.I16, schema.Port, schema.Chars16:
		size = 2
	case schema.U32, schema.I32, schema.IPv4:
		size = 4
	case schema.U64, schema.I64, schema.FileTime, schema.Ticks:
		size = 8
	case schema.GUIDs, schema.IPv6:
		size = 16
	case schema.Pointer, schema.Size, schema.Key, schema.WideU32:
		size = w.layout.PointerSize
	case schema.Text16:
		w.payload = append(w.payload, 'T', 0, 'e', 0, 0, 1, 0, 0)
	case schema.Text8:
		w.payload = append(w.payload, "text\x00"...)
	case schema.WBEMSID:
		w.payload = append(w.payload, slices.Repeat([]byte{0xaa}, 2*w.layout.PointerSize)...)
		w.payload = append(w.payload, 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0)
	default:
		panic(f.Kind.String())
	}
	value := make([]byte, size)
	if count, counts := w.counts[f.Name]; counts {
		value[0] = byte(count)
	} else {
		for i := range value {
			value[i] = byte(0xe1 + i)
		}
	}
	w.payload = append(w.payload, value...)
}

// TestLocateEveryLayout locates the fields of written payloads of every event,
// whole and cut at every byte.
func TestLocateEveryLayout(t *testing.T) {
	layouts, payloads := 0, 0
	allLayouts(func(l *decode.Layout) {
		layouts++
		for elements := range 4 {
			w := writePayload(l, elements)
			spans, fit := l.Locate(w.payload, nil)
			if !slices.Equal(spans, w.spans) || fit.Err != nil || fit.Used != len(w.payload) {
				t.Fatalf("%s, %d elements: fields at\n\t%s\nwant\n\t%s\n%d of %d bytes: %v", layoutText(l), elements,
					spansText(l.Event, spans), spansText(l.Event, w.spans), fit.Used, len(w.payload), fit.Err)
			}
			for n := range len(w.payload) {
				payloads++
				w.checkCut(t, n)
			}
			if t.Failed() {
				return
			}
		}
	})
	if layouts < 1200 || payloads < 100_000 {
		t.Errorf("%d layouts, %d payloads", layouts, payloads)
	}
}

func layoutText(l *decode.Layout) string {
	return fmt.Sprintf("%s/%s version %d, pointers of %d", l.Event.Class, l.Event.Name, l.Version, l.PointerSize)
}

// checkCut locates the fields in the payload's first n bytes: fields before the
// cut are found, one field is cut, and later fields are not found.
func (w *payloadWriter) checkCut(t *testing.T, n int) {
	t.Helper()
	l := w.layout
	payload := slices.Clip(w.payload[:n])
	spans, fit := l.Locate(payload, nil)
	checkSpans(t, l, payload, spans, fit)
	used := 0
	for i := range l.Event.Fields {
		f, want, got := &l.Event.Fields[i], w.spans[i], spans[i]
		if int(want.To) <= n && want.From <= int32(n) {
			if got != want {
				t.Errorf("%s, %d bytes: %s at %v, want %v", layoutText(l), n, f.Name, got, want)
			}
			used = max(used, int(want.To))
			continue
		}
		left := n - int(want.From)
		switch {
		case f.Optional && left <= 0: // later fields are optional too
			if got.From >= 0 || fit.Err != nil {
				t.Errorf("%s, %d bytes: optional %s at %v, %v; want none", layoutText(l), n, f.Name, got, fit.Err)
			}
			continue
		case (f.Count == schema.Rest || f.Length == schema.Rest) && left >= 0:
			width, _ := f.Kind.Width(l.PointerSize)
			for j := range f.Struct {
				inner, _ := f.Struct[j].Kind.Width(l.PointerSize)
				width += inner
			}
			if to := int(want.From) + left/width*width; int(got.From) != int(want.From) || int(got.To) != to || fit.Err != nil {
				t.Errorf("%s, %d bytes: %s at %v, %v; want it up to %d", layoutText(l), n, f.Name, got, fit.Err, to)
			}
		case f.Count == schema.Rest || f.Length == schema.Rest:
			if got.From != got.To || int(got.From) != used || fit.Err != nil {
				t.Errorf("%s, %d bytes: %s at %v, %v; want none, as the payload ends in padding", layoutText(l), n, f.Name, got, fit.Err)
			}
		case (f.Kind == schema.Text16 || f.Kind == schema.Text8) && !f.IsArray() && left > 0:
			if got != (decode.Span{From: want.From, To: int32(n)}) {
				t.Errorf("%s, %d bytes: %s at %v, want it up to the end", layoutText(l), n, f.Name, got)
			}
		case f.IsArray() && f.Kind == schema.Text16 && fit.Field != f: // its last text is cut
			if got.From != want.From || int(got.To) != n {
				t.Errorf("%s, %d bytes: %s at %v", layoutText(l), n, f.Name, got)
			}
		default:
			if fit.Field != f || fit.Used != used || !errors.Is(fit.Err, decode.ErrTruncated) && !errors.Is(fit.Err, decode.ErrCorrupt) {
				t.Errorf("%s, %d bytes: %d used, %+v; want %d and %s", layoutText(l), n, fit.Used, fit, used, f.Name)
			}
			for _, later := range spans[i:] {
				if later.From >= 0 {
					t.Errorf("%s, %d bytes: %v after the field %s, which does not fit", layoutText(l), n, later, f.Name)
				}
			}
		}
		return
	}
	if fit.Err != nil || fit.Used != used {
		t.Errorf("%s, %d bytes: %d used, %v; want %d", layoutText(l), n, fit.Used, fit.Err, used)
	}
}

// checkSpans checks the properties that hold for any payload.
func checkSpans(t testing.TB, l *decode.Layout, payload []byte, spans []decode.Span, fit decode.Fit) {
	t.Helper()
	if len(spans) != len(l.Event.Fields) || fit.Used < 0 || fit.Used > len(payload) || (fit.Field == nil) != (fit.Err == nil) {
		t.Fatalf("%s: %d spans, %d of %d bytes used, %v, %v", layoutText(l), len(spans), fit.Used, len(payload), fit.Field, fit.Err)
	}
	end, stopped := 0, false
	for i, s := range spans {
		f := &l.Event.Fields[i]
		if stopped = stopped || f == fit.Field; s.From < 0 {
			if s != (decode.Span{From: -1, To: -1}) || f.In(l.Version) && !stopped && !f.Optional {
				t.Fatalf("%s: %s is missing: %v", layoutText(l), f.Name, fit.Err)
			}
			continue
		}
		if !f.In(l.Version) || stopped || int(s.From) < end || s.To < s.From || int(s.To) > len(payload) || int(s.To) > fit.Used {
			t.Fatalf("%s: %s at %v of %d bytes, %d used, after %d", layoutText(l), f.Name, s, len(payload), fit.Used, end)
		}
		if !l.Event.Natural && int(s.From) != end {
			t.Fatalf("%s: %s at %v leaves a gap after %d", layoutText(l), f.Name, s, end)
		}
		end = int(s.To)
		if width, fixed := f.Kind.Width(l.PointerSize); fixed && f.Struct == nil && int(s.To-s.From)%width != 0 ||
			fixed && !f.IsArray() && !f.Kind.HasLength() && f.Struct == nil && int(s.To-s.From) != width {
			t.Fatalf("%s: %s at %v, of width %d", layoutText(l), f.Name, s, width)
		}
	}
	if end != fit.Used {
		t.Fatalf("%s: fields end at %d, %d bytes used", layoutText(l), end, fit.Used)
	}
}

// allocations returns the number of allocations in a call. The runtime counts those of the whole
// process, including the garbage collector, finalizers of earlier tests and the fuzzing engine.
// Those vary between calls, so the smallest count of several calls is the call's own.
func allocations(call func()) float64 {
	least := math.Inf(1)
	for range 5 {
		if least = min(least, testing.AllocsPerRun(1, call)); least == 0 {
			break
		}
	}
	return least
}

// TestLocateDoesNotAllocate checks that Locate does not allocate for payloads that fit.
func TestLocateDoesNotAllocate(t *testing.T) {
	spans := make([]decode.Span, 0, 100)
	allLayouts(func(l *decode.Layout) {
		payload := writePayload(l, 3).payload
		if n := allocations(func() { spans, _ = l.Locate(payload, spans) }); n != 0 {
			t.Errorf("%s: %v allocations", layoutText(l), n)
		}
	})
}

// TestFixedPartBounded checks that positions of fields beyond any payload do not
// overflow.
func TestFixedPartBounded(t *testing.T) {
	fields := slices.Repeat([]schema.Field{times(field("g", schema.GUIDs), 1<<16)}, 5000)
	layout := decode.NewLayout(&schema.Event{Fields: fields}, 0, 8)
	payload := make([]byte, 1<<16)
	spans, fit := layout.Locate(payload, nil)
	if fit.Used != 0 || fit.Field != &fields[0] || !errors.Is(fit.Err, decode.ErrTruncated) || len(spans) != len(fields) {
		t.Errorf("%d spans, %+v", len(spans), fit)
	}
}

// TestValueOfNoLength checks that an array is one value if its elements have no length.
func TestValueOfNoLength(t *testing.T) {
	values := etltest.MustHex(t, "0102030405060708")
	for _, f := range []schema.Field{
		times(ofLength(field("r", schema.Chars16), schema.Rest), 1),
		times(measured(field("m", schema.Bytes), "a"), 2),
	} {
		value, rest := decode.NewLayout(&schema.Event{Fields: []schema.Field{f}}, 0, 8).Value(&f, values)
		if len(value) != len(values) || rest != nil {
			t.Errorf("%s: %x, then %x", f.Name, value, rest)
		}
	}
}
