package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/cache"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// keptNotes are the notes of a piece: what its conversion has found beside rows.
type keptNotes struct {
	Traces  []keptTrace `json:"traces"`
	Symbols keptSymbols `json:"symbols"`
}

// keptTrace is the result of a trace.
type keptTrace struct {
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

// convertSource makes the tables that the statements need, or takes them from the cache. The tables must
// be closed.
func (r *reading) convertSource(siblings siblingsFlag, source *query.Source, temp string) (*tables, error) {
	if err := r.find(source.Inputs); err != nil {
		return nil, err
	}
	needs := source.Needs()
	if needs == nil {
		needs = []selection.Need{cache.All}
	}
	bounds := r.bounds(source)
	t, err := r.keptTables(siblings, needs, bounds)
	if t == nil && err == nil {
		t, err = r.freshTables(siblings, needs, bounds, filepath.Join(temp, "dataset"))
	}
	if t == nil {
		return nil, err
	}
	source.UseTraces(t.pieces)
	r.reportTables(source, t.results)
	if err == nil && r.failed > 0 && r.done == 0 {
		err = errAllFailed
	}
	if err == nil && !source.HasTraces() {
		err = errors.New("no trace in any of the inputs")
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// bounds returns the bounds of the events that the statements need, or nil. A selection of the user has its
// own bounds, and messages about them.
func (r *reading) bounds(source *query.Source) *selection.Bounds {
	s := &r.options.Selection
	if s.ChoosesEvents() || len(s.TimeOptions()) > 0 {
		source.Unbound()
	}
	return source.Bounds()
}

// reportTables reports the results of traces: which failed, which parts of the selection match nothing,
// and the problems that matter for the statements.
func (r *reading) reportTables(source *query.Source, results []*batch.Result) {
	var found problemLog
	var unmatched patternLog
	for _, result := range results {
		if result.Err != nil {
			r.fail(result.Name, result.Err)
			continue
		}
		r.done++
		unmatched.add(result.Name, source.Add(result))
		found.add(result.Name, source.Matter(result.Report.Problems))
	}
	r.reportMissing()
	r.warnAll(append(unmatched.lines(), found.lines("table problems", problemsSQL)...))
}

// freshTables converts the traces into a temporary dataset in a folder. An error may come with the tables
// of some traces.
func (r *reading) freshTables(siblings siblingsFlag, needs []selection.Need, bounds *selection.Bounds, folder string) (*tables, error) {
	o := &bundle.Options{Options: r.options, Tool: toolVersion(), Compression: "none", Transient: true}
	o.Selection.Needs, o.Selection.Bounds = needs, bounds
	defer r.timing.convert(o)()
	r.bar = progress.New(r.progressBar(), progress.Auto, len(r.in.Files), r.in.Size())
	c := r.newConversion(o, siblings)
	t := &tables{close: func() error { return nil }}
	c.Bundling = batch.Bundling{Mode: batch.BundleAuto, Bytes: bundle.DefaultBundleBytes}
	c.Done = func(result *batch.Result) { t.results = append(t.results, result) }
	c.Warn = func(name string, err error) { r.aside(func() { r.failInput(name, err) }) }
	err := c.Run(r.ctx, r.servers.TransientStore(folder), func() { r.bar.Start(r.ticker) })
	r.bar.End()
	t.pieces = []views.Piece{{Dataset: c.Dataset.Dataset}}
	return t, err
}

// keptTables takes the tables from the cache, after it has added those that are missing. It returns nil if
// the cache cannot be used: then the tables must be made anew.
func (r *reading) keptTables(siblings siblingsFlag, needs []selection.Need, bounds *selection.Bounds) (*tables, error) {
	c, err := r.openCache(&r.flags.cache)
	if c == nil || err != nil {
		return nil, err
	}
	key, ok := r.cacheKey(siblings)
	if !ok {
		return nil, nil
	}
	set := c.Set(key)
	found, err := set.Find(needs, bounds, r.hasSymbolsOf)
	if err != nil {
		r.warnNoCache(err)
		return nil, nil
	}
	if len(found.Missing) == 0 {
		if t := r.tablesOf(found); t != nil {
			return t, nil
		}
		return nil, found.Close()
	}
	draft, err := set.Begin()
	if err != nil {
		r.warnNoCache(err)
		return nil, found.Close()
	}
	t, err := r.addTables(c, siblings, key, found, draft)
	if t == nil {
		return nil, errors.Join(err, found.Close(), draft.Discard())
	}
	closeFound := t.close
	t.close = func() error { return errors.Join(closeFound(), draft.Discard()) }
	return t, err
}

// addTables makes the missing tables in a draft, and keeps them if the inputs are complete and have not
// changed meanwhile. It returns nil if the tables must be made anew, elsewhere.
func (r *reading) addTables(c *cache.Cache, siblings siblingsFlag, key []byte, found *cache.Found, draft *cache.Draft) (*tables, error) {
	indexes := r.indexes(c)
	r.options.Indexes = indexes
	fresh, err := r.freshTables(siblings, found.Missing, found.Bounds, draft.Folder())
	r.options.Indexes = nil
	_, notKept := indexes.end(r)
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case err != nil: // the folder of the cache cannot be written
		r.warnNoCache(err)
		return nil, nil
	}
	now, ok := r.cacheKey(siblings)
	isWhole := ok && string(now) == string(key) && !slices.ContainsFunc(fresh.results, func(result *batch.Result) bool { return result.Err != nil })
	if !isWhole {
		isStale := slices.ContainsFunc(fresh.results, func(result *batch.Result) bool { return errors.Is(result.Err, index.ErrStale) })
		if isStale {
			indexes.drop()
		}
		if isFull := slices.ContainsFunc(fresh.results, func(result *batch.Result) bool { return isDiskFull(result.Err) }); isFull || isStale || len(found.Pieces) > 0 {
			return nil, nil
		}
		fresh.close = found.Close
		return fresh, nil
	}
	if notKept != nil {
		r.warnNoCache(notKept)
	}
	notes, ok, err := r.notesOf(fresh)
	if err != nil {
		return nil, err
	}
	about := &cache.About{Tool: toolVersion(), Needs: found.Missing, Bounds: found.Bounds, Notes: notes}
	for _, file := range r.in.Files {
		about.Names = append(about.Names, file.Path)
	}
	var piece *cache.Piece
	if isKept := false; ok {
		piece, isKept, err = draft.Keep(r.ctx, about)
		switch {
		case err != nil:
			r.warnNoCache(err)
		case isKept:
			r.tellOfCache(c)
		}
	}
	if piece == nil {
		if piece, err = draft.Piece(r.ctx, about); err != nil {
			return nil, err
		}
	}
	found.Add(piece)
	return r.tablesOf(found), nil
}

// notesOf returns the notes about a dataset of traces. ok is false if it cannot be kept.
func (r *reading) notesOf(t *tables) (notes keptNotes, ok bool, err error) {
	for _, result := range t.results {
		notes.Traces = append(notes.Traces, keptTrace{result.File.Order, result.Name, result.Report.Trace, result.Report.Problems, result.Report.Mismatches})
	}
	var records []*symbols.Record
	err = t.pieces[0].Dataset.EachRecord(r.ctx, func(text []byte) {
		var record struct{ Traces []dataset.TraceRecord }
		if json.Unmarshal(text, &record) == nil { // reading the tables reports a damaged one
			for i := range record.Traces {
				records = append(records, record.Traces[i].Symbols)
			}
		}
	})
	if err == nil {
		notes.Symbols, ok = r.symbolsOf(records)
	}
	return notes, ok, err
}

// tablesOf returns the tables in pieces, or nil if they do not fit together.
func (r *reading) tablesOf(found *cache.Found) *tables {
	chosen, ok := found.Choose()
	if !ok {
		return nil
	}
	t := &tables{close: found.Close}
	for i, p := range found.Pieces {
		var notes keptNotes
		if json.Unmarshal(p.Notes(), &notes) != nil {
			return nil
		}
		t.pieces = append(t.pieces, views.Piece{Dataset: dataset.New(store.NewFolder(p.Folder())), Tables: chosen[i]})
		for _, trace := range notes.Traces {
			if trace.File < 0 || trace.File >= len(r.in.Files) {
				return nil
			}
			t.add(&batch.Result{File: r.in.Files[trace.File], Name: trace.Name, Report: &bundle.Report{Trace: trace.Trace, Problems: trace.Problems, Mismatches: trace.Mismatches}})
		}
	}
	return t
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
