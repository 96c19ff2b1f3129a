package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// grid is text in columns.
type grid struct {
	indent string
	right  []bool // columns that are aligned right
	rows   [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// widths returns the width of each column.
func (g *grid) widths() []int {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// print writes the rows. What does not fit into a number of columns in the
// last cell goes on below it.
func (g *grid) print(w io.Writer, columns int) {
	widths := g.widths()
	for _, row := range g.rows {
		line := g.indent
		for i, cell := range row {
			if i > 0 {
				line += "  "
			}
			switch {
			case i < len(g.right) && g.right[i]:
				line += pad(cell, widths[i], true)
			case i < len(row)-1:
				line += pad(cell, widths[i], false)
			default:
				start := utf8.RuneCountInString(line)
				line += strings.Join(wrapped(cell, columns-start), "\n"+strings.Repeat(" ", start))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func pad(text string, width int, left bool) string {
	space := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
	if left {
		return space + text
	}
	return text + space
}

// narrowest is the least width text is wrapped to.
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

// pageWidth returns how wide a page is to be: that of the terminal within
// reason, and the same everywhere else.
func pageWidth(w io.Writer) int {
	const narrow, usual, wide = 60, 100, 140
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return usual
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return usual
	}
	return min(max(width, narrow), wide)
}

// printable replaces what a terminal could take for a command; texts in a
// trace are whatever somebody wrote into it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, text)
}

// shellQuoted returns a path as a word of a command line.
func shellQuoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(`-_./\:+=@,~`, r) || r >= 0x80
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return `"` + path + `"`
}
