package recordbatch

import (
	"fmt"
	"math/rand/v2"
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

// streamQuestion names an Arrow stream and a Parquet file of the same batches.
type streamQuestion struct {
	Stream string `json:"stream"`
	File   string `json:"file"`
}

type streamAnswer struct {
	Invalid    string          `json:"invalid"`
	Batches    int             `json:"batches"`
	Rows       [2]int          `json:"rows"`
	Schemas    [2]string       `json:"schemas"`
	SameSchema bool            `json:"same_schema"`
	Columns    map[string]bool `json:"columns"`
}

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
func (c *streamCase) write(t *testing.T, q streamQuestion) {
	stream, file := create(t, q.Stream), create(t, q.File)
	m := NewMaker(c.table(), newAllocator(t))
	w := ipc.NewWriter(stream, ipc.WithSchema(m.Schema()))
	codec, err := parquet.NewCodec(parquet.DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.NewFile(file, c.table(), codec)
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

func (c *streamCase) check(t *testing.T, got streamAnswer) {
	if got.Invalid != "" {
		t.Error(got.Invalid)
	}
	rows := len(c.data.Rows)
	if got.Batches != len(c.batches) || got.Rows != [2]int{rows, rows} {
		t.Errorf("%d batches, rows %v; want %d batches, %d rows", got.Batches, got.Rows, len(c.batches), rows)
	}
	if !got.SameSchema {
		t.Errorf("the stream has the schema\n%s\nthe file has\n%s", got.Schemas[0], got.Schemas[1])
	}
	if want := len(c.table().Columns); len(got.Columns) != want {
		t.Errorf("%d columns compared, want %d", len(got.Columns), want)
	}
	for name, equal := range got.Columns {
		if !equal {
			t.Errorf("column %s differs", name)
		}
	}
}

// deepestStream is the depth of nested lists of structs that Arrow writes to a
// stream: it rejects types of more than 64 levels.
const deepestStream = schema.MaxDepth - 1

// streamCases returns hand-made tables, the program's tables, and random ones.
func streamCases() []*streamCase {
	cases := []*streamCase{
		{"every_type", columnstest.EveryType(), []int{1, 7, 0, 12}, false},
		{"every_type_with_trace", columnstest.EveryType(), []int{1, 7, 12}, true},
		{"documents", columnstest.Documents(), []int{3}, false},
		{"deep_structs", columnstest.Deep(schema.MaxDepth, false), []int{20, 14}, false},
		{"deep_lists", columnstest.Deep(deepestStream, true), []int{20, 13}, false},
		{"no_batches", columnstest.Nestings(), nil, false},
		{"empty_batches", columnstest.Nestings(), []int{0, 0}, false},
	}
	for i, nulls := range []float64{0, 0.3, 0.8, 1} {
		name := fmt.Sprintf("nestings_%d", i)
		cases = append(cases, &streamCase{name, columnstest.Nestings().Fill(testenv.Seeded(name), 181, nulls, 3, 20), []int{100, 50, 1, 30}, i%2 == 0})
	}
	for i, table := range schema.Tables() {
		random := testenv.Seeded(table.Name)
		data := (&columnstest.Data{Table: table}).Fill(random, 1, 1, 3, 5).Fill(random, 2, 0, 3, 5).Fill(random, 3, 0.5, 3, 5)
		cases = append(cases, &streamCase{fmt.Sprintf("table_%d_%s", i, table.ViewName()), data, []int{1, 0, 5}, i%2 == 0})
	}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 5))
		data := &columnstest.Data{Table: columnstest.RandomTable(random)}
		n := random.IntN(200)
		data.Fill(random, n+50, []float64{0.05, 0.5}[seed%2], 3, 100)
		cases = append(cases, &streamCase{fmt.Sprintf("random_%d", seed), data, []int{n, 50}, seed%3 == 0})
	}
	return cases
}

// TestArrowEqualsParquet checks that pyarrow accepts a stream of record batches, and
// reads the same values from it as from the Parquet file of the same batches.
func TestArrowEqualsParquet(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	cases := streamCases()
	var questions []streamQuestion
	for _, c := range cases {
		q := streamQuestion{filepath.Join(folder, c.name+".arrows"), filepath.Join(folder, c.name+".parquet")}
		c.write(t, q)
		questions = append(questions, q)
	}
	var answers []streamAnswer
	python.Run(t, "compare_arrow.py", questions, &answers)
	compared := 0
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, answers[i]) })
		compared += len(answers[i].Columns)
	}
	t.Logf("SCORE pyarrow: %d columns of %d streams compared", compared, len(cases))
}
