package columns

import "github.com/etl2parquet/etl2parquet/schema"

// SetTrace says of which trace all rows are, in a column behind those of the
// table.
func (b *Batch) SetTrace(trace string) {
	n := len(b.Table.Columns)
	if len(b.Columns) == n {
		b.Columns = append(b.Columns, newColumn(&schema.TraceColumn)) // NewBatch leaves room: the columns stay where they are
	}
	c := &b.Columns[n]
	c.reset()
	Repeat(&c.Codes, b.Texts.Text(trace), b.Rows)
}
