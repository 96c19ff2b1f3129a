package answers

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Traces are the inputs of a run, if these are traces, and how they are read: one after another, together, or by
// questions, for which tables are made of them.
type Traces struct {
	Options   pipeline.Options // of a conversion; a question sets its needs and bounds
	Archive   archive.Options
	Stdin     io.Reader // nil: it cannot be read
	Servers   *inputs.Servers
	OpenFiles batch.OpenFiles
	From      *reach.Files // that may be opened because of inputs; nil: all
	Siblings  bool         // as in [batch.Conversion]
	Kept      Kept

	Files        *inputs.List // that Find has found
	Done, Failed int          // inputs: those that were read, and those that were not

	// OnFail, unless nil, is called with each input that cannot be read, and OnFound when Find has found the inputs.
	OnFail  func(name string, err error)
	OnFound func()
	// Begin, unless nil, is called before the conversion of what a question needs, which it may change. The
	// functions that it returns are called when the first trace begins, and when all have ended.
	Begin func(*batch.Conversion) (began, ended func())
	// Results, unless nil, is called with the results of a conversion, in the order of the inputs. Those that failed
	// were reported.
	Results func(*Source, []*batch.Result)
}

// Kept says where tables and indexes of traces are kept for the next question.
type Kept struct {
	Cache *cache.Cache // nil keeps none
	// Settings are what rows depend on that [pipeline.Options] do not have: paths of symbols and of catalogues.
	Settings []string
	// MinIndexed is the size in bytes from which a trace's index is kept; 0 is [MinIndexed].
	MinIndexed int64
	// Added, unless nil, is called when tables or indexes were kept, and Failed with the reason why they
	// could not be.
	Added  func()
	Failed func(error)
}

func (k *Kept) added() {
	if k.Added != nil {
		k.Added()
	}
}

func (k *Kept) failed(err error) {
	if k.Failed != nil {
		k.Failed(err)
	}
}

// notes are the notes of a piece: what its conversion has found beside rows.
type notes struct {
	Traces  []traceNotes `json:"traces"`
	Symbols symbolNotes  `json:"symbols"`
}

// traceNotes are the result of a trace.
type traceNotes struct {
	File       int              `json:"file"` // its place among the inputs
	Name       string           `json:"name"`
	Trace      string           `json:"trace"`
	Problems   []facts.Problem  `json:"problems"`
	Mismatches []facts.Mismatch `json:"mismatches"`
}

// tables are the tables of the inputs that a question reads.
type tables struct {
	pieces  []views.Piece
	results []*batch.Result
	close   func() error // must be called after use
}

// tables makes the tables that the statements need, or takes them from the cache. They must be closed.
func (t *Traces) tables(ctx context.Context, source *Source, temp string) (*tables, error) {
	needs := source.needs()
	if needs == nil {
		needs = []selection.Need{cache.All}
	}
	bounds := source.bounds
	if s := &t.Options.Selection; s.ChoosesEvents() || len(s.TimeOptions()) > 0 {
		bounds = nil // the selection has its own, and messages about them
	}
	made, err := t.keptTables(ctx, needs, bounds)
	if made == nil && err == nil {
		made, err = t.convert(ctx, needs, bounds, filepath.Join(temp, "dataset"))
	}
	if made == nil {
		return nil, err
	}
	source.useTraces(made)
	if err == nil {
		err = t.count(source, made.results)
	}
	if err != nil {
		return nil, errors.Join(err, made.close())
	}
	return made, nil
}

// count counts the traces, and reports those that failed.
func (t *Traces) count(source *Source, results []*batch.Result) error {
	for _, r := range results {
		if r.Err != nil {
			t.Fail(r.Name, r.Err)
		} else {
			t.Done++
		}
	}
	if t.Results != nil {
		t.Results(source, results)
	}
	switch {
	case t.Done > 0:
		return nil
	case t.Failed > 0:
		return ErrAllFailed
	}
	return errors.New("no trace in any of the inputs")
}

// convert converts the traces into a temporary dataset in a folder. An error may come with the tables
// of some traces.
func (t *Traces) convert(ctx context.Context, needs []selection.Need, bounds *selection.Bounds, folder string) (*tables, error) {
	o := &bundle.Options{Options: t.Options, Tool: version.Of(), Compression: "none", Transient: true}
	o.Selection.Needs, o.Selection.Bounds = needs, bounds
	made := &tables{close: func() error { return nil }}
	c := t.NewConversion(o)
	c.Bundling = batch.Bundling{Mode: batch.BundleAuto, Bytes: bundle.DefaultBundleBytes}
	c.Done = func(result *batch.Result) { made.results = append(made.results, result) }
	c.Warn = func(string, error) {}
	began, ended := func() {}, func() {}
	if t.Begin != nil {
		began, ended = t.Begin(c)
	}
	err := c.Run(ctx, t.Servers.TransientStore(folder), began)
	ended()
	made.pieces = []views.Piece{{Dataset: c.Dataset.Dataset}}
	return made, err
}

// NewConversion returns a conversion of the inputs, without its functions.
func (t *Traces) NewConversion(o *bundle.Options) *batch.Conversion {
	reader := &inputs.Reader{Options: t.Archive, Stdin: t.Stdin, Progress: inputs.NewProgress(len(t.Files.Files), t.Files.Size())}
	return &batch.Conversion{Options: o, Inputs: t.Files, Reader: reader, Siblings: t.Siblings, Traces: t.OpenFiles.Traces}
}

