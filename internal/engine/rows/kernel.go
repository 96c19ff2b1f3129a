package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// hookFills fill the columns of kernel events.
var hookFills = []columnFill{
	{name: "hook_id", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.id }},
	{name: "event_group", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.task }},
	{name: "event_type", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.opcode }},
	{name: "event_version", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.version }},
}

var counterFills = []columnFill{
	{name: "pmc_counters", needs: needsCounters, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for i := range f.counted {
			if counted := &f.counted[i]; counted.PMC > 0 {
				c.At(counted.row)
				for n := range counted.PMC {
					c.Uint64(counted.Counter(n))
				}
				c.EndList()
			}
		}
	}},
	{name: "pmc_names", needs: needsCounters, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for i := range f.counted {
			if counted := &f.counted[i]; counted.PMC > 0 {
				f.names.append(f.batch, c, counted.row, counted.time, counted.PMC)
			}
		}
	}},
	{name: "pebs_index", needs: needsCounters, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for i := range f.counted {
			if counted := &f.counted[i]; counted.HasPEBS {
				c.At(counted.row).Uint64(counted.PEBSIndex())
			}
		}
	}},
}

// systemTimeFills fill the times of a SYSTEM_TRACE_HEADER, which may have none.
var systemTimeFills = []columnFill{
	{name: "kernel_time", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if kernel, _, ok := r.System().Times(); ok {
				c.At(first + i).Int64(int64(kernel))
			}
		}
	}},
	{name: "user_time", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if _, user, ok := r.System().Times(); ok {
				c.At(first + i).Int64(int64(user))
			}
		}
	}},
}

// countedRow is the counters in the header of an event.
type countedRow struct {
	decode.Counters
	row  int
	time decode.Ticks
}

// count collects the counters of a block's rows.
func (f *batchBuilder) count(first int, rows []*row) {
	f.counted = f.counted[:0]
	for i, r := range rows {
		if !r.HasCounters() { // nearly always
			continue
		}
		if counters := r.Counters(); !counters.None() {
			f.counted = append(f.counted, countedRow{counters, first + i, r.Time})
		}
	}
}

// classCodes are the codes of a kernel class's texts in the current batch.
type classCodes struct {
	asked    bool
	id, name int64 // codes, or None
}

// hookImage stands for the only hook whose class is not that of its group.
const hookImage = 256

// class returns the texts of a hook's class.
func (f *batchBuilder) class(hook uint16) *classCodes {
	if f.classes == nil {
		f.classes = new([hookImage + 1]classCodes)
	}
	at := int(hook >> 8)
	if hook == schema.HookImageLoad {
		at = hookImage
	}
	codes := &f.classes[at]
	if !codes.asked {
		*codes = classCodes{asked: true, id: columns.None, name: columns.None}
		if class, ok := schema.KernelClassOf(hook); ok {
			codes.id = int64(f.batch.Texts.GUID(class.GUID))
			codes.name = int64(f.batch.Texts.Text(class.Name))
		}
	}
	return codes
}
