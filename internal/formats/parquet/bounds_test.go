package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// footerOf decodes the footer of a file.
func footerOf(t testing.TB, data []byte) *fileMeta {
	t.Helper()
	end := len(data) - footerLength
	length := int(binary.LittleEndian.Uint32(data[end:]))
	meta := new(fileMeta)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), data[end-length:end], meta); err != nil {
		t.Fatal(err)
	}
	return meta
}

// cells returns rows of one column.
func cells(values ...any) (rows [][]cell) {
	for _, v := range values {
		rows = append(rows, []cell{{v}})
	}
	return rows
}

// TestBounds compares the bounds of one chunk with the bytes that the format has for them.
func TestBounds(t *testing.T) {
	nan, minus0 := math.NaN(), math.Copysign(0, -1)
	float := func(v float32) string { return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))) }
	double := func(v float64) string {
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	text := strings.Repeat
	for name, test := range map[string]struct {
		of        schema.Type
		values    []any
		low, high string // none if both are ""
		cut       string // which of them are cut: low, high
	}{
		"true":                 {schema.Boolean, []any{true, true}, "\x01", "\x01", ""},
		"false":                {schema.Boolean, []any{false}, "\x00", "\x00", ""},
		"both":                 {schema.Boolean, []any{true, false}, "\x00", "\x01", ""},
		"doubles":              {schema.Double, []any{1.5, -2.5, math.Inf(1)}, double(-2.5), double(math.Inf(1)), ""},
		"negative doubles":     {schema.Double, []any{-1.5, -2.5, math.Inf(-1)}, double(math.Inf(-1)), double(-1.5), ""},
		"zero":                 {schema.Double, []any{0.0}, double(minus0), double(0), ""},
		"minus zero":           {schema.Double, []any{minus0}, double(minus0), double(0), ""},
		"zero and more":        {schema.Double, []any{0.0, 3.0}, double(minus0), double(3), ""},
		"zero and less":        {schema.Double, []any{minus0, -3.0}, double(-3), double(0), ""},
		"NaN":                  {schema.Double, []any{1.0, nan, 2.0}, "", "", ""},
		"only NaN":             {schema.Double, []any{nan}, "", "", ""},
		"floats":               {schema.Float, []any{float32(-1.5), float32(1.5), float32(-2.5)}, float(-2.5), float(1.5), ""},
		"negative floats":      {schema.Float, []any{float32(-1.5), float32(-2.5)}, float(-2.5), float(-1.5), ""},
		"zero as a float":      {schema.Float, []any{float32(0)}, float(float32(minus0)), float(0), ""},
		"minus zero as float":  {schema.Float, []any{float32(minus0)}, float(float32(minus0)), float(0), ""},
		"NaN as a float":       {schema.Float, []any{float32(nan), float32(1)}, "", "", ""},
		"short texts":          {schema.String, []any{"b", "", "a"}, "", "b", ""},
		"longest":              {schema.String, []any{text("a", 16)}, text("a", 16), text("a", 16), ""},
		"too long":             {schema.String, []any{text("a", 17)}, text("a", 16), text("a", 15) + "b", "low high"},
		"only the upper one":   {schema.String, []any{"a", text("b", 500)}, "a", text("b", 15) + "c", "high"},
		"only the lower one":   {schema.String, []any{text("b", 500), "c"}, text("b", 16), "c", "low"},
		"inside a character":   {schema.String, []any{"a" + text("é", 100)}, "a" + text("é", 7), "a" + text("é", 6) + "ê", "low high"},
		"before the surrogate": {schema.String, []any{text("\ud7ff", 50)}, text("\ud7ff", 5), text("\ud7ff", 4) + "\ue000", "low high"},
		"a longer character":   {schema.String, []any{text("\x7f", 17)}, text("\x7f", 16), text("\x7f", 15) + "\u0080", "low high"},
		"last character":       {schema.String, []any{"a" + text("\U0010ffff", 50)}, "a" + text("\U0010ffff", 3), "b", "low high"},
		"no greater text":      {schema.String, []any{"a", text("\U0010ffff", 33)}, "", "", ""},
		"unsigned":             {schema.Uint64, []any{uint64(1), uint64(math.MaxUint64)}, "\x01\x00\x00\x00\x00\x00\x00\x00", text("\xff", 8), ""},
	} {
		t.Run(name, func(t *testing.T) {
			table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "a", Type: test.of}}}
			data := writeCells(t, table, "none", groupSizes{{1, len(test.values) - 1}}, cells(test.values...))
			s := footerOf(t, data).RowGroups[0].Columns[0].MetaData.Statistics
			if hasBounds := s.MaxValue != nil; hasBounds != (test.high != "") || string(s.MinValue) != test.low || string(s.MaxValue) != test.high {
				t.Errorf("bounds %q to %q, want %q to %q", s.MinValue, s.MaxValue, test.low, test.high)
			}
			var low, high thrift.Null[bool]
			if test.cut != "" {
				low, high = thrift.New(!strings.Contains(test.cut, "low")), thrift.New(!strings.Contains(test.cut, "high"))
			}
			if s.IsMinValueExact != low || s.IsMaxValueExact != high {
				t.Errorf("exact: %v and %v, want %v and %v", s.IsMinValueExact, s.IsMaxValueExact, low, high)
			}
		})
	}
}

