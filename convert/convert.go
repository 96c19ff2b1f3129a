// Package convert converts traces into a dataset of Parquet files, a folder for each table, which
// DuckDB, Spark, Python and others read.
//
// [Run] is what "etl2parquet convert" does. A trace that the dataset has, and that has not changed,
// is not read again; a trace that fails leaves nothing behind and does not stop the others. The
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
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Options are how to convert. The zero value converts everything.
type Options struct {
	// Workers is how many goroutines convert; 0 is as many as there are processors.
	Workers int
	// Memory is about how many bytes the run uses at most; 0 is 512 MiB, and 100 MiB for each
	// worker beyond four.
	Memory int64
	// TempDir is the folder for temporary files; "" is the system's.
	TempDir string

	// From and To bound the time of events: events at To are left out.
	From, To etl2parquet.TimeBound
	// Providers, Events and Processes are patterns of events, as in etl2parquet.Scan.
	Providers, Events, Processes []string
	// Tables are names of tables, or patterns of them; nil is all tables.
	Tables []string
	// Columns are the columns that files have, beside the column trace; nil is all columns.
	Columns []string

	// Descriptions describe events that neither the traces nor the library describes. nil: none.
	Descriptions *etl2parquet.Descriptions
	// Symbols name functions of native code. nil: none.
	Symbols  *etl2parquet.Symbols
	Messages etl2parquet.MessageMode
	Payload  etl2parquet.PayloadMode
	// Fields writes decoded payloads also as JSON, into the column fields of the tables of headers.
	Fields bool
	// MaxTables bounds how many tables there are for events that descriptions describe; further
	// ones stay in the tables of headers. 0 is 4,096.
	MaxTables int

	// Compression is the codec of the files: zstd (the default, at its fastest level), snappy, gzip,
	// lz4 or none.
	Compression string
	// BundleBytes is the size of inputs from which traces get files of their own; smaller ones share
	// files. 0 lets small traces share files where there are several; a negative size lets none.
	BundleBytes int64
	// Alone treats each trace as a recording of its own. By default traces of one recording name each
	// other's processes, images and files.
	Alone bool
	// Force converts again what is in the dataset, with whatever options.
	Force bool
	// SHA256 notes the plain SHA-256 of large inputs, too, for which they are read once more.
	SHA256 bool
	// Strict makes an error of damage, and of a selection that takes nothing of a trace.
	Strict bool

	// OnResult is called with each result, in the order of the inputs, one after another, before Run
	// returns. OnWarning is called with what goes wrong without a trace failing; trace may be "". Both
	// may be nil.
	OnResult  func(*Result)
	OnWarning func(trace string, err error)
}

// Result is the result of converting one input, or an entry of an archive.
type Result struct {
	Input   string // where it is, as it was named or found
	Trace   string // its name in the dataset; "" if it failed
	Err     error  // why nothing of it was converted; nil if it was
	Skipped bool   // the dataset has it already
	Events  int64  // in the trace
	Rows    int64  // in tables of events
	// Files are the new files; those that several traces share are in the result of the first one.
	Files    []File
	Problems []etl2parquet.Problem // what is damaged or was lost
	// Mismatches are parts of the selection that nothing in the trace matches.
	Mismatches []etl2parquet.Mismatch
	Took       time.Duration
}

// File is a file of the dataset.
type File struct {
	Table string
	Path  string // from the dataset's folder, with slashes
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

// ErrDifferent is the error of a trace that is in the dataset, converted with other options: to
// replace it could lose rows. Options.Force replaces it.
var ErrDifferent = errors.New("the trace is in the dataset, converted with other options")

// Run converts the inputs into the dataset in a folder, which it makes if need be. Inputs are traces,
// folders with traces and archives, and patterns of them. The error is about the run: an output that
// cannot be written, an interruption. An input that fails is in the report.
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
	if err := store.Prepare(ctx); err != nil {
		return nil, err
	}
	run := &batch.Conversion{
		Dataset: bundle.NewDataset(store), Options: options, Inputs: found, Bundling: o.bundling(), Sessions: !o.Alone, Traces: files.Traces,
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
	err = run.Begin(ctx)
	if err == nil {
		err = run.Run(ctx)
		// The views of what is done are wanted even if the run was interrupted.
		err = errors.Join(err, views.Write(context.WithoutCancel(ctx), run.Dataset.Dataset))
	}
	return report, errors.Join(err, store.Close())
}

func (o *Options) bundle() (*bundle.Options, error) {
	if _, err := parquet.NewCodec(o.Compression); err != nil {
		return nil, err
	}
	if o.To.Before(o.From) {
		return nil, fmt.Errorf("the end of the time, %s, is before its start, %s", o.To, o.From)
	}
	workers := cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	options := &bundle.Options{
		Options: pipeline.Options{
			Workers: workers, Memory: cmp.Or(o.Memory, pipeline.DefaultMemoryOf(workers)), Payload: rows.PayloadMode(o.Payload), Fields: o.Fields,
			Selection: selection.Selection{
				From: access.TimeBound(&o.From), To: access.TimeBound(&o.To),
				Providers: o.Providers, Events: o.Events, Processes: o.Processes, Tables: o.Tables, Columns: o.Columns,
			},
			Schemas: access.Descriptions(o.Descriptions), Messages: catalog.MessageMode(o.Messages), Symbols: access.Symbols(o.Symbols),
			MaxTables: o.MaxTables, TempDir: o.TempDir, Strict: o.Strict,
		},
		Tool: "github.com/etl2parquet/etl2parquet/convert", Compression: o.Compression, Force: o.Force, SHA256: o.SHA256,
	}
	return options, options.Selection.Validate()
}

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
	for i := range report.Problems {
		result.Problems = append(result.Problems, problemOf(&report.Problems[i]))
	}
	for _, m := range report.Mismatches {
		result.Mismatches = append(result.Mismatches, etl2parquet.Mismatch{Option: m.Option, Pattern: m.Pattern, Nearest: m.Nearest, Message: m.Message})
	}
	return result
}

func problemOf(p *problems.Problem) etl2parquet.Problem {
	return etl2parquet.Problem{
		Severity: etl2parquet.Severity(p.Severity), Code: p.Code, Count: p.Count, Buffer: p.Buffer, FileOffset: p.FileOffset, Position: p.Position, Field: p.Field, Message: p.Message,
	}
}
