package formats

import (
	"io"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/lines"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Text is a line a row, for people.
var Text = &Format{Name: "text", continues: true, form: rows.FieldsText, columns: logs.TextColumns, needs: lines.Columns, write: newLogText, IsLog: true, Greps: true}

func newLogText(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	return &logWriter{to: w, limit: o.Limit, append: logs.NewTextMaker(t, o.Columns, zone, o.Keep).Append}, nil
}

// appender appends the rows of a batch that are kept as text, and the end of each.
type appender func(dst []byte, ends []int, b *columns.Batch) ([]byte, []int)

// logWriter writes one text after another, each of a row.
type logWriter struct {
	to     io.Writer
	limit  int64 // most rows; 0 means all
	append appender
	room   room
	rowCount
}

// room is memory of texts that are written, for the next ones: their sizes are similar.
type room struct{ pool sync.Pool }

func (r *room) take() []byte {
	if b, ok := r.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

func (r *room) give(b []byte) { r.pool.Put(&b) }

// Table implements [pipeline.Sink].
func (w *logWriter) Table(*schema.Table) (pipeline.Writer, error) { return w, nil }

// Encode implements [pipeline.Writer].
func (w *logWriter) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	text := &logGroup{of: w, lines: w.room.take()}
	for _, b := range g.Batches {
		text.lines, text.ends = w.append(text.lines, text.ends, b)
	}
	return text, nil
}

// Close implements [Writer].
func (w *logWriter) Close(error) error { return nil }

// logGroup is rows as text that wait for their turn.
type logGroup struct {
	of    *logWriter
	lines []byte
	ends  []int // of each row
}

// Commit implements [pipeline.Encoded].
func (g *logGroup) Commit() error {
	w := g.of
	defer w.room.give(g.lines)
	if w.limit > 0 {
		g.ends = g.ends[:min(int64(len(g.ends)), w.limit-w.rows)]
	}
	if len(g.ends) == 0 {
		return nil
	}
	w.rows += int64(len(g.ends))
	if _, err := w.to.Write(g.lines[:g.ends[len(g.ends)-1]]); err != nil {
		return err
	}
	if w.rows == w.limit {
		return ErrEnough
	}
	return nil
}
