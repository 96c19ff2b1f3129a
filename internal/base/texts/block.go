package texts

import (
	"strconv"
	"strings"
)

// mostLines bounds the lines of a value in a block. What is beyond is cut.
const mostLines = 4

// block writes a row as a block: a line with its number, and for each column its name and value.
func (t *Table) block(row []TableCell) error {
	widest := 0
	for _, c := range t.columns {
		widest = max(widest, Width(c.Name))
	}
	widest = min(widest, t.Width/2)
	err := t.print(t.Style.Bold("── row " + strconv.Itoa(t.number)))
	for i, cell := range row {
		name := Pad(Shortened(t.columns[i].Name, widest), widest, false)
		for _, line := range t.valueLines(i, cell, max(t.Width-widest-len(tableGap), leastWidth)) {
			if cell.IsNull {
				line = t.Style.Dim(line)
			}
			err = t.print(strings.TrimRight(name+tableGap+line, " "))
			name = strings.Repeat(" ", widest)
		}
	}
	return err // of the last write: bufio keeps the first error
}

// valueLines returns the lines of a value. Numbers and times are on one line.
func (t *Table) valueLines(column int, cell TableCell, width int) []string {
	if t.columns[column].Kind != TextColumn || Width(cell.Text) <= width {
		return []string{cell.Text}
	}
	lines := Wrap(cell.Text, width)
	if len(lines) > mostLines {
		lines = lines[:mostLines]
		if last := &lines[mostLines-1]; Width(*last) < width {
			*last += "…"
		} else {
			*last = Shortened(*last+"…", width)
		}
	}
	return lines
}
