package inputs

import (
	"context"
	"errors"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// Descriptions returns the descriptions that the traces in files contain, for the other traces in them, or nil if
// there are no others. They are read, by a number of workers, when they are first needed; a trace that lacks
// reports to have none is not. A file that can be read only once describes only its own traces.
func Descriptions(ctx context.Context, o archive.Options, files []*File, workers int, lacks func(*Trace) bool) *catalog.InputDescriptions {
	if len(files) == 0 || len(files) == 1 && !IsArchiveName(files[0].Name) {
		return nil
	}
	o.Held = true // traces stay open meanwhile
	var d *catalog.InputDescriptions
	d = catalog.NewInputDescriptions(func() error {
		r := &Reader{Options: o, Progress: NewProgress(0, 0), Fail: func(*File, string, error) {}} // reading the trace reports it
		r.Visit = func(t *Trace) error {
			if d.Has(t.Path()) || lacks(t) {
				return t.Close()
			}
			describe(ctx, d, t, workers)
			return errors.Join(ctx.Err(), t.Close())
		}
		return r.Each(ctx, slices.DeleteFunc(slices.Clone(files), (*File).IsStream))
	})
	for _, f := range files {
		if f.IsStream() {
			d.Leave(f.Path)
		}
	}
	return d
}

// describe adds the descriptions in a trace, unless it cannot be read.
func describe(ctx context.Context, d *catalog.InputDescriptions, t *Trace, workers int) {
	if t.Open() != nil {
		return
	}
	f, err := decode.NewFile(t.Contents, t.Size)
	if err != nil {
		return
	}
	if l, err := catalog.ReadDescriptions(ctx, f, workers); err == nil {
		d.Add(t.Path(), l)
	}
}
