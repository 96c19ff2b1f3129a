package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// stackFill says how a column of the tables of stacks is filled; see columnFill.
type stackFill struct {
	name string
	fill func(s *stackRows, c *columns.Column, first int, rows []stackRow)
}

// stackEventFills fill the table of the events that have a stack.
var stackEventFills = []stackFill{
	{name: "event_ref", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Int64(r.ref)
			}
		}
	}},
	{name: "timestamp", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if ns := rows[i].ns; ns != noTime {
				c.At(first + i).Int64(columns.Micros(ns))
			}
		}
	}},
	{name: "time_ns", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if ns := rows[i].ns; ns != noTime {
				c.At(first + i).Int64(ns)
			}
		}
	}},
	{name: "processor", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Int32(r.processor)
			}
		}
	}},
	{name: "process_id", fill: fillStackProcess},
	{name: "thread_id", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		values := s.room(len(rows))
		for i := range rows {
			values[i] = idOf(rows[i].parts[0].thread)
		}
		c.Int64sAt(first, values)
	}},
	{name: "process_name", fill: fillStackProcessName},
	{name: "provider_id", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				if id, ok := r.key.Provider(); ok {
					c.At(first + i).Code(s.batch.Texts.GUID(id))
				}
			}
		}
	}},
	{name: "event_id", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Int32(int32(r.key.ID))
			}
		}
	}},
	{name: "event_name", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Code(s.nameOfEvent(&r.key))
			}
		}
	}},
	{name: schema.KindColumn, fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if place := s.ctx.Catalog.Place(&rows[i].key); rows[i].hasEvent && place >= 0 {
				c.At(first + i).Int32(s.ctx.kinds[place])
			}
		}
	}},
	{name: "sources", fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			for n := range rows[i].parts {
				c.Code(s.batch.Texts.Text(stackSourceNames[rows[i].parts[n].source]))
			}
			c.EndList()
		}
	}},
	{name: "unresolved_keys", fill: func(_ *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			unresolved := int32(0)
			for n := range rows[i].parts {
				if !rows[i].parts[n].resolved {
					unresolved++
				}
			}
			c.Int32(unresolved)
		}
	}},
	{name: "stack_id", fill: fillStackID},
}

// stackFills fill the table of distinct stacks.
var stackFills = []stackFill{
	{name: "stack_id", fill: fillStackID},
	{name: "process_id", fill: fillStackProcess},
	{name: "process_name", fill: fillStackProcessName},
	{name: "kernel_frames", fill: func(_ *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			c.Int32(rows[i].kernelFrames)
		}
	}},
	{name: "addresses", fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			room := columns.More(&c.Ints, rows[i].frames)
			for n := range rows[i].parts {
				for _, address := range s.addressesOf(&rows[i].parts[n]) {
					room[0], room = int64(address), room[1:]
				}
			}
			c.EndList()
		}
	}},
	{name: "modules", fill: fillFrameNames(func(c *frameCode) uint32 { return c.module })},
	{name: "functions", fill: fillFrameNames(func(c *frameCode) uint32 { return c.function })},
	{name: "symbols", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		frames := s.frames
		for i := range rows {
			if own := frames[:rows[i].frames]; s.differ(own) {
				c.At(first + i)
				for n := range own {
					c.Code(s.codes.of(&own[n]).symbol)
				}
				c.EndList()
			}
			frames = frames[rows[i].frames:]
		}
	}},
	{name: "offsets", fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		frames := s.frames
		for i := range rows {
			room := columns.More(&c.Ints, rows[i].frames)
			for n := range rows[i].parts {
				for _, address := range s.addressesOf(&rows[i].parts[n]) {
					room[0], room = int64(address-frames[0].start), room[1:]
					frames = frames[1:]
				}
			}
			c.EndList()
		}
	}},
}

// fillFrameNames returns a function that fills a column with a name of each frame.
func fillFrameNames(name func(*frameCode) uint32) func(*stackRows, *columns.Column, int, []stackRow) {
	return func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		left := s.frames
		for i := range rows {
			room := columns.More(&c.Codes, rows[i].frames)
			for n := range room {
				room[n] = name(s.codes.of(&left[n]))
			}
			left = left[rows[i].frames:]
			c.EndList()
		}
	}
}

// differ reports whether the symbols have another name for the function of any frame.
func (s *stackRows) differ(list []resolvedFrame) bool {
	return slices.ContainsFunc(list, func(f resolvedFrame) bool { return f.native != nil && f.native.Symbol != f.native.Name })
}

func fillStackProcess(s *stackRows, c *columns.Column, first int, rows []stackRow) {
	values := s.room(len(rows))
	for i := range rows {
		values[i] = idOf(rows[i].process)
	}
	c.Int64sAt(first, values)
}

func fillStackProcessName(s *stackRows, c *columns.Column, first int, rows []stackRow) {
	values := s.room(len(rows))
	for i := range rows {
		values[i] = s.processCode(rows[i].processAt)
	}
	c.CodesAt(first, values)
}

func fillStackID(_ *stackRows, c *columns.Column, _ int, rows []stackRow) {
	for i := range rows {
		c.Uint64(rows[i].id)
	}
}
