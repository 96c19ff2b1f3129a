package texts

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

// TableColumn is a column of a table.
type TableColumn struct {
	Name string
	Kind TableKind
}

// TableKind is the kind of a column's values.
type TableKind int

// The kinds. Only texts are cut.
const (
	TextColumn   TableKind = iota
	NumberColumn           // at the right
	TimeColumn             // such as 2024-05-01 12:00:00.25+00
)

// TableCell is a value.
type TableCell struct {
	Text   string
	IsNull bool // Text stands for a missing value
}

// TableOptions are the form of a table.
type TableOptions struct {
	// Width is the width of the terminal: texts are cut so that rows fit, times have no zone if it is
	// UTC, and no date if all have the same. With 0, all values are as they are.
	Width int
	Style Style
}

// The sizes of tables.
const (
	SampledRows      = 1000 // rows that determine the widths of columns
	tableGap         = "  " // between columns
	leastWidth       = 8    // columns are not narrowed below it; if that is too wide, a row is a block
	widestColumnName = 16   // columns are narrowed below their names only if all names up to this width do not fit
	widestCell       = 200  // columns are not padded beyond it if nothing is cut
	usualWidth       = 80   // of the names of a table without rows, if the output is not a terminal
)

// Table writes a table. Only its first rows are in memory: they determine the widths.
type Table struct {
	TableOptions
	out     *bufio.Writer
	columns []TableColumn
	widths  []int
	times   []times // the form of the times in each column
	date    string  // of all times of the sample, which cells leave out, and their zone; "" if they differ
	blocks  bool    // print a block per row, as the columns do not fit side by side
	number  int     // of the row

	sample [][]TableCell // rows that are not written yet
	begun  bool
}

// NewTable returns a writer of a table.
func NewTable(w io.Writer, columns []TableColumn, o TableOptions) *Table {
	t := &Table{TableOptions: o, out: bufio.NewWriterSize(w, 64<<10), columns: slices.Clone(columns)}
	for i := range t.columns {
		t.columns[i].Name = Printable(t.columns[i].Name)
	}
	return t
}

// Add adds a row. It owns the cells.
func (t *Table) Add(row []TableCell) error {
	for i := range row {
		row[i].Text = Printable(row[i].Text)
	}
	if t.begun {
		return t.add(row)
	}
	if t.sample = append(t.sample, row); len(t.sample) < SampledRows {
		return nil
	}
	return t.begin()
}

// Close writes the rest of the table. It does not close the writer below.
func (t *Table) Close() error {
	if !t.begun {
		if err := t.begin(); err != nil {
			return err
		}
	}
	return t.out.Flush()
}

// begin writes the names of the columns and the first rows.
func (t *Table) begin() error {
	t.begun = true
	if t.Width > 0 {
		t.setTimes()
	}
	t.measure()
	err := t.head()
	for _, row := range t.sample {
		if err == nil {
			err = t.add(row)
		}
	}
	t.sample = nil
	return err
}

// measure determines the widths of the columns, and whether they fit side by side.
func (t *Table) measure() {
	t.widths = make([]int, len(t.columns))
	for i := range t.columns {
		t.widths[i] = Width(t.columns[i].Name)
	}
	for _, row := range t.sample {
		for i, cell := range t.shown(slices.Clone(row)) {
			t.widths[i] = max(t.widths[i], Width(cell.Text))
		}
	}
	if t.Width > 0 {
		t.blocks = !t.fit(true) && !t.fit(false)
		return
	}
	for i := range t.widths {
		t.widths[i] = min(t.widths[i], widestCell)
	}
}

// fit narrows columns with texts, the widest first, until all columns fit the terminal. It reports
// whether they fit.
func (t *Table) fit(keepNames bool) bool {
	total := t.total()
	for ; total > t.Width; total-- {
		widest := -1
		for i, width := range t.widths {
			least := leastWidth
			if keepNames {
				least = max(least, min(Width(t.columns[i].Name), widestColumnName))
			}
			if t.columns[i].Kind == TextColumn && width > least && (widest < 0 || width > t.widths[widest]) {
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

// total returns the width of all columns side by side.
func (t *Table) total() int {
	total := len(tableGap) * (len(t.widths) - 1)
	for _, width := range t.widths {
		total += width
	}
	return total
}

// head writes the names of the columns, if they do not stand in blocks.
func (t *Table) head() error {
	width := t.Width
	if width == 0 {
		width = usualWidth
	}
	if len(t.sample) == 0 && t.total() > width {
		return t.namesOnly(width)
	}
	if t.date != "" {
		if err := t.print(t.Style.Dim("times of " + t.date)); err != nil {
			return err
		}
	}
	if t.blocks {
		return nil
	}
	var names, rule []TableCell
	for i := range t.columns {
		names = append(names, TableCell{Text: t.columns[i].Name})
		rule = append(rule, TableCell{Text: strings.Repeat("─", t.widths[i])})
	}
	if err := t.print(t.Style.Bold(t.line(names))); err != nil {
		return err
	}
	return t.print(t.line(rule))
}

// namesOnly writes the names of a table without rows on as many lines as they need.
func (t *Table) namesOnly(width int) error {
	line, used := "", 0
	for _, c := range t.columns {
		size := Width(c.Name)
		if line != "" && used+len(tableGap)+size > width {
			if err := t.print(t.Style.Bold(line)); err != nil {
				return err
			}
			line, used = "", 0
		}
		if line != "" {
			line, used = line+tableGap, used+len(tableGap)
		}
		line, used = line+Shortened(c.Name, width), used+size
	}
	return t.print(t.Style.Bold(line))
}

// shown returns the cells of a row as they are printed, but not cut.
func (t *Table) shown(row []TableCell) []TableCell {
	if t.Width > 0 {
		t.timed(row)
	}
	return row
}

// add writes a row.
func (t *Table) add(row []TableCell) error {
	t.number++
	if row = t.shown(row); t.blocks {
		return t.block(row)
	}
	return t.print(t.line(row))
}

// line returns the cells of a row side by side.
func (t *Table) line(row []TableCell) string {
	var b strings.Builder
	last := len(row) - 1
	for last > 0 && row[last].Text == "" { // lines do not end with spaces
		last--
	}
	for i, cell := range row[:last+1] {
		text := cell.Text
		if t.Width > 0 && t.columns[i].Kind == TextColumn {
			text = shortenedCell(text, t.widths[i])
		}
		space := strings.Repeat(" ", max(0, t.widths[i]-Width(text)))
		if cell.IsNull {
			text = t.Style.Dim(text)
		}
		if i > 0 {
			b.WriteString(tableGap)
		}
		switch {
		case t.columns[i].Kind == NumberColumn:
			b.WriteString(space + text)
		case i == last:
			b.WriteString(text)
		default:
			b.WriteString(text + space)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// shortenedCell cuts a text: a path in its middle, because paths differ at their ends.
func shortenedCell(text string, n int) string {
	if strings.ContainsAny(text, `\/`) && !strings.ContainsAny(text, " {[(\"") {
		return Middle(text, n)
	}
	return Shortened(text, n)
}

// print writes a line.
func (t *Table) print(line string) error {
	_, err := t.out.WriteString(line + "\n")
	return err
}
