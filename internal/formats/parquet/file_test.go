package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// firstColumn has bounds, because the Parquet library (v0.32.0, File.ReadPageIndex)
// finds no column index if the first column has none.
var firstColumn = schema.Column{Name: "first", Type: schema.Int32}

// libraryReads lists the codecs that the Parquet library can read. LZ4 is missing
// (v0.32.0, Column.decompress): the library discards the result when its codec
// returns a new buffer.
var libraryReads = []string{"zstd", "snappy", "none"}

// everyColumn returns a table with a column of each type and encoding, with and
// without nulls, and with lists of them.
func everyColumn() *schema.Table {
	table := &schema.Table{Name: "every_column", SortBy: []string{"int64_rising"}, Columns: []schema.Column{firstColumn}}
	for _, kind := range []struct {
		t         schema.Type
		encodings []schema.Encoding
	}{
		{schema.Boolean, []schema.Encoding{schema.Repeating}},
		{schema.Float, []schema.Encoding{schema.Repeating}},
		{schema.Double, []schema.Encoding{schema.Repeating}},
		{schema.Int32, []schema.Encoding{schema.Repeating, schema.Rising, schema.Varied}},
		{schema.Int64, []schema.Encoding{schema.Repeating, schema.Rising, schema.Varied}},
		{schema.Uint64, []schema.Encoding{schema.Repeating, schema.Rising, schema.Varied}},
		{schema.Timestamp, []schema.Encoding{schema.Repeating, schema.Rising, schema.Varied}},
		{schema.String, []schema.Encoding{schema.Repeating, schema.Varied}},
		{schema.Binary, []schema.Encoding{schema.Repeating, schema.Varied}},
	} {
		for _, encoding := range kind.encodings {
			for form := range 4 {
				name := strings.ToLower(kind.t.String()) + [...]string{"", "_rising", "_varied"}[encoding] + [...]string{"", "_null", "_list", "_list_null"}[form]
				table.Columns = append(table.Columns, schema.Column{Name: name, Type: kind.t, Encoding: encoding, Nullable: form&1 != 0, List: form&2 != 0})
			}
		}
	}
	return table
}

// cell is a value in a row: nil for null, the elements of a list, or one value.
type cell []any

// fillColumn appends a cell to a column of a batch.
func fillColumn(b *columns.Batch, c *columns.Column, row int, v cell) {
	if v == nil {
		return
	}
	if c.Spec.Nullable {
		c.At(row)
	}
	for _, e := range v {
		switch e := e.(type) {
		case bool:
			c.Bool(e)
		case float32:
			c.Float32(e)
		case float64:
			c.Float64(e)
		case int32:
			c.Int32(e)
		case int64:
			c.Int64(e)
		case uint64:
			c.Uint64(e)
		case string:
			if c.Spec.Encoding == schema.Varied {
				c.Blob([]byte(e))
			} else {
				c.Code(b.Texts.Text(e))
			}
		}
	}
	if c.Spec.List {
		c.EndList()
	}
}

// randomCell returns one of distinct values for a column.
func randomCell(r *rand.Rand, c *schema.Column, distinct int64, nulls float64) cell {
	if c.Nullable && r.Float64() < nulls {
		return nil
	}
	n := 1
	if c.List {
		n = r.IntN(4)
	}
	v := make(cell, 0, n)
	for range n {
		pick := r.Int64N(distinct)
		if distinct > 1000 {
			pick *= math.MaxInt64 / distinct
		}
		switch c.Type {
		case schema.Boolean:
			v = append(v, pick%2 == 0)
		case schema.Float:
			v = append(v, float32(pick)/3)
		case schema.Double:
			v = append(v, float64(pick)/3)
		case schema.Int32:
			v = append(v, int32(pick-distinct/2))
		case schema.Uint64:
			v = append(v, uint64(pick)<<1-uint64(distinct))
		case schema.String, schema.Binary:
			v = append(v, strings.Repeat("x", int(pick%7))+fmt.Sprint(pick)[:pick%2])
		default:
			v = append(v, pick-distinct/2)
		}
	}
	return v
}

