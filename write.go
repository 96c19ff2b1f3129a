package etl2parquet

import (
	"context"
	"io"
	"regexp"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/reading"
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
}

// reading returns the options for package reading.
func (o *WriteOptions) reading() reading.WriteOptions {
	return reading.WriteOptions{Format: string(o.Format), Options: formats.Options{Width: o.Width, Zone: o.Zone, Keep: o.Keep}}
}

// BatchWriter takes batches of log records. In FormatOTLP, a writer that is one gets each batch by
// itself: LogsData as JSON on a line, which is valid until WriteBatch returns, and the number of its
// log records. Batches come in order, one at a time. An error ends the writing.
type BatchWriter interface {
	io.Writer
	WriteBatch(line []byte, records int) error
}

var _ formats.BatchWriter = BatchWriter(nil)

// ErrWhole is the error of Scan.Columns for a format whose records need all their columns.
var ErrWhole = reading.ErrWhole

// ErrNoLines is the error of WriteOptions.Keep for a format whose rows are not lines.
var ErrNoLines = reading.ErrNoLines

// Write writes the rows of a scan to w, in time order, and returns their number. The bytes do not
// depend on the number of workers, which encode rows concurrently. In text, times are RFC 3339 with
// all of their digits, and numbers are exact. Control characters are escaped, except in CSV, whose texts
// are as they are: escape them for a terminal.
//
// After an error the output is not complete: it has no end mark if the format has one.
func (t *Trace) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	return t.reading().Write(ctx, w, s.reading(), o.reading())
}

// Write writes the rows of [Traces.Scan] to w, and returns their number; see [Trace.Write]. If the only
// errors are those of single traces, the output is complete, without their other rows.
func (t *Traces) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	return t.reading().Write(ctx, w, s.reading(), o.reading())
}
