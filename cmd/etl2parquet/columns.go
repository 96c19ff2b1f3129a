package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// grid is text laid out in columns.
type grid struct {
	indent string
	right  []bool // columns that are aligned right
	cut    int    // rows are cut to this width, the terminal's; 0 if the output is not a terminal
	rows   [][]string
}

// widestPadding bounds the width to which cells are padded. A text in a trace can
// have thousands of characters: wider cells do not widen their column.
const widestPadding = 64

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// widths returns the width of each column, to which its cells are padded.
func (g *grid) widths() []int {
	widest := widestPadding
	if g.cut > 0 {
		widest = g.cut
	}
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if width := utf8.RuneCountInString(cell); width <= widest || g.cut > 0 {
				widths[i] = max(widths[i], min(width, widest))
			}
		}
	}
	if g.cut > 0 {
		g.fit(widths)
	}
	return widths
}

// narrowestCut is the least width that cells are cut to.
const narrowestCut = 8

// fit narrows columns, the widest first, until rows fit the terminal. The last
// column is wrapped, so it only needs the width narrowest.
func (g *grid) fit(widths []int) {
	last := len(widths) - 1
	total := len(g.indent) + 2*last + min(widths[last], narrowest)
	for _, width := range widths[:last] {
		total += width
	}
	for ; total > g.cut; total-- {
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

// print writes the rows, at most columns wide: the last cell is wrapped below itself.
func (g *grid) print(w io.Writer, columns int) {
	if len(g.rows) == 0 {
		return
	}
	widths := g.widths()
	for _, row := range g.rows {
		line, start := g.indent, len(g.indent) // start is where the cell begins in most rows
		for i, cell := range row {
			if i > 0 {
				line += "  "
				start += widths[i-1] + 2
			}
			isLast, isRight := i == len(row)-1, i < len(g.right) && g.right[i]
			if g.cut > 0 && !isLast {
				cell = shortened(cell, widths[i])
			}
			if isRight || !isLast {
				line += pad(cell, widths[i], isRight)
				continue
			}
			lines := wrapped(cell, columns-start)
			if g.cut > 0 {
				for i := range lines {
					lines[i] = shortened(lines[i], g.cut-start)
				}
			}
			line += strings.Join(lines, "\n"+strings.Repeat(" ", start))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// shortened cuts a text to so many columns, at least one.
func shortened(text string, columns int) string {
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

// wrapped breaks text into lines of at most so many columns, between words.
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

// pageWidth returns the width of a page: the terminal's, within bounds, or a
// fixed width if w is not a terminal, so that output is the same everywhere.
func pageWidth(w io.Writer) int {
	const narrow, usual, wide = 60, 100, 140
	width := terminalWidth(w)
	if width == 0 {
		return usual
	}
	return min(max(width, narrow), wide)
}

// terminalWidth returns the width of the terminal w, or 0 if w is not a terminal
// or its width is unknown.
func terminalWidth(w io.Writer) int {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width < 0 {
		return 0
	}
	return width
}

// printable replaces control characters: texts in a trace are untrusted, and a
// terminal could execute them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, text)
}
