package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ErrWhole is the error of columns for a format whose records need all their columns.
var ErrWhole = errors.New("the records of this format are made of all columns")

// ErrNoLines is the error of formats.Options.Keep for a format whose rows are not lines.
var ErrNoLines = errors.New("the rows of this format are not lines to choose from")

// WriteOptions say how rows are written. The zero value writes NDJSON. Of the options for the format only
// Width, Zone, Keep and Continues are used.
type WriteOptions struct {
	Format string // name
	formats.Options
}

// format returns the format.
func (o *WriteOptions) format() (*formats.Format, error) {
	return formats.Find(cmp.Or(o.Format, formats.NDJSON.Name))
}

// complete returns the format, checks that it can write a scan, and completes both for it. The limit on
// lines that the format keeps replaces that on rows.
func (o *WriteOptions) complete(s *Scan) (*formats.Format, error) {
	f, err := o.format()
	if err != nil {
		return nil, err
	}
	if f.IsWhole && s.Columns != nil {
		return nil, fmt.Errorf("%w: %s", ErrWhole, f)
	}
	if o.Keep != nil {
		if !f.Greps {
			return nil, fmt.Errorf("%w: %s", ErrNoLines, f)
		}
		if s.Limit > 0 {
			o.Limit, s.Limit = s.Limit, 0
		}
	}
	s.readExactTimes(f)
	o.Allocator = new(formats.Pool)
	return f, nil
}

// readExactTimes adds a column to As if the format needs it to show the columns of As: the column
// timestamp has not all digits of a time, and every table with it has time_ns too.
func (s *Scan) readExactTimes(f *formats.Format) {
	if s.As == nil || s.As.Column(timeColumn) >= 0 {
		return
	}
	var shown []string
	for i := range s.As.Columns {
		shown = append(shown, s.As.Columns[i].Name)
	}
	all := schema.EventsTable()
	wide := *s.As
	wide.Columns = append(slices.Clip(wide.Columns), all.Columns[all.Column(timeColumn)])
	if slices.Contains(f.Needs(&wide, shown), timeColumn) {
		if s.As = &wide; s.Columns == nil {
			s.Columns = shown
		}
	}
}

// write writes rows of a table in a format, and returns their number.
func write(ctx context.Context, w io.Writer, t *schema.Table, f *formats.Format, o formats.Options, run func(context.Context, pipeline.Sink) error) (rows int64, err error) {
	sink, err := f.NewWriter(w, t, o)
	if err != nil {
		return 0, err
	}
	if err = run(ctx, sink); errors.Is(err, formats.ErrEnough) {
		err = nil
	}
	err = errors.Join(err, sink.Close(err))
	return sink.Rows(), err
}

// Write writes the rows of a scan to w, in time order, and returns their number. After an error the output
// is not complete: it has no end mark if the format has one.
func (t *Trace) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	if s.hasTrace() {
		return t.alone().write(ctx, w, s, o)
	}
	f, err := o.complete(&s)
	if err != nil {
		return 0, err
	}
	p, err := t.plan(&s)
	if err != nil {
		return 0, err
	}
	if s.Columns == nil {
		if s.Columns, err = f.Columns(p.rowTable()); err != nil {
			return 0, err
		}
	}
	needed := s.Columns
	if needed != nil {
		needed = f.Needs(p.rowTable(), needed)
	}
	if err := p.choose(needed); err != nil {
		return 0, err
	}
	f.Prepare(p.options)
	o.Columns, o.CreatedBy = s.Columns, version.Creator(version.Of())
	o.ResourceOf = func(string) logs.Resource { return t.resource() }
	return write(ctx, w, p.rowTable(), f, o.Options, p.run)
}

// resource describes what recorded the trace, for records of logs.
func (t *Trace) resource() logs.Resource {
	path, _, _ := strings.Cut(t.Input(), "?") // a URL may have a signature there
	if t.options.Redact != nil {
		path = t.source.FileName()
	}
	return logs.Resource{Host: t.source.Index.ComputerName(), Path: path, Name: path[strings.LastIndexAny(path, `/\`)+1:]}
}

// Write writes the rows of [Traces.Scan] to w, and returns their number; see [Trace.Write]. If
// the only errors are those of single traces, the output is complete, without their other rows.
func (t *Traces) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	if s.Split != "" {
		return 0, errSplit
	}
	return t.write(ctx, w, s, o)
}

func (t *Traces) write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	f, err := o.complete(&s)
	if err != nil {
		return 0, err
	}
	isChosen := s.Columns != nil
	if !isChosen {
		wide, _, err := t.wideTable(&s)
		if err != nil {
			return 0, err
		}
		if s.Columns, err = f.Columns(wide); err != nil {
			return 0, err
		}
	}
	m, err := t.newMerge(s, f.Needs)
	if err != nil {
		return 0, err
	}
	o.Columns, o.ResourceOf = s.Columns, t.resourceOf()
	if o.Columns != nil && (isChosen || f.Name != formats.Text.Name) { // people read one log
		o.Columns = append([]string{schema.TraceColumn.Name}, withoutTrace(o.Columns)...)
	}
	var pass pipeline.Options
	f.Prepare(&pass)
	for _, source := range m.sources {
		source.plan.options.Form = pass.Form
	}
	rows, err = write(ctx, w, m.table, f, o.Options, func(ctx context.Context, sink pipeline.Sink) error { return m.run(ctx, sink, pass.Large) })
	return rows, errors.Join(append([]error{err}, m.failed...)...)
}

// withoutTrace returns names of columns without that of the trace.
func withoutTrace(columns []string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return name == schema.TraceColumn.Name })
}

// resourceOf returns a function that describes what recorded a trace.
func (t *Traces) resourceOf() func(name string) logs.Resource {
	byName := make(map[string]logs.Resource)
	for _, trace := range t.list {
		byName[trace.Name()] = trace.resource()
	}
	return func(name string) logs.Resource { return byName[name] }
}
