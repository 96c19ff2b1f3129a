package columns

import "github.com/etl2parquet/etl2parquet/schema"

// SetTrace adds the name of the trace to the rows, in a column before those of the table. Reset
// removes it.
func (b *Batch) SetTrace(trace string) {
	c := &b.room[0]
	if c.Spec == nil {
		*c = newColumn(&schema.TraceColumn)
	}
	c.Reset()
	b.Columns = b.room // the others do not move, because their maker may hold pointers to them
	Repeat(&c.Codes, b.Texts.Text(trace), b.Rows)
}
