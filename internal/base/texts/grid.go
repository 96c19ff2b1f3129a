package texts

import (
	"fmt"
	"io"
	"strings"
)

// Grid is text laid out in columns.
type Grid struct {
	Indent string
	Right  []bool // columns of numbers: they are aligned right, and never wrapped
	Head   bool   // the first row has the names of the columns
	Style  Style
	rows   []gridRow
}

// gridRow is a row of a grid.
type gridRow struct {
	cells []string
	above string // see AddAbove
	below string // see AddBelow
	note  string // see AddNote
}

// The least widths of columns of texts that are wrapped.
const (
	narrowestLast   = 24 // of the last column, which has prose
	narrowestColumn = 16 // of the other columns
	narrowestAny    = 8  // of any column, if the page is too narrow for that
	gridGap         = 2  // spaces between columns
)

// The longest word and cell: texts of a trace can have thousands of letters. The middle of a longer one
// is left out.
const (
	longestWord = 256
	longestCell = 4096
)

// bounded returns a text whose words and length are bounded.
func bounded(text string) string {
	if Longest(text) > longestWord {
		words := strings.Fields(text)
		for i := range words {
			words[i] = Middle(words[i], longestWord)
		}
		text = strings.Repeat(" ", indentOf(text)) + strings.Join(words, " ")
	}
	return Middle(text, longestCell)
}

// Add adds a row. If it has fewer cells than others, the last one also takes the place of those that
// are missing.
func (g *Grid) Add(texts ...string) {
	of := make([]string, len(texts))
	for i, text := range texts {
		of[i] = bounded(text)
	}
	g.rows = append(g.rows, gridRow{cells: of})
}

// AddBelow adds a dim line of its own below the last row. It is indented by 10.
func (g *Grid) AddBelow(text string) {
	g.rows[len(g.rows)-1].below = bounded(text)
}

// AddAbove adds a bold line of its own above the last row, from the left edge on.
func (g *Grid) AddAbove(text string) {
	g.rows[len(g.rows)-1].above = bounded(text)
}

// AddNote adds a paragraph below the last row, a little further right than the row.
func (g *Grid) AddNote(text string) { g.rows[len(g.rows)-1].note = bounded(text) }

// Rows returns the number of rows.
func (g *Grid) Rows() int { return len(g.rows) }

// Fits reports whether no cell must be wrapped on a page of a width.
func (g *Grid) Fits(columns int) bool {
	total := 0
	for _, width := range g.natural() {
		total += width + gridGap
	}
	return len(g.Indent)+total-gridGap <= columns
}

// natural returns the width of each column without wrapping.
func (g *Grid) natural() (widths []int) {
	for _, row := range g.rows {
		for i := len(widths); i < len(row.cells); i++ {
			widths = append(widths, 0)
		}
	}
	for _, row := range g.rows {
		for i, cell := range row.cells {
			if i < len(widths)-1 && i == len(row.cells)-1 {
				continue // it takes the place of others
			}
			widths[i] = max(widths[i], indentOf(cell)+Width(strings.TrimSpace(cell)))
		}
	}
	return widths
}

// widths returns the width of each column on a page.
func (g *Grid) widths(columns int) []int {
	widths := g.natural()
	if len(widths) == 0 {
		return nil
	}
	last := len(widths) - 1
	excess := len(g.Indent) - columns - gridGap
	for _, width := range widths {
		excess += width + gridGap
	}
	words := g.longestWords(len(widths))
	floors := make([]int, len(widths))
	for _, floor := range []func(i int) int{
		func(i int) int { return max(words[i], narrowestColumn) },
		func(int) int { return narrowestColumn },
		func(int) int { return narrowestAny },
	} {
		for i, width := range widths {
			if floors[i] = min(width, floor(i)); i == last && floor(i) > narrowestAny {
				floors[i] = min(width, narrowestLast)
			}
		}
		excess = g.narrow(widths, floors, excess)
	}
	return widths
}

