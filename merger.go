package etl2parquet

import (
	"context"
	"sort"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/etl2parquet/etl2parquet/schema"
)

// timeColumn orders the rows of several traces.
const timeColumn = "time_ns"

// mergedRows is the approximate number of rows in a record batch of several traces.
const mergedRows = 8 << 10

// merger merges the rows of several traces by time. Rows of tables without times follow each other
// trace by trace.
type merger struct {
	schema  *arrow.Schema
	table   *schema.Table // with the columns that the traces have
	columns []string      // of it, which are read; the first ones are those of the merged rows
	timeAt  int           // of them, that orders the rows; -1: the table has no times
	memory  memory.Allocator
	left    int64          // most rows that may still be returned
	sources []*mergeSource // with rows left, the next one first
	opened  []*mergeSource // all of them
	current arrow.RecordBatch
	err     error
	users   atomic.Int64
}

var _ array.RecordReader = (*merger)(nil)

// mergeSource is a trace whose rows are merged.
type mergeSource struct {
	number int
	name   string
	reader array.RecordReader
	times  []int64
	row    int
	rows   int
}

// add begins to read the table of a trace.
func (m *merger) add(ctx context.Context, trace *Trace, s Scan) error {
	s.As, s.Columns = m.table, m.columns
	reader, err := trace.Scan(ctx, s)
	if err != nil {
		return err
	}
	src := &mergeSource{number: len(m.opened), name: trace.Name(), reader: reader}
	m.opened = append(m.opened, src)
	m.sources = append(m.sources, src)
	return nil
}

// advance makes sure that a source has a row, or returns false at its end.
func (s *mergeSource) advance(timeAt int) (bool, error) {
	for s.row == s.rows {
		if !s.reader.Next() {
			return false, s.reader.Err()
		}
		batch := s.reader.RecordBatch()
		s.row, s.rows = 0, int(batch.NumRows())
		if timeAt >= 0 {
			s.times = batch.Column(timeAt).(*array.Int64).Int64Values()
		}
	}
	return true, nil
}

// isBefore reports whether the next row of a source comes before that of another.
func (s *mergeSource) isBefore(other *mergeSource) bool {
	if s.times != nil && s.times[s.row] != other.times[other.row] {
		return s.times[s.row] < other.times[other.row]
	}
	return s.number < other.number
}

// run returns the end of the rows that come before the next row of other, which may be nil.
func (s *mergeSource) run(other *mergeSource, most int) int {
	end := min(s.rows, s.row+most)
	if other == nil || s.times == nil {
		return end
	}
	limit := other.times[other.row]
	if s.number > other.number {
		limit-- // at the same time the other one is first
	}
	return s.row + sort.Search(end-s.row, func(i int) bool { return s.times[s.row+i] > limit })
}

// Next implements [array.RecordReader].
func (m *merger) Next() bool {
	if m.current != nil {
		m.current.Release()
		m.current = nil
	}
	if m.err != nil {
		return false
	}
	m.current, m.err = m.merge()
	return m.current != nil
}

// merge returns the next record batch, or nil at the end.
func (m *merger) merge() (arrow.RecordBatch, error) {
	parts := make([][]arrow.Array, m.schema.NumFields())
	names := array.NewStringBuilder(m.memory)
	defer names.Release()
	defer func() {
		for _, column := range parts {
			for _, part := range column {
				part.Release()
			}
		}
	}()
	rows := 0
	most := int(min(mergedRows, m.left))
	for rows < most {
		first, second, err := m.next()
		if err != nil {
			return nil, err
		}
		if first == nil {
			break
		}
		from := first.row
		first.row = first.run(second, most-rows)
		n := first.row - from
		for range n {
			names.Append(first.name)
		}
		batch := first.reader.RecordBatch()
		for i := 1; i < len(parts); i++ {
			parts[i] = append(parts[i], array.NewSlice(batch.Column(i-1), int64(from), int64(first.row)))
		}
		rows += n
	}
	if rows == 0 {
		return nil, nil
	}
	m.left -= int64(rows)
	columns := make([]arrow.Array, len(parts))
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	columns[0] = names.NewArray()
	for i := 1; i < len(parts); i++ {
		var err error
		if columns[i], err = array.Concatenate(parts[i], m.memory); err != nil {
			return nil, err
		}
	}
	return array.NewRecordBatch(m.schema, columns, int64(rows)), nil
}

// next returns the source with the next row and the one after it; both may be nil.
func (m *merger) next() (first, second *mergeSource, err error) {
	left := m.sources[:0]
	for _, s := range m.sources {
		more, err := s.advance(m.timeAt)
		if err != nil {
			return nil, nil, err
		}
		if !more {
			continue
		}
		left = append(left, s)
		switch {
		case first == nil || s.isBefore(first):
			first, second = s, first
		case second == nil || s.isBefore(second):
			second = s
		}
	}
	m.sources = left
	return first, second, nil
}

// Schema implements [array.RecordReader].
func (m *merger) Schema() *arrow.Schema { return m.schema }

// RecordBatch implements [array.RecordReader].
func (m *merger) RecordBatch() arrow.RecordBatch { return m.current }

// Record is RecordBatch, by the name that it had in earlier versions of Arrow.
func (m *merger) Record() arrow.RecordBatch { return m.current }

// Err implements [array.RecordReader].
func (m *merger) Err() error { return m.err }

// Retain implements [array.RecordReader].
func (m *merger) Retain() { m.users.Add(1) }

// Release implements [array.RecordReader].
func (m *merger) Release() {
	if m.users.Add(-1) > 0 {
		return
	}
	if m.current != nil {
		m.current.Release()
		m.current = nil
	}
	for _, s := range m.opened {
		s.reader.Release()
	}
}
