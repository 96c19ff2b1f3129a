package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// pageWidth returns the width of a page: the number in $COLUMNS, as other programs do, or the
// terminal's, within bounds. If w is not a terminal, the width is fixed, so that output is the same
// everywhere.
func pageWidth(w io.Writer) int {
	const narrow, usual, wide = 40, 80, 200
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || width <= 0 {
		width = terminalWidth(w)
	}
	if width == 0 {
		return usual
	}
	return min(max(width, narrow), wide)
}

// style returns the style of what is printed on standard output.
func (a *app) style() texts.Style { return texts.StyleOf(terminal(a.out) != nil) }

// terminal returns w as the file of a terminal, or nil if it is none.
func terminal(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return file
}

// terminalWidth returns the width of the terminal w, or 0 if w is not a terminal
// or its width is unknown.
func terminalWidth(w io.Writer) int {
	file := terminal(w)
	if file == nil {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width < 0 {
		return 0
	}
	return width
}

// tableOptions returns the form of tables on standard output.
func (a *app) tableOptions() texts.TableOptions {
	return texts.TableOptions{Width: terminalWidth(a.out), Style: texts.StyleOf(terminal(a.out) != nil)}
}

// progressBar returns standard error if it is a terminal, for the bar of a command that prints its
// results on standard output; else nil.
func (a *app) progressBar() io.Writer {
	if terminalWidth(a.err) == 0 {
		return nil
	}
	return a.err
}

// formatOf returns the format with a name. It refuses to write a binary one to a terminal; hint says
// what to do instead.
func (a *app) formatOf(name string, toOutput bool, hint string) (*formats.Format, error) {
	f, err := formats.Find(name)
	if err == nil && f.Binary && toOutput && terminal(a.out) != nil {
		err = usagef("--format %s is binary; %s", name, hint)
	}
	return f, err
}

// forFormat returns w for rows in a format. CSV has texts of a trace as they are, so a terminal gets
// them with control characters escaped. end must be called after the last row.
func forFormat(w io.Writer, format string) (to io.Writer, end func() error) {
	if format != formats.CSV.Name || terminal(w) == nil {
		return w, func() error { return nil }
	}
	safe := &texts.SafeWriter{W: w}
	return safe, safe.Close
}