// groupSizes has the row counts of the batches in each row group.
type groupSizes [][]int

// writeCells writes rows as batches and row groups of given sizes.
func writeCells(t testing.TB, table *schema.Table, compression string, sizes groupSizes, rows [][]cell) []byte {
	t.Helper()
	return writePages(t, table, compression, nil, sizes, rows)
}

// lowLimits are the limits on pages of small tests.
var lowLimits = pageLimits{rows: 2000, bytes: 16_000, levels: 2700, dictionary: 650}

// eachLimits calls test with low limits and, in the tier of all tests, with the default ones.
func eachLimits(t *testing.T, test func(t *testing.T, l *pageLimits)) {
	t.Run("low", func(t *testing.T) { test(t, &lowLimits) })
	t.Run("default", func(t *testing.T) {
		testenv.All(t, "hundreds of thousands of rows")
		test(t, &defaultLimits)
	})
}

// writePages does the same with limits on pages.
func writePages(t testing.TB, table *schema.Table, compression string, l *pageLimits, sizes groupSizes, rows [][]cell) []byte {
	t.Helper()
	codec, err := NewCodec(compression)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	f, err := NewFile(&out, table, Options{Codec: codec, lower: l})
	if err != nil {
		t.Fatal(err)
	}
	for _, batches := range sizes {
		g := f.RowGroup()
		g.Only = len(sizes) == 1
		for _, n := range batches {
			b := columns.NewBatch(table)
			for i := range n {
				for c := range b.Columns {
					fillColumn(b, &b.Columns[c], i, rows[i][c])
				}
				b.Rows++
			}
			rows = rows[n:]
			if err := g.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(g.Finish(), g.Commit()); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// goValue converts a value of the Parquet library to a cell's value.
func goValue(c *schema.Column, v parquet.Value) any {
	switch c.Type {
	case schema.Boolean:
		return v.Boolean()
	case schema.Float:
		return v.Float()
	case schema.Double:
		return v.Double()
	case schema.Int32:
		return v.Int32()
	case schema.Uint64:
		return v.Uint64()
	case schema.String, schema.Binary:
		return string(v.ByteArray())
	}
	return v.Int64()
}

// readCells reads the rows of a file with the Parquet library.
func readCells(t testing.TB, table *schema.Table, f *parquet.File) [][]cell {
	t.Helper()
	rows := make([][]cell, f.NumRows())
	for i := range rows {
		rows[i] = make([]cell, len(table.Columns))
	}
	for i := range table.Columns {
		c, row := &table.Columns[i], -1
		for _, group := range f.RowGroups() {
			parquettest.EachValue(t, group.ColumnChunks()[i], func(v parquet.Value) {
				if v.RepetitionLevel() == 0 {
					row++
				}
				switch {
				case !v.IsNull():
					rows[row][i] = append(rows[row][i], goValue(c, v))
				case c.List && (!c.Nullable || v.DefinitionLevel() == 1):
					rows[row][i] = cell{}
				}
			})
		}
		if row != len(rows)-1 {
			t.Errorf("column %s has %d rows, want %d", c.Name, row+1, len(rows))
		}
	}
	return rows
}

func compareCells(t testing.TB, got, want [][]cell) {
	t.Helper()
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d:\n%.2000s", i, cmp.Diff(want[i], got[i]))
		}
	}
}

func randomRowsOf(r *rand.Rand, table *schema.Table, n int, distinct int64, nulls float64) [][]cell {
	rows := make([][]cell, n)
	for i := range rows {
		for c := range table.Columns {
			rows[i] = append(rows[i], randomCell(r, &table.Columns[c], distinct, nulls))
		}
	}
	return rows
}

func total(sizes groupSizes) (n int) {
	for _, batches := range sizes {
		for _, rows := range batches {
			n += rows
		}
	}
	return n
}

// TestParquetFile reads written files with the Parquet library.
func TestParquetFile(t *testing.T) {
	table := everyColumn()
	const lowPage = 700
	l := &pageLimits{rows: lowPage, bytes: 1 << 20, levels: 1 << 20, dictionary: 1000}
	for _, test := range []struct {
		name     string
		sizes    groupSizes
		distinct int64
		nulls    float64
	}{
		{"one row", groupSizes{{1}}, 5, 0.5},
		{"no nulls", groupSizes{{300}}, 5, 0},
		{"all null", groupSizes{{300}, {20, 1}}, 5, 1},
		{"few nulls", groupSizes{{500, 700}, {1}, {3, 3, 3}}, 100, 0.05},
		{"many nulls", groupSizes{{500, 700}, {1000}}, 10, 0.95},
		{"one value", groupSizes{{2000}, {100}}, 1, 0.3},
		{"all distinct", groupSizes{{1000, 1000}, {1000}}, 1 << 40, 0.3},
		{"pages", groupSizes{{lowPage - 1, 2, 500}}, 30, 0.2},
	} {
		for _, compression := range libraryReads {
			t.Run(test.name+"/"+compression, func(t *testing.T) {
				t.Parallel()
				rows := randomRowsOf(testenv.Seeded(test.name), table, total(test.sizes), test.distinct, test.nulls)
				data := writePages(t, table, compression, l, test.sizes, rows)
				f := parquettest.Open(t, data)
				if n := len(f.RowGroups()); n != len(test.sizes) {
					t.Errorf("%d row groups, want %d", n, len(test.sizes))
				}
				got := readCells(t, table, f)
				compareCells(t, got, rows)
				checkIndexes(t, table, f, data)
				if !bytes.Equal(data, writePages(t, table, compression, l, test.sizes, rows)) {
					t.Error("writing the same rows again gives other bytes")
				}
			})
		}
	}
}

// checkIndexes compares the page indexes and the statistics of a file with its
// pages.
func checkIndexes(t *testing.T, table *schema.Table, f *parquet.File, data []byte) {
	t.Helper()
	leaves, err := leavesOf(table)
	if err != nil {
		t.Fatal(err)
	}
	groupEnd := int64(len(magic))
	for g, group := range f.RowGroups() {
		meta := &f.Metadata().RowGroups[g]
		if meta.FileOffset != groupEnd || meta.NumRows != group.NumRows() {
			t.Errorf("row group %d: at %d, want %d", g, meta.FileOffset, groupEnd)
		}
		size := int64(0)
		for i, chunk := range group.ColumnChunks() {
			c := &meta.Columns[i].MetaData
			start := c.DataPageOffset
			if c.DictionaryPageOffset != 0 {
				start = c.DictionaryPageOffset
			}
			if start != groupEnd+size {
				t.Errorf("row group %d, %v: at %d, want %d", g, leaves[i].path, start, groupEnd+size)
			}
			size += c.TotalCompressedSize
			if err := checkChunk(leaves[i].spec, chunk, start, start+c.TotalCompressedSize); err != nil {
				t.Errorf("row group %d, %v: %v", g, leaves[i].path, err)
			}
		}
		if meta.TotalCompressedSize != size {
			t.Errorf("row group %d: %d bytes, its columns have %d", g, meta.TotalCompressedSize, size)
		}
		groupEnd += size
	}
	if groupEnd > int64(len(data)) {
		t.Errorf("row groups end at %d of %d bytes", groupEnd, len(data))
	}
}

// checkChunk compares the indexes of a chunk with its pages.
func checkChunk(spec *schema.Column, chunk parquet.ColumnChunk, start, end int64) error {
	offsets, err := chunk.OffsetIndex()
	if errors.Is(err, parquet.ErrMissingOffsetIndex) {
		return checkPage(chunk)
	}
	if err != nil {
		return err
	}
	bounds, err := chunk.ColumnIndex()
	if err != nil && !errors.Is(err, parquet.ErrMissingColumnIndex) {
		return err
	}
	pages := chunk.Pages()
	defer pages.Close()
	row, at, longest := int64(0), int64(0), 0
	for p := range offsets.NumPages() {
		if offsets.FirstRowIndex(p) != row {
			return fmt.Errorf("page %d begins with row %d, want %d", p, offsets.FirstRowIndex(p), row)
		}
		if o := offsets.Offset(p); o < start || o < at || o+offsets.CompressedPageSize(p) > end {
			return fmt.Errorf("page %d is at %d, %d bytes", p, o, offsets.CompressedPageSize(p))
		}
		at = offsets.Offset(p) + offsets.CompressedPageSize(p)
		if err := pages.SeekToRow(row); err != nil { // finds the page by its offset
			return err
		}
		page, err := pages.ReadPage()
		if err != nil {
			return fmt.Errorf("page %d: %w", p, err)
		}
		values, err := pageValues(page)
		if err != nil {
			return fmt.Errorf("page %d: %w", p, err)
		}
		row += page.NumRows()
		parquet.Release(page)
		for _, v := range values {
			longest = max(longest, len(v.Bytes())) // short for numbers
		}
		if bounds == nil {
			continue
		}
		if err := checkBounds(spec, chunk.Type(), bounds, p, values); err != nil {
			return fmt.Errorf("page %d: %w", p, err)
		}
	}
	if want := hasBounds(spec) && longest <= maxBound; want != (bounds != nil) {
		return fmt.Errorf("has a column index: %t, want %t", bounds != nil, want)
	}
	if at != end {
		return fmt.Errorf("the last page ends at %d, the chunk at %d", at, end)
	}
	return nil
}

// checkPage checks that a chunk without page indexes has a single page.
func checkPage(chunk parquet.ColumnChunk) error {
	if _, err := chunk.ColumnIndex(); !errors.Is(err, parquet.ErrMissingColumnIndex) {
		return fmt.Errorf("a column index, but no offset index: %w", err)
	}
	pages := chunk.Pages()
	defer pages.Close()
	page, err := pages.ReadPage()
	if err != nil {
		return err
	}
	parquet.Release(page)
	if _, err := pages.ReadPage(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("a second page, but no indexes: %w", err)
	}
	return nil
}

func pageValues(page parquet.Page) ([]parquet.Value, error) {
	values := make([]parquet.Value, page.NumValues())
	n, err := page.Values().ReadValues(values)
	if err != nil && !errors.Is(err, io.EOF) || n != len(values) {
		return nil, fmt.Errorf("%d of %d values: %w", n, len(values), err)
	}
	for i := range values {
		values[i] = values[i].Clone()
	}
	return values, nil
}

func checkBounds(spec *schema.Column, typ parquet.Type, bounds parquet.ColumnIndex, p int, values []parquet.Value) error {
	nulls := int64(0)
	var low, high parquet.Value
	for _, v := range values {
		switch {
		case v.IsNull():
			nulls++
			continue
		case low.IsNull():
			low, high = v, v
		}
		if typ.Compare(v, low) < 0 {
			low = v
		}
		if typ.Compare(v, high) > 0 {
			high = v
		}
	}
	if bounds.NullCount(p) != nulls || bounds.NullPage(p) != low.IsNull() {
		return fmt.Errorf("%d nulls, null page %t; want %d, %t", bounds.NullCount(p), bounds.NullPage(p), nulls, low.IsNull())
	}
	if low.IsNull() {
		return nil
	}
	if gotLow, gotHigh := goValue(spec, bounds.MinValue(p)), goValue(spec, bounds.MaxValue(p)); gotLow != goValue(spec, low) || gotHigh != goValue(spec, high) {
		return fmt.Errorf("from %v to %v, want %v to %v", gotLow, gotHigh, goValue(spec, low), goValue(spec, high))
	}
	return nil
}

// TestDictionaryOverflow writes more distinct numbers than a dictionary may hold.
func TestDictionaryOverflow(t *testing.T) {
	testenv.Sequential(t)
	eachLimits(t, testDictionaryOverflow)
}

func testDictionaryOverflow(t *testing.T, l *pageLimits) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		{Name: "a", Type: schema.Int32}, {Name: "b", Type: schema.Int64, Nullable: true},
		{Name: "c", Type: schema.Uint64, List: true}, {Name: "d", Type: schema.String},
	}}
	n := 2*l.rows + 100
	rows := make([][]cell, n)
	for i := range rows {
		v := i
		if i < l.rows || i >= 2*l.rows+50 { // also values in the dictionary, after the writer gave it up
			v = i % (l.rows / fewRepeats / 2)
		}
		rows[i] = []cell{{int32(v)}, {int64(v) << 33}, {uint64(v), uint64(v / 2)}, {fmt.Sprint(v)}}
		if i%5 == 0 {
			rows[i][1] = nil
		}
	}
	f := parquettest.Open(t, writePages(t, table, "zstd", l, groupSizes{{n / 2, n - n/2 - 20}, {20}}, rows))
	compareCells(t, readCells(t, table, f), rows)
	for i := range 3 {
		meta := &f.Metadata().RowGroups[0].Columns[i].MetaData
		if len(meta.EncodingStats) != 3 {
			t.Errorf("column %d: %+v", i, meta.EncodingStats)
		}
	}
}

