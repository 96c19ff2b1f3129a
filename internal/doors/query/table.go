package query

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
)

// column is a column of a result.
type column struct {
	Name string `json:"column_name"`
	Type string `json:"column_type"` // in DuckDB's spelling
}

// readColumns reads the columns from a file of JSON lines.
func readColumns(path string) ([]column, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read, so an error does not matter
	var columns []column
	for d := json.NewDecoder(f); ; {
		var c column
		switch err := d.Decode(&c); {
		case errors.Is(err, io.EOF):
			return columns, nil
		case err != nil:
			return nil, fmt.Errorf("read the types of the columns: %w", err)
		}
		columns = append(columns, c)
	}
}

// isNumber reports whether the values of the column are numbers.
func (c *column) isNumber() bool {
	kind, _, _ := strings.Cut(c.Type, "(")
	switch kind {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "BIGNUM":
		return true
	}
	return false
}

// The sizes of tables.
const (
	sampledRows = 1000 // rows that determine the widths of columns
	gap         = "  " // between columns
	leastWidth  = 8    // columns are not narrowed below it; if that is too wide, a record has a line per value
	widestCell  = 200  // columns are not padded beyond it if nothing is cut
)

// tableWriter writes a result as a table.
type tableWriter struct {
	out     *bufio.Writer
	columns []column
	width   int
	widths  []int
	records bool // print a line per value, as the columns do not fit side by side
	number  int  // of the row
}

// writeTable writes a result as a table for people. If width is not 0, the table has at most width
// columns of characters, and texts are cut. Numbers are never cut.
func writeTable(w io.Writer, result io.Reader, columns []column, width int) error {
	t := &tableWriter{out: bufio.NewWriterSize(w, 64<<10), columns: columns, width: width}
	var sample [][]string
	begun := false
	begin := func() {
		begun = true
		t.begin(sample)
		for _, cells := range sample {
			t.add(cells)
		}
	}
	err := eachRow(result, func(values [][]byte) error {
		cells, err := t.row(values)
		switch {
		case err != nil:
			return err
		case begun:
			t.add(cells)
			return nil
		}
		if sample = append(sample, cells); len(sample) == sampledRows {
			begin()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !begun {
		begin()
	}
	return t.out.Flush()
}

// oneLine escapes characters that would break a line or its columns.
var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`)

// row returns the cells of a row as text.
func (t *tableWriter) row(values [][]byte) ([]string, error) {
	if len(values) != len(t.columns) {
		return nil, errCut
	}
	cells := make([]string, len(values))
	for i, value := range values {
		if bytes.Equal(value, null) {
			cells[i] = "NULL"
			continue
		}
		text, err := plainText(value)
		if err != nil {
			return nil, err
		}
		if t.columns[i].Type == "FLOAT" {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				text = strconv.FormatFloat(v, 'g', -1, 32)
			}
		}
		cells[i] = oneLine.Replace(text)
	}
	return cells, nil
}

// begin determines the widths of the columns, and writes their names.
func (t *tableWriter) begin(sample [][]string) {
	t.widths = make([]int, len(t.columns))
	measure := func(i int, cell string) { t.widths[i] = max(t.widths[i], utf8.RuneCountInString(cell)) }
	for i := range t.columns {
		t.columns[i].Name = grid.Printable(t.columns[i].Name)
		measure(i, t.columns[i].Name)
		for _, cells := range sample {
			measure(i, cells[i])
		}
		if t.width == 0 {
			t.widths[i] = min(t.widths[i], widestCell)
		}
	}
	if t.width > 0 && !t.fit() {
		t.records = true
		return
	}
	var names, rule []string
	for i := range t.columns {
		names = append(names, t.columns[i].Name)
		rule = append(rule, strings.Repeat("─", t.widths[i]))
	}
	t.line(names)
	t.line(rule)
}

// fit narrows columns with texts, the widest first, until all columns fit the terminal. It reports
// whether they fit.
func (t *tableWriter) fit() bool {
	total := len(gap) * (len(t.widths) - 1)
	for _, width := range t.widths {
		total += width
	}
	for ; total > t.width; total-- {
		widest := -1
		for i, width := range t.widths {
			if !t.columns[i].isNumber() && width > leastWidth && (widest < 0 || width > t.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		t.widths[widest]--
	}
	return true
}

// add writes a row.
func (t *tableWriter) add(cells []string) {
	t.number++
	for i := range cells {
		cells[i] = grid.Printable(cells[i])
	}
	if !t.records {
		t.line(cells)
		return
	}
	fmt.Fprintf(t.out, "── row %d\n", t.number)
	widest := 0
	for i := range t.columns {
		widest = max(widest, utf8.RuneCountInString(t.columns[i].Name))
	}
	for i, cell := range cells {
		name := t.columns[i].Name
		fmt.Fprintf(t.out, "%s%s%s%s\n", name, strings.Repeat(" ", widest-utf8.RuneCountInString(name)), gap, grid.Shortened(cell, max(t.width-widest-len(gap), leastWidth)))
	}
}

// line writes the cells of a row side by side.
func (t *tableWriter) line(cells []string) {
	var b strings.Builder
	for i, cell := range slices.Clone(cells) {
		if t.width > 0 && !t.columns[i].isNumber() {
			cell = grid.Shortened(cell, t.widths[i])
		}
		space := strings.Repeat(" ", max(0, t.widths[i]-utf8.RuneCountInString(cell)))
		if i > 0 {
			b.WriteString(gap)
		}
		if t.columns[i].isNumber() {
			b.WriteString(space + cell)
		} else {
			b.WriteString(cell + space)
		}
	}
	t.out.WriteString(strings.TrimRight(b.String(), " ") + "\n") // Flush returns the error
}
