package parquet

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// testRows are rows that a test writes to files and compares with the rows read.
type testRows struct{ *columnstest.Data }

// write writes the rows to a file, in row groups of batches of the given sizes. As
// in the pipeline, several encoders work at the same time, row groups are committed
// in order, and batches and encoders are reused.
func (r testRows) write(t testing.TB, path, compression string, groups [][]int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	codec, err := NewCodec(compression)
	if err != nil {
		t.Fatal(err)
	}
	r.writeTo(t, file, Options{Codec: codec}, groups)
}

// writeTo writes the bytes of the file of write.
func (r testRows) writeTo(t testing.TB, w io.Writer, o Options, groups [][]int) {
	t.Helper()
	f, err := NewFile(w, r.Table, o)
	if err != nil {
		t.Fatal(err)
	}
	type encoded struct {
		group *RowGroup
		err   error
	}
	idle := sync.Pool{New: func() any { return columns.NewBatch(r.Table) }}
	atATime := make(chan struct{}, 3)
	results := make([]chan encoded, len(groups))
	next := 0
	for i, sizes := range groups {
		results[i] = make(chan encoded, 1)
		var parts [][][]any
		for _, size := range sizes {
			parts = append(parts, r.Rows[next:next+size])
			next += size
		}
		go func() {
			atATime <- struct{}{}
			defer func() { <-atATime }()
			g := f.RowGroup()
			g.Only = len(groups) == 1
			var errs error
			var batches []*columns.Batch
			for _, rows := range parts {
				b := idle.Get().(*columns.Batch)
				b.Reset()
				for _, row := range rows {
					columnstest.Append(b, row)
				}
				batches = append(batches, b)
				errs = errors.Join(errs, g.Write(b))
			}
			errs = errors.Join(errs, g.Finish())
			for _, b := range batches {
				idle.Put(b)
			}
			results[i] <- encoded{g, errs}
		}()
	}
	for i := range results {
		if r := <-results[i]; r.err != nil {
			t.Fatal(r.err)
		} else if err := r.group.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if next != len(r.Rows) || f.Rows != int64(next) {
		t.Fatalf("%d rows, %d to write, %d written", len(r.Rows), next, f.Rows)
	}
}

// columnQuestion describes a column to the scripts.
type columnQuestion struct {
	Name   string           `json:"name"`
	Type   string           `json:"type"`
	List   bool             `json:"list"`
	Fields []columnQuestion `json:"fields"`
}

func questionColumns(columns []schema.Column) (list []columnQuestion) {
	for i := range columns {
		c := &columns[i]
		list = append(list, columnQuestion{c.Name, c.Type.String(), c.List, questionColumns(c.Fields)})
	}
	return list
}

// compare compares the types and values that an engine read with the rows.
type valuesAnswer struct {
	Types []string `json:"types"`
	Rows  [][]any  `json:"rows"`
}

func (got *valuesAnswer) compare(t *testing.T, engine string, r testRows) {
	for i := range r.Table.Columns {
		c := &r.Table.Columns[i]
		if want := parquettest.EngineType(engine, c); parquettest.EngineTypes[engine] != nil && strings.ReplaceAll(got.Types[i], `"`, "") != want { // DuckDB quotes some names
			t.Errorf("%s: column %s (%s) has the type %s, want %s", engine, c.Name, c.TypeName(), got.Types[i], want)
		}
	}
	if len(got.Rows) != len(r.Rows) {
		t.Fatalf("%s: %d rows, want %d", engine, len(got.Rows), len(r.Rows))
	}
	compared := 0
	for row := range r.Rows {
		for i, value := range r.Rows[row] {
			c := &r.Table.Columns[i]
			is, want := got.Rows[row][i], columnstest.Plain(value)
			if engine == "pandas" {
				is, want = roundedMembers(c, is), roundedMembers(c, inPandas(c, value))
			}
			compared++
			if !reflect.DeepEqual(is, want) {
				t.Errorf("%s: row %d, column %s (%s, nullable %t, encoding %d): %.200v, want %.200v", engine, row, c.Name, c.TypeName(), c.Nullable, c.Encoding, is, want)
			}
		}
	}
	t.Logf("SCORE %s: %d values compared", engine, compared)
}

// inPandas returns a value as pandas represents it by default: a null DOUBLE is
// NaN, and the numbers of a column with a null become doubles.
func inPandas(c *schema.Column, value any) any {
	switch {
	case c.List || !c.Nullable || c.Type == schema.Struct:
		return columnstest.Plain(value)
	case (c.Type == schema.Float || c.Type == schema.Double) && value == nil:
		return "nan"
	case value == nil:
		return nil
	}
	whole := func(v float64) any { return strconv.FormatFloat(v, 'f', 0, 64) }
	switch v := value.(type) {
	case int64:
		if c.Type == schema.Int64 {
			return whole(float64(v))
		}
	case uint64:
		return whole(float64(v))
	}
	return columnstest.Plain(value)
}

// roundedMembers returns a value with the members of structs as pandas represents
// them: numbers become doubles, as in columns, if one is null in the same list.
func roundedMembers(c *schema.Column, value any) any {
	list, ok := value.([]any)
	if !ok || c.Type != schema.Struct {
		return value
	}
	rounded := make([]any, len(list))
	for i, v := range list {
		if c.List {
			element := *c
			element.List = false
			rounded[i] = roundedMembers(&element, v)
			continue
		}
		member := &c.Fields[i]
		rounded[i] = roundedMembers(member, v)
		if text, ok := v.(string); ok && member.Nullable && (member.Type == schema.Int64 || member.Type == schema.Uint64) {
			number, _ := strconv.ParseFloat(text, 64) // of digits
			rounded[i] = number
		}
	}
	return rounded
}

// valuesQuestion asks for all values of a file.
type valuesQuestion struct {
	Path    string           `json:"path"`
	Columns []columnQuestion `json:"columns"`
}

func compareEngines(t *testing.T, answer map[string]*valuesAnswer, r testRows) {
	engines := []string{"duckdb", "pyarrow"}
	if testenv.Running(t) >= testenv.TierAll {
		engines = append(engines, "polars", "pandas", "pandas with dtype_backend")
	}
	for _, engine := range engines {
		if answer[engine] == nil {
			t.Errorf("no answer of %s", engine)
			continue
		}
		answer[engine].compare(t, engine, r)
	}
}

// caseFiles writes the cases of all writers, in two row groups, with each compression in turn.
func caseFiles(t testing.TB, folder string, random int) (files []testRows, questions []valuesQuestion) {
	for i, c := range columnstest.Cases(random) {
		var groups [][]int
		if sizes := c.Batches(); sizes != nil {
			groups = [][]int{sizes[:2], sizes[2:]}
			if sizes[0] == 0 { // a row group has rows
				groups = [][]int{sizes}
			}
		}
		r, path := testRows{c.Data}, filepath.Join(folder, c.Name+".parquet")
		r.write(t, path, Compressions[i%len(Compressions)], groups)
		files, questions = append(files, r), append(questions, valuesQuestion{path, questionColumns(r.Table.Columns)})
	}
	return files, questions
}

// TestEngines checks that engines read every type, with its extreme values, and nested structs and
// lists, with default options. TestSpark does the same for Spark.
func TestEngines(t *testing.T) {
	python := interop.NewPython(t)
	files, questions := caseFiles(t, t.TempDir(), 24)
	var answers []map[string]*valuesAnswer
	python.Run(t, "read_values.py", questions, &answers)
	for i, r := range files {
		t.Run(filepath.Base(questions[i].Path), func(t *testing.T) { compareEngines(t, answers[i], r) })
	}
}

// columnSums are sums over a column, modulo prime, that depend on the position of
// every value. Rows i and elements j of lists are counted from 1.
type columnSums struct {
	Nulls    uint64 `json:"nulls"`
	NullRows uint64 `json:"null_rows"` // sum of i of the nulls
	Values   uint64 `json:"values"`    // sum of i * number(value), or of i * j * number(element)
	Elements uint64 `json:"elements"`  // number of elements in lists
	Lengths  uint64 `json:"lengths"`   // sum of i * (length + 1) of the lists
}

const prime = 1<<61 - 1

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a%prime, b%prime)
	return bits.Rem64(hi, lo, prime)
}