// TestPageLimits writes values of any size, and checks that full pages end.
func TestPageLimits(t *testing.T) {
	testenv.Sequential(t)
	eachLimits(t, testPageLimits)
}

func testPageLimits(t *testing.T, l *pageLimits) {
	longest := l.bytes / 80
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		firstColumn, {Name: "a", Type: schema.Binary, Encoding: schema.Varied}, {Name: "b", Type: schema.String, Encoding: schema.Varied, Nullable: true},
		{Name: "c", Type: schema.Uint64, Encoding: schema.Varied, List: true},
	}}
	r := testenv.Seeded("pages")
	rows := make([][]cell, 1000)
	bytes := 0
	for i := range rows {
		long := strings.Repeat(string(rune('a'+i%26)), r.IntN(longest))
		list := make(cell, r.IntN(longest/4))
		for e := range list {
			list[e] = r.Uint64()
		}
		rows[i] = []cell{{int32(i)}, {long}, {long[:len(long)/2]}, list}
		bytes += len(long)
	}
	rows[500][1] = cell{strings.Repeat("x", 3*l.bytes)}
	rows[501][2] = cell{strings.Repeat("x", 3*l.bytes)}
	data := writePages(t, table, "snappy", l, groupSizes{{600, 400}}, rows)
	f := parquettest.Open(t, data)
	got := readCells(t, table, f)
	compareCells(t, got, rows)
	checkIndexes(t, table, f, data)
	offsets, err := f.RowGroups()[0].ColumnChunks()[1].OffsetIndex()
	if err != nil {
		t.Fatal(err)
	}
	if n, least := offsets.NumPages(), bytes/(l.bytes+pageStep*longest); n < least || n > 2+bytes/l.bytes+1 {
		t.Errorf("%d pages for %d bytes", n, bytes)
	}
}

