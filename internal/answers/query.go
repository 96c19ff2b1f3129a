package answers

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// Query answers one SELECT over traces. The inputs are their names in SQL. Of the options it sets the format and where
// the rows go; it makes its folder below the temporary one. The reader must be released. The error of a trace, a
// [facts.InputError], does not end the others: the reader returns those of all such traces, joined, after the rows.
func Query(ctx context.Context, t *Traces, inputs []string, sql string, o Options) (array.RecordReader, error) {
	d, err := Find()
	if err != nil {
		return nil, err
	}
	if sql, err = Bind(sql, o.Parameters); err != nil {
		return nil, err
	}
	if t.Options.Memory > 0 {
		d.Bound(t.Options.Memory, t.Options.Workers)
	}
	statements, err := d.Statements(ctx, sql)
	if err == nil && (len(statements) != 1 || !statements[0].IsSelect) {
		err = errors.New("the SQL must be one SELECT")
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	folder, err := temporary.NewFolder(o.Temp, "etl2parquet-query-")
	if err != nil {
		d.Close()
		return nil, err
	}
	var failed []error
	traces := *t
	traces.Results = func(_ *Source, results []*batch.Result) error {
		for _, r := range results {
			if r.Err != nil {
				failed = append(failed, &facts.InputError{Input: r.Name, Err: r.Err})
			}
		}
		if len(failed) == len(results) {
			return errors.Join(failed...)
		}
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	out, in := io.Pipe()
	o.Format, o.Temp, o.Out = formats.Arrow, folder.Path(), in
	r := &rows{stop: stop, out: out, done: make(chan struct{})}
	r.users.Store(1)
	go func() {
		defer close(r.done)
		r.err = goroutine.Guard(func() error {
			source := &Source{Statements: statements, Inputs: inputs}
			err := d.Ask(ctx, source, func() (*Traces, error) { return &traces, nil }, &o)
			if err == nil {
				err = errors.Join(failed...)
			}
			return errors.Join(err, folder.Remove())
		})
		in.CloseWithError(r.err) // nil means the end
	}()
	if r.Reader, err = ipc.NewReader(out); err != nil {
		r.end()
		return nil, cmp.Or(r.err, err)
	}
	return r, nil
}

// rows are the rows of a statement, which a goroutine makes.
type rows struct {
	*ipc.Reader
	stop  context.CancelFunc
	out   *io.PipeReader
	done  chan struct{} // closed when the goroutine has ended, and err is set
	err   error
	users atomic.Int64
}

// Retain implements [array.RecordReader].
func (r *rows) Retain() { r.users.Add(1) }

// Release implements [array.RecordReader]. The last Release ends all work.
func (r *rows) Release() {
	if r.users.Add(-1) == 0 {
		r.end()
		r.Reader.Release()
	}
}

func (r *rows) end() {
	r.stop()
	_ = r.out.Close() // never fails
	<-r.done
}

// Next implements [array.RecordReader].
func (r *rows) Next() bool {
	if r.Reader.Next() {
		return true
	}
	if r.Reader.Err() == nil {
		<-r.done // the last row is no success yet
	}
	return false
}

// Err implements [array.RecordReader].
func (r *rows) Err() error {
	select {
	case <-r.done:
		return r.err
	default:
		return r.Reader.Err()
	}
}
