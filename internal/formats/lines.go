package formats

import (
	"bytes"
	"io"
	"regexp"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/lines"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The formats of lines of text.
var (
	NDJSON = linesFormat("ndjson", lines.NDJSON)                                                       // an object a line
	CSV    = linesFormat("csv", lines.CSV)                                                             // comma-separated values, with a header
	JSON   = &Format{Name: "json", Single: true, needs: lines.Columns, write: linesWriter(lines.JSON)} // an array of objects
)

func linesFormat(name string, f lines.Format) *Format {
	return &Format{Name: name, continues: true, needs: lines.Columns, write: linesWriter(f), Greps: f == lines.NDJSON}
}

func linesWriter(f lines.Format) func(io.Writer, *schema.Table, *Options) (Writer, error) {
	return func(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
		maker := lines.NewMaker(t, f, o.Columns)
		if o.Keep != nil {
			return &logWriter{to: w, limit: o.Limit, append: kept(maker, o.Keep)}, nil
		}
		return &textWriter{to: w, maker: maker, begun: o.Continues}, nil
	}
}

// kept appends the lines that match.
func kept(m *lines.Maker, keep *regexp.Regexp) appender {
	return func(dst []byte, ends []int, b *columns.Batch) ([]byte, []int) {
		for line := range bytes.Lines(m.Append(nil, b)) {
			if keep.Match(line[:len(line)-1]) {
				dst = append(dst, line...)
				ends = append(ends, len(dst))
			}
		}
		return dst, ends
	}
}

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
	text := &textGroup{of: w, rows: g.Rows()}
	for _, b := range g.Batches {
		text.lines = w.maker.Append(text.lines, b)
	}
	return text, nil
}

// begin writes what comes before the rows.
func (w *textWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	return w.write(w.maker.Header())
}

func (w *textWriter) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := w.to.Write(text)
	return err
}

// Close implements [Writer].
func (w *textWriter) Close(pass error) error {
	if pass != nil {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	return w.write(w.maker.Footer(w.rows > 0))
}

// textGroup is lines that wait for their turn.
type textGroup struct {
	of    *textWriter
	lines []byte
	rows  int
}

// Commit implements [pipeline.Encoded].
func (g *textGroup) Commit() error {
	w := g.of
	if err := w.begin(); err != nil {
		return err
	}
	if w.rows == 0 {
		g.lines = g.lines[w.maker.Separator():]
	}
	w.rows += int64(g.rows)
	return w.write(g.lines)
}