// TestRealTables writes every table without rows, with a row of nulls where they
// are allowed, and with rows that have values in every column.
func TestRealTables(t *testing.T) {
	testenv.Sequential(t)
	groupings := [][][]int{{{1, 2}, {1}}, {{1}}, nil}[:testenv.Times(t, 1, 1, 3, 3)]
	for _, table := range schema.Tables() {
		random := testenv.Seeded(table.Name)
		r := (&columnstest.Data{Table: table}).Fill(random, 1, 1, 3, 5).Fill(random, 3, 0, 3, 5)
		for _, groups := range groupings {
			some := testRows{&columnstest.Data{Table: table, Rows: r.Rows[:total(groups)]}}
			data := some.bytes(t, "zstd", groups)
			some.checkByLibrary(t, data)
			f := parquettest.Open(t, data)
			checkIndexes(t, table, f, data)
			for _, g := range f.Metadata().RowGroups {
				var names []string
				for _, s := range g.SortingColumns {
					path := g.Columns[s.ColumnIdx].MetaData.PathInSchema
					names = append(names, strings.Join(path, "."))
					if s.Descending || s.NullsFirst != table.Columns[table.Column(path[0])].Nullable {
						t.Errorf("%s: sorted by %+v", table.Name, s)
					}
				}
				want := table.SortBy
				if i := slices.Index(want, schema.TimeColumn); i >= 0 && g.Columns[table.Column(schema.TimeColumn)].MetaData.Statistics.NullCount > 0 {
					want = want[:i:i] // rows without a time stand between others
				}
				if !slices.Equal(want, names) {
					diff := cmp.Diff(want, names)
					t.Errorf("%s: sorted by:\n%s", table.Name, diff)
				}
			}
		}
	}
}