func (s *columnSums) add(i uint64, value any) {
	switch v := value.(type) {
	case nil:
		s.Nulls++
		s.NullRows = (s.NullRows + i) % prime
	case []any:
		n := uint64(len(v))
		s.Elements += n
		s.Lengths = (s.Lengths + times(i, n+1)) % prime
		for j, element := range v {
			s.Values = (s.Values + times(times(i, uint64(j)+1), numberOf(element))) % prime
		}
	default:
		s.Values = (s.Values + times(i, numberOf(value))) % prime
	}
}

// numberOf maps a value to a number below prime.
func numberOf(value any) uint64 {
	signed := func(v int64) uint64 {
		if v %= prime; v < 0 {
			v += prime
		}
		return uint64(v)
	}
	switch v := value.(type) {
	case bool:
		if v {
			return 2
		}
		return 1
	case int32:
		return signed(int64(v))
	case int64:
		return signed(v)
	case uint64:
		return v % prime
	case float32:
		return signed(int64(v * 1024))
	case float64:
		return signed(int64(v * 1024))
	case string:
		return numberOf([]byte(v))
	case []byte:
		sum := md5.Sum(v)
		return binary.BigEndian.Uint64(sum[:]) >> 4 // 15 hexadecimal digits
	}
	panic(fmt.Sprintf("no number for %T", value))
}

