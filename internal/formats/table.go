package formats

import (
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/lines"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Table is columns side by side, for people.
var Table = &Format{Name: "table", needs: lines.Columns, write: newTableWriter}

// tableWriter writes rows as a table.
type tableWriter struct {
	maker   *lines.Maker
	columns int
	to      *texts.Table
	rowCount
}

func newTableWriter(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	var columns []texts.TableColumn
	for _, name := range o.Columns {
		c := &t.Columns[t.Column(name)]
		columns = append(columns, texts.TableColumn{Name: name, Kind: kindOf(c)})
	}
	return &tableWriter{maker: lines.NewMaker(t, lines.CSV, o.Columns), columns: len(columns), to: texts.NewTable(w, columns, texts.TableOptions{Width: o.Width})}, nil
}

// kindOf returns the kind of a column in a table.
func kindOf(c *schema.Column) texts.TableKind {
	switch {
	case c.List:
	case c.Type == schema.Timestamp:
		return texts.TimeColumn
	case c.Type == schema.Int32, c.Type == schema.Int64, c.Type == schema.Uint64, c.Type == schema.Float, c.Type == schema.Double:
		return texts.NumberColumn
	}
	return texts.TextColumn
}

// Table implements [pipeline.Sink].
func (w *tableWriter) Table(*schema.Table) (pipeline.Writer, error) { return w, nil }

// Encode implements [pipeline.Writer].
func (w *tableWriter) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	cells := &cellGroup{of: w}
	for _, b := range g.Batches {
		cells.text, cells.ends = w.maker.AppendCells(cells.text, cells.ends, b)
	}
	return cells, nil
}

// Close implements [Writer].
func (w *tableWriter) Close(pass error) error {
	if pass != nil {
		return nil
	}
	return w.to.Close()
}

// cellGroup is the cells of rows that wait for their turn.
type cellGroup struct {
	of   *tableWriter
	text []byte
	ends []int // of each cell
}

// Commit implements [pipeline.Encoded].
func (g *cellGroup) Commit() error {
	from := 0
	for ends := g.ends; len(ends) > 0; ends = ends[g.of.columns:] {
		row := make([]texts.TableCell, g.of.columns)
		for i := range row {
			row[i].Text, from = string(g.text[from:ends[i]]), ends[i]
			row[i].IsNull = row[i].Text == ""
		}
		g.of.rows++
		if err := g.of.to.Add(row); err != nil {
			return err
		}
	}
	return nil
}
