package bundle

import (
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// parquetSink writes a Parquet file of a trace for each table.
type parquetSink struct {
	trace  string
	create func(t *schema.Table) (*parquet.File, error)
	idle   idleEncoders
}

// idleEncoders are the encoders that are not in use. Files share them, as there may be
// hundreds of tables.
type idleEncoders struct {
	mu   sync.Mutex
	list []*parquet.RowGroup
}

// take returns an encoder for row groups of a file.
func (e *idleEncoders) take(f *parquet.File) *parquet.RowGroup {
	e.mu.Lock()
	defer e.mu.Unlock()
	g := new(parquet.RowGroup)
	if n := len(e.list); n > 0 {
		g, e.list = e.list[n-1], e.list[:n-1]
	}
	g.Begin(f)
	return g
}

func (e *idleEncoders) put(g *parquet.RowGroup) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, g)
}

// encode encodes the rows of a row group of a file, all of one trace.
func (e *idleEncoders) encode(f *parquet.File, trace string, g *pipeline.Group) (*parquet.RowGroup, error) {
	encoded := e.take(f)
	for _, b := range g.Batches {
		b.SetTrace(trace)
		if err := encoded.Write(b); err != nil {
			return nil, err
		}
	}
	if err := encoded.Finish(); err != nil {
		return nil, err
	}
	g.Done()
	return encoded, nil
}

// Table implements [pipeline.Sink].
func (s *parquetSink) Table(t *schema.Table) (pipeline.Writer, error) {
	file, err := s.create(t)
	if err != nil {
		return nil, err
	}
	return &parquetTable{s, file}, nil
}

// parquetTable writes the rows of a table to its file.
type parquetTable struct {
	sink *parquetSink
	file *parquet.File
}

// Encode implements [pipeline.Writer].
func (t *parquetTable) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	encoded, err := t.sink.idle.encode(t.file, t.sink.trace, g)
	if err != nil {
		return nil, err
	}
	return &parquetGroup{encoded, &t.sink.idle}, nil
}

// parquetGroup is a row group, encoded.
type parquetGroup struct {
	*parquet.RowGroup
	idle *idleEncoders
}

// Commit implements [pipeline.Encoded].
func (g *parquetGroup) Commit() error {
	err := g.RowGroup.Commit()
	g.idle.put(g.RowGroup)
	return err
}
