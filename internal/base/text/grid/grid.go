// Package grid lays out text in columns.
package grid

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Grid is text laid out in columns.
type Grid struct {
	Indent string
	Right  []bool // columns that are aligned right
	Cut    int    // rows are cut to this width, the terminal's; 0 if the output is not a terminal
	rows   [][]string
}

// widestPadding bounds the width to which cells are padded. A text in a trace can
// have thousands of characters: wider cells do not widen their column.
const widestPadding = 64

// Add adds a row.
func (g *Grid) Add(cells ...string) { g.rows = append(g.rows, cells) }

// Rows returns the number of rows.
func (g *Grid) Rows() int { return len(g.rows) }

// widths returns the width of each column, to which its cells are padded.
func (g *Grid) widths() []int {
	widest := widestPadding
	if g.Cut > 0 {
		widest = g.Cut
	}
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if width := utf8.RuneCountInString(cell); width <= widest || g.Cut > 0 {
				widths[i] = max(widths[i], min(width, widest))
			}
		}
	}
	if g.Cut > 0 {
		g.fit(widths)
	}
	return widths
}

// narrowestCut is the least width that cells are cut to.
const narrowestCut = 8

// fit narrows columns, the widest first, until rows fit the terminal. The last
// column is wrapped, so it only needs the width narrowest.
func (g *Grid) fit(widths []int) {
	last := len(widths) - 1
	total := len(g.Indent) + 2*last + min(widths[last], narrowest)
	for _, width := range widths[:last] {
		total += width
	}
	for ; total > g.Cut; total-- {
		widest := 0
		for i := range widths[:last] {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= narrowestCut {
			return
		}
		widths[widest]--
	}
}

// Print writes the rows, at most columns wide: the last cell is wrapped below itself.
func (g *Grid) Print(w io.Writer, columns int) {
	if len(g.rows) == 0 {
		return
	}
	widths := g.widths()
	for _, row := range g.rows {
		line, start := g.Indent, len(g.Indent) // start is where the cell begins in most rows
		for i, cell := range row {
			if i > 0 {
				line += "  "
				start += widths[i-1] + 2
			}
			isLast, isRight := i == len(row)-1, i < len(g.Right) && g.Right[i]
			if g.Cut > 0 && !isLast {
				cell = Shortened(cell, widths[i])
			}
			if isRight || !isLast {
				line += pad(cell, widths[i], isRight)
				continue
			}
			lines := wrapped(cell, columns-start)
			if g.Cut > 0 {
				for i := range lines {
					lines[i] = Shortened(lines[i], g.Cut-start)
				}
			}
			line += strings.Join(lines, "\n"+strings.Repeat(" ", start))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// Shortened cuts a text to columns columns, or to one if columns is less.
func Shortened(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:max(columns, 1)-1]) + "…"
}

func pad(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
	if left {
		return space + text
	}
	return text + space
}

// narrowest is the least width to which text is wrapped.
const narrowest = 24

// wrapped breaks text into lines of at most columns columns, between words.
func wrapped(text string, columns int) []string {
	columns = max(columns, narrowest)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// Printable replaces control characters: texts in a trace are untrusted, and a
// terminal could execute them.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, text)
}