func (r testRows) sums() map[string]columnSums {
	all := make(map[string]columnSums)
	for c := range r.Table.Columns {
		var s columnSums
		for i := range r.Rows {
			s.add(uint64(i)+1, r.Rows[i][c])
		}
		all[r.Table.Columns[c].Name] = s
	}
	return all
}

// patternColumns are the columns of random tables: each type in each encoding.
var patternColumns = []schema.Column{
	{Name: "time", Type: schema.Int64, Encoding: schema.Rising},
	{Name: "stamp", Type: schema.Timestamp, Encoding: schema.Rising},
	{Name: "flag", Type: schema.Boolean},
	{Name: "flag_n", Type: schema.Boolean, Nullable: true},
	{Name: "small", Type: schema.Int32},
	{Name: "small_n", Type: schema.Int32, Nullable: true},
	{Name: "small_v", Type: schema.Int32, Nullable: true, Encoding: schema.Varied},
	{Name: "int", Type: schema.Int64},
	{Name: "int_n", Type: schema.Int64, Nullable: true},
	{Name: "int_v", Type: schema.Int64, Nullable: true, Encoding: schema.Varied},
	{Name: "int_r", Type: schema.Int64, Nullable: true, Encoding: schema.Rising},
	{Name: "uint", Type: schema.Uint64},
	{Name: "uint_v", Type: schema.Uint64, Nullable: true, Encoding: schema.Varied},
	{Name: "single", Type: schema.Float},
	{Name: "single_n", Type: schema.Float, Nullable: true},
	{Name: "singles", Type: schema.Float, List: true, Nullable: true},
	{Name: "real_n", Type: schema.Double, Nullable: true},
	{Name: "stamp_n", Type: schema.Timestamp, Nullable: true},
	{Name: "text", Type: schema.String},
	{Name: "text_n", Type: schema.String, Nullable: true},
	{Name: "text_v", Type: schema.String, Nullable: true, Encoding: schema.Varied},
	{Name: "blob_v", Type: schema.Binary, Encoding: schema.Varied},
	{Name: "blob_n", Type: schema.Binary, Nullable: true, Encoding: schema.Varied},
	{Name: "blob_d", Type: schema.Binary, Nullable: true},
	{Name: "uints", Type: schema.Uint64, List: true, Nullable: true, Encoding: schema.Varied},
	{Name: "ints", Type: schema.Int64, List: true},
	{Name: "ints_n", Type: schema.Int64, List: true, Nullable: true},
	{Name: "texts", Type: schema.String, List: true},
	{Name: "texts_n", Type: schema.String, List: true, Nullable: true},
	{Name: "texts_v", Type: schema.String, List: true, Nullable: true, Encoding: schema.Varied},
}

// nullPatterns are functions that report whether row i is null.
var nullPatterns = []func(r *rand.Rand) func(i int) bool{
	func(*rand.Rand) func(int) bool { return func(int) bool { return false } },
	func(*rand.Rand) func(int) bool { return func(int) bool { return true } },
	func(*rand.Rand) func(int) bool { return func(i int) bool { return i%2 == 0 } },
	func(*rand.Rand) func(int) bool { return func(i int) bool { return i%64 != 0 } }, // parquet-go's GenericWriter wrote this wrongly
	func(*rand.Rand) func(int) bool { return func(i int) bool { return i < 2000 } },
	func(*rand.Rand) func(int) bool { return func(i int) bool { return i > 2000 } },
	func(r *rand.Rand) func(int) bool { return func(int) bool { return r.IntN(2) == 0 } },
	func(r *rand.Rand) func(int) bool { return func(int) bool { return r.IntN(200) == 0 } },
	func(r *rand.Rand) func(int) bool { return func(int) bool { return r.IntN(200) != 0 } },
	func(r *rand.Rand) func(int) bool { // runs that end next to the ends of words and chunks
		lengths := []int{1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025}
		left, null := 0, false
		return func(int) bool {
			if left == 0 {
				left, null = lengths[r.IntN(len(lengths))], !null
			}
			left--
			return null
		}
	},
}

