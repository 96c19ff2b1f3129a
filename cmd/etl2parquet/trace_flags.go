package main

import (
	"runtime"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
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
func (r *reading) setOptions() (err error) {
	f, o, l := r.flags, &r.options, &r.library
	if o.Selection, err = f.selection.parse(); err != nil {
		return err
	}
	r.scan.Selection = o.Selection.Selection
	o.Workers, o.Memory = runtime.GOMAXPROCS(0), pipeline.DefaultMemory
	if f.resources.isAdded {
		o.Facts = f.resources.resolve()
		o.Workers = f.resources.workers // found sets the memory
	}
	o.Strict, o.Index, o.TempDir = f.strict, f.index, f.source.tempDir
	f.content.set(o)
	if l.Descriptions, err = f.schemas.descriptions(); err != nil {
		return err
	}
	if l.Symbols, err = f.symbols.find(r.ctx, r.app, f.source.servers.timeout); err != nil {
		return err
	}
	if l.RedactKey, err = f.redact.key(r.err); err != nil {
		return err
	}
	if l.RedactKey != nil {
		if o.Redact, err = redact.NewKey(l.RedactKey); err != nil {
			return err
		}
	}
	o.Schemas, o.Symbols = access.Descriptions(l.Descriptions), access.Symbols(l.Symbols)
	o.Schemas.From(r.from)
	o.Symbols.From(r.from)
	l.Workers, l.Memory, l.Index, l.TempDir, l.Messages = o.Workers, o.Facts, o.Index, o.TempDir, etl2parquet.MessageMode(o.Messages)
	r.scan.Strict, r.scan.Payload = f.strict, etl2parquet.PayloadMode(o.Payload)
	return nil
}
