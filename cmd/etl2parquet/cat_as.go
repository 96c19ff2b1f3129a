package main

import (
	"errors"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// rowsAs returns the table of --as, or nil.
func (f *catFlags) rowsAs(in *inputs.List, stdin io.Reader) (*schema.Table, error) {
	if f.as == "" {
		return nil, nil
	}
	from := stdin
	if f.as == inputs.Stdin {
		for _, file := range in.Files {
			if file.IsStdin() {
				return nil, usagef("standard input cannot be both a trace (-) and columns (--as -)")
			}
		}
	} else {
		file, err := os.Open(f.as)
		if err != nil {
			return nil, usageError{fileError("as", f.as, err)}
		}
		defer file.Close()
		from = file
	}
	reader, err := ipc.NewReader(from)
	if err != nil {
		return nil, usageError{fileError("as", f.as, errors.New("it is no Arrow stream, such as cat --format arrow writes"))}
	}
	defer reader.Release()
	table, err := etl2parquet.TableOf(reader.Schema())
	if err != nil {
		return nil, usageError{fileError("as", f.as, err)}
	}
	return table, nil
}
