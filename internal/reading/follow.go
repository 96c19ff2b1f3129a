package reading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FollowOptions say how growing traces are followed.
type FollowOptions struct {
	Trace Options // of each trace; Siblings, Index, Once and Selection are not used
	Write WriteOptions
	// State is the path of a file that says how far each trace has been written. Follow goes on from
	// there, and replaces the file, at once, after rows were written. "" begins with the first buffer.
	State     string
	OnMessage func(text string) // is called with a sentence for people when something happens to a file; may be nil
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
//  1. It looks for new files and for complete buffers, and learns the facts in new buffers.
//  2. If it finds buffers, it waits a moment for those of other processors, and looks again.
//  3. It notes in the state what it is going to write, writes the rows of all buffers in the order of time,
//     and notes that it has. A killed process may write rows twice, and leaves none out.
//
// When ctx is done, the rows that are being written are completed.
func Follow(ctx context.Context, paths []string, w io.Writer, s Scan, o FollowOptions) (rows int64, err error) {
	f, err := newFollower(paths, w, s, o)
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
	one     bool // the only input is a file
	rows    int64
	found   time.Time // when folders were looked through
	absent  map[string]bool
}

func newFollower(paths []string, w io.Writer, s Scan, o FollowOptions) (*follower, error) {
	f := &follower{inputs: paths, out: w, scan: s, options: o, byPath: make(map[string]*followedFile), absent: make(map[string]bool)}
	format, err := o.Write.format()
	switch {
	case err != nil:
		return nil, err
	case !format.Continues():
		return nil, fmt.Errorf("rows in the format %s %w: a later row would not belong to them", format.Name, ErrNotFollowed)
	case s.Table != "" && s.Table != schema.EventsName || s.Split != "" || s.As != nil:
		return nil, fmt.Errorf("other tables than %s %w", schema.EventsName, ErrNotFollowed)
	case s.Selection.From.IsTimeOfDay() || s.Selection.To.IsTimeOfDay():
		return nil, fmt.Errorf("a time of day %w: traces grow beyond midnight; give the date", ErrNotFollowed)
	case o.Trace.Redact != nil:
		return nil, fmt.Errorf("a trace whose names are replaced %w: names that it has not had yet are not known", ErrNotFollowed)
	case len(paths) == 0:
		return nil, errors.New("no input to follow")
	}
	needed, err := f.chooseColumns(format)
	if err != nil {
		return nil, err
	}
	f.scan.Table, f.scan.Strict, f.scan.OnMismatch = schema.EventsName, false, nil
	only := f.scan
	only.Columns = needed
	f.options.Trace.Siblings, f.options.Trace.Index = nil, ""
	f.options.Trace.Once, f.options.Trace.Selection = true, only.TableSelection()
	f.options.Trace.complete()
	if err := f.checkInputs(); err != nil {
		return nil, err
	}
	f.state, err = readFollowState(o.State)
	return f, err
}

// kindColumn numbers the kinds of event of a whole trace.
const kindColumn = "event_kind"

// chooseColumns chooses the columns to write: those that are named, those of the format, or all. It returns
// the columns whose facts are needed.
func (f *follower) chooseColumns(format *formats.Format) (needed []string, err error) {
	if slices.Contains(f.scan.Columns, kindColumn) {
		return nil, fmt.Errorf("the column %s %w: it numbers the kinds of event of a whole trace", kindColumn, ErrNotFollowed)
	}
	all := schema.EventsTable()
	if needed, err = format.Columns(all); err != nil {
		return nil, err
	}
	if f.scan.Columns == nil && needed == nil {
		for i := range all.Columns {
			if name := all.Columns[i].Name; name != kindColumn {
				f.scan.Columns = append(f.scan.Columns, name)
			}
		}
	}
	if f.scan.Columns != nil {
		needed = f.scan.Columns
	}
	return needed, nil
}

func (f *follower) run(ctx context.Context) error {
	if f.scan.Limit < 0 {
		return nil
	}
	for {
		if err := f.look(ctx); err != nil {
			return err
		}
		files, err := f.nextWindows()
		if err != nil {
			return err
		}
		if len(files) > 0 && !isLarge(files) {
			if err := pause(ctx, followSettle); err != nil {
				return err
			}
			if err := f.look(ctx); err != nil {
				return err
			}
			if files, err = f.nextWindows(); err != nil {
				return err
			}
		}
		if len(files) > 0 {
			if enough, err := f.print(ctx, files); enough || err != nil {
				return err
			}
			if isLarge(files) { // there may be more
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

// print writes the rows of the windows of files, and reports whether there are as many as the limit allows. If ctx is
// done meanwhile, the rows are completed.
func (f *follower) print(ctx context.Context, files []*followedFile) (enough bool, err error) {
	if err := f.state.begin(files); err != nil {
		return false, err
	}
	writing, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if pause(writing, followGrace) == nil {
			stop(ctx.Err())
		}
	})()
	rows, err := f.write(writing, files)
	f.rows += rows
	if errors.Is(err, io.ErrUnexpectedEOF) { // the next look finds out why
		f.say("%s; trying again, so that some rows may come twice", err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := f.state.end(files); err != nil {
		return false, err
	}
	for _, file := range files {
		file.trace.Printed(file.window)
	}
	return f.scan.Limit > 0 && f.rows >= f.scan.Limit, ctx.Err()
}

// write writes the rows of the windows of files.
func (f *follower) write(ctx context.Context, files []*followedFile) (rows int64, err error) {
	t := &Traces{options: f.options.Trace}
	for _, file := range files {
		trace, err := f.open(ctx, file)
		if err != nil {
			return 0, errors.Join(err, t.Close())
		}
		t.list = append(t.list, trace)
	}
	s, o := f.scan, f.options.Write
	if s.Limit > 0 {
		s.Limit -= f.rows
	}
	o.Continues = f.state.begun
	if f.one {
		rows, err = t.list[0].Write(ctx, f.out, s, o)
	} else {
		rows, err = t.Write(ctx, f.out, s, o)
	}
	f.state.begun = true
	return rows, errors.Join(err, t.Close())
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
