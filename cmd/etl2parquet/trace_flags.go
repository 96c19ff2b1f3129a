package main

import (
	"runtime"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// traceFlags are the flags of commands that read traces: the inputs, the resources and the
// selection. A command adds the flags that it supports; the others keep their defaults.
type traceFlags struct {
	source    sourceFlags
	schemas   schemaFlags
	symbols   symbolFlags
	selection selectionFlags
	content   contentFlags
	cache     cacheFlags
	redact    redactFlags
	siblings  siblingsFlag
	resources resourceFlags // without flags all processors and the default memory
	index     string        // path of a file of indexes; "" makes the index pass
	strict    bool
}

// setOptions checks the flags, and opens the descriptions and symbols that they name.
func (r *job) setOptions() (err error) {
	f, o := r.flags, &r.Options
	if o.Selection, err = f.selection.parse(); err != nil {
		return err
	}
	o.Workers, o.Memory = runtime.GOMAXPROCS(0), pipeline.DefaultMemory
	if f.resources.isAdded {
		o.Facts = f.resources.resolve()
		o.Workers = f.resources.workers // found sets the memory
	}
	o.Strict, o.Index, o.TempDir = f.strict, f.index, f.source.tempDir
	f.content.set(o)
	descriptions, err := f.schemas.descriptions()
	if err != nil {
		return err
	}
	named, err := f.symbols.find(r.ctx, r.app, f.source.servers.timeout)
	if err != nil {
		return err
	}
	key, err := f.redact.key(r.err)
	if err != nil {
		return err
	}
	if key != nil {
		if o.Redact, err = redact.NewKey(key); err != nil {
			return err
		}
	}
	o.Schemas, o.Symbols = (*catalog.Files)(descriptions), (*symbols.Set)(named)
	o.Schemas.From(r.from)
	o.Symbols.From(r.from)
	return nil
}