// TestLongBounds checks that bounds are longer in a row group of many rows.
func TestLongBounds(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "a", Type: schema.String}}}
	for rows, want := range map[int]int{fewRows: shortBound, fewRows + 1: maxBound} {
		values := make([]any, rows)
		for i := range values {
			values[i] = strings.Repeat("a", 200)
		}
		data := writeCells(t, table, "none", groupSizes{{rows}}, cells(values...))
		s := footerOf(t, data).RowGroups[0].Columns[0].MetaData.Statistics
		if len(s.MinValue) != want || len(s.MaxValue) != want {
			t.Errorf("%d rows: bounds of %d and %d bytes, want %d", rows, len(s.MinValue), len(s.MaxValue), want)
		}
	}
}

// TestBoundsOfPages combines the bounds of pages: one that is not cut is exact.
func TestBoundsOfPages(t *testing.T) {
	long := strings.Repeat("a", maxBound)
	for _, order := range [][]string{{long, long + "b"}, {long + "b", long}} {
		p := chunkPages{spec: &schema.Column{Type: schema.String}, bounded: true}
		for _, text := range order {
			b := bounds{lowText: []byte(text), highText: []byte(text)}
			b.cut(maxBound)
			p.list = append(p.list, pageInfo{bounds: b})
		}
		s := p.statistics()
		if string(s.MinValue) != long || s.IsMinValueExact != thrift.New(true) || s.IsMaxValueExact != thrift.New(false) {
			t.Errorf("from %q (%v) to %q (%v)", s.MinValue, s.IsMinValueExact, s.MaxValue, s.IsMaxValueExact)
		}
	}
	p := chunkPages{spec: &schema.Column{Type: schema.Double}, bounded: true, list: []pageInfo{{}, {bounds: bounds{none: true}}, {empty: true}}}
	if s := p.statistics(); s.MaxValue != nil || p.columnIndex() != nil {
		t.Error("a chunk with a page without bounds has bounds")
	}
}

// TestCutBounds cuts random texts, valid and not: bounds are valid if the texts are, short, and
// around them.
func TestCutBounds(t *testing.T) {
	r := testenv.Seeded("cut bounds")
	letters := []string{"a", "\x7f", "é", "\u07ff", "\ud7ff", "\uffff", "\U0010ffff", "\xff", "\x80"}
	for range 20_000 {
		var text []byte
		few := letters[:2+r.IntN(len(letters)-1)]
		longest := longestBound(r.IntN(2 * fewRows))
		for len(text) <= longest || r.IntN(5) > 0 {
			text = append(text, few[r.IntN(len(few))]...)
		}
		b := bounds{lowText: text, highText: text}
		b.cut(longest)
		if bytes.Compare(b.lowText, text) > 0 || !b.none && bytes.Compare(b.highText, text) <= 0 {
			t.Fatalf("%q: from %q to %q", text, b.lowText, b.highText)
		}
		if max(len(b.lowText), len(b.highText)) >= longest+utf8.UTFMax {
			t.Fatalf("%q: bounds of %d and %d bytes", text, len(b.lowText), len(b.highText))
		}
		if utf8.Valid(text) && !(utf8.Valid(b.lowText) && utf8.Valid(b.highText)) {
			t.Fatalf("%q: from %q to %q", text, b.lowText, b.highText)
		}
	}
}
