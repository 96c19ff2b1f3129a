// Package convert converts traces into a dataset of Parquet files, a folder for each table, which
// DuckDB, Spark, Python and others read.
//
// [Run] is what "etl2parquet convert" does. A trace that the dataset has, and that has not changed,
// is not read again, unless another version of the library wrote it. If a trace fails, nothing of it
// is written and the others continue. The
// output has the same bytes for any number of workers.
package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// Options control a conversion. The zero value converts everything.
type Options struct {
	// Workers is the number of goroutines that convert; 0 is one for each processor.
	Workers int
	// Memory limits the bytes that the run uses, approximately; 0 is 512 MiB, and 100 MiB more for
	// each worker beyond four.
	Memory int64
	// TempDir is the folder for temporary files; "" is the system's.
	TempDir string

	// Selection selects events.
	facts.Selection
	// Tables are names or patterns of the tables to write; nil writes all tables.
	Tables []string
	// Columns are the columns to write, in addition to the column trace; nil writes all columns.
	Columns []string

	// Descriptions describe events that neither the traces nor the library describes. It may be nil.
	Descriptions *etl2parquet.Descriptions
	// Symbols name functions of native code. It may be nil.
	Symbols  *etl2parquet.Symbols
	Messages etl2parquet.MessageMode
	Payload  etl2parquet.PayloadMode
	// Fields also writes decoded payloads as JSON, into the column fields of the header tables.
	Fields bool
	// MaxTables limits the tables for provider events; the payloads of further events are only in
	// the header tables. 0 is 300.
	MaxTables int

	// Compression is the codec of the files: zstd (the default, at its fastest level), snappy, lz4 or
	// none.
	Compression string
	// Unsigned is the type of unsigned 64-bit columns in the files: uint64 (the default), or int64 with
	// the same bits, for readers that lack the first. All traces of a dataset have the same type.
	Unsigned string
	// BundleBytes is the input size from which a trace gets its own files; smaller traces share
	// files. 0 lets small traces share files if there are many; a negative size lets none.
	BundleBytes int64
	// Alone converts each trace by itself. By default, traces of one recording name each other's
	// processes, images and files, and all inputs describe each other's events, where nothing else does.
	Alone bool
	// Force converts traces again even if nothing changed, or if the dataset has them with other
	// options. A selection that matches nothing in a trace never replaces it.
	Force bool
	// SHA256 records the plain SHA-256 of each input, which reads it once more.
	SHA256 bool
	// Strict treats damage in a trace, and a selection that matches nothing in it, as an error.
	Strict bool

	// OnResult is called with each result, in the order of the inputs, one call at a time, before Run
	// returns. OnWarning is called for an error that fails no trace; trace may be "". Both may be
	// nil.
	OnResult  func(*Result)
	OnWarning func(trace string, err error)
}

// Result is the result of converting one input, or an entry of an archive.
type Result struct {
	Input   string // its path or URL, as it was named or found
	Trace   string // its name in the dataset; "" if it failed
	Err     error  // why it failed; nil if it was converted or skipped
	Skipped bool   // the dataset already has the trace, unchanged
	Events  int64  // in the trace
	Rows    int64  // written to tables of events
	// Files are the new files. The result of the first trace of a bundle lists the bundle's files.
	Files    []File
	Problems []facts.Problem // damage and losses
	// Mismatches are the parts of the selection that match nothing in the trace.
	Mismatches []facts.Mismatch
	Took       time.Duration
}

// File is a file of the dataset.
type File struct {
	Table string
	Path  string // relative to the dataset's folder, with slashes
	Rows  int64
	Bytes int64
}

// Report is the result of a run.
type Report struct {
	Results []*Result // in the order of the inputs
}

// Failed returns how many inputs failed.
func (r *Report) Failed() (n int) {
	for _, result := range r.Results {
		if result.Err != nil {
			n++
		}
	}
	return n
}

// ErrStrict is the error of a damaged trace with Options.Strict.
var ErrStrict = pipeline.ErrStrict

// ErrDifferent is the error for a trace that the dataset has with other options: replacing it could
// lose rows. Options.Force replaces it.
var ErrDifferent = errors.New("the trace is in the dataset, converted with other options")

