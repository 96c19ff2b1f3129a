package table

import (
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/text/cells"
)

// mostLines bounds the lines of a value in a block. What is beyond is cut.
const mostLines = 4

// block writes a row as a block: a line with its number, and for each column its name and value.
func (t *Writer) block(row []Cell) error {
	widest := 0
	for _, c := range t.columns {
		widest = max(widest, cells.Width(c.Name))
	}
	widest = min(widest, t.Width/2)
	err := t.print(t.Style.Bold("── row " + strconv.Itoa(t.number)))
	for i, cell := range row {
		name := cells.Pad(cells.Shortened(t.columns[i].Name, widest), widest, false)
		for _, line := range t.valueLines(i, cell, max(t.Width-widest-len(gap), leastWidth)) {
			if cell.IsNull {
				line = t.Style.Dim(line)
			}
			err = t.print(strings.TrimRight(name+gap+line, " "))
			name = strings.Repeat(" ", widest)
		}
	}
	return err // of the last write: bufio keeps the first error
}

// valueLines returns the lines of a value. Numbers and times are on one line.
func (t *Writer) valueLines(column int, cell Cell, width int) []string {
	if t.columns[column].Kind != Text || cells.Width(cell.Text) <= width {
		return []string{cell.Text}
	}
	lines := cells.Wrap(cell.Text, width)
	if len(lines) > mostLines {
		lines = lines[:mostLines]
		if last := &lines[mostLines-1]; cells.Width(*last) < width {
			*last += "…"
		} else {
			*last = cells.Shortened(*last+"…", width)
		}
	}
	return lines
}