// keptTables takes the tables from the cache, after it has added those that are missing. It returns nil if
// the cache cannot be used: then the tables must be made anew.
func (t *Traces) keptTables(ctx context.Context, needs []selection.Need, bounds *selection.Bounds) (*tables, error) {
	key, ok := t.key()
	if t.Kept.Cache == nil || !ok {
		return nil, nil
	}
	set := t.Kept.Cache.Set(key)
	found, err := set.Find(needs, bounds, t.hasSymbolsOf)
	if err != nil {
		t.Kept.failed(err)
		return nil, nil
	}
	if len(found.Missing) == 0 {
		if whole := t.tablesOf(found); whole != nil {
			return whole, nil
		}
		return nil, found.Close()
	}
	draft, err := set.Begin()
	if err != nil {
		t.Kept.failed(err)
		return nil, found.Close()
	}
	whole, err := t.addTables(ctx, key, found, draft)
	if whole == nil {
		return nil, errors.Join(err, found.Close(), draft.Discard())
	}
	closeFound := whole.close
	whole.close = func() error { return errors.Join(closeFound(), draft.Discard()) }
	return whole, err
}

// addTables makes the missing tables in a draft, and keeps them if the inputs are complete and have not
// changed meanwhile. It returns nil if the tables must be made anew, elsewhere.
func (t *Traces) addTables(ctx context.Context, key []byte, found *cache.Found, draft *cache.Draft) (*tables, error) {
	indexes := t.Indexes()
	t.Options.Indexes = indexes
	fresh, err := t.convert(ctx, found.Missing, found.Bounds, draft.Folder())
	t.Options.Indexes = nil
	_, failed := indexes.end()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // the folder of the cache cannot be written
		t.Kept.failed(err)
		return nil, nil
	}
	hasFailed := func(is func(error) bool) bool {
		return slices.ContainsFunc(fresh.results, func(r *batch.Result) bool { return r.Err != nil && is(r.Err) })
	}
	now, ok := t.key()
	if !ok || string(now) != string(key) || hasFailed(func(error) bool { return true }) {
		isStale := hasFailed(func(err error) bool { return errors.Is(err, index.ErrStale) })
		if isStale {
			indexes.Drop()
		}
		if isStale || len(found.Pieces) > 0 || hasFailed(store.IsFull) {
			return nil, nil
		}
		fresh.close = found.Close
		return fresh, nil
	}
	if failed != nil {
		t.Kept.failed(failed)
	}
	piece, err := t.piece(ctx, fresh, found, draft)
	if err != nil {
		return nil, err
	}
	found.Add(piece)
	return t.tablesOf(found), nil
}

// piece returns the piece of the tables in a draft, which the cache keeps if it can.
func (t *Traces) piece(ctx context.Context, fresh *tables, found *cache.Found, draft *cache.Draft) (*cache.Piece, error) {
	notes, ok, err := t.notesOf(ctx, fresh)
	if err != nil {
		return nil, err
	}
	about := &cache.About{Tool: version.Of(), Needs: found.Missing, Bounds: found.Bounds, Notes: notes}
	for _, file := range t.Files.Files {
		about.Names = append(about.Names, file.Path)
	}
	if ok {
		piece, isKept, err := draft.Keep(ctx, about)
		switch {
		case err != nil:
			t.Kept.failed(err)
		case isKept:
			t.Kept.added()
		}
		if piece != nil {
			return piece, nil
		}
	}
	return draft.Piece(ctx, about)
}

// notesOf returns the notes about a dataset of traces. ok is false if it cannot be kept.
func (t *Traces) notesOf(ctx context.Context, made *tables) (n notes, ok bool, err error) {
	for _, r := range made.results {
		n.Traces = append(n.Traces, traceNotes{r.File.Order, r.Name, r.Report.Trace, r.Report.Problems, r.Report.Mismatches})
	}
	var records []*symbols.Record
	err = made.pieces[0].Dataset.EachRecord(ctx, func(text []byte) {
		var record struct{ Traces []dataset.TraceRecord }
		if json.Unmarshal(text, &record) == nil { // reading the tables reports a damaged one
			for i := range record.Traces {
				records = append(records, record.Traces[i].Symbols)
			}
		}
	})
	if err == nil {
		n.Symbols, ok = t.symbolsOf(records)
	}
	return n, ok, err
}

// tablesOf returns the tables in pieces, or nil if they do not fit together.
func (t *Traces) tablesOf(found *cache.Found) *tables {
	chosen, ok := found.Choose()
	if !ok {
		return nil
	}
	whole := &tables{close: found.Close}
	for i, p := range found.Pieces {
		var n notes
		if json.Unmarshal(p.Notes(), &n) != nil {
			return nil
		}
		whole.pieces = append(whole.pieces, views.Piece{Dataset: dataset.New(store.NewFolder(p.Folder())), Tables: chosen[i]})
		for _, trace := range n.Traces {
			if trace.File < 0 || trace.File >= len(t.Files.Files) {
				return nil
			}
			whole.add(&batch.Result{File: t.Files.Files[trace.File], Name: trace.Name, Report: &bundle.Report{Trace: trace.Trace, Problems: trace.Problems, Mismatches: trace.Mismatches}})
		}
	}
	return whole
}

// add adds the result of a trace, or what it has beside the result of another piece with the trace.
func (t *tables) add(result *batch.Result) {
	i := slices.IndexFunc(t.results, func(other *batch.Result) bool { return other.File == result.File && other.Name == result.Name })
	if i < 0 {
		t.results = append(t.results, result)
		return
	}
	report := t.results[i].Report
	for _, p := range result.Report.Problems {
		if !slices.Contains(report.Problems, p) {
			report.Problems = append(report.Problems, p)
		}
	}
	for _, m := range result.Report.Mismatches {
		if !slices.ContainsFunc(report.Mismatches, func(other facts.Mismatch) bool { return reflect.DeepEqual(m, other) }) {
			report.Mismatches = append(report.Mismatches, m)
		}
	}
}
