package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FollowOptions say how growing traces are followed. The zero value is valid.
type FollowOptions struct {
	// Trace are the options of each trace. Siblings, Index and Only are not used.
	Trace Options
	// Write says how rows are written. Formats of lines can be followed: those of which two results, one
	// after the other, are one.
	Write WriteOptions
	// State is the path of a file that says how far each trace has been written. Follow goes on from
	// there, and replaces the file, at once, after rows were written. "" begins with the first buffer.
	State string
	// OnMessage is called with a sentence for people when something happens to a file: it is absent,
	// complete, removed, begun anew, or a buffer is damaged. It may be nil.
	OnMessage func(text string)
}

// The errors of following traces.
var (
	ErrNotFollowed = errors.New("cannot be followed")
	ErrOtherState  = errors.New("the state is of another file")
)

// Times of following. A record appears at most the sum of these after its buffer is complete, and twice
// followInterval if only the next look shows that the buffer is.
const (
	followInterval = 150 * time.Millisecond // between two looks at the files
	followSettle   = 200 * time.Millisecond // in which buffers of other processors may come
	findInterval   = time.Second            // between two looks for new files in folders
	followGrace    = 5 * time.Second        // for the rows that are being written when ctx is done
)

// Follow writes the events of growing traces as their buffers arrive, until ctx is done, and returns the
// number of rows. Its error is then that of ctx. With s.Limit it ends after that number of rows.
//
// Inputs are files, which need not exist yet, folders and patterns, whose new files are followed too.
// Unless the only input is a file, the rows begin with the name of the trace.
//
// Follow decodes buffers that are complete, with the facts that are known so far: processes, images,
// descriptions of payloads. At first it reads all that is there for its facts. Rows that are written
// together are in the order of time: those of buffers that come within a fifth of a second, at most
// 64 MiB of each trace. Later rows can be of earlier times, because each processor has buffers of its own.
//
// When ctx is done, the rows that are being written are completed. If the process is killed instead, the
// next run with the same state writes the rows of the buffers again that were being written: its first
// message says which. No row is left out.
func Follow(ctx context.Context, inputs []string, w io.Writer, s Scan, o FollowOptions) (rows int64, err error) {
	f, err := newFollower(inputs, w, s, o)
	if err != nil {
		return 0, err
	}
	err = f.run(ctx)
	return f.rows, errors.Join(err, f.close())
}

// follower follows growing traces.
type follower struct {
	inputs  []string
	out     io.Writer
	scan    Scan
	options FollowOptions
	state   *followState
	files   []*followedFile
	byPath  map[string]*followedFile
	one     bool     // the only input is a file
	needed  []string // columns, for the rows to write
	rows    int64
	found   time.Time // when folders were looked through
	absent  map[string]bool
}

func newFollower(inputs []string, w io.Writer, s Scan, o FollowOptions) (*follower, error) {
	f := &follower{inputs: inputs, out: w, scan: s, options: o, byPath: make(map[string]*followedFile), absent: make(map[string]bool)}
	format, err := formats.Find(cmp.Or(o.Write.Format.name(), formats.NDJSON.Name))
	switch {
	case err != nil:
		return nil, err
	case !format.Continues():
		return nil, fmt.Errorf("rows in the format %s %w: a later row would not belong to them", format.Name, ErrNotFollowed)
	case s.Table != "" && s.Table != schema.EventsName || s.Split != "" || s.As != nil:
		return nil, fmt.Errorf("other tables than %s %w", schema.EventsName, ErrNotFollowed)
	case s.From.IsTimeOfDay() || s.To.IsTimeOfDay():
		return nil, fmt.Errorf("a time of day %w: traces grow beyond midnight; give the date", ErrNotFollowed)
	case o.Trace.RedactKey != nil:
		return nil, fmt.Errorf("a trace whose names are replaced %w: names that it has not had yet are not known", ErrNotFollowed)
	case len(inputs) == 0:
		return nil, errors.New("no input to follow")
	}
	if err := f.chooseColumns(format); err != nil {
		return nil, err
	}
	f.scan.Table, f.scan.Strict, f.scan.OnMismatch = schema.EventsName, false, nil
	f.options.Trace.complete()
	f.options.Trace.Siblings, f.options.Trace.Index, f.options.Trace.Only = nil, "", f.only()
	if err := f.checkInputs(); err != nil {
		return nil, err
	}
	f.state, err = readFollowState(o.State)
	return f, err
}

