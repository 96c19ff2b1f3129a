// Package bundle converts traces into a dataset. A [Dataset] converts one trace into files of its
// own; a [Bundler] lets many small traces share files. Both add traces to an openPart and commit that:
// a trace is a part with one trace.
package bundle

import (
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Dataset is a dataset to convert traces into.
type Dataset struct{ *dataset.Dataset }

// NewDataset returns the dataset in a store. To convert into it, the store must have
// been prepared.
func NewDataset(s store.Store) *Dataset { return &Dataset{dataset.New(s)} }

// OpenDataset returns the dataset in a folder. It creates the folder if necessary.
func OpenDataset(root string) (*Dataset, error) {
	d, err := dataset.Open(root)
	if err != nil {
		return nil, err
	}
	return &Dataset{d}, nil
}
