package interop_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// openInput runs the index pass of a trace, with the descriptions and the memory limit of
// the dataset of the real traces.
func openInput(t testing.TB, path string) (*pipeline.Source, *pipeline.Options) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	o := &pipeline.Options{Workers: 2, Memory: 48 << 20, Messages: catalog.MessagesAll}
	s, err := pipeline.OpenSource(t.Context(), pipeline.Input{Name: path, Size: info.Size(), Trace: file}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, o
}

// writeArrow writes a table like "cat --format arrow".
func writeArrow(t testing.TB, s *pipeline.Source, o pipeline.Options, table *schema.Table, to io.Writer) {
	t.Helper()
	allocator := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer allocator.AssertSize(t, 0)
	o.Selection.Tables = []string{table.Name}
	w, err := formats.Arrow.NewWriter(to, table, formats.Options{Allocator: allocator})
	if err != nil {
		t.Fatal(err)
	}
	mismatches, err := s.Rows(t.Context(), &o, w)
	if err != nil {
		t.Fatal(err)
	}
	if len(mismatches) > 0 {
		t.Errorf("%s: %v", table.Name, mismatches)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
}

// TestArrow checks that pyarrow reads the same values of every table of every real trace
// from an Arrow stream and from the dataset's Parquet file, column by column, and that
// each stream is valid.
func TestArrow(t *testing.T) {
	python := interop.NewPython(t)
	root := realDataset(t)
	folder := t.TempDir()
	var questions []interop.StreamQuestion
	var names []string
	for _, input := range testenv.SharedFiles(t, "traces/*.etl") {
		trace := partname.OfTraces([]string{input})[0]
		s, o := openInput(t, input)
		for _, table := range s.Tables() {
			if table.Name == schema.EventsName {
				continue // datasets have no file of this table
			}
			q := interop.StreamQuestion{
				Stream: filepath.Join(folder, fmt.Sprintf("%d.arrows", len(questions))),
				File:   filepath.Join(root, filepath.FromSlash(table.Name), trace+".parquet"), Without: schema.TraceColumn.Name,
				Computed: []string{},
			}
			for _, c := range table.Columns {
				if c.Computed {
					q.Computed = append(q.Computed, c.Name)
				}
			}
			file, err := os.Create(q.Stream)
			if err != nil {
				t.Fatal(err)
			}
			writeArrow(t, s, *o, table.Table, file)
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(q.File); err != nil { // a table without rows has no file
				q.File = ""
			}
			questions, names = append(questions, q), append(names, trace+": "+table.Name)
		}
	}
	answers := python.CompareStreams(t, questions)
	rows, columns := int64(0), 0
	for i, got := range answers {
		got.Check(t, names[i])
		if hasFile := questions[i].File != ""; hasFile != (got.Rows[0] > 0) {
			t.Errorf("%s: %d rows, the dataset has a file: %v", names[i], got.Rows[0], hasFile)
		}
		rows += got.Rows[0]
		columns += len(got.Columns)
	}
	t.Logf("SCORE arrow: %d tables, %d columns, %d rows equal", len(answers), columns, rows)
}

// TestArrowReaders lets other readers of Arrow streams count rows and add up values.
func TestArrowReaders(t *testing.T) {
	python := interop.NewEngines(t)
	s, o := openInput(t, filepath.FromSlash("../testdata/sample.etl"))
	folder := t.TempDir()
	for _, name := range []string{"", "Thread/CSwitch", "processes", "stacks", "event_types"} {
		table, err := s.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, strings.ReplaceAll(table.Name, "/", "_")+".arrows")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		writeArrow(t, s, *o, table, file)
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		var answer map[string]struct {
			Rows    int64    `json:"rows"`
			Columns []string `json:"columns"`
		}
		python.Run(t, "read_arrow.py", path, &answer)
		if len(answer) != 4 {
			t.Fatalf("%d readers, want 4", len(answer))
		}
		want := answer["pyarrow"]
		for reader, got := range answer {
			if got.Rows != want.Rows || strings.Join(got.Columns, " ") != strings.Join(want.Columns, " ") || len(got.Columns) != len(table.Columns) {
				t.Errorf("%s reads %d rows of %q in %s, pyarrow %d of %q", reader, got.Rows, got.Columns, table.Name, want.Rows, want.Columns)
			}
		}
	}
}