// longestWords returns the width of the longest word of each column.
func (g *Grid) longestWords(columns int) []int {
	longest := make([]int, columns)
	for _, row := range g.rows {
		for i, cell := range row.cells {
			if i == columns-1 || i < len(row.cells)-1 {
				longest[i] = max(longest[i], indentOf(cell)+Longest(cell))
			}
		}
	}
	return longest
}

// narrow narrows columns of texts, the widest first, until the excess is 0 or all have their least
// width. It returns the excess that is left.
func (g *Grid) narrow(widths, floors []int, excess int) int {
	for ; excess > 0; excess-- {
		widest := -1
		for i, width := range widths {
			if !g.isRight(i) && width > floors[i] && (widest < 0 || width >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return excess
}

func (g *Grid) isRight(i int) bool { return i < len(g.Right) && g.Right[i] }

// isNumber reports whether a cell of a row is a number, and no text in place of missing cells.
func (g *Grid) isNumber(row *gridRow, i int, columns int) bool {
	return g.isRight(i) && (i < len(row.cells)-1 || i == columns-1)
}

// Print writes the rows on a page of a width.
func (g *Grid) Print(w io.Writer, columns int) {
	widths := g.widths(columns)
	for i := range g.rows {
		g.print(w, &g.rows[i], widths, columns, g.Head && i == 0)
	}
}

// print writes a row: as many lines as its tallest cell has.
func (g *Grid) print(w io.Writer, row *gridRow, widths []int, columns int, isHead bool) {
	wrapped := make([][]string, len(row.cells))
	height, last := 1, len(row.cells)-1
	start := len(g.Indent) // of the last cell
	for i, cell := range row.cells {
		width := widths[i]
		if i == last {
			width = max(columns-start, widths[i])
		}
		if g.isNumber(row, i, len(widths)) {
			wrapped[i] = []string{cell}
		} else {
			wrapped[i] = wrapCell(cell, width)
		}
		height = max(height, len(wrapped[i]))
		if i < last {
			start += width + gridGap
		}
	}
	if row.above != "" {
		for _, line := range Wrap(row.above, columns) {
			fmt.Fprintln(w, g.Style.Bold(line))
		}
	}
	for y := range height {
		line := g.Indent
		for i := range wrapped {
			text := ""
			if y < len(wrapped[i]) {
				text = wrapped[i][y]
			}
			if isNumber := g.isNumber(row, i, len(widths)); i < last || isNumber {
				text = Pad(text, widths[i], isNumber)
			}
			if line += text; i < last {
				line += strings.Repeat(" ", gridGap)
			}
		}
		fmt.Fprintln(w, g.head(strings.TrimRight(line, " "), isHead))
	}
	if row.below != "" {
		for _, line := range wrapCell(row.below, columns-belowIndent) {
			fmt.Fprintln(w, strings.Repeat(" ", belowIndent)+g.Style.Dim(line))
		}
	}
	if row.note != "" {
		indent := g.Indent + strings.Repeat(" ", indentOf(row.cells[0])+noteIndent)
		for _, line := range Wrap(row.note, columns-len(indent)) {
			fmt.Fprintln(w, indent+line)
		}
	}
}

// The indents of lines and notes below their row: that of a note is counted from the row on.
const (
	belowIndent = 10
	noteIndent  = 4
)

// head marks a line if it is of the first row and that has the names of the columns.
func (g *Grid) head(line string, isHead bool) string {
	if isHead {
		return g.Style.Bold(line)
	}
	return line
}

// indentOf returns the number of spaces that a cell begins with.
func indentOf(cell string) int { return len(cell) - len(strings.TrimLeft(cell, " ")) }

// wrapCell wraps a cell, and indents all its lines as the first.
func wrapCell(cell string, width int) []string {
	n := indentOf(cell)
	lines := Wrap(cell, width-n)
	if n > 0 {
		for i := range lines {
			lines[i] = strings.Repeat(" ", n) + lines[i]
		}
	}
	return lines
}
