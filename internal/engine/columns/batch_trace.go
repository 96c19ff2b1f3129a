package columns

import "github.com/etl2parquet/etl2parquet/schema"

// SetTrace gives the rows the name of their trace, in a column before those of
// the table. Reset takes it away.
func (b *Batch) SetTrace(trace string) {
	c := &b.room[0]
	if c.Spec == nil {
		*c = newColumn(&schema.TraceColumn)
	}
	c.reset()
	b.Columns = b.room // the others stay where they are: their maker may hold on to them
	Repeat(&c.Codes, b.Texts.Text(trace), b.Rows)
}
