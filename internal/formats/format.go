package formats

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Format is a form of rows as bytes.
type Format struct {
	Name   string
	Binary bool // must not be written to a terminal
	Single bool // bytes of two results, one after the other, are not of this format

	IsLog   bool // rows are records of logs, which have the messages of events
	IsWhole bool // records are made of all columns that Columns returns
	Greps   bool // rows are lines, of which Options.Keep keeps some

	continues bool // see Continues
	// large means that the format wants row groups as large as those of a dataset.
	large bool
	// needs returns the columns that a table must have so that the shown ones can be written; nil
	// means just the shown ones.
	needs func(t *schema.Table, shown []string) []string
	// columns returns the columns of a table that are written unless some are named; nil means all.
	columns func(t *schema.Table) ([]string, error)
	form    rows.FieldsForm // of the column fields
	write   func(w io.Writer, t *schema.Table, o *Options) (Writer, error)
}

// list has all formats, the default first.
var list = []*Format{NDJSON, CSV, JSON, Table, Text, OTLP, ECS, Arrow, Parquet}

// All returns all formats, the default first.
func All() []*Format { return list }

// Names returns the names of formats.
func Names(of []*Format) []string {
	var names []string
	for _, f := range of {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the format with a name.
func Find(name string) (*Format, error) {
	for _, f := range list {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("unknown format %q; there are %v", name, Names(list))
}

// String returns the name.
func (f *Format) String() string { return f.Name }

// EventColumns are the most useful columns of the table of all events, in the order in which they
// are shown.
var EventColumns = []string{
	"timestamp", "processor", "process_id", "process_name", "thread_id", "provider_name", "provider_id", "event_name",
	schema.FieldsColumn, schema.MessageColumn, schema.PayloadColumn, "event_ref",
}

// Options select the columns to write, and their form.
type Options struct {
	Columns   []string         // of the table, in this order; nil means all
	Width     int              // of a terminal, for tables; 0 cuts nothing
	Allocator memory.Allocator // of the record batches of an Arrow stream
	Continues bool             // rows of the same table are before these in the stream: lines have no header
	CreatedBy string           // the program in a Parquet file, as package version names it

	Zone  *time.Location // of times in Text; nil means UTC
	Keep  *regexp.Regexp // matches the lines to write, of a format that greps; nil keeps all
	Limit int64          // most lines of those that Keep keeps; 0 means all
	// ResourceOf describes what recorded a trace, by the trace's name, for records of logs; nil means
	// that nothing is known.
	ResourceOf func(trace string) logs.Resource
}

func (o *Options) resourceOf() func(string) logs.Resource {
	if o.ResourceOf == nil {
		return func(string) logs.Resource { return logs.Resource{} }
	}
	return o.ResourceOf
}

// ErrEnough ends a pass when Options.Limit lines are written.
var ErrEnough = errors.New("there are enough lines")

// Writer is a sink that writes rows to a stream of bytes.
type Writer interface {
	pipeline.Sink
	// Close completes the output. It must be called after the pass has ended. If there was no
	// error, it also writes what a stream without rows needs.
	Close(pass error) error
	// Rows returns the number of rows written. It is valid after Close.
	Rows() int64
}

// NewWriter returns a sink for the rows of a table.
func (f *Format) NewWriter(w io.Writer, t *schema.Table, o Options) (Writer, error) {
	if o.Columns == nil {
		for i := range t.Columns {
			o.Columns = append(o.Columns, t.Columns[i].Name)
		}
	}
	return f.write(w, t, &o)
}

// Needs returns the columns that a table must have so that the format can write the shown ones.
func (f *Format) Needs(t *schema.Table, shown []string) []string {
	if f.needs == nil {
		return shown
	}
	return f.needs(t, shown)
}

// Columns returns the columns of a table that the format writes unless some are named; nil means all.
// It returns an error if the format does not have rows of the table.
func (f *Format) Columns(t *schema.Table) ([]string, error) {
	if f.columns == nil {
		return nil, nil
	}
	return f.columns(t)
}

// Prepare sets the options of a pass whose rows are written in the format.
func (f *Format) Prepare(o *pipeline.Options) { o.Large, o.Form = f.large, f.form }

// rowCount counts the rows that are written.
type rowCount struct{ rows int64 }

// Rows implements [Writer].
func (c *rowCount) Rows() int64 { return c.rows }

// Continues reports whether rows can be written after others of the same table, so that both are one
// result of the format: see [Options].
func (f *Format) Continues() bool { return f.continues }
