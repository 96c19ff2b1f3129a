package decode_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestUnstated locates fields with unstated facts. A field is located only if the payload has
// exactly one reading.
func TestUnstated(t *testing.T) {
	number := schema.Field{Name: "number", Kind: schema.U32}
	text := schema.Field{Name: "text", Kind: schema.Text16}
	count := schema.Field{Name: "count", Kind: schema.U8}
	hash := schema.Field{Name: "hash", Kind: schema.Bytes, Unstated: schema.LengthUnstated}
	named := func(name string, sizes ...int) schema.Field {
		return schema.Field{Name: name, Kind: schema.Bytes, Unstated: schema.LengthUnstated, Sizes: sizes}
	}
	perhaps := func(name string, kind schema.Kind) schema.Field {
		return schema.Field{Name: name, Kind: kind, Unstated: schema.CountUnstated}
	}
	opaque := schema.Field{Name: "groups", Kind: schema.Bytes, CountField: "count", Unstated: schema.MembersUnstated}
	hinted := schema.Field{Name: "groups", CountField: "count", Unstated: schema.MembersUnstated,
		Struct: []schema.Field{{Name: "id", Kind: schema.U16}, {Name: "name", Kind: schema.Text16}}}
	for name, test := range map[string]struct {
		fields  []schema.Field
		payload string
		want    string // sizes of the fields, "-" for a missing one, and the result
	}{
		"one, the rest":              {[]schema.Field{number, hash}, "01000000 aabbcc", "4 3 whole"},
		"one, before a fixed tail":   {[]schema.Field{number, hash, number}, "01000000 aabbcc 02000000", "4 3 4 whole"},
		"one, no room for the tail":  {[]schema.Field{number, hash, number}, "01000000 aabbcc", "4 - - not stated"},
		"one of no bytes":            {[]schema.Field{number, hash, number}, "01000000 02000000", "4 - - not stated"},
		"one, before a text":         {[]schema.Field{hash, text}, "aabbcc 61006200 0000", "- - not stated"},
		"one, before a count":        {[]schema.Field{hash, count, {Name: "list", Kind: schema.U16, CountField: "count"}}, "aabbcc 01 0700", "- - - not stated"},
		"one, before a clear count":  {[]schema.Field{hash, count, {Name: "list", Kind: schema.U16, CountField: "count"}}, "aabb 02 0709 0809", "2 1 4 whole"},
		"a payload that ends before": {[]schema.Field{number, hash, number}, "01000000", "4 - - shorter"},
		"two of any size":            {[]schema.Field{hash, named("other")}, "aabbcc", "- - not stated"},
		"two of known sizes":         {[]schema.Field{named("a", 2), named("b", 1)}, "aabbcc", "2 1 whole"},
		"two that do not add up":     {[]schema.Field{named("a", 2), named("b", 2)}, "aabbcc", "- - not stated"},
		"two in two ways":            {[]schema.Field{named("a", 1, 2), named("b", 1, 2)}, "aabbcc", "- - not stated"},
		"two in one way of four":     {[]schema.Field{named("a", 1, 2), named("b", 1, 2)}, "aabbccdd", "2 2 whole"},
		"one value":                  {[]schema.Field{number, perhaps("values", schema.U32)}, "01000000 02000000", "4 4 whole"},
		"an array":                   {[]schema.Field{number, perhaps("values", schema.U32)}, "01000000 02000000 03000000", "4 - not stated"},
		"an array before a text":     {[]schema.Field{perhaps("values", schema.U32), text}, "01000000 61006200 63000000", "- - not stated"},
		"a value before a text":      {[]schema.Field{perhaps("values", schema.U32), text}, "01000000 6100 0000", "4 4 whole"},
		"texts":                      {[]schema.Field{perhaps("a", schema.Text16), perhaps("b", schema.Text16)}, "61000000 62000000", "4 4 whole"},
		"too many texts":             {[]schema.Field{perhaps("a", schema.Text16), perhaps("b", schema.Text16)}, "61000000 62000000 63000000", "- - not stated"},
		"a value beside any size":    {[]schema.Field{perhaps("a", schema.U32), hash}, "01000000 aabb", "- - not stated"},
		"opaque structures":          {[]schema.Field{count, opaque, number}, "02 0102030405 07000000", "1 5 4 whole"},
		"no opaque structures":       {[]schema.Field{count, opaque, number}, "00 07000000", "1 0 4 whole"},
		"opaque structures of none":  {[]schema.Field{count, opaque, number}, "00 01 07000000", "1 - - not stated"},
		"more structures than bytes": {[]schema.Field{count, opaque, number}, "03 0102 07000000", "1 - - not stated"},
		"members from elsewhere":     {[]schema.Field{count, hinted, number}, "02 0100 61000000 0200 0000 07000000", "1 10 4 whole"},
		"other members":              {[]schema.Field{count, hinted, number}, "01 01 07000000", "1 - - not stated"},
		"in a structure":             {[]schema.Field{{Name: "outer", Struct: []schema.Field{number, hash}}}, "01000000 aabb", "- not stated"},
	} {
		t.Run(name, func(t *testing.T) {
			payload := etltest.MustHex(t, test.payload)
			layout := decode.NewLayout(&schema.Event{Fields: test.fields}, 0, 8)
			spans, fit := layout.Locate(payload, nil)
			var got []string
			for _, s := range spans {
				if s.From < 0 {
					got = append(got, "-")
				} else {
					got = append(got, fmt.Sprint(s.To-s.From))
				}
			}
			switch {
			case fit.Shorter:
				got = append(got, "shorter")
			case errors.Is(fit.Err, decode.ErrUnstated):
				got = append(got, "not stated")
			case fit.Reading(len(payload)) == decode.Whole:
				got = append(got, "whole")
			default:
				got = append(got, fmt.Sprint(fit.Err))
			}
			if have := strings.Join(got, " "); have != test.want {
				t.Errorf("%s, want %s", have, test.want)
			}
		})
	}
}

