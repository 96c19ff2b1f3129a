package formats

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/lines"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Formats are the names of the formats of streams.
var Formats = []string{"ndjson", "csv", "arrow"}

// IsBinary reports whether a format, of any command, must not be written to a terminal.
func IsBinary(format string) bool { return format == "arrow" || format == "parquet" }

// EventColumns are the most useful columns of the table of all events, in the order in which they
// are shown.
var EventColumns = []string{
	"timestamp", "processor", "process_id", "process_name", "thread_id", "provider_name", "provider_id", "event_name",
	schema.FieldsColumn, schema.MessageColumn, schema.PayloadColumn, "event_ref",
}

// ErrLimit is the error that ends a pass when the limit on rows is reached.
var ErrLimit = errors.New("as many rows as wanted")

// Options select the rows and columns to write, and their form.
type Options struct {
	Format    string           // of Formats
	Columns   []string         // of the table, in this order; nil means all
	Limit     int64            // most rows to write; negative means all
	Allocator memory.Allocator // of the record batches of an Arrow stream
}

// Writer is a sink that writes rows to a stream of bytes.
type Writer interface {
	pipeline.Sink
	// Close completes the output. It must be called after the pass has ended. If there was no
	// error, it also writes what a stream without rows needs.
	Close(pass error) error
	// Rows returns the number of rows written. It is valid after Close.
	Rows() int64
}

// NewWriter returns a sink for the rows of a table.
func NewWriter(w io.Writer, t *schema.Table, o Options) (Writer, error) {
	if o.Columns == nil {
		for i := range t.Columns {
			o.Columns = append(o.Columns, t.Columns[i].Name)
		}
	}
	rows := rowCount{limit: o.Limit}
	switch o.Format {
	case "ndjson":
		return &textWriter{to: w, maker: lines.NewMaker(t, lines.NDJSON, o.Columns), rowCount: rows}, nil
	case "csv":
		return &textWriter{to: w, maker: lines.NewMaker(t, lines.CSV, o.Columns), rowCount: rows}, nil
	case "arrow":
		return newArrowWriter(w, t, o.Allocator, rows), nil
	}
	return nil, fmt.Errorf("unknown format %q; there are %v", o.Format, Formats)
}

// Needed returns the columns that a table must have so that a format can write the shown ones.
func Needed(t *schema.Table, format string, shown []string) []string {
	if format == "arrow" {
		return shown
	}
	return lines.Columns(t, shown)
}

// rowCount counts the rows that are written.
type rowCount struct {
	rows, limit int64 // limit: negative if there is none
}

// allow returns how many of n rows may be written, and ErrLimit if they are the last.
func (c *rowCount) allow(n int) (int, error) {
	if c.limit < 0 {
		c.rows += int64(n)
		return n, nil
	}
	n = int(min(int64(n), c.limit-c.rows))
	c.rows += int64(n)
	if c.rows == c.limit {
		return n, ErrLimit
	}
	return n, nil
}

// Rows implements [Writer].
func (c *rowCount) Rows() int64 { return c.rows }

// textWriter writes lines.
type textWriter struct {
	to    io.Writer
	maker *lines.Maker
	begun bool
	rowCount
}

// Table implements [pipeline.Sink].
func (w *textWriter) Table(*schema.Table) (pipeline.Writer, error) { return w, nil }

// Encode implements [pipeline.Writer].
func (w *textWriter) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	text := &textGroup{of: w}
	for _, b := range g.Batches {
		text.lines, text.ends = w.maker.Append(text.lines, text.ends, b)
	}
	return text, nil
}

// writeHeader writes the line before the rows.
func (w *textWriter) writeHeader() error {
	if w.begun {
		return nil
	}
	w.begun = true
	header := w.maker.AppendHeader(nil)
	if len(header) == 0 {
		return nil
	}
	_, err := w.to.Write(header)
	return err
}

// Close implements [Writer].
func (w *textWriter) Close(pass error) error {
	if pass != nil {
		return nil
	}
	return w.writeHeader()
}

// textGroup is lines that wait for their turn.
type textGroup struct {
	of    *textWriter
	lines []byte
	ends  []int // of each line
}

// Commit implements [pipeline.Encoded].
func (g *textGroup) Commit() error {
	if err := g.of.writeHeader(); err != nil {
		return err
	}
	n, limit := g.of.allow(len(g.ends))
	if n > 0 {
		if _, err := g.of.to.Write(g.lines[:g.ends[n-1]]); err != nil {
			return err
		}
	}
	return limit
}

// arrowWriter writes an Arrow stream.
type arrowWriter struct {
	*Records
	to *ipc.Writer
	rowCount
}

func newArrowWriter(w io.Writer, t *schema.Table, m memory.Allocator, rows rowCount) *arrowWriter {
	a := &arrowWriter{rowCount: rows}
	a.Records = NewRecords(t, m, a.write)
	a.to = ipc.NewWriter(w, ipc.WithSchema(a.Schema())) // its allocator must give zeros
	return a
}

// write writes a record batch, up to the limit.
func (w *arrowWriter) write(batch arrow.RecordBatch) error {
	defer batch.Release()
	n, limit := w.allow(int(batch.NumRows()))
	if int64(n) < batch.NumRows() {
		batch = batch.NewSlice(0, int64(n))
		defer batch.Release()
	}
	if err := w.to.Write(batch); err != nil {
		return err
	}
	return limit
}

// Close implements [Writer].
func (w *arrowWriter) Close(pass error) error {
	w.Records.Close()
	if pass != nil {
		return nil // without an end mark, so that readers notice
	}
	return w.to.Close()
}
