package etl2parquet

import (
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
)

// Info describes what is in the trace. The first call may read the trace once more, because payloads
// with texts must be read to be counted.
func (t *Trace) Info(ctx context.Context) (*facts.Info, error) {
	return t.source.Index.Summary(ctx, t.fileName(), t.options.Workers)
}

// fileName returns the name that the trace has in its description.
func (t *Trace) fileName() string {
	if t.options.RedactKey != nil {
		return t.source.FileName()
	}
	return t.source.Input.Name
}

// ReadInfo describes the trace in r. It costs less than [OpenReader] and [Trace.Info], because it
// does not index processes, images, files, methods and stacks. The name becomes Info.File.
func ReadInfo(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*facts.Info, error) {
	o.complete()
	p, err := o.redacting()
	if err != nil {
		return nil, err
	}
	x, err := p.IndexForInfo(ctx, pipeline.Input{Name: name, Size: size, Trace: r})
	if err != nil {
		return nil, err
	}
	if p.Redact != nil {
		name = redact.FileName(p.Redact.TraceName(partname.OfTraces([]string{name})[0]))
	}
	s, err := x.Summary(ctx, name, o.Workers)
	if err = errors.Join(err, x.Close()); err != nil {
		return nil, err
	}
	return s, nil
}