// kindColumn numbers the kinds of event of a whole trace.
const kindColumn = "event_kind"

// chooseColumns chooses the columns to write: those that are named, those of the format, or all.
func (f *follower) chooseColumns(format *formats.Format) error {
	if slices.Contains(f.scan.Columns, kindColumn) {
		return fmt.Errorf("the column %s %w: it numbers the kinds of event of a whole trace", kindColumn, ErrNotFollowed)
	}
	all := schema.EventsTable()
	of, err := format.Columns(all)
	if err != nil {
		return err
	}
	if f.needed = of; f.scan.Columns != nil {
		f.needed = f.scan.Columns
	}
	if f.needed != nil {
		return nil
	}
	for i := range all.Columns {
		if name := all.Columns[i].Name; name != kindColumn {
			f.scan.Columns = append(f.scan.Columns, name)
		}
	}
	f.needed = f.scan.Columns
	return nil
}

// name returns the format as text.
func (f Format) name() string { return string(f) }

func (f *follower) run(ctx context.Context) error {
	if f.scan.Limit < 0 {
		return nil
	}
	for {
		if err := f.look(ctx); err != nil {
			return err
		}
		windows, err := f.windows()
		if err != nil {
			return err
		}
		if len(windows) > 0 && !isLarge(windows) {
			if err := pause(ctx, followSettle); err != nil {
				return err
			}
			if err := f.look(ctx); err != nil {
				return err
			}
			if windows, err = f.windows(); err != nil {
				return err
			}
		}
		if len(windows) > 0 {
			if enough, err := f.print(ctx, windows); enough || err != nil {
				return err
			}
			if isLarge(windows) { // there may be more
				continue
			}
		}
		if err := pause(ctx, followInterval); err != nil {
			return err
		}
	}
}

// pause waits. It returns the error of ctx if that is done.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ctx.Err()
	}
}

// print writes the rows of windows, and reports whether there are as many as the limit allows. If ctx is
// done meanwhile, the rows are completed.
func (f *follower) print(ctx context.Context, windows []*followedWindow) (enough bool, err error) {
	if err := f.state.begin(windows); err != nil {
		return false, err
	}
	writing, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if pause(writing, followGrace) == nil {
			stop(ctx.Err())
		}
	})()
	rows, err := f.write(writing, windows)
	f.rows += rows
	if errors.Is(err, io.ErrUnexpectedEOF) { // the next look finds out why
		f.say("%s; trying again, so that some rows may come twice", err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := f.state.end(windows); err != nil {
		return false, err
	}
	for _, w := range windows {
		w.of.trace.Printed(w.window)
	}
	return f.scan.Limit > 0 && f.rows >= f.scan.Limit, ctx.Err()
}

// write writes the rows of windows.
func (f *follower) write(ctx context.Context, windows []*followedWindow) (rows int64, err error) {
	t := &Traces{options: f.options.Trace}
	for _, w := range windows {
		trace, err := w.open(ctx, f)
		if err != nil {
			return 0, errors.Join(err, t.closeOpen())
		}
		t.list = append(t.list, trace)
	}
	s, o := f.scan, f.options.Write
	if s.Limit > 0 {
		s.Limit -= f.rows
	}
	o.continues = f.state.isBegun()
	if f.one {
		rows, err = t.list[0].Write(ctx, f.out, s, o)
	} else {
		rows, err = t.Write(ctx, f.out, s, o)
	}
	f.state.setBegun()
	return rows, errors.Join(err, t.closeOpen())
}

// closeOpen closes the traces, which have no inputs.
func (t *Traces) closeOpen() error {
	var errs []error
	for _, trace := range t.list {
		errs = append(errs, trace.Close())
	}
	return errors.Join(errs...)
}

// pipeline returns the options of the passes over each window.
func (f *follower) pipeline() *pipeline.Options {
	p := f.options.Trace.pipeline()
	p.Once, p.Selection = true, f.only().tableSelection()
	return p
}

// only returns the scan that traces are opened for.
func (f *follower) only() *Scan {
	only := f.scan
	only.Columns = f.needed
	return &only
}

func (f *follower) say(format string, args ...any) {
	if f.options.OnMessage != nil {
		f.options.OnMessage(fmt.Sprintf(format, args...))
	}
}

// close closes the files.
func (f *follower) close() error {
	var errs []error
	for _, file := range f.files {
		errs = append(errs, file.trace.Close())
	}
	return errors.Join(errs...)
}
