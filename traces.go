package etl2parquet

import (
	"context"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// Traces are several open traces, read together: rows begin with the column trace and are in time
// order. They are safe for use from many goroutines.
type Traces reading.Traces

func (t *Traces) reading() *reading.Traces { return (*reading.Traces)(t) }

// OpenAll opens the traces at paths: files, archives, folders with traces and archives, patterns,
// and URLs of web servers and buckets. Traces of one recording name each other's processes, images
// and files; all traces describe each other's events, where nothing else does. All traces stay open, with their indexes in memory, until Close. Of many files only some
// are open at a time; one that has changed when it is opened again is an error.
//
// Inputs that cannot be read are left out: see [Traces.Failed]. If no input can be read, OpenAll
// returns the joined errors of all.
func OpenAll(ctx context.Context, paths []string, o Options) (*Traces, error) {
	options, err := o.reading()
	if err != nil {
		return nil, err
	}
	t, err := reading.OpenAll(ctx, paths, options)
	return (*Traces)(t), err
}

// All returns the traces, in the order of the inputs. They are closed with t.
func (t *Traces) All() []*Trace {
	var list []*Trace
	for _, trace := range t.reading().All() {
		list = append(list, (*Trace)(trace))
	}
	return list
}

// One returns the trace if the inputs are one file, named by itself, that has one trace, alone or in
// an archive; otherwise nil, also if a folder or a pattern has one trace. [Trace.Write] writes its rows
// without the column trace.
func (t *Traces) One() *Trace { return (*Trace)(t.reading().One()) }

// Failed returns the inputs, and the entries of archives, that cannot be read.
func (t *Traces) Failed() []facts.InputError { return t.reading().Failed() }

// Close closes the traces. All readers must have been released.
func (t *Traces) Close() error { return t.reading().Close() }

// Table returns a table of the traces, by any of its names. Its columns are those that it has in any
// of them, each as wide as all need; see [schema.Table.Widen].
func (t *Traces) Table(name string) (Table, error) {
	table, err := t.reading().Table(name)
	if err != nil {
		return Table{}, err
	}
	return tableOf(table), nil
}
