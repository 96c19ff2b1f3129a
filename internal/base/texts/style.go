package texts

import (
	"os"
	"runtime"
)

// Style marks texts, or leaves them as they are. The zero Style does the latter.
type Style struct{ on bool }

// StyleOf returns the style for an output. Only a terminal gets marks, and not if NO_COLOR is set
// (no-color.org) or TERM says that the terminal is dumb.
func StyleOf(isTerminal bool) Style { return Style{isTerminal && takesMarks(os.Getenv, runtime.GOOS)} }

// takesMarks reports whether the terminal that the environment describes takes marks. The console of
// Windows takes them in Windows Terminal, and if TERM says so.
func takesMarks(env func(string) string, system string) bool {
	switch term := env("TERM"); {
	case env("NO_COLOR") != "" || term == "dumb":
		return false
	case term == "":
		return system == "windows" && env("WT_SESSION") != ""
	}
	return true
}

// The marks of ECMA-48.
const (
	markBold = "\x1b[1m"
	markDim  = "\x1b[2m"
	markEnd  = "\x1b[0m"
)

// Bold marks a heading.
func (s Style) Bold(text string) string { return s.mark(markBold, text) }

// Dim marks what is secondary.
func (s Style) Dim(text string) string { return s.mark(markDim, text) }

// mark marks a text whose width was measured and padded before: marks have no width.
func (s Style) mark(mark, text string) string {
	if !s.on || text == "" {
		return text
	}
	return mark + text + markEnd
}
