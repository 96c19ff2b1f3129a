package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
)

// DefaultSpool is the default of Limits.Spool, and enough space for all temporary files of a run.
const DefaultSpool = 64 << 30

// Limits bounds the expansion of an input. 0 means the default; to set no bound, use the largest
// number.
type Limits struct {
	Bytes   int64 // total expanded size of all entries and nested archives; default 256 GiB
	Ratio   int64 // expanded size of a compressed stream divided by its size; default 1000
	Free    int64 // expanded size of a stream below which Ratio does not apply; default 256 MiB
	Entries int   // in all archives together, including folders; default 100,000
	Depth   int   // archives around an entry; default 2. A compressed tar is one archive.
	Window  int64 // window of Zstandard, xz or LZMA, which is kept in memory, bytes; default 128 MiB
	Name    int   // length of an entry's name, bytes; default 1024
	Spool   int64 // size of a temporary file, bytes; default 64 GiB
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Bytes:   cmp.Or(l.Bytes, 256<<30),
		Ratio:   cmp.Or(l.Ratio, 1000),
		Free:    cmp.Or(l.Free, 256<<20),
		Entries: cmp.Or(l.Entries, 100_000),
		Depth:   cmp.Or(l.Depth, 2),
		Window:  cmp.Or(l.Window, 128<<20),
		Name:    cmp.Or(l.Name, 1024),
		Spool:   cmp.Or(l.Spool, DefaultSpool),
	}
}

// Limit names a limit that an archive can exceed: a field of [Limits], or the rule that entries
// must not overlap.
type Limit string

// The limits.
const (
	LimitBytes   Limit = "expanded bytes"
	LimitRatio   Limit = "ratio"
	LimitEntries Limit = "entries"
	LimitDepth   Limit = "depth"
	LimitWindow  Limit = "window"
	LimitName    Limit = "name length"
	LimitSpool   Limit = "temporary file"
	LimitOverlap Limit = "overlap"
)

// LimitError means that something exceeds a limit, not that it is damaged.
type LimitError struct {
	Limit Limit
	Max   int64 // the limit; 0 for LimitOverlap
	What  string
}

func (e *LimitError) Error() string {
	if e.Limit == LimitOverlap {
		return "refused: " + e.What
	}
	return fmt.Sprintf("refused: %s (%s limit: %d)", e.What, e.Limit, e.Max)
}

// guard counts the expanded bytes of an input.
type guard struct {
	ctx      context.Context
	limits   Limits
	packed   func() int64 // size of the input, or the bytes read of it so far
	expanded int64
	entries  int
	spent    error // the error that ended the walk, or nil
}

// meter counts the output of a decompressor.
type meter struct {
	g      *guard
	r      io.Reader
	packed func() int64 // input bytes so far
	n      int64
	repeat bool // another meter has counted these bytes
	empty  int  // consecutive reads without a result
	err    error
}

// maxEmpty bounds consecutive reads without a result, which may never end.
const maxEmpty = 100

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	if m.err = m.g.ctx.Err(); m.err != nil {
		return 0, m.err
	}
	if m.err = m.g.spent; m.err != nil {
		return 0, m.err
	}
	n, err := m.r.Read(p)
	m.n += int64(n)
	if !m.repeat {
		m.g.expanded += int64(n)
	}
	if m.empty++; n > 0 || len(p) == 0 {
		m.empty = 0
	}
	switch {
	case m.g.over():
		err = m.g.spent
	case m.g.tooMuch(m.n, m.packed()):
		err = m.g.ratioError()
	case err == nil && m.empty > maxEmpty:
		err = io.ErrNoProgress
	}
	m.err = err
	return n, err
}

// tooMuch reports whether n bytes exceed the ratio for this many packed bytes.
func (g *guard) tooMuch(n, packed int64) bool {
	return n > g.limits.Free && n/g.limits.Ratio > packed
}

func (g *guard) ratioError() error {
	return &LimitError{LimitRatio, g.limits.Ratio, "it expands too far beyond its compressed size"}
}

// over ends the walk if the whole input has expanded too far.
func (g *guard) over() bool {
	switch {
	case g.expanded > g.limits.Bytes:
		g.spent = &LimitError{LimitBytes, g.limits.Bytes, fmt.Sprintf("the input expands to more than %d bytes", g.limits.Bytes)}
	case g.tooMuch(g.expanded, g.packed()):
		g.spent = g.ratioError()
	}
	return g.spent != nil
}

// entry counts an entry.
func (g *guard) entry() error {
	if g.entries++; g.entries > g.limits.Entries {
		g.spent = g.entriesError()
	}
	return g.spent
}

func (g *guard) entriesError() error {
	return &LimitError{LimitEntries, int64(g.limits.Entries), fmt.Sprintf("more than %d entries", g.limits.Entries)}
}

// counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) count() int64 { return c.n }