// FuzzUnstated locates fields, some of which are unstated. An unstated field has a value only if,
// of all ways to state the fields, exactly one takes the payload to its last byte: one value each.
func FuzzUnstated(f *testing.F) {
	f.Add([]byte{0x00, 0x16, 0x03}, []byte("\x01\x00\x00\x00abc\x02\x00"))
	f.Add([]byte{0x21, 0x03}, []byte("\x01\x00\x02\x00a\x00\x00\x00"))
	f.Add([]byte{0x56, 0x66}, []byte("abcd"))
	f.Fuzz(func(t *testing.T, description, payload []byte) {
		if len(description) > 4 || len(payload) > 20 {
			return
		}
		kinds := []schema.Kind{schema.U8, schema.U16, schema.U32, schema.Text16, schema.Text8, schema.GUIDs}
		var fields []schema.Field
		for i, b := range description {
			field := schema.Field{Name: fmt.Sprint("f", i), Kind: kinds[int(b&0xf)%len(kinds)]}
			switch b >> 4 {
			case 1:
				field.Kind, field.Unstated = schema.Bytes, schema.LengthUnstated
			case 2:
				field.Unstated = schema.CountUnstated
			case 5:
				field.Kind, field.Unstated, field.Sizes = schema.Bytes, schema.LengthUnstated, []int{1, 3}
			case 6:
				field.Kind, field.Unstated, field.Sizes = schema.Bytes, schema.LengthUnstated, []int{2, 3, 8}
			}
			fields = append(fields, field)
		}
		spans, fit := decode.NewLayout(&schema.Event{Fields: fields}, 0, 8).Locate(payload, nil)
		located := false
		for i, s := range spans {
			if s.From >= 0 && (s.To < s.From || int(s.To) > len(payload)) {
				t.Fatalf("field %d is at %v of %d bytes", i, s, len(payload))
			}
			located = located || s.From >= 0 && fields[i].Unstated != 0
		}
		if !located {
			return
		}
		if fit.Err != nil || fit.Used != len(payload) {
			t.Fatalf("an unstated field is located, and %d of %d bytes are used, %v", fit.Used, len(payload), fit.Err)
		}
		readings := 0
		if countUnstated(fields) == 1 {
			for i := range fields { // a single unstated field may have any size
				fields[i].Sizes = nil
			}
		}
		stated(fields, payload, func(fields []schema.Field, isArray bool) {
			found, fit := decode.NewLayout(&schema.Event{Fields: fields}, 0, 8).Locate(payload, nil)
			if fit.Err != nil || fit.Used != len(payload) {
				return
			}
			if readings++; readings > 1 || isArray || !slices.Equal(found, spans) {
				t.Errorf("%d. reading %v of %+v, located %v", readings, found, fields, spans)
			}
		})
		if readings != 1 {
			t.Errorf("%d readings of %+v, located %v of %x", readings, fields, spans, payload)
		}
	})
}

func countUnstated(fields []schema.Field) (n int) {
	for i := range fields {
		if isUnstated(fields[i]) {
			n++
		}
	}
	return n
}

func isUnstated(f schema.Field) bool { return f.Unstated != 0 }

// stated calls visit with every way to state the fields.
func stated(fields []schema.Field, payload []byte, visit func(fields []schema.Field, isArray bool)) {
	i := slices.IndexFunc(fields, isUnstated)
	if i < 0 {
		visit(fields, slices.ContainsFunc(fields, func(f schema.Field) bool { return f.Count > 1 }))
		return
	}
	state := func(change func(f *schema.Field)) {
		own := slices.Clone(fields)
		own[i].Unstated, own[i].Sizes = 0, nil
		change(&own[i])
		stated(own, payload, visit)
	}
	sizes := fields[i].Sizes
	for n := 1; n <= len(payload); n++ {
		switch {
		case fields[i].Unstated == schema.CountUnstated && n == 1:
			state(func(*schema.Field) {})
		case fields[i].Unstated == schema.CountUnstated:
			state(func(f *schema.Field) { f.Count = n })
		case sizes == nil || slices.Contains(sizes, n):
			state(func(f *schema.Field) { f.Length = n })
		}
	}
}