// Run converts the inputs into the dataset in the folder out, which it creates if necessary. Inputs
// are traces, archives, folders with traces and archives, and patterns. Run returns an error if the
// run itself fails: the output cannot be written, or the run is interrupted. The report has the
// inputs that failed.
func Run(ctx context.Context, in []string, out string, o Options) (*Report, error) {
	options, err := o.bundle()
	if err != nil {
		return nil, err
	}
	files, err := batch.ShareOpenFiles()
	if err != nil {
		return nil, err
	}
	servers := inputs.NewServers(inputs.ServerOptions{TempDir: o.TempDir, Connections: files.Connections, OutputFiles: files.Output})
	urls, err := servers.Find(ctx, in)
	if err != nil {
		return nil, err
	}
	report := new(Report)
	add := func(r *Result) {
		report.Results = append(report.Results, r)
		if o.OnResult != nil {
			o.OnResult(r)
		}
	}
	found := inputs.Find(in, nil, urls, func(name string, err error) { add(&Result{Input: name, Err: err}) })
	store, err := servers.Store(out)
	if err != nil {
		return nil, err
	}
	run := &batch.Conversion{
		Options: options, Inputs: found, Bundling: o.bundling(), Siblings: !o.Alone, Traces: files.Traces,
		Reader: &inputs.Reader{
			Options:  archive.Options{TempDir: o.TempDir, Space: archive.NewSpace(archive.DefaultSpool)},
			Progress: inputs.NewProgress(len(found.Files), found.Size()),
		},
		Done: func(r *batch.Result) { add(resultOf(r)) },
		Warn: func(name string, err error) {
			if o.OnWarning != nil {
				o.OnWarning(name, err)
			}
		},
	}
	return report, run.Run(ctx, store, func() {})
}

func (o *Options) bundle() (*bundle.Options, error) {
	if _, err := parquet.NewCodec(o.Compression); err != nil {
		return nil, err
	}
	if _, err := parquet.SignedInts(o.Unsigned); err != nil {
		return nil, err
	}
	if o.To.Before(o.From) {
		return nil, fmt.Errorf("the end of the time, %s, is before its start, %s", o.To, o.From)
	}
	workers, moduleVersion := cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), version.Of()
	options := &bundle.Options{
		Options: pipeline.Options{
			Workers: workers, Memory: cmp.Or(o.Memory, pipeline.DefaultMemoryOf(workers, 0)), Facts: o.Memory, Payload: rows.PayloadMode(o.Payload), Fields: o.Fields,
			Selection: selection.Selection{Selection: o.Selection, Tables: o.Tables, Columns: o.Columns},
			Schemas:   (*catalog.Files)(o.Descriptions), Messages: catalog.MessageMode(o.Messages), Symbols: (*symbols.Set)(o.Symbols),
			MaxTables: o.MaxTables, TempDir: o.TempDir, Strict: o.Strict,
		},
		Tool: module + "/convert " + moduleVersion, CreatedBy: version.Creator(moduleVersion), Compression: o.Compression, Unsigned: o.Unsigned, Force: o.Force, SHA256: o.SHA256,
	}
	return options, options.Selection.Validate()
}

// module is the module of the library. Records of traces name it with its version: a newer version of
// the library converts them again.
const module = "github.com/etl2parquet/etl2parquet"

func (o *Options) bundling() batch.Bundling {
	switch {
	case o.BundleBytes < 0:
		return batch.Bundling{Mode: batch.BundleNever, Bytes: bundle.DefaultBundleBytes}
	case o.BundleBytes > 0:
		return batch.Bundling{Mode: batch.BundleSmaller, Bytes: o.BundleBytes}
	}
	return batch.Bundling{Mode: batch.BundleAuto, Bytes: bundle.DefaultBundleBytes}
}

func resultOf(r *batch.Result) *Result {
	result := &Result{Input: r.Name, Err: r.Err, Took: r.Took}
	if different := new(bundle.DifferentError); errors.As(r.Err, &different) {
		result.Err = fmt.Errorf("%w: %w", ErrDifferent, r.Err)
	}
	if r.Err != nil {
		return result
	}
	report := r.Report
	result.Trace, result.Skipped, result.Events, result.Rows = report.Trace, report.Skipped, report.Events, report.Rows
	for _, f := range report.Files {
		result.Files = append(result.Files, File{Table: f.Table, Path: f.File, Rows: f.Rows, Bytes: f.Bytes})
	}
	result.Problems, result.Mismatches = report.Problems, report.Mismatches
	return result
}
