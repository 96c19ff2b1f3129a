package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Format is a form of rows as bytes. [Formats] lists all.
type Format string

// The formats.
const (
	FormatNDJSON  Format = "ndjson"  // a JSON object a line; NULL is left out
	FormatCSV     Format = "csv"     // comma-separated values by RFC 4180, with a header; NULL is empty, an empty text is ""
	FormatJSON    Format = "json"    // an array of the objects of NDJSON
	FormatTable   Format = "table"   // columns side by side, for people
	FormatText    Format = "text"    // a line an event, as in a log, for people; the further lines of a text are indented
	FormatOTLP    Format = "otlp"    // log records of OpenTelemetry: a batch (LogsData) a line, as JSON; of the table of all events
	FormatECS     Format = "ecs"     // a document of the Elastic Common Schema a line; of the table of all events
	FormatArrow   Format = "arrow"   // an Arrow stream
	FormatParquet Format = "parquet" // a Parquet file
)

// Formats returns all formats.
func Formats() []Format {
	var list []Format
	for _, f := range formats.All() {
		list = append(list, Format(f.Name))
	}
	return list
}

// IsBinary reports whether the format must not be written to a terminal.
func (f Format) IsBinary() bool {
	known, err := formats.Find(string(f))
	return err == nil && known.Binary
}

// WriteOptions say how rows are written. The zero value writes NDJSON.
type WriteOptions struct {
	Format Format // "" is FormatNDJSON
	// Width is the width of the terminal for FormatTable: texts are cut so that rows fit. 0 cuts
	// nothing.
	Width int
	// Zone is the zone of times in FormatText; nil means UTC.
	Zone *time.Location
	// Keep, unless nil, matches the lines to write: in FormatText with the indented ones, in
	// FormatNDJSON and FormatECS. Other formats return an error. Scan.Limit and the number of rows count these
	// lines.
	Keep *regexp.Regexp

	continues bool // rows of the same table are before these
}

// BatchWriter takes batches of log records. In FormatOTLP, a writer that is one gets each batch by
// itself: LogsData as JSON on a line, which is valid until WriteBatch returns, and the number of its
// log records. Batches come in order, one at a time. An error ends the writing.
type BatchWriter interface {
	io.Writer
	WriteBatch(line []byte, records int) error
}

var _ formats.BatchWriter = BatchWriter(nil)

// begin finds the format, and completes the scan for it. It returns the limit on lines that the format
// itself must observe.
func (o *WriteOptions) begin(s *Scan) (f *formats.Format, limit int64, err error) {
	f, err = formats.Find(cmp.Or(string(o.Format), formats.NDJSON.Name))
	if err != nil {
		return nil, 0, err
	}
	if f.IsWhole && s.Columns != nil {
		return nil, 0, fmt.Errorf("%w: %s", ErrWhole, f)
	}
	if o.Keep != nil {
		if !f.Greps {
			return nil, 0, fmt.Errorf("%w: %s", ErrNoLines, f)
		}
		if s.Limit > 0 {
			limit, s.Limit = s.Limit, 0
		}
	}
	s.readExactTimes(f)
	return f, limit, nil
}

// ErrWhole is the error of Scan.Columns for a format whose records need all their columns.
var ErrWhole = errors.New("the records of this format are made of all columns")

// ErrNoLines is the error of WriteOptions.Keep for a format whose rows are not lines.
var ErrNoLines = errors.New("the rows of this format are not lines to choose from")

// resource describes what recorded the trace, for records of logs.
func (t *Trace) resource() logs.Resource {
	path, _, _ := strings.Cut(t.Input(), "?") // a URL may have a signature there
	if t.options.RedactKey != nil {
		path = t.source.FileName()
	}
	return logs.Resource{Host: t.source.Index.ComputerName(), Path: path, Name: path[strings.LastIndexAny(path, `/\`)+1:]}
}

// Write writes the rows of a scan to w, in time order, and returns their number. The bytes do not
// depend on the number of workers, which encode rows concurrently. In text, times are RFC 3339 with
// all of their digits, and numbers are exact. Control characters are escaped, except in CSV, whose texts
// are as they are: escape them for a terminal.
//
// After an error the output is not complete: it has no end mark if the format has one.
func (t *Trace) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	if s.hasTrace() {
		return t.alone().write(ctx, w, s, o)
	}
	format, limit, err := o.begin(&s)
	if err != nil {
		return 0, err
	}
	p, err := t.plan(&s)
	if err != nil {
		return 0, err
	}
	if s.Columns == nil {
		if s.Columns, err = format.Columns(p.rowTable()); err != nil {
			return 0, err
		}
	}
	wanted := s.Columns
	if wanted != nil {
		wanted = format.Needs(p.rowTable(), wanted)
	}
	if err := p.choose(wanted); err != nil {
		return 0, err
	}
	if err := t.checkOnly(p); err != nil {
		return 0, err
	}
	format.Prepare(p.options)
	sink, err := format.NewWriter(w, p.rowTable(), formats.Options{
		Columns: s.Columns, Width: o.Width, Continues: o.continues, Allocator: new(formats.Pool), CreatedBy: version.Creator(version.Of()),
		Zone: o.Zone, Keep: o.Keep, Limit: limit, ResourceOf: func(string) logs.Resource { return t.resource() },
	})
	if err != nil {
		return 0, err
	}
	mismatches, err := t.source.Rows(ctx, p.options, p.sink(sink))
	if errors.Is(err, formats.ErrEnough) {
		err = nil
	}
	if err = errors.Join(err, sink.Close(err)); err == nil {
		p.report(mismatches)
	}
	return sink.Rows(), err
}

// readExactTimes adds a column to As if the format needs it to show the columns of As: the column
// timestamp has not all digits of a time, and every table with it has time_ns too.
func (s *Scan) readExactTimes(f *formats.Format) {
	const exact = "time_ns"
	if s.As == nil || s.As.Column(exact) >= 0 {
		return
	}
	var shown []string
	for i := range s.As.Columns {
		shown = append(shown, s.As.Columns[i].Name)
	}
	all := schema.EventsTable()
	wide := *s.As
	wide.Columns = append(slices.Clip(wide.Columns), all.Columns[all.Column(exact)])
	if slices.Contains(f.Needs(&wide, shown), exact) {
		if s.As = &wide; s.Columns == nil {
			s.Columns = shown
		}
	}
}
