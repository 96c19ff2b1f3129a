package query

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
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
func (s *session) explain(ctx context.Context, d *DuckDB) (err error) {
	if s.o.Explain == nil {
		return nil
	}
	var rows map[string]int64  // of the tables
	var traces []absence.Trace // what they say
	for _, i := range slices.Sorted(maps.Keys(s.few)) {
		if rows == nil {
			if rows, err = s.rowsOfTables(ctx); err != nil {
				return err
			}
		}
		reads := readsOf(&s.Statements[i], rows)
		filled := 0
		for _, r := range reads {
			if r.Rows > 0 {
				filled++
			}
		}
		isEmpty := s.few[i] == 0
		if !isEmpty && (len(reads) == 0 || filled > 0) {
			continue
		}
		if traces == nil && filled < len(reads) {
			if traces, err = s.recordings(ctx, d); err != nil {
				return err
			}
		}
		s.o.Explain(s.explanation(i, isEmpty, absence.Explain(reads, traces)))
	}
	return nil
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

// readsOf returns the tables and views that a statement reads, by name, given the rows of all tables by their
// names in SQL. It leaves out names that neither the dataset nor a catalogue has, such as those of
// files.
func readsOf(st *Statement, rows map[string]int64) (reads []absence.Read) {
	for _, name := range st.Tables {
		read := absence.Read{Name: strings.ToLower(name)}
		if slices.ContainsFunc(reads, func(r absence.Read) bool { return r.Name == read.Name }) {
			continue
		}
		read.Tables = views.RowsOf(read.Name)
		isKnown := false
		for _, table := range read.Tables {
			n, found := rows[table]
			read.Rows += n
			isKnown = isKnown || found || absence.NeedOf(table) != nil
		}
		if isKnown {
			reads = append(reads, read)
		}
	}
	slices.SortFunc(reads, func(a, b absence.Read) int { return strings.Compare(a.Name, b.Name) })
	return reads
}

// rowsOfTables returns the rows of the tables of the dataset, by their names in SQL.
func (s *session) rowsOfTables(ctx context.Context) (map[string]int64, error) {
	summary, err := s.dataset.Summary(ctx)
	if err != nil {
		return nil, err
	}
	rows := make(map[string]int64)
	for _, t := range summary.Tables {
		rows[schema.ViewName(t.Name)] += t.Rows
	}
	return rows, nil
}

// kindRow is a row of the tables traces and event_types of the dataset.
type kindRow struct {
	Trace        string   `json:"trace"`
	Flags        []string `json:"enable_flags_text"`
	EndFlags     []string `json:"end_enable_flags_text"`
	EventsLost   int64    `json:"events_lost"`
	BuffersLost  int64    `json:"buffers_lost"`
	HeaderTable  string   `json:"header_table"`
	Provider     string   `json:"provider_id"`
	ID           int      `json:"event_id"`
	PayloadTable string   `json:"payload_table"`
	Events       int64    `json:"events"`
}

const recordingsSQL = `SELECT t.trace, t.enable_flags_text, t.end_enable_flags_text, t.events_lost, t.buffers_lost,
  k.header_table, k.provider_id, k.event_id, k.payload_table, sum(k.events)::BIGINT AS events
FROM traces AS t LEFT JOIN event_types AS k ON k.trace = t.trace GROUP BY ALL`

// recordings returns what the traces of the dataset say about their recording, by name.
func (s *session) recordings(ctx context.Context, d *DuckDB) ([]absence.Trace, error) {
	sql, err := views.Script(ctx, s.dataset.Dataset, map[string]bool{"traces": true, "event_types": true})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.o.Temp, "recordings")
	defer os.Remove(path) // with the folder, if not here
	said, err := d.run(ctx, s.head()+sql+fmt.Sprintf("COPY (%s) TO %s (FORMAT json);\n", recordingsSQL, sqlText(path)), io.Discard)
	if err != nil {
		return nil, s.errorOf(said, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read, so an error does not matter
	return readRecordings(f)
}

// readRecordings reads rows of recordingsSQL as JSON lines.
func readRecordings(r io.Reader) ([]absence.Trace, error) {
	traces := make(map[string]*absence.Trace)
	for d := json.NewDecoder(r); ; {
		var row kindRow
		switch err := d.Decode(&row); {
		case errors.Is(err, io.EOF):
			list := make([]absence.Trace, 0, len(traces))
			for _, name := range slices.Sorted(maps.Keys(traces)) {
				list = append(list, *traces[name])
			}
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("read what the traces say about their recording: %w", err)
		}
		t := traces[row.Trace]
		if t == nil {
			t = &absence.Trace{Name: row.Trace, EventsLost: row.EventsLost, BuffersLost: row.BuffersLost}
			for _, names := range [][]string{row.Flags, row.EndFlags} {
				if names != nil {
					t.AddFlags(names)
				}
			}
			traces[row.Trace] = t
		}
		if row.HeaderTable == "" { // a trace without events
			continue
		}
		k := absence.Kind{ID: row.ID, IsHook: absence.HasHooks(row.HeaderTable), Header: row.HeaderTable, Events: row.Events}
		if row.PayloadTable != "" {
			k.Table = schema.ViewName(row.PayloadTable)
		}
		var err error
		if k.Provider, err = schema.ParseGUID(cmp.Or(row.Provider, schema.GUID{}.String())); err != nil {
			return nil, err
		}
		t.Kinds = append(t.Kinds, k)
	}
}
