package index

import "github.com/etl2parquet/etl2parquet/internal/engine/attribution"

// createOverflow creates the file for stacks beyond the memory limit.
func (x *Index) createOverflow() (attribution.Overflow, error) {
	f, err := x.Temporary.Create()
	if err != nil {
		return nil, err
	}
	x.overflow = f
	return f, nil
}

// Close removes the temporary file of the index, if there is one.
func (x *Index) Close() error {
	if x.overflow == nil {
		return nil
	}
	return x.overflow.Close()
}
