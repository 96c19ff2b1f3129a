package dataset

import (
	"cmp"
	"context"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
)

// UnsignedOption returns the record's option for a type of unsigned 64-bit columns: "" for the
// default type, which the records of earlier versions lack.
func UnsignedOption(unsigned string) string {
	if unsigned == parquet.DefaultUnsigned {
		return ""
	}
	return unsigned
}

// UnsignedError means that the files of a dataset have unsigned 64-bit columns in another type than
// a run would write. A query over both would compare different numbers.
type UnsignedError struct{ Had, Asked string }

func (e *UnsignedError) Error() string {
	return fmt.Sprintf("its files have unsigned 64-bit columns as %s, and this run would write %s: name a new folder, and convert the traces into that; nothing was changed", e.Had, e.Asked)
}

// CheckUnsigned returns an [UnsignedError] unless the dataset has no readable record, or unsigned
// 64-bit columns in this type. All records of a dataset agree, so it reads one.
func (d *Dataset) CheckUnsigned(ctx context.Context, unsigned string) error {
	if err := d.Load(ctx); err != nil || d.sample == nil {
		return err
	}
	had, asked := cmp.Or(d.sample.Unsigned, parquet.DefaultUnsigned), cmp.Or(unsigned, parquet.DefaultUnsigned)
	if had != asked {
		return &UnsignedError{had, asked}
	}
	return nil
}
