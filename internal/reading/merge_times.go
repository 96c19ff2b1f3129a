package reading

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// Traces that overlap are read window by window of time, so that any number of them can be merged
// with the memory for the events of one window: a trace that is read takes memory for itself.
const (
	bytesOfEvent  = 2 << 10 // of memory, for each event of a window; two windows are in memory
	firstWindow   = 4 << 10 // events of the first window: its rows appear soon
	smallestWhole = 1 << 12 // events of a window with little memory
	mergedRows    = 8 << 10 // of a merged batch
)

// window is the rows of a time, by source.
type window struct {
	from, to int64 // ns
	rows     []*sourceRows
}

// sourceRows is the rows of a source in a window, in order.
type sourceRows struct {
	source  *mergeSource
	batches []*columns.Batch
	cursor  *columns.Cursor
	times   []int64 // of the current batch
}

// windowsOf divides the time of some sources so that each window has few enough events.
func (m *merge) windowsOf(sources []*mergeSource) []window {
	var all []pipeline.Stretch
	for _, s := range sources {
		all = append(all, s.stretches...)
	}
	slices.SortFunc(all, func(a, b pipeline.Stretch) int { return cmp.Compare(a.First, b.First) })
	largest := max(m.memory/4/bytesOfEvent, smallestWhole)
	limit := min(firstWindow, largest)
	from, events := int64(math.MinInt64), int64(0)
	var list []window
	for _, stretch := range all {
		if events += stretch.Events; events > limit && stretch.First > from && stretch.First > all[0].First {
			list = append(list, window{from: from, to: stretch.First})
			from, events, limit = stretch.First, stretch.Events, min(4*limit, largest)
		}
	}
	return append(list, window{from: from, to: math.MaxInt64})
}

