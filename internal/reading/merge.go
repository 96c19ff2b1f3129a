package reading

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/schema"
)

// timeColumn orders the rows of several traces.
const timeColumn = "time_ns"

// merge makes the rows of a table of several traces. Rows of events are merged by time, those of the
// same time in the order of the traces; other rows come trace by trace.
type merge struct {
	scan    Scan
	workers int
	memory  int64
	table   *schema.Table // of the merged rows: trace, and the columns that are shown or needed
	columns []string      // that are read of each trace: those of table, and time_ns
	timeAt  int           // of these, that orders the rows; -1: the table is not one of events
	sources []*mergeSource

	nothing bool // by the indexes, the selection matches nothing

	mu     sync.Mutex
	failed []error // of traces; they do not end the others
}

// mergeSource is a trace whose rows are merged.
type mergeSource struct {
	number      int
	trace       *Trace
	plan        *plannedScan
	stretches   []pipeline.Stretch
	first, last int64 // times of its events, ns
	failed      bool
}

// newMerge plans to merge rows. needs returns the columns that the format of the rows needs to show
// some columns; nil means just these.
func (t *Traces) newMerge(s Scan, needs func(*schema.Table, []string) []string) (*merge, error) {
	m := &merge{scan: s, timeAt: -1}
	m.workers, m.memory = cmp.Or(s.Workers, t.options.Workers), cmp.Or(s.Memory, t.options.Memory)
	wide, with, err := t.wideTable(&s)
	if err != nil {
		return nil, err
	}
	shown := withoutTrace(s.Columns)
	switch {
	case s.Columns == nil:
		for i := range wide.Columns {
			shown = append(shown, wide.Columns[i].Name)
		}
	case needs != nil && len(shown) > 0:
		shown = needs(wide, shown)
	}
	if err := m.choose(wide, shown); err != nil {
		return nil, err
	}
	for number, trace := range with {
		if err := m.add(number, trace, wide); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// choose chooses the columns. Without any, the rows have the trace alone.
func (m *merge) choose(wide *schema.Table, shown []string) error {
	table := &schema.Table{Name: wide.Name, Doc: wide.Doc, Event: wide.Event}
	if len(shown) > 0 {
		var err error
		if table, err = pipeline.Project(wide, shown); err != nil {
			return err
		}
	}
	m.table, m.columns = table.WithTrace(), shown
	m.table.SortBy = nil // rows of the same time are in the order of the traces, whatever their names
	isMerged := pipeline.IsOfEvents(wide.Name) && wide.Column(timeColumn) >= 0
	switch {
	case isMerged && !slices.Contains(m.columns, timeColumn):
		m.columns = append(slices.Clip(m.columns), timeColumn)
	case len(m.columns) == 0: // to count the rows
		m.columns = []string{wide.Columns[0].Name}
	}
	if isMerged {
		m.timeAt = slices.Index(m.columns, timeColumn)
		if m.timeAt < len(shown) {
			m.table.SortBy = []string{timeColumn}
		}
	}
	return nil
}

// add plans to read a trace.
func (m *merge) add(number int, trace *Trace, wide *schema.Table) error {
	s := m.scan
	s.As, s.Columns, s.OnMismatch = wide, m.columns, nil
	src := &mergeSource{number: number, trace: trace, first: math.MaxInt64, last: math.MinInt64}
	var err error
	if src.plan, err = trace.plan(&s); err != nil {
		return err
	}
	if err := src.plan.choose(m.columns); err != nil {
		return err
	}
	src.plan.options.Workers, src.plan.options.Memory, src.plan.options.Strict = m.workers, m.memory, false
	if m.scan.Strict && trace.source.Index.Problems.Damaged() {
		src.plan.options.Strict = true // making the rows is the error
	}
	if m.timeAt >= 0 {
		src.stretches = trace.source.Stretches()
	}
	for _, stretch := range src.stretches {
		src.first, src.last = min(src.first, stretch.First), max(src.last, stretch.Last)
	}
	m.sources = append(m.sources, src)
	return nil
}

// errEnough ends the reading of a trace when the limit on rows is reached.
var errEnough = errors.New("there are enough rows")

// run makes the rows, and gives them to a sink. large makes groups of rows as large as those of a
// dataset. The errors of single traces are in m.failed.
func (m *merge) run(ctx context.Context, sink pipeline.Sink, large bool) error {
	if err := m.mismatches(); err != nil {
		return err
	}
	writer, err := sink.Table(m.table)
	if err != nil {
		return err
	}
	out := newRowOutput(writer, m.workers, m.scan.Limit, large)
	for _, together := range m.together() {
		if out.remaining == 0 {
			break
		}
		if len(together) == 1 {
			err = m.alone(ctx, together[0], out)
		} else {
			err = m.windows(ctx, together, out)
		}
		if err != nil {
			break
		}
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	if err = errors.Join(err, out.close()); err != nil {
		return err
	}
	return m.afterwards(out)
}

// fail records the error of a trace, whose other rows are left out. It returns errors that end the
// reading of all.
func (m *merge) fail(ctx context.Context, s *mergeSource, out *rowOutput, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errEnough) || ctx.Err() != nil || out.failed() != nil || errors.As(err, new(*goroutine.Error)):
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s.failed = true
	m.failed = append(m.failed, &facts.InputError{Input: s.trace.Input(), Err: err})
	return nil
}

// together divides the sources, by the times of their events: those of one list overlap.
func (m *merge) together() (lists [][]*mergeSource) {
	order := slices.Clone(m.sources)
	if m.timeAt >= 0 {
		order = slices.DeleteFunc(order, func(s *mergeSource) bool { return len(s.stretches) == 0 })
		slices.SortStableFunc(order, func(a, b *mergeSource) int { return cmp.Compare(a.first, b.first) })
	}
	last := int64(math.MinInt64)
	for _, s := range order {
		if m.timeAt >= 0 && len(lists) > 0 && s.first <= last {
			lists[len(lists)-1] = append(lists[len(lists)-1], s)
		} else {
			lists = append(lists, []*mergeSource{s})
		}
		last = max(last, s.last)
	}
	return lists
}

// alone makes the rows of a trace that no other one overlaps.
func (m *merge) alone(ctx context.Context, s *mergeSource, out *rowOutput) error {
	if out.remaining < math.MaxInt64 {
		s.plan.options.Limit = out.remaining
	}
	withTrace := func(b *columns.Batch) *columns.Batch {
		traced := columns.NewBatch(m.table)
		m.cursor(b).Copy(traced, b.Rows, s.trace.Name())
		return traced
	}
	_, err := s.plan.rows(ctx, s.plan.options, &copiedRows{withTrace, out.add})
	return m.fail(ctx, s, out, err)
}

// cursor returns a cursor for the columns that the merged rows have.
func (m *merge) cursor(b *columns.Batch) *columns.Cursor {
	return columns.NewCursor(b, len(m.table.Columns)-1)
}
