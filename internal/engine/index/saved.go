package index

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// saved is what the index pass has read from a trace. It excludes the user's files that describe
// events, and options about them.
type saved struct {
	Container decode.Container
	Buffers   []BufferSummary
	Sums      []uint64
	ByHeader  [256]int64
	Types     []catalog.EventType
	Unlisted  catalog.Unlisted
	Learned   catalog.Learned
	Nearby    catalog.Learned // of the siblings
	Problems  []facts.Problem
	Session   Session
	Siblings  []string
	Unread    []bool
	Recorded  span // see Index.recorded: of the first buffer
	Clock     *ClockSteps
	Tables    attribution.Snapshot
	Without   Facts // that the tables lack
}

// saved returns the part of the index that is written. It shares memory with the index.
func (x *Index) saved() (*saved, error) {
	tables, err := x.Tables().Snapshot()
	if err != nil {
		return nil, err
	}
	return &saved{
		Container: x.File.Container(), Buffers: x.Buffers, Sums: x.Sums, ByHeader: x.ByHeader,
		Types: x.types.List, Unlisted: x.types.Unlisted, Learned: x.learned, Nearby: x.nearby, Problems: x.found,
		Session: x.Session, Siblings: x.Siblings, Unread: x.Unread, Recorded: x.firstRecorded, Clock: x.ClockSteps, Tables: *tables, Without: x.without,
	}, nil
}

// restore returns the index of a trace. It checks only the size of the trace.
func (s *saved) restore(trace io.ReaderAt, size int64, o *Options) (x *Index, err error) {
	if len(s.Buffers) != len(s.Container.Buffers) || len(s.Sums) != len(s.Buffers) {
		return nil, ErrDamaged
	}
	for i := range s.Buffers {
		if b := &s.Buffers[i]; b.Events < 0 || b.Bytes < 0 || b.HasEvents() && b.First > b.Last || b.Switches.InBatches < 0 || b.Switches.InBatches > b.Bytes {
			return nil, ErrDamaged
		}
	}
	f, err := decode.FileOf(&checkedReader{trace, s.Container.Buffers, s.Sums}, size, &s.Container)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	x = newIndex(f, o)
	x.Buffers, x.Sums, x.ByHeader, x.learned, x.nearby, x.found = s.Buffers, s.Sums, s.ByHeader, s.Learned, s.Nearby, s.Problems
	x.Session, x.Siblings, x.Unread, x.firstRecorded, x.ClockSteps, x.without = s.Session, s.Siblings, s.Unread, s.Recorded, s.Clock, s.Without
	if err := errors.Join(x.learned.Restore(), x.nearby.Restore()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := x.types.Restore(s.Types, s.Unlisted, &x.learned); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	limits := o.limits()
	tables, err := s.Tables.Restore(limits.Frames, len(s.Buffers), func() (attribution.Overflow, error) { return x.createOverflow() })
	if err != nil {
		if errors.Is(err, attribution.ErrSnapshot) {
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return nil, errors.Join(err, x.Close())
	}
	x.Tables, x.Computer = func() *attribution.Tables { return tables }, tables.Computer
	for _, p := range s.Problems {
		x.Problems.Add(p)
	}
	x.notePlace()
	x.sum()
	if err := x.describe(o, tables); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// checkEnds reads the first and the last buffer, and returns ErrStale if they differ from the
// index.
func (x *Index) checkEnds() error {
	n := x.File.Buffers()
	for _, i := range []int{0, n - 1} {
		if i < 0 || i >= n {
			continue
		}
		b := x.File.BufferInfo(i)
		if _, err := x.File.ReadAt(make([]byte, b.Size), b.Offset); err != nil {
			return err
		}
	}
	return nil
}

// checkedReader reads a trace and checks its buffers by their sums. It returns ErrStale for a
// buffer that has changed.
type checkedReader struct {
	io.ReaderAt
	buffers []decode.BufferInfo
	sums    []uint64
}

// ReadAt implements [io.ReaderAt]. It checks reads that begin and end where buffers do.
func (r *checkedReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, offset)
	i := sort.Search(len(r.buffers), func(i int) bool { return r.buffers[i].Offset >= offset })
	if n < len(p) || i == len(r.buffers) || r.buffers[i].Offset != offset || int(r.buffers[i].Size) != len(p) {
		return n, err
	}
	if xxh3.Hash(p) != r.sums[i] {
		return 0, ErrStale
	}
	return n, nil
}
