package frames

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// Codes looks up the codes of the names of frames, in the texts of a batch.
type Codes struct {
	*Resolver
	texts *columns.Texts
	slots []Code
}

const codeSlots = 1 << 11

// Code is the codes of the names of a frame; names that are unknown are empty.
type Code struct {
	used                     bool
	image, method            int32
	native                   *symbols.Function
	Module, Function, Symbol uint32
}

// Begin prepares for an empty batch.
func (c *Codes) Begin(r *Resolver, texts *columns.Texts) {
	c.Resolver, c.texts = r, texts
	if c.slots == nil {
		c.slots = make([]Code, codeSlots)
	}
	clear(c.slots)
}

// Of returns the codes of a frame.
func (c *Codes) Of(f Frame) *Code {
	slot := uint32(f.Image+1) + uint32(f.Method+1)*61
	if f.Native != nil {
		slot ^= f.Native.RVA >> 4
	}
	code := &c.slots[slot%codeSlots]
	if !code.used || code.image != f.Image || code.method != f.Method || code.native != f.Native {
		*code = Code{true, f.Image, f.Method, f.Native, c.texts.Text(c.Module(f)), c.texts.Text(c.Function(f)), c.texts.Text(c.Symbol(f))}
	}
	return code
}
