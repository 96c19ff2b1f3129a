package answers

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// manyRows is the number of rows that fewRows returns for two and more.
const manyRows = 2

// fewRows returns the number of rows of a result that DuckDB wrote for a format, or manyRows.
func fewRows(f *formats.Format, result *os.File) (n int64, err error) {
	info, err := result.Stat()
	if err != nil {
		return 0, err
	}
	switch f {
	case formats.Parquet:
		footer, err := parquet.ReadFooter(result, info.Size())
		return min(footer.Rows, manyRows), err
	case formats.CSV:
		n, err = csvRows(result, info.Size())
	default:
		r := bufio.NewReader(result)
		for err == nil && n < manyRows {
			var line []byte
			if line, err = r.ReadSlice('\n'); len(line) > 0 {
				n++
			}
			for errors.Is(err, bufio.ErrBufferFull) { // the rest of the line
				_, err = r.ReadSlice('\n')
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err == nil {
		_, err = result.Seek(0, io.SeekStart)
	}
	return n, err
}

// csvRows is fewRows for CSV. A header is always there. It and values can have line feeds, and a row of
// one NULL is an empty line, which the reader skips.
func csvRows(result io.Reader, size int64) (n int64, err error) {
	r := csv.NewReader(result)
	for n = -1; n < manyRows && r.InputOffset() < size; n++ {
		if _, err := r.Read(); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
	}
	return max(n, 0), nil
}

// explain reports why results have no rows, and why results of one row, such as counts, are of tables
// without rows.
func (s *session) explain(ctx context.Context, d *DuckDB) error {
	if s.o.Explain == nil || len(s.few) == 0 {
		return nil
	}
	rows, err := s.rowsOfTables(ctx)
	if err != nil {
		return err
	}
	var empty []string // the tables without rows, and those that rows has by another name
	for i := range s.few {
		for _, r := range s.readsOf(&s.Statements[i], rows) {
			if r.Rows == 0 {
				empty = append(empty, r.Tables...)
			}
		}
	}
	var traces []absence.Trace
	if s.bounds != nil { // the tables may have more rows than were made
		if traces, err = s.recordings(ctx, d, nil, nil); err != nil {
			return err
		}
		addRecorded(rows, traces)
		empty = slices.DeleteFunc(empty, func(name string) bool { return rows[name] > 0 })
	}
	if len(empty) > 0 {
		slices.Sort(empty)
		if traces, err = s.recordings(ctx, d, slices.Compact(empty), rows); err != nil {
			return err
		}
	}
	for _, i := range slices.Sorted(maps.Keys(s.few)) {
		list, filled := s.readsOf(&s.Statements[i], rows), 0
		for _, r := range list {
			if r.Rows > 0 {
				filled++
			}
		}
		if s.few[i] == 0 || len(list) > 0 && filled == 0 {
			s.o.Explain(s.explanation(i, s.few[i] == 0, absence.Explain(list, traces)))
		}
	}
	return nil
}

// addRecorded makes rows, by names of tables in SQL, at least as many as traces have events.
func addRecorded(rows map[string]int64, traces []absence.Trace) {
	recorded := make(map[string]int64)
	for i := range traces {
		for _, k := range traces[i].Kinds {
			recorded[k.Header] += k.Events
			if k.Table != "" {
				recorded[k.Table] += k.Events
			}
		}
	}
	for name, n := range recorded {
		rows[name] = max(rows[name], n)
	}
}

// explanation returns the text about the result of a statement.
func (s *session) explanation(statement int, isEmpty bool, why string) string {
	var parts []string
	if len(s.Statements) > 1 {
		parts = append(parts, fmt.Sprintf("statement %d", statement+1))
	}
	if isEmpty {
		parts = append(parts, "0 rows")
	}
	if why != "" {
		parts = append(parts, why)
	}
	return strings.Join(parts, ": ")
}

// readsOf returns the tables and views that a statement reads, by name, given the rows of tables by their
// names in lower case. It leaves out names that neither the dataset nor a catalogue has, such as those of
// files.
func (s *session) readsOf(st *Statement, rows map[string]int64) (reads []absence.Read) {
	for _, name := range st.Tables {
		read := absence.Read{Name: name}
		lower := strings.ToLower(name)
		switch {
		case s.isInput(name):
			lower = schema.EventsName
		case !strings.ContainsFunc(name, isNoName): // else a name of an event, such as GC/Start
			read.Name = lower
		}
		if slices.ContainsFunc(reads, func(r absence.Read) bool { return strings.EqualFold(r.Name, read.Name) }) {
			continue
		}
		of := s.known().Read(lower, func(table string) int64 { return rows[table] })
		read.Tables, read.Rows, read.Sources = of.Tables, of.Rows, of.Sources
		isKnown := slices.ContainsFunc(read.Tables, func(table string) bool { _, found := rows[table]; return found || absence.NeedOf(table) != nil })
		if isKnown || read.Sources != nil {
			reads = append(reads, read)
		}
	}
	slices.SortFunc(reads, func(a, b absence.Read) int { return strings.Compare(a.Name, b.Name) })
	return reads
}

// rowsOfTables returns the rows of the tables of the dataset, by their names in SQL. A table has other
// names, too, by which recordings counts its rows.
func (s *session) rowsOfTables(ctx context.Context) (map[string]int64, error) {
	tables, err := s.summaries(ctx)
	if err != nil {
		return nil, err
	}
	rows := make(map[string]int64)
	for _, t := range tables {
		rows[schema.ViewName(t.Name)] += t.Rows
	}
	return rows, nil
}
