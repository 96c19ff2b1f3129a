package formats

import (
	"io"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// OTLP is log records of OpenTelemetry: a batch of them a line, as LogsData in the JSON form of
// protocol buffers.
var OTLP = &Format{Name: "otlp", continues: true, form: rows.FieldsAttributes, columns: logs.OTLPColumns, write: newOTLPWriter, IsLog: true, IsWhole: true}

// BatchWriter takes batches of log records. A writer that is one gets each batch, a line, by itself.
type BatchWriter interface {
	WriteBatch(line []byte, records int) error
}

// otlpWriter writes batches of log records. What is in a batch does not depend on the groups of rows.
type otlpWriter struct {
	maker   *logs.OTLPMaker
	batcher logs.Batcher
	room    room
	rowCount
}

func newOTLPWriter(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	write := func(line []byte, _ int) error {
		_, err := w.Write(line)
		return err
	}
	if to, ok := w.(BatchWriter); ok {
		write = to.WriteBatch
	}
	return &otlpWriter{maker: logs.NewOTLPMaker(t, o.Columns), batcher: logs.Batcher{ResourceOf: o.resourceOf(), Write: write}}, nil
}

// Table implements [pipeline.Sink].
func (w *otlpWriter) Table(*schema.Table) (pipeline.Writer, error) { return w, nil }

// Encode implements [pipeline.Writer].
func (w *otlpWriter) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	made := &recordsGroup{of: w, text: w.room.take()}
	for _, b := range g.Batches {
		made.text, made.records = w.maker.Append(made.text, made.records, b)
	}
	return made, nil
}

// Close implements [Writer].
func (w *otlpWriter) Close(pass error) error {
	if pass != nil {
		return nil
	}
	return w.batcher.Flush()
}

// recordsGroup is log records that wait for their turn.
type recordsGroup struct {
	of      *otlpWriter
	text    []byte
	records []logs.Record
}

// Commit implements [pipeline.Encoded].
func (g *recordsGroup) Commit() error {
	defer g.of.room.give(g.text)
	from := 0
	for i := range g.records {
		r := &g.records[i]
		g.of.rows++
		if err := g.of.batcher.Add(r, g.text[from:r.End]); err != nil {
			return err
		}
		from = r.End
	}
	return nil
}