// randomRows makes a table of n rows, with a pattern of nulls per column.
func randomRows(r *rand.Rand, n int) testRows {
	rows := testRows{&columnstest.Data{Table: &schema.Table{Name: "patterns", SortBy: []string{"time", "stamp"}}, Rows: make([][]any, n)}}
	rows.Table.Columns = append(rows.Table.Columns, patternColumns...)
	at := int64(-1000)
	for i := range rows.Rows {
		at += r.Int64N(3) * r.Int64N(1000)
		rows.Rows[i] = []any{at, at / 10}
	}
	for k := range patternColumns {
		c := &patternColumns[k]
		if k < 2 {
			continue
		}
		null := func(int) bool { return false }
		if c.Nullable {
			null = nullPatterns[r.IntN(len(nullPatterns))](r)
		}
		distinct := []int64{1, 2, 100, 10_000, 1 << 40}[r.IntN(5)]
		longest := []int{1, 3, 20}[r.IntN(3)]
		for i := range rows.Rows {
			switch {
			case null(i):
				rows.Rows[i] = append(rows.Rows[i], nil)
			case c.List:
				list := make([]any, r.IntN(longest+1))
				for j := range list {
					list[j] = columnstest.RandomValue(r, c, distinct)
				}
				rows.Rows[i] = append(rows.Rows[i], list)
			default:
				rows.Rows[i] = append(rows.Rows[i], columnstest.RandomValue(r, c, distinct))
			}
		}
	}
	return rows
}

// randomGroups cuts rows into row groups of batches of 1 to 5000 rows.
func randomGroups(r *rand.Rand, n, batches int) (groups [][]int) {
	for n > 0 {
		var sizes []int
		for range 1 + r.IntN(batches) {
			size := min(n, []int{1, 1 + r.IntN(10), 64, 1 + r.IntN(1024), 1024, 1 + r.IntN(5000)}[r.IntN(6)])
			if n -= size; size > 0 {
				sizes = append(sizes, size)
			}
		}
		groups = append(groups, sizes)
	}
	return groups
}

// probe asks how many rows have a value. Readers use statistics, page indexes and
// dictionaries to answer.
type probe struct {
	Column string `json:"column"`
	Type   string `json:"type"`
	Value  any    `json:"value"`
	want   int
}

// probes picks values of the rows, and some values that no row has.
func (r testRows) probes(random *rand.Rand) (list []probe) {
	for i := range r.Table.Columns {
		c := &r.Table.Columns[i]
		if c.List {
			continue
		}
		var values []any
		for range 4 {
			v := columnstest.Plain(r.Rows[random.IntN(len(r.Rows))][i])
			if text, isText := v.(string); v != nil && (!isText || len(text) < 1000) {
				values = append(values, v)
			}
		}
		if c.Type == schema.String || c.Type == schema.Binary {
			values = append(values, "", "ff")
		}
		counts := make(map[any]int)
		for _, row := range r.Rows {
			counts[columnstest.Plain(row[i])]++
		}
		for _, v := range values {
			list = append(list, probe{c.Name, c.Type.String(), v, counts[v]})
		}
	}
	return list
}

// patternFile is a file of random rows, as a question to the scripts.
type patternFile struct {
	Path    string           `json:"path"`
	Columns []columnQuestion `json:"columns"`
	Probes  []probe          `json:"probes"`

	name        string
	compression string
	rows        testRows
	groups      [][]int
	sums        map[string]columnSums
}

func newPatternFile(t testing.TB, folder string, seed uint64, rows int, compression string, batches int) *patternFile {
	random := rand.New(rand.NewPCG(seed, 0))
	f := &patternFile{name: fmt.Sprintf("seed %d %s", seed, compression), compression: compression, rows: randomRows(random, rows)}
	f.groups = randomGroups(random, rows, batches)
	f.Path = filepath.Join(folder, fmt.Sprintf("%d-%s.parquet", seed, compression))
	f.Columns = questionColumns(f.rows.Table.Columns)
	f.Probes = f.rows.probes(random)
	f.rows.write(t, f.Path, compression, f.groups)
	return f
}

