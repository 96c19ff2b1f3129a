package rows

import (
	"math"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
)

// classFills fill the columns of an EVENT_TRACE_HEADER's class.
var classFills = []columnFill{
	{name: "class_type", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.opcode }},
	{name: "class_level", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.level }},
	{name: "class_version", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.version }},
}

// timeFills fill kernel and user time or, in sessions private to a process, processor time instead.
var timeFills = []columnFill{
	{name: "kernel_time", fill: fillTimes(false, 0, math.MaxUint32)},
	{name: "user_time", fill: fillTimes(false, 32, math.MaxUint32)},
	{name: "processor_time", fill: fillTimes(true, 0, math.MaxUint64)},
}

// fillTimes fills a column with some bits of the times, either in private sessions or in the
// others.
func fillTimes(private bool, shift uint8, mask uint64) func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
	return func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.ctx.private != private {
			return
		}
		v := columns.More(&c.Present(first, len(rows)).Ints, len(rows))
		for i, place := range f.places {
			v[i] = int64(f.block.times[place] >> shift & mask)
		}
	}
}

// instanceFills fill the columns that only headers of instances have.
var instanceFills = []columnFill{
	{name: "instance_id", ints: func(_ *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = int64(r.Instance().ID)
		}
	}},
	{name: "parent_instance_id", ints: func(_ *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = int64(r.Instance().ParentID)
		}
	}},
	{name: "parent_guid", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if instance := r.Instance(); !instance.Old {
				c.At(first + i).Code(f.batch.Texts.GUID(instance.ParentGUID))
			}
		}
	}},
	{name: "reg_handle", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if instance := r.Instance(); instance.Old {
				c.At(first + i).Uint64(instance.RegHandle)
			}
		}
	}},
	{name: "parent_reg_handle", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if instance := r.Instance(); instance.Old {
				c.At(first + i).Uint64(instance.ParentHandle)
			}
		}
	}},
}
