package formats

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Arrow is an Arrow stream.
var Arrow = &Format{Name: "arrow", Binary: true, Single: true, write: newArrowWriter}

// arrowWriter writes an Arrow stream.
type arrowWriter struct {
	*Records
	to *ipc.Writer
	rowCount
}

func newArrowWriter(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	a := new(arrowWriter)
	a.Records = NewRecords(t, o.Allocator, a.write)
	a.to = ipc.NewWriter(w, ipc.WithSchema(a.Schema())) // its allocator must give zeros
	return a, nil
}

// write writes a record batch.
func (w *arrowWriter) write(batch arrow.RecordBatch) error {
	defer batch.Release()
	w.rows += batch.NumRows()
	return w.to.Write(batch)
}

// Close implements [Writer].
func (w *arrowWriter) Close(pass error) error {
	w.Records.Close()
	if pass != nil {
		return nil // without an end mark, so that readers notice
	}
	return w.to.Close()
}
