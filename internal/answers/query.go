package answers

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// Query answers one SELECT over traces that were opened by [reading.OpenAll], which are read again, with the cache and
// for the notes of their options. The values of parameters are those of [NewParameter]. The reader must be released.
// The error of a trace, a [facts.InputError], does not end the others: the reader returns those of all such
// traces, joined, after the rows.
func Query(ctx context.Context, t *reading.Traces, sql string, parameters map[string]any) (_ array.RecordReader, err error) {
	sources, o := t.Sources(), t.Options()
	if sources.Paths == nil {
		return nil, errors.New("only traces that OpenAll has opened can be asked")
	}
	r := &rows{done: make(chan struct{})}
	r.users.Store(1)
	traces, err := r.traces(&sources, &o)
	if err != nil {
		return nil, err
	}
	asked := &Options{Format: formats.Arrow, Notes: noteWriter{&o}, Explain: o.Note}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		p, err := NewParameter(name, parameters[name])
		if err != nil {
			return nil, err
		}
		asked.Parameters = append(asked.Parameters, p)
	}
	d, err := Find(nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	if sql, err = Bind(sql, asked.Parameters); err != nil {
		return nil, err
	}
	if o.MaxDuckDB != 0 {
		d.Bound(o.MaxDuckDB, o.Workers)
	}
	source := &Source{Inputs: sources.Paths}
	if source.Statements, err = d.Statements(ctx, sql); err != nil {
		return nil, err
	}
	if len(source.Statements) != 1 || !source.Statements[0].IsSelect {
		return nil, errors.New("the SQL must be one SELECT")
	}
	var in *io.PipeWriter
	r.out, in = io.Pipe()
	ctx, r.stop = context.WithCancel(ctx)
	asked.Out = in
	go func() {
		defer close(r.done)
		r.err = goroutine.Guard(func() error {
			if err := traces.Ask(ctx, d, source, nil, asked); err != nil && !errors.Is(err, ErrAllFailed) {
				return err
			}
			return errors.Join(r.failed...)
		})
		in.CloseWithError(r.err) // nil means the end
	}()
	if r.Reader, err = ipc.NewReader(r.out); err != nil {
		r.end()
		return nil, cmp.Or(r.err, err)
	}
	return r, nil
}

// traces returns the traces of a question, whose errors are added to r.
func (r *rows) traces(s *reading.Sources, o *reading.Options) (*Traces, error) {
	files, err := batch.ShareOpenFiles()
	if err != nil {
		return nil, err
	}
	t := &Traces{
		Files: s.Files, Archive: s.Archive, Servers: s.Servers, OpenFiles: files, Siblings: true,
		Options: pipeline.Options{Workers: o.Workers, Memory: o.Memory, Facts: o.Facts, Schemas: o.Schemas, Messages: o.Messages, Symbols: o.Symbols, Redact: o.Redact, TempDir: o.TempDir},
		Kept:    Kept{Failed: func(err error) { o.Note("the tables are not kept for the next question: " + err.Error()) }},
		OnFail:  func(name string, err error) { r.failed = append(r.failed, &facts.InputError{Input: name, Err: err}) },
	}
	if o.Cache == "" {
		return t, nil
	}
	folder, err := filepath.Abs(o.Cache)
	if err == nil {
		t.Kept.Cache, err = cache.Open(folder, cache.DefaultLimit)
	}
	return t, err
}

// noteWriter passes on lines that are printed.
type noteWriter struct{ o *reading.Options }

// Write implements [io.Writer].
func (n noteWriter) Write(text []byte) (int, error) {
	n.o.Note(strings.TrimSpace(string(text)))
	return len(text), nil
}

// rows are the rows of a statement, which a goroutine makes.
type rows struct {
	*ipc.Reader
	stop   context.CancelFunc
	out    *io.PipeReader
	done   chan struct{} // closed when the goroutine has ended, and err is set
	err    error
	failed []error // of single traces; set before the first row
	users  atomic.Int64
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