// columnsAnswer is an engine's answer about a patternFile.
type columnsAnswer struct {
	Sums   map[string]columnSums `json:"sums"`
	Probes []int                 `json:"probes"`
}

func (f *patternFile) compare(t *testing.T, engine string, got columnsAnswer) {
	if f.sums == nil {
		f.sums = f.rows.sums()
	}
	want := f.sums
	for _, c := range f.Columns {
		if got.Sums[c.Name] != want[c.Name] {
			t.Errorf("%s: column %s: %+v, want %+v", engine, c.Name, got.Sums[c.Name], want[c.Name])
		}
	}
	for i, p := range f.Probes {
		if got.Probes[i] != p.want {
			t.Errorf("%s: %d rows have %s = %q, want %d", engine, got.Probes[i], p.Column, p.Value, p.want)
		}
	}
}

// TestNullPatterns writes random rows. Engines and this test add up the values, their positions,
// the nulls and the lengths of lists, and the sums must be equal.
func TestNullPatterns(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	var files []*patternFile
	for seed := range uint64(16) {
		size := 1 + int(seed*seed*20)
		files = append(files, newPatternFile(t, folder, seed, size, Compressions[seed%4], 6))
	}
	// Row groups with several pages in every column.
	files = append(files, newPatternFile(t, folder, 100, 40_000, "zstd", 200))
	type answer struct {
		Engines  map[string]columnsAnswer `json:"engines"`
		Metadata []groupMetadata          `json:"metadata"`
	}
	answers := make([]answer, len(files))
	python.Run(t, "read_columns.py", files, &answers)
	rows, groups, probes := 0, 0, 0
	for i, f := range files {
		rows, groups, probes = rows+len(f.rows.Rows), groups+len(f.groups), probes+len(f.Probes)
		t.Run(f.name, func(t *testing.T) {
			if n := testenv.Times(t, 0, 2, 3, 3); len(answers[i].Engines) != n {
				t.Errorf("%d engines, want %d", len(answers[i].Engines), n)
			}
			for engine := range answers[i].Engines {
				f.compare(t, engine, answers[i].Engines[engine])
			}
			f.compareMetadata(t, answers[i].Metadata)
			if f.compression != "lz4" {
				checkPageIndex(t, f.Path)
			}
		})
	}
	t.Logf("SCORE %d files, %d row groups, %d rows of %d columns; %d lookups of values", len(files), groups, rows, len(patternColumns), probes)
}

// TestBoundsOfEmptyText writes a batch whose only text is empty.
func TestBoundsOfEmptyText(t *testing.T) {
	r := testRows{&columnstest.Data{
		Table: &schema.Table{Name: "texts", Columns: []schema.Column{{Name: "text", Type: schema.String}}},
		Rows:  [][]any{{""}, {"b"}, {"a"}},
	}}
	path := filepath.Join(t.TempDir(), "texts.parquet")
	r.write(t, path, "none", [][]int{{1, 2}})
	checkPageIndex(t, path)
}

// groupMetadata is pyarrow's metadata of a row group.
type groupMetadata struct {
	Rows    int                      `json:"rows"`
	Chunks  map[string]chunkMetadata `json:"chunks"`
	Sorting [][3]any                 `json:"sorting"`
}

type chunkMetadata struct {
	Physical    string     `json:"physical"`
	Logical     string     `json:"logical"`
	Compression string     `json:"compression"`
	ColumnIndex bool       `json:"column_index"`
	OffsetIndex bool       `json:"offset_index"`
	Nulls       *int       `json:"nulls"`
	Bounds      *[2]string `json:"bounds"` // numbers in decimal, the rest in hexadecimal
}

// fileTypes lists all types in files, by pyarrow's names.
var fileTypes = map[schema.Type][2]string{
	schema.Boolean: {"BOOLEAN", "None"}, schema.Int32: {"INT32", "None"}, schema.Int64: {"INT64", "None"}, schema.Float: {"FLOAT", "None"}, schema.Double: {"DOUBLE", "None"},
	schema.Uint64: {"INT64", "Int(bitWidth=64, isSigned=false)"}, schema.String: {"BYTE_ARRAY", "String"}, schema.Binary: {"BYTE_ARRAY", "None"},
	schema.Timestamp: {"INT64", "Timestamp(isAdjustedToUTC=true, timeUnit=microseconds, is_from_converted_type=false, force_set_converted_type=false)"},
}

