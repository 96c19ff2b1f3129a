package convert

import "github.com/etl2parquet/etl2parquet/schema"

// setTrace says of which trace all rows are, in a column behind those of the
// table.
func (b *Batch) setTrace(trace string) {
	n := len(b.Table.Columns)
	if len(b.columns) == n {
		b.columns = append(b.columns, newColumn(&schema.TraceColumn)) // NewBatch leaves room: the columns stay where they are
	}
	c := &b.columns[n]
	c.reset()
	repeat(&c.codes, b.texts.text(trace), b.Rows)
}