// windows makes the rows of sources that overlap. The next window is read while one is merged.
func (m *merge) windows(ctx context.Context, sources []*mergeSource, out *rowOutput) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	windows := make(chan *window)
	var readers errgroup.Group
	readers.Go(func() error {
		defer close(windows)
		return goroutine.Guard(func() error {
			for _, w := range m.windowsOf(sources) {
				if err := m.read(ctx, sources, &w, out); err != nil {
					return err
				}
				select {
				case windows <- &w:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	})
	rows := &mixedRows{merge: m, out: out, to: columns.NewBatch(m.table)}
	var err error
	for w := range windows {
		if err == nil {
			if err = rows.mix(w); err != nil {
				stop()
			}
		}
	}
	failed := goroutine.Raise(readers.Wait())
	switch {
	case err != nil:
		return err // because of which the reading ended
	case failed != nil:
		return failed
	}
	return out.add(rows.to)
}

// read makes the rows of a window.
func (m *merge) read(ctx context.Context, sources []*mergeSource, w *window, out *rowOutput) error {
	var active []*mergeSource
	for _, s := range sources {
		if !s.failed && slices.ContainsFunc(s.stretches, func(stretch pipeline.Stretch) bool { return stretch.First < w.to && stretch.Last >= w.from }) {
			active = append(active, s)
		}
	}
	var readers errgroup.Group
	readers.SetLimit(m.workers)
	w.rows = make([]*sourceRows, len(active))
	atOnce := max(1, min(len(active), m.workers))
	var failed atomic.Bool
	for i, s := range active {
		readers.Go(func() error {
			if failed.Load() {
				return nil
			}
			w.rows[i] = &sourceRows{source: s}
			err := m.fail(ctx, s, out, goroutine.Guard(func() error { return m.readOne(ctx, w, w.rows[i], atOnce) }))
			if err != nil {
				failed.Store(true)
			}
			return err
		})
	}
	return readers.Wait()
}

// readOne makes the rows of a source in a window.
func (m *merge) readOne(ctx context.Context, w *window, r *sourceRows, atOnce int) error {
	o := *r.source.plan.options
	o.Workers, o.Memory = max(1, m.workers/atOnce), m.memory/int64(2*atOnce)
	r.source.trace.source.During(&o, w.from, w.to)
	_, err := r.source.plan.rows(ctx, &o, &copiedRows{cloneBatch, func(b *columns.Batch) error {
		r.batches = append(r.batches, b)
		return nil
	}})
	if err == nil {
		err = r.next(m)
	}
	return err
}

func cloneBatch(b *columns.Batch) *columns.Batch {
	clone := columns.NewBatch(b.Table)
	clone.Append(b)
	return clone
}

// next makes sure that the rows have a current one, unless they are at their end.
func (r *sourceRows) next(m *merge) error {
	for r.cursor == nil || r.cursor.Left() == 0 {
		if len(r.batches) == 0 {
			r.times = nil
			return nil
		}
		b := r.batches[0]
		r.batches = r.batches[1:]
		r.cursor, r.times = m.cursor(b), r.timesOf(b)
	}
	return nil
}

// timesOf returns the times of a batch. An event without one has the place of the event before it or,
// without such, of the next one.
func (r *sourceRows) timesOf(b *columns.Batch) []int64 {
	c := b.Column(timeColumn)
	if len(c.Ints) == b.Rows {
		return c.Ints
	}
	times := make([]int64, b.Rows)
	place := int64(math.MinInt64)
	if n := len(r.times); n > 0 {
		place = r.times[n-1]
	} else if len(c.Ints) > 0 {
		place = c.Ints[0]
	}
	for row, next := 0, 0; row < b.Rows; row++ {
		if c.Has(row) {
			place = c.Ints[next]
			next++
		}
		times[row] = place
	}
	return times
}

// mixedRows makes batches of the rows of windows. Where they end does not depend on the windows.
type mixedRows struct {
	merge *merge
	out   *rowOutput
	to    *columns.Batch
}

// mix gives the rows of a window to the output, in order.
func (r *mixedRows) mix(w *window) error {
	var queue rowQueue
	for _, rows := range w.rows {
		if rows.times != nil {
			queue = append(queue, rows)
		}
	}
	slices.SortFunc(queue, (*sourceRows).compare)
	for len(queue) > 0 {
		first := queue[0]
		n := min(queue.run(), mergedRows-r.to.Rows)
		first.cursor.Copy(r.to, n, first.source.trace.Name())
		if err := first.next(r.merge); err != nil {
			return err
		}
		queue = queue.advance()
		if r.to.Rows == mergedRows {
			if err := r.out.add(r.to); err != nil {
				return err
			}
			r.to = columns.NewBatch(r.merge.table)
		}
	}
	return nil
}

// rowQueue is the sources that have more rows, in the order of their next rows.
type rowQueue []*sourceRows

// compare compares the next rows of two sources.
func (r *sourceRows) compare(other *sourceRows) int {
	return cmp.Or(cmp.Compare(r.times[r.cursor.Row()], other.times[other.cursor.Row()]), cmp.Compare(r.source.number, other.source.number))
}

// run returns the number of rows of the first source that come before those of all others.
func (q rowQueue) run() int {
	first := q[0]
	if len(q) == 1 {
		return first.cursor.Left()
	}
	second := q[1]
	limit := second.times[second.cursor.Row()]
	if first.source.number > second.source.number {
		limit-- // at the same time the other one is first
	}
	n := 1
	for row := first.cursor.Row(); n < first.cursor.Left() && first.times[row+n] <= limit; {
		n++
	}
	return n
}

// advance returns the queue after rows of its first source were taken: the source has another place, or it
// has no more rows.
func (q rowQueue) advance() rowQueue {
	first, others := q[0], q[1:]
	if first.times == nil {
		return others
	}
	place, _ := slices.BinarySearchFunc(others, first, (*sourceRows).compare)
	copy(q, others[:place])
	q[place] = first
	return q
}
