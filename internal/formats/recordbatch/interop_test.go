package recordbatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// streamCase is rows in batches of some sizes.
type streamCase struct {
	name    string
	data    *columnstest.Data
	batches []int
	trace   bool // the batches have a trace
}

func (c *streamCase) table() *schema.Table {
	if c.trace {
		return c.data.Table.WithTrace()
	}
	return c.data.Table
}

// write writes the batches as an Arrow stream, each while its memory is shared,
// and as a Parquet file with one row group.
func (c *streamCase) write(t *testing.T, q interop.StreamQuestion) {
	stream, file := create(t, q.Stream), create(t, q.File)
	m := NewMaker(c.table(), newAllocator(t))
	w := ipc.NewWriter(stream, ipc.WithSchema(m.Schema()))
	codec, err := parquet.NewCodec(parquet.DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.NewFile(file, c.table(), parquet.Options{Codec: codec})
	if err != nil {
		t.Fatal(err)
	}
	g := f.RowGroup()
	rows := c.data.Rows
	for _, n := range c.batches {
		b := columns.NewBatch(c.data.Table)
		fill(b, rows[:n])
		rows = rows[n:]
		if c.trace {
			b.SetTrace(fmt.Sprintf("trace %d", n))
		}
		record := makeRecord(t, m, b, nil)
		err := w.Write(record)
		record.Release()
		must(t, err)
		must(t, g.Write(b))
	}
	if len(rows) > 0 {
		t.Fatalf("%d rows are in no batch", len(rows))
	}
	must(t, w.Close())
	if g.Rows > 0 {
		must(t, g.Finish())
		must(t, g.Commit())
	}
	must(t, f.Close())
}

func create(t *testing.T, path string) *os.File {
	f, err := os.Create(path)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *streamCase) check(t *testing.T, got *interop.StreamAnswer) {
	got.Check(t, c.name)
	if rows := int64(len(c.data.Rows)); got.Batches != len(c.batches) || got.Rows[0] != rows {
		t.Errorf("%d batches, %d rows; want %d batches, %d rows", got.Batches, got.Rows[0], len(c.batches), rows)
	}
	if want := len(c.table().Columns); len(got.Columns) != want {
		t.Errorf("%d columns compared, want %d", len(got.Columns), want)
	}
}

// deepestStream is the depth of nested lists of structs that Arrow writes to a
// stream: it rejects types of more than 64 levels.
const deepestStream = schema.MaxDepth - 1

// streamCases returns the cases that all writers share, with and without a trace, and the program's
// tables.
func streamCases() []*streamCase {
	cases := []*streamCase{
		{"deep_structs", columnstest.Deep(schema.MaxDepth, false), []int{20, 14}, false},
		{"deep_lists", columnstest.Deep(deepestStream, true), []int{20, 13}, false},
		{"empty_batches", columnstest.Nestings(), []int{0, 0}, false},
	}
	for i, c := range columnstest.Cases(60) {
		cases = append(cases, &streamCase{c.Name, c.Data, c.Batches(), i%2 == 0})
	}
	cases = append(cases, &streamCase{"every_type_without_trace", columnstest.EveryType(), []int{1, 7, 0, 12}, false})
	for i, table := range schema.Tables() {
		random := testenv.Seeded(table.Name)
		data := (&columnstest.Data{Table: table}).Fill(random, 1, 1, 3, 5).Fill(random, 2, 0, 3, 5).Fill(random, 3, 0.5, 3, 5)
		cases = append(cases, &streamCase{fmt.Sprintf("table_%d_%s", i, table.ViewName()), data, []int{1, 0, 5}, i%2 == 0})
	}
	return cases
}

// TestArrowEqualsParquet checks that pyarrow accepts a stream of record batches, and
// reads the same values from it as from the Parquet file of the same batches.
func TestArrowEqualsParquet(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	cases := streamCases()
	var questions []interop.StreamQuestion
	for _, c := range cases {
		q := interop.StreamQuestion{Stream: filepath.Join(folder, c.name+".arrows"), File: filepath.Join(folder, c.name+".parquet")}
		c.write(t, q)
		questions = append(questions, q)
	}
	answers := python.CompareStreams(t, questions)
	compared := 0
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, &answers[i]) })
		compared += len(answers[i].Columns)
	}
	t.Logf("SCORE pyarrow: %d columns of %d streams compared", compared, len(cases))
}
