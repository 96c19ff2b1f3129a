// Package table writes tables for people whose rows come one after another.
package table

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
)

// Column is a column of a table.
type Column struct {
	Name     string
	IsNumber bool // its values stand at the right, and are never cut
}

// The sizes of tables.
const (
	SampledRows = 1000 // rows that determine the widths of columns
	gap         = "  " // between columns
	leastWidth  = 8    // columns are not narrowed below it; if that is too wide, a record has a line per value
	widestCell  = 200  // columns are not padded beyond it if nothing is cut
)

// Writer writes a table. Only its first rows are in memory: they determine the widths.
type Writer struct {
	out     *bufio.Writer
	columns []Column
	width   int
	widths  []int
	records bool // print a line per value, as the columns do not fit side by side
	number  int  // of the row

	sample [][]string // rows that are not written yet
	begun  bool
}

// NewWriter returns a writer of a table. If width is not 0, the table has at most width columns of
// characters, and texts are cut. Numbers are never cut.
func NewWriter(w io.Writer, columns []Column, width int) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, 64<<10), columns: slices.Clone(columns), width: width}
}

// Add adds a row. It owns the cells.
func (t *Writer) Add(cells []string) error {
	for i := range cells {
		cells[i] = oneLine.Replace(cells[i])
	}
	if t.begun {
		return t.add(cells)
	}
	if t.sample = append(t.sample, cells); len(t.sample) < SampledRows {
		return nil
	}
	return t.begin()
}

// Close writes the rest of the table. It does not close the writer below.
func (t *Writer) Close() error {
	if !t.begun {
		if err := t.begin(); err != nil {
			return err
		}
	}
	return t.out.Flush()
}

// begin writes the names of the columns and the first rows.
func (t *Writer) begin() error {
	t.begun = true
	err := t.measure()
	for _, cells := range t.sample {
		if err == nil {
			err = t.add(cells)
		}
	}
	t.sample = nil
	return err
}

// oneLine escapes characters that would break a line or its columns.
var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`)

// measure determines the widths of the columns, and writes their names.
func (t *Writer) measure() error {
	t.widths = make([]int, len(t.columns))
	measure := func(i int, cell string) { t.widths[i] = max(t.widths[i], utf8.RuneCountInString(cell)) }
	for i := range t.columns {
		t.columns[i].Name = grid.Printable(t.columns[i].Name)
		measure(i, t.columns[i].Name)
		for _, cells := range t.sample {
			measure(i, cells[i])
		}
		if t.width == 0 {
			t.widths[i] = min(t.widths[i], widestCell)
		}
	}
	if t.width > 0 && !t.fit() {
		t.records = true
		return nil
	}
	var names, rule []string
	for i := range t.columns {
		names = append(names, t.columns[i].Name)
		rule = append(rule, strings.Repeat("─", t.widths[i]))
	}
	if err := t.line(names); err != nil {
		return err
	}
	return t.line(rule)
}

// fit narrows columns with texts, the widest first, until all columns fit the terminal. It reports
// whether they fit.
func (t *Writer) fit() bool {
	total := len(gap) * (len(t.widths) - 1)
	for _, width := range t.widths {
		total += width
	}
	for ; total > t.width; total-- {
		widest := -1
		for i, width := range t.widths {
			if !t.columns[i].IsNumber && width > leastWidth && (widest < 0 || width > t.widths[widest]) {
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
func (t *Writer) add(cells []string) error {
	t.number++
	for i := range cells {
		cells[i] = grid.Printable(cells[i])
	}
	if !t.records {
		return t.line(cells)
	}
	_, err := fmt.Fprintf(t.out, "── row %d\n", t.number)
	widest := 0
	for i := range t.columns {
		widest = max(widest, utf8.RuneCountInString(t.columns[i].Name))
	}
	for i, cell := range cells {
		name := t.columns[i].Name
		_, err = fmt.Fprintf(t.out, "%s%s%s%s\n", name, strings.Repeat(" ", widest-utf8.RuneCountInString(name)), gap, grid.Shortened(cell, max(t.width-widest-len(gap), leastWidth)))
	}
	return err // of the last write: bufio keeps the first error
}

// line writes the cells of a row side by side.
func (t *Writer) line(cells []string) error {
	var b strings.Builder
	for i, cell := range slices.Clone(cells) {
		if t.width > 0 && !t.columns[i].IsNumber {
			cell = grid.Shortened(cell, t.widths[i])
		}
		space := strings.Repeat(" ", max(0, t.widths[i]-utf8.RuneCountInString(cell)))
		if i > 0 {
			b.WriteString(gap)
		}
		if t.columns[i].IsNumber {
			b.WriteString(space + cell)
		} else {
			b.WriteString(cell + space)
		}
	}
	_, err := t.out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	return err
}
