package rows

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// frameCodes looks up the codes of the names of frames, in the texts of a batch.
type frameCodes struct {
	*frameResolver
	texts *columns.Texts
	slots []frameCode
}

// frameCodeSlots is the number of frames whose codes are cached.
const frameCodeSlots = 1 << 11

// frameCode has the codes of the names of a frame; unknown names are empty.
type frameCode struct {
	used                     bool
	image, method            int32
	native                   *symbols.Function
	module, function, symbol uint32
}

// reset prepares for an empty batch.
func (c *frameCodes) reset(r *frameResolver, texts *columns.Texts) {
	c.frameResolver, c.texts = r, texts
	if c.slots == nil {
		c.slots = make([]frameCode, frameCodeSlots)
	}
	clear(c.slots)
}

// of returns the codes of a frame.
func (c *frameCodes) of(f *resolvedFrame) *frameCode {
	slot := uint32(f.image+1) + uint32(f.method+1)*61
	if f.native != nil {
		slot ^= f.native.RVA >> 4
	}
	code := &c.slots[slot%frameCodeSlots]
	if !code.used || code.image != f.image || code.method != f.method || code.native != f.native {
		*code = frameCode{true, f.image, f.method, f.native, c.texts.Text(c.module(f)), c.texts.Text(c.function(f)), c.texts.Text(c.symbol(f))}
	}
	return code
}
