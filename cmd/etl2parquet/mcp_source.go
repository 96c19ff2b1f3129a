package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/doors/agent"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// mcpSource does what the tools of mcp need, with the flags of the command.
type mcpSource struct {
	app  *app
	f    *mcpFlags
	from *reach.Files // that may be opened
}

// agentWidth is the width of pages for agents: no line is wrapped.
const agentWidth = 1 << 16

// appFor returns the program for one call: results go to w, and warnings to notes.
func (s *mcpSource) appFor(w, notes io.Writer) *app {
	a := *s.app
	a.from = s.from
	a.in, a.out, a.err = strings.NewReader(""), &output{Writer: w}, notes
	return &a
}

// errMasked is the error for a dataset when names are replaced.
var errMasked = errors.New("its rows are as they were converted: --redact cannot replace the names in them")

// job calls do with a job for one call.
func (s *mcpSource) job(ctx context.Context, w, notes io.Writer, do func(r *job) error) error {
	r, err := s.appFor(w, notes).begin(ctx, &s.f.traceFlags)
	if err != nil {
		return errorForAgent(err)
	}
	defer r.close()
	return errorForAgent(do(r))
}

// errorForAgent returns the error of a call. That some inputs failed is in the notes.
func errorForAgent(err error) error {
	switch {
	case err == nil || errors.Is(err, errSomeFailed):
		return nil
	case errors.Is(err, errAllFailed):
		return agent.ErrInputs
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return errors.New(messageOf(err))
}

// Contents implements [agent.Source].
func (s *mcpSource) Contents(ctx context.Context, list []string, notes io.Writer) (*agent.Contents, error) {
	c := new(agent.Contents)
	var page strings.Builder
	err := s.job(ctx, &page, notes, func(r *job) error {
		switch d, err := s.dataset(r, list); {
		case err != nil:
			return err
		case d != nil:
			return r.datasetContents(d, list[0], c)
		}
		if err := r.find(list); err != nil {
			return err
		}
		r.shareDescriptions()
		report := info.NewReport(r.out, info.Options{Brief: true, Width: agentWidth})
		err := r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error {
			description, err := trace.Info(r.ctx)
			if err != nil {
				return err
			}
			description.File = t.Name()
			report.Add(description, t.Head())
			return c.AddTrace(description, trace.Tables())
		})
		if err == nil {
			err = report.End()
		}
		if err == nil {
			err = r.result()
		}
		return err
	})
	c.About = page.String()
	return c, err
}

// Ask implements [agent.Source].
func (s *mcpSource) Ask(ctx context.Context, list []string, sql string, most int, use func(all int64, lines io.Reader) error, notes io.Writer) error {
	return s.job(ctx, io.Discard, notes, func(r *job) error {
		if _, err := s.dataset(r, list); err != nil {
			return err
		}
		duckdb, err := answers.Find()
		if err != nil {
			return err
		}
		defer duckdb.Close()
		s.f.resources.bound(duckdb, true)
		statements, err := duckdb.Statements(r.ctx, sql)
		if err != nil {
			return err
		}
		if err := answers.CheckLocked(statements); err != nil {
			return err
		}
		if len(statements) > 1 {
			return fmt.Errorf("the SQL must be one SELECT, and has %d: make a call for each", len(statements))
		}
		all := int64(0)
		o := &answers.Options{
			Format: formats.NDJSON, Locked: true, Most: most, Out: io.Discard, Notes: notes,
			Explain: func(text string) { fmt.Fprintln(notes, printable(strings.TrimPrefix(text, "0 rows: "))) },
			Count:   func(_ int, rows int64) { all = rows },
			Each:    func(_ int, lines io.Reader) error { return use(all, lines) },
		}
		return r.ask(duckdb, &answers.Source{Statements: statements, Inputs: list}, o)
	})
}

// Describe implements [agent.Source].
func (s *mcpSource) Describe(ctx context.Context, list []string, name string, w, notes io.Writer) error {
	return s.job(ctx, w, notes, func(r *job) error {
		o := describe.Options{Width: agentWidth, Note: r.note}
		if list == nil || views.Lookup(name) != nil || views.LookupMacro(name) != nil { // known without reading
			return describe.Table(r.out, name, o)
		}
		switch d, err := s.dataset(r, list); {
		case err != nil:
			return err
		case d != nil:
			return describe.Dataset(r.ctx, r.out, d.Dataset, list[0], name, o)
		}
		if err := r.find(list); err != nil {
			return err
		}
		r.shareDescriptions()
		err := r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error {
			return describe.Trace(r.ctx, r.out, t.Name(), trace, name, o)
		})
		if err == nil {
			err = r.result()
		}
		return err
	})
}

// IsDataset implements [agent.Source].
func (s *mcpSource) IsDataset(ctx context.Context, list []string) (is bool, err error) {
	err = s.job(ctx, io.Discard, io.Discard, func(r *job) error {
		d, err := s.dataset(r, list)
		is = d != nil
		return err
	})
	return is, err
}

// dataset returns the only input if it is a dataset, and nil if the inputs are traces.
func (s *mcpSource) dataset(r *job, list []string) (*bundle.Dataset, error) {
	d, err := r.dataset(list)
	if d != nil && err == nil && s.f.redact.redact {
		return nil, fmt.Errorf("%s: a dataset, and %w", list[0], errMasked)
	}
	return d, err
}

// Traces implements [agent.Source].
func (s *mcpSource) Traces(ctx context.Context, list []string, do func(*etl2parquet.Traces) error, notes io.Writer) error {
	f := s.f.traceFlags
	return errorForAgent(s.appFor(io.Discard, notes).withTraces(ctx, &f, list, func(_ *job, traces *etl2parquet.Traces) error { return do(traces) }))
}

// Report implements [agent.Source].
func (s *mcpSource) Report(ctx context.Context, list []string, w, notes io.Writer) error {
	f := &reportFlags{traceFlags: s.f.traceFlags, isBounded: true}
	return errorForAgent(s.appFor(io.Discard, notes).withTraces(ctx, &f.traceFlags, list, func(r *job, traces *etl2parquet.Traces) error {
		return r.writePage(f, traces, list, w)
	}))
}
