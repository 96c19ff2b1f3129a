package pcapng

import (
	"cmp"
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet"
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
	row    *row
	event  event // the next one
}

// newMerge begins to read. The merge must be closed.
func newMerge(ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan) (*merge, error) {
	m := &merge{traces: make(map[string]int)}
	for i, trace := range t.All() {
		m.traces[trace.Name()] = i
	}
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
	for _, from := range with {
		r, err := scan(ctx, t, s, from.table, append(commonColumns[:len(commonColumns):len(commonColumns)], from.columns...)...)
		if err != nil {
			m.close()
			return nil, err
		}
		m.streams = append(m.streams, &stream{source: from, row: r})
	}
	for i := len(m.streams) - 1; i >= 0; i-- {
		m.advance(m.streams[i])
	}
	return m, nil
}

// advance reads the next event of a stream, or removes the stream after its last one.
func (m *merge) advance(s *stream) {
	if !s.row.Next() {
		m.fail(s.row.Err())
		s.row.Release()
		for i := range m.streams {
			if m.streams[i] == s {
				m.streams = append(m.streams[:i], m.streams[i+1:]...)
				break
			}
		}
		return
	}
	r := s.row
	s.event = event{
		trace: m.traces[r.text("trace")], ref: r.number("event_ref"), time: r.number("time_ns"), processor: r.number("processor"),
		process: r.number("process_id"), name: r.text("process_name"), thread: r.number("thread_id"),
	}
	s.source.read(r, &s.event)
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
		s.row.Release()
	}
	m.streams = nil
}