// TestBatchCheck checks that columns of different lengths are rejected.
func TestBatchCheck(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "a", Type: schema.Int32}, {Name: "b", Type: schema.Int64, Nullable: true}}}
	f, err := NewFile(io.Discard, table, Options{Codec: snappyCodec{}})
	if err != nil {
		t.Fatal(err)
	}
	for name, fill := range map[string]func(b *columns.Batch){
		"missing value": func(b *columns.Batch) { b.Rows = 1 },
		"surplus value": func(b *columns.Batch) { b.Columns[0].Int32(1) },
		"surplus null":  func(b *columns.Batch) { b.Columns[0].Int32(1); b.Rows = 1; b.Columns[1].At(1).Int64(1) },
		"null of value": func(b *columns.Batch) { b.Columns[0].Int32(1); b.Rows = 1; b.Columns[1].At(0) },
	} {
		b := columns.NewBatch(table)
		fill(b)
		if err := f.RowGroup().Write(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCodec(t *testing.T) {
	for _, name := range append([]string{""}, Compressions...) {
		if _, err := NewCodec(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := NewCodec("gzip"); err == nil {
		t.Error("gzip: no error")
	}
	for _, size := range []int{0, 1, 100, 100_000} {
		src := bytes.Repeat([]byte{1, 2, 3, byte(size)}, size)
		packed, err := snappyCodec{}.Encode(make([]byte, 3), src)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (snappyCodec{}).Decode(nil, packed); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
	codec := zstdCodec{&fastest}
	for _, size := range []int{0, 1, tinyPage, tinyPage + 1, 255, 100_000} {
		src := bytes.Repeat([]byte{1, 2, 3, 4}, size/4+1)[:size]
		packed, err := codec.Encode([]byte{9}, src)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := codec.Decode(nil, packed); err != nil || !bytes.Equal(got, src) {
			t.Errorf("zstd, %d bytes: %d, %v", size, len(got), err)
		}
	}
}

// failingWriter fails after left bytes.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	if w.left -= n; n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestWriteFails lets every write fail once.
func TestWriteFails(t *testing.T) {
	table := everyColumn()
	rows := randomRowsOf(testenv.Seeded("fails"), table, 20, 5, 0.3)
	size := len(writeCells(t, table, "none", groupSizes{{20}}, rows))
	for left := 0; left < size; left += 1 + left/20 {
		f, err := NewFile(&failingWriter{left}, table, Options{Codec: snappyCodec{}})
		if err == nil {
			b := columns.NewBatch(table)
			for i := range rows {
				for c := range b.Columns {
					fillColumn(b, &b.Columns[c], i, rows[i][c])
				}
				b.Rows++
			}
			g := f.RowGroup()
			if err = errors.Join(g.Write(b), g.Finish(), g.Commit()); err == nil {
				err = f.Close()
			}
		}
		if !errors.Is(err, io.ErrShortWrite) && left < size/2 {
			t.Fatalf("after %d bytes: error %v", left, err)
		}
	}
}