var fileCodecs = map[string]string{"zstd": "ZSTD", "snappy": "SNAPPY", "lz4": "LZ4", "none": "UNCOMPRESSED"}

// compareMetadata compares types, sorting columns and statistics with the written
// rows.
func (f *patternFile) compareMetadata(t *testing.T, got []groupMetadata) {
	if len(got) != len(f.groups) {
		t.Fatalf("%d row groups, want %d", len(got), len(f.groups))
	}
	next := 0
	for g, group := range got {
		rows := f.rows.Rows[next : next+group.Rows]
		next += group.Rows
		sorting := [][3]any{{"time", false, false}, {"stamp", false, false}}
		if !reflect.DeepEqual(group.Sorting, sorting) {
			t.Errorf("row group %d: sorting columns %v, want %v", g, group.Sorting, sorting)
		}
		for i := range f.rows.Table.Columns {
			c := &f.rows.Table.Columns[i]
			chunk := group.Chunks[c.Name]
			if len(got) == 1 && chunk.Compression == fileCodecs["none"] { // see RowGroup.Only
				chunk.Compression = fileCodecs[f.compression]
			}
			if err := compareChunk(c, rows, i, chunk, f.compression); err != nil {
				t.Errorf("row group %d: column %s: %v", g, c.Name, err)
			}
		}
	}
	if next != len(f.rows.Rows) {
		t.Errorf("%d rows in all row groups, want %d", next, len(f.rows.Rows))
	}
}

// A payload is not repeated in the footer.
const longestBinaryBound = 17

func compareChunk(c *schema.Column, rows [][]any, column int, got chunkMetadata, compression string) error {
	low, high, nulls := boundsOf(rows, column)
	types := [2]string{got.Physical, got.Logical}
	switch {
	case types != fileTypes[c.Type]:
		return fmt.Errorf("types %q, want %q", types, fileTypes[c.Type])
	case got.Compression != fileCodecs[compression]:
		return fmt.Errorf("compression %s, want %s", got.Compression, fileCodecs[compression])
	case got.Nulls == nil || *got.Nulls != nulls:
		return fmt.Errorf("nulls %v, want %d", got.Nulls, nulls)
	case got.ColumnIndex && !got.OffsetIndex:
		return errors.New("a column index, but no offset index")
	}
	if c.Type == schema.Binary && got.Bounds != nil {
		if max(len(got.Bounds[0]), len(got.Bounds[1]))/2 > longestBinaryBound {
			return fmt.Errorf("bounds of %d and %d bytes, want at most %d", len(got.Bounds[0])/2, len(got.Bounds[1])/2, longestBinaryBound)
		}
		if got.Bounds[0] > columnstest.Plain(low).(string) || got.Bounds[1] < columnstest.Plain(high).(string) {
			return fmt.Errorf("bounds %s do not fit values from %.50s to %.50s", got.Bounds, columnstest.Plain(low), columnstest.Plain(high))
		}
		return nil
	}
	if c.Type == schema.Binary || c.Type == schema.String && c.Encoding != schema.Repeating {
		return nil // these need no bounds
	}
	switch {
	case low == nil:
		if got.Bounds != nil {
			return fmt.Errorf("bounds %s, though all values are null", got.Bounds)
		}
		return nil
	case got.Bounds == nil || got.OffsetIndex && !got.ColumnIndex:
		return fmt.Errorf("bounds %v, column index %t, want both", got.Bounds, got.ColumnIndex)
	}
	longest := longestBound(len(rows))
	want := [2]string{boundText(low, false, longest), boundText(high, true, longest)}
	if c.Type == schema.Uint64 { // pyarrow shows the bits as signed
		want = [2]string{boundText(int64(low.(uint64)), false, longest), boundText(int64(high.(uint64)), true, longest)}
	}
	if *got.Bounds != want {
		return fmt.Errorf("bounds %s, want %s", *got.Bounds, want)
	}
	return nil
}

