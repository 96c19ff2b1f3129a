package pipeline

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Part makes an input a part of a trace that is read while it is written. Its first buffers repeat
// events of other parts, which say something about the events of this one; they give no rows.
type Part struct {
	File   *decode.File          // the buffers with repeated events, then those of the part
	Facts  int                   // how many buffers repeat events
	Number int64                 // in the whole trace, of the first buffer of the part
	Keep   func(index.KeptEvent) // called for the part's events that later parts need; may be nil
}

// index adds what the index pass must know of the part.
func (p *Part) index(o *index.Options) {
	if p != nil {
		o.Keep, o.KeepFrom = p.Keep, p.Facts
	}
}

// facts returns how many of the buffers give no rows.
func (p *Part) facts() int {
	if p == nil {
		return 0
	}
	return p.Facts
}

// sink returns a sink that passes on rows with the references of the whole trace.
func (p *Part) sink(to Sink) Sink {
	if p == nil {
		return to
	}
	return partSink{to, (p.Number - int64(p.Facts)) << 32} // as in the column event_ref
}

type partSink struct {
	sink  Sink
	shift int64
}

// Table implements [Sink].
func (s partSink) Table(t *schema.Table) (Writer, error) {
	w, err := s.sink.Table(t)
	return partWriter{w, s.shift}, err
}

type partWriter struct {
	writer Writer
	shift  int64
}

// Encode implements [Writer].
func (w partWriter) Encode(g *Group) (Encoded, error) {
	for _, b := range g.Batches {
		w.shiftRefs(b)
	}
	return w.writer.Encode(g)
}

func (w partWriter) shiftRefs(b *columns.Batch) {
	if c := b.OptionalColumn("event_ref"); c != nil {
		for i := range c.Ints {
			c.Ints[i] += w.shift
		}
	}
}
