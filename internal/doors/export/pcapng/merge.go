package pcapng

import (
	"cmp"
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// merge reads the events of all sources in time order: events with the same time in the order of the
// traces, those of a trace in the order of the file.
type merge struct {
	streams []*stream
	last    *stream // that had the last event
	traces  map[string]int
	errs    []error
}

// stream is the events of a source.
type stream struct {
	source *source
	rows   *recordbatch.Reader[packetRow]
	event  event // the next one
}

// newMerge begins to read traces that have these numbers. The merge must be closed.
func newMerge(ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan, numbers map[string]int) (*merge, error) {
	m := &merge{traces: numbers}
	var with []*source
	for i := range sources {
		switch table, err := t.Table(sources[i].table); {
		case err == nil && table.Rows != 0:
			with = append(with, &sources[i])
		case err != nil && !errors.Is(err, etl2parquet.ErrNoTable):
			return nil, err
		}
	}
	s.Memory /= int64(max(len(with), 1)) // they are read at the same time
	for _, source := range with {
		rows, err := open[packetRow](ctx, t, s, source.table)
		if err != nil {
			m.close()
			return nil, err
		}
		m.streams = append(m.streams, &stream{source: source, rows: rows})
	}
	for i := len(m.streams) - 1; i >= 0; i-- {
		m.advance(m.streams[i])
	}
	return m, nil
}

// advance reads the next event of a stream, or removes the stream after its last one.
func (m *merge) advance(s *stream) {
	if !s.rows.Next() {
		m.fail(s.rows.Err())
		s.rows.Release()
		for i := range m.streams {
			if m.streams[i] == s {
				m.streams = append(m.streams[:i], m.streams[i+1:]...)
				break
			}
		}
		return
	}
	row := &s.rows.Row
	s.event = event{
		trace: m.traces[row.Trace], ref: row.Ref, time: row.Time, processor: row.Processor,
		process: row.ProcessID, name: row.ProcessName, thread: row.ThreadID,
	}
	s.source.read(row, &s.event)
}

// fail keeps an error. Each source reports the error of a trace again.
func (m *merge) fail(err error) {
	var list interface{ Unwrap() []error }
	if errors.As(err, &list) {
		for _, one := range list.Unwrap() {
			m.fail(one)
		}
		return
	}
	if err == nil {
		return
	}
	for _, known := range m.errs {
		if known.Error() == err.Error() {
			return
		}
	}
	m.errs = append(m.errs, err)
}

// next returns the next event, which is valid until the next call, or nil after the last one.
func (m *merge) next() *event {
	if m.last != nil {
		m.advance(m.last)
	}
	m.last = nil
	for _, s := range m.streams {
		if m.last == nil || s.event.before(&m.last.event) {
			m.last = s
		}
	}
	if m.last == nil {
		return nil
	}
	return &m.last.event
}

// before reports whether an event comes before another one.
func (e *event) before(o *event) bool {
	return cmp.Or(cmp.Compare(e.time, o.time), cmp.Compare(e.trace, o.trace), cmp.Compare(e.ref, o.ref)) < 0
}

func (m *merge) close() {
	for _, s := range m.streams {
		s.rows.Release()
	}
	m.streams = nil
}