// boundText returns a value as the script shows a bound. These texts are of é, whose next character
// is ê: if they are cut, the last one is greater in an upper bound.
func boundText(v any, isHigh bool, longest int) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{false: "False", true: "True"}[v]
	case float32:
		return floatText(float64(v), isHigh)
	case float64:
		return floatText(v, isHigh)
	case string:
		if len(v) > longest {
			v = v[:longest]
			if isHigh {
				v = v[:longest-len("é")] + "ê"
			}
		}
		return hex.EncodeToString([]byte(v))
	}
	return columnstest.Plain(v).(string)
}

func floatText(v float64, isHigh bool) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	switch {
	case v == 0 && isHigh:
		return "0.0"
	case v == 0:
		return "-0.0"
	case !strings.Contains(text, "."):
		return text + ".0"
	}
	return text
}

// boundsOf returns the smallest and largest value of a column, including elements
// of lists, and the number of nulls. Like Parquet, it counts empty lists as nulls.
func boundsOf(rows [][]any, column int) (low, high any, nulls int) {
	add := func(v any) {
		if low == nil || compareValues(v, low) < 0 {
			low = v
		}
		if high == nil || compareValues(v, high) > 0 {
			high = v
		}
	}
	for _, row := range rows {
		list, isList := row[column].([]any)
		switch {
		case row[column] == nil, isList && len(list) == 0:
			nulls++
		case isList:
			for _, v := range list {
				add(v)
			}
		default:
			add(row[column])
		}
	}
	return low, high, nulls
}

func compareValues(a, b any) int {
	switch a := a.(type) {
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case a:
			return 1
		}
		return -1
	case int32:
		return cmp.Compare(a, b.(int32))
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case float32:
		return cmp.Compare(a, b.(float32))
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	}
	return 0
}

// checkPageIndex reads every page and compares it with the page indexes. It cannot
// read LZ4: parquet-go v0.32.0 (Column.decompress) discards the result when its
// codec returns a new buffer, and reads garbage.
func checkPageIndex(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for g, group := range f.RowGroups() {
		for c, chunk := range group.ColumnChunks() {
			if err := checkChunkIndex(chunk); err != nil {
				t.Errorf("row group %d: column %d: %v", g, c, err)
			}
		}
	}
}

func checkChunkIndex(chunk parquet.ColumnChunk) error {
	offsets, err := chunk.OffsetIndex()
	if errors.Is(err, parquet.ErrMissingOffsetIndex) {
		return checkPage(chunk)
	}
	if err != nil {
		return err
	}
	index, err := chunk.ColumnIndex()
	if err != nil && !errors.Is(err, parquet.ErrMissingColumnIndex) {
		return err
	}
	pages := chunk.Pages()
	defer pages.Close()
	row, n := int64(0), 0
	var last [2]parquet.Value
	for ; ; n++ {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if offsets.FirstRowIndex(n) != row {
			return fmt.Errorf("page %d begins at row %d, the index says %d", n, row, offsets.FirstRowIndex(n))
		}
		row += page.NumRows()
		if index == nil {
			continue
		}
		values := make([]parquet.Value, page.NumValues())
		if k, err := page.Values().ReadValues(values); k != len(values) || err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("page %d: %d values of %d: %v", n, k, len(values), err)
		}
		values = slices.DeleteFunc(values, parquet.Value.IsNull)
		if got := page.NumValues() - int64(len(values)); got != index.NullCount(n) || index.NullPage(n) != (len(values) == 0) {
			return fmt.Errorf("page %d: %d nulls, the index says %d, null page %t", n, got, index.NullCount(n), index.NullPage(n))
		}
		if len(values) == 0 {
			continue
		}
		low, high := slices.MinFunc(values, chunk.Type().Compare), slices.MaxFunc(values, chunk.Type().Compare)
		if chunk.Type().Compare(index.MinValue(n), low) != 0 || chunk.Type().Compare(index.MaxValue(n), high) != 0 {
			return fmt.Errorf("page %d: values %.60v to %.60v, the index says %.60v to %.60v", n, low, high, index.MinValue(n), index.MaxValue(n))
		}
		if index.IsAscending() && !last[0].IsNull() && (chunk.Type().Compare(low, last[0]) < 0 || chunk.Type().Compare(high, last[1]) < 0) {
			return fmt.Errorf("page %d is out of the ascending order that the index claims", n)
		}
		last = [2]parquet.Value{low.Clone(), high.Clone()}
	}
	if n != offsets.NumPages() || index != nil && n != index.NumPages() {
		return fmt.Errorf("%d pages, %d in the index", n, offsets.NumPages())
	}
	return nil
}
