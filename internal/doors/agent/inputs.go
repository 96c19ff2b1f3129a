package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// pageWidth is the width of pages of other doors: no line is wrapped.
const pageWidth = 1 << 16

// errMasked is the error for a dataset when names are replaced.
var errMasked = errors.New("its rows are as they were converted: the names in them cannot be replaced now")

// with calls do with the inputs of a call.
func (s *server) with(ctx context.Context, a *answer, do func(t *answers.Traces) error) error {
	t, end, err := s.o.Open(ctx, s.roots.files, &a.notes)
	if err == nil {
		defer end()
		err = do(t)
	}
	switch {
	case err == nil, errors.Is(err, answers.ErrSomeFailed): // the notes say which
		return nil
	case errors.Is(err, answers.ErrAllFailed):
		return errInputs
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return errors.New(s.o.Words(err))
}

// dataset returns the only input if it is a dataset, and nil if the inputs are traces.
func (s *server) dataset(ctx context.Context, t *answers.Traces, list []string) (*bundle.Dataset, error) {
	d, err := t.Dataset(ctx, list)
	if d != nil && err == nil && s.o.Mask != nil {
		return nil, fmt.Errorf("%s: a dataset, and %w", list[0], errMasked)
	}
	return d, err
}

// together finds and opens traces, and calls do with them.
func (s *server) together(ctx context.Context, t *answers.Traces, list []string, do func(*etl2parquet.Traces) error) error {
	err := t.Find(ctx, list, nil)
	if err == nil {
		err = t.Together(ctx, func(traces *reading.Traces) error { return do((*etl2parquet.Traces)(traces)) })
	}
	return cmp.Or(err, t.Result())
}

// eachOpen finds traces, and opens one after another.
func eachOpen(ctx context.Context, t *answers.Traces, list []string, do func(*inputs.Trace, *etl2parquet.Trace) error) error {
	err := t.Find(ctx, list, nil)
	if err == nil {
		err = t.EachOpen(ctx, func(in *inputs.Trace, trace *reading.Trace) error { return do(in, (*etl2parquet.Trace)(trace)) })
	}
	return cmp.Or(err, t.Result())
}

// contents returns the facts of inputs.
func (s *server) contents(ctx context.Context, t *answers.Traces, list []string, a *answer) (*Contents, error) {
	c := new(Contents)
	var page strings.Builder
	d, err := s.dataset(ctx, t, list)
	switch {
	case err != nil:
	case d != nil:
		err = s.datasetContents(ctx, t, d, list[0], a, c, &page)
	default:
		facts := info.NewReport(&page, info.Options{Brief: true, Width: pageWidth})
		err = eachOpen(ctx, t, list, func(in *inputs.Trace, trace *etl2parquet.Trace) error {
			description, err := trace.Info(ctx)
			if err != nil {
				return err
			}
			description.File = in.Name()
			facts.Add(description, in.Head())
			return c.AddTrace(description, trace.Tables())
		})
		if err == nil || errors.Is(err, answers.ErrSomeFailed) {
			err = cmp.Or(facts.End(), err)
		}
	}
	c.About = page.String()
	return c, err
}

// datasetContents adds the facts of a dataset: its tables, and what its traces say about their recording.
func (s *server) datasetContents(ctx context.Context, t *answers.Traces, d *bundle.Dataset, name string, a *answer, c *Contents, page io.Writer) error {
	summary, err := d.Summary(ctx)
	if err != nil {
		return err
	}
	for _, table := range summary.Tables {
		c.AddRows(table.Name, table.Rows)
	}
	duckdb, err := answers.Find(s.o.Views)
	if err != nil {
		return err
	}
	s.o.Bound(duckdb)
	source := &answers.Source{Inputs: []string{name}}
	source.Use(d)
	err = t.WithFolder(func(folder string) error {
		c.Traces, err = duckdb.Recordings(ctx, source, &answers.Options{Temp: folder, Threads: t.Options.Workers})
		return err
	})
	if err != nil {
		return err
	}
	return describe.Dataset(ctx, page, d.Dataset, name, "", s.describing(a))
}

// describing returns options for explaining tables.
func (s *server) describing(a *answer) describe.Options {
	return describe.Options{Views: s.o.Views, Width: pageWidth, Note: func(line string) { fmt.Fprintln(&a.notes, line) }}
}

// describeTables writes what is known about the tables of inputs, or about the one of a name. Without
// inputs, it explains a table that any trace can have.
func (s *server) describeTables(ctx context.Context, list []string, name string, w io.Writer, a *answer) error {
	o := s.describing(a)
	if list == nil || s.o.Views.Lookup(name) != nil || s.o.Views.LookupMacro(name) != nil { // known without reading
		return describe.Table(w, name, o)
	}
	return s.with(ctx, a, func(t *answers.Traces) error {
		d, err := s.dataset(ctx, t, list)
		switch {
		case err != nil:
			return err
		case d != nil:
			return describe.Dataset(ctx, w, d.Dataset, list[0], name, o)
		}
		return eachOpen(ctx, t, list, func(in *inputs.Trace, trace *etl2parquet.Trace) error {
			return describe.Trace(ctx, w, in.Name(), trace, name, o)
		})
	})
}

// page writes the page of traces, with DuckDB's tables if it answers.
func (s *server) page(ctx context.Context, t *answers.Traces, traces *etl2parquet.Traces, list []string, w io.Writer, a *answer) error {
	asking := &report.Asking{Traces: t, Views: s.o.Views, Inputs: list, Bound: s.o.Bound, Words: s.o.Words, Note: func(text string) { fmt.Fprintln(&a.notes, text) }}
	o := report.Options{Views: s.o.Views}
	o.SQL, o.NoSQL = asking.Runner()
	return report.Write(ctx, traces, w, o)
}

// ask answers with the rows of one SELECT over inputs, which can neither read other files nor write any.
func (s *server) ask(ctx context.Context, t *answers.Traces, list []string, sql string, limit int, a *answer) error {
	source := &answers.Source{Inputs: list}
	d, err := s.dataset(ctx, t, list)
	if err != nil {
		return err
	}
	if d != nil {
		source.Use(d)
	}
	duckdb, err := answers.Find(s.o.Views)
	if err != nil {
		return err
	}
	defer duckdb.Close()
	s.o.Bound(duckdb)
	if source.Statements, err = duckdb.Statements(ctx, sql); err != nil {
		return err
	}
	if err := answers.CheckLocked(source.Statements); err != nil {
		return err
	}
	if n := len(source.Statements); n > 1 {
		return fmt.Errorf("the SQL must be one SELECT, and has %d: make a call for each", n)
	}
	all := int64(0)
	err = t.Ask(ctx, duckdb, source, func() error { return t.Find(ctx, list, nil) }, &answers.Options{
		Format: formats.NDJSON, Locked: true, Most: limit, Out: io.Discard, Notes: &a.notes,
		Explain: func(text string) { fmt.Fprintln(&a.notes, texts.Printable(strings.TrimPrefix(text, "0 rows: "))) },
		Count:   func(_ int, rows int64) { all = rows },
		Each: func(_ int, lines io.Reader) error {
			r, err := readRows(lines)
			if err == nil {
				a.rows(r, all)
			}
			return err
		},
	})
	return cmp.Or(err, t.Result())
}
