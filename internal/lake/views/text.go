package views

import (
	"bytes"
	"strings"
)

// text is a text that is made of pieces: most of a script is text that the program has, which need not
// be copied.
type text struct {
	cuts []string
	rest bytes.Buffer // after the cuts
}

// long is the size from which a piece is not copied.
const long = 512

// WriteString appends a text. It never fails.
func (t *text) WriteString(s string) {
	if len(s) < long {
		t.rest.WriteString(s)
		return
	}
	t.cut()
	t.cuts = append(t.cuts, s)
}

// Write implements io.Writer, for formatted texts. It never fails.
func (t *text) Write(p []byte) (int, error) { return t.rest.Write(p) }

// cut makes the rest a piece.
func (t *text) cut() {
	if t.rest.Len() > 0 {
		t.cuts = append(t.cuts, t.rest.String())
		t.rest.Reset()
	}
}

// all returns the pieces of the whole text.
func (t *text) all() []string {
	t.cut()
	return t.cuts
}

// String returns the whole text.
func (t *text) String() string { return strings.Join(t.all(), "") }
