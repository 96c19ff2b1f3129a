package rows

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

var le = binary.LittleEndian

// stackFill says how a column of the table of stacks is filled; see columnFill.
type stackFill struct {
	name         string
	needsModules bool
	fill         func(s *stackRows, c *columns.Column, first int, rows []stackRow)
}

// stackFills fill the table of stacks.
var stackFills = []stackFill{
	{name: "event_ref", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Int64(r.ref)
			}
		}
	}},
	{name: "timestamp", fill: func(_ *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			c.Int64(columns.Micros(rows[i].ns))
		}
	}},
	{name: "time_ns", fill: func(_ *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			c.Int64(rows[i].ns)
		}
	}},
	{name: "processor", fill: func(_ *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if r := &rows[i]; r.hasEvent {
				c.At(first + i).Int32(r.processor)
			}
		}
	}},
	{name: "process_id", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		values := s.room(len(rows))
		for i := range rows {
			values[i] = idOf(rows[i].process)
		}
		c.Int64sAt(first, values)
	}},
	{name: "thread_id", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		values := s.room(len(rows))
		for i := range rows {
			values[i] = idOf(rows[i].parts[0].thread)
		}
		c.Int64sAt(first, values)
	}},
	{name: "process_name", fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		values := s.room(len(rows))
		for i := range rows {
			values[i] = columns.None
			if r := &rows[i]; r.process != attribution.NoID {
				values[i] = s.processCode(int32(s.resolver.Process(r.process, r.parts[0].event)))
			}
		}
		c.CodesAt(first, values)
	}},
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
				if event := s.ctx.Catalog.Of(&r.key).Literal.Event; event != nil {
					c.At(first + i).Code(s.nameOfEvent(event))
				}
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
	{name: "kernel_frames", fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			kernel := int32(0)
			for n := range rows[i].parts {
				p := &rows[i].parts[n]
				for _, address := range s.framesOf(p) {
					if attribution.IsKernelAddress(address, int(p.pointerSize)) {
						kernel++
					}
				}
			}
			c.Int32(kernel)
		}
	}},
	{name: schema.KindColumn, fill: func(s *stackRows, c *columns.Column, first int, rows []stackRow) {
		for i := range rows {
			if place := s.ctx.Catalog.Place(&rows[i].key); rows[i].hasEvent && place >= 0 {
				c.At(first + i).Int32(s.ctx.kinds[place])
			}
		}
	}},
	{name: "addresses", fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		for i := range rows {
			for n := range rows[i].parts {
				for _, address := range s.framesOf(&rows[i].parts[n]) {
					c.Uint64(address)
				}
			}
			c.EndList()
		}
	}},
	{name: "modules", needsModules: true, fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		images := s.images
		for i := range rows {
			for range rows[i].frames {
				c.Code(s.moduleCode(images[0]))
				images = images[1:]
			}
			c.EndList()
		}
	}},
	{name: "offsets", needsModules: true, fill: func(s *stackRows, c *columns.Column, _ int, rows []stackRow) {
		images := s.images
		for i := range rows {
			for n := range rows[i].parts {
				for _, address := range s.framesOf(&rows[i].parts[n]) {
					if image := images[0]; image >= 0 {
						address -= s.ctx.owners.Images[image].Base
					}
					c.Uint64(address)
					images = images[1:]
				}
			}
			c.EndList()
		}
	}},
}

// stackRow is a stack on its way into the table, which the parts make up in their
// order.
type stackRow struct {
	parts   []stackPart
	frames  int
	ns      int64
	process uint32

	hasEvent  bool // and then:
	ref       int64
	processor int32
	key       catalog.Key
}

// stackRows fills the table of stacks. It takes parts of stacks, not events.
type stackRows struct {
	filling
	fills        []boundStackFill
	needsModules bool

	resolver *attribution.Resolver
	frames   []uint64   // of all parts of the slab
	rows     []stackRow // of a block
	images   []int32    // of the block's frames, by index in Tables.Images, or -1

	moduleCodes [moduleCodes]processCode // of images, by index in Tables.Images
	noModule    int64                    // code of the name of no module, too large by one: 0 is not yet asked
}

// boundStackFill is a fill with the column of a batch.
type boundStackFill struct {
	*stackFill
	column *columns.Column
}

const moduleCodes = 512

func newStackRows(ctx *Context) *stackRows {
	s := &stackRows{filling: newFilling(ctx.Tables[stackTable], ctx)}
	for i := range s.batch.Columns {
		c := &s.batch.Columns[i]
		at := slices.IndexFunc(stackFills, func(fill stackFill) bool { return fill.name == c.Spec.Name })
		if at < 0 {
			panic(fmt.Sprintf("table %s: nothing fills %s", s.batch.Table.Name, c.Spec.Name))
		}
		s.fills = append(s.fills, boundStackFill{&stackFills[at], c})
		s.needsModules = s.needsModules || stackFills[at].needsModules
	}
	return s
}

// fill has nothing to do for events: see fillStacks.
func (s *stackRows) fill([]*row) {}

// fillStacks makes the rows of the stacks of the slab.
func (g *Gathered) fillStacks(s *slabFiller) {
	p := &g.Stacks
	if len(p.parts) == 0 {
		return
	}
	g.match(s.ctx)
	var stacks *stackRows
	for from := 0; from < len(p.parts); {
		to := from + 1
		for to < len(p.parts) && p.parts[to].sameStack(&p.parts[from]) {
			to++
		}
		if p.parts[from].entry != noEntry || p.complete {
			p.count(p.parts[from:to])
			if s.ctx.Tables[stackTable] != nil {
				if stacks == nil {
					stacks = g.rowsOfStacks(s)
				}
				stacks.add(g, p.parts[from:to])
			}
		}
		from = to
	}
	if stacks != nil {
		stacks.flush()
	}
}

// count counts what a stack lacks.
func (p *stackParts) count(stack []stackPart) {
	if stack[0].entry == noEntry {
		p.unmatched++
	}
	for i := range stack {
		if !stack[i].resolved {
			p.missing++
		}
	}
}

func (p *stackPart) sameStack(other *stackPart) bool {
	return p.event == other.event && p.entry == other.entry && p.unmatchedThread() == other.unmatchedThread()
}

// rowsOfStacks returns the filler of the table of stacks, ready for the slab.
func (g *Gathered) rowsOfStacks(s *slabFiller) *stackRows {
	filler := s.table(stackTable).(*stackRows)
	clear(filler.moduleCodes[:])
	filler.noModule = 0
	filler.resolver, filler.frames = g.resolver, g.Stacks.frames
	return filler
}

// add takes a stack.
func (s *stackRows) add(g *Gathered, parts []stackPart) {
	r := stackRow{parts: parts, ns: s.ctx.clock.UnixNano(parts[0].event), process: parts[0].process}
	if entry := parts[0].entry; entry != noEntry {
		var ev decode.Event
		ev, r.ref, r.processor = g.event(s.ctx, int(entry))
		s.ctx.Catalog.KeyOf(&ev, &r.key)
		r.hasEvent = true
	}
	if thread := parts[0].thread; r.process == attribution.NoID && thread != attribution.NoID {
		r.process = s.resolver.ProcessOf(thread, parts[0].event)
	}
	for i := range parts {
		p := &parts[i]
		r.frames += p.frames
		if s.needsModules {
			for _, address := range s.framesOf(p) {
				s.images = append(s.images, int32(s.resolver.Image(r.process, address, p.event, int(p.pointerSize))))
			}
		}
	}
	if s.rows = append(s.rows, r); len(s.rows) == BlockRows {
		s.flush()
	}
}

func (s *stackRows) framesOf(p *stackPart) []uint64 { return s.frames[p.from : p.from+p.frames] }

// flush appends the rows of the stacks taken so far.
func (s *stackRows) flush() {
	first := s.batch.Rows
	for i := range s.fills {
		s.fills[i].fill(s, s.fills[i].column, first, s.rows)
	}
	s.batch.Rows += len(s.rows)
	s.rows, s.images = s.rows[:0], s.images[:0]
}

// nameOfEvent returns the code of an event's name: mostly that of the last one.
func (s *stackRows) nameOfEvent(e *schema.Event) uint32 {
	if s.lastName.event != e {
		s.lastName = eventName{e, int64(s.batch.Texts.Text(e.Class + "/" + e.Name))}
	}
	return uint32(s.lastName.code)
}

// moduleCode returns the code of the name of an image's module, which is empty if
// there is no image.
func (s *stackRows) moduleCode(image int32) uint32 {
	if image < 0 {
		if s.noModule == 0 {
			s.noModule = int64(s.batch.Texts.Text("")) + 1
		}
		return uint32(s.noModule - 1)
	}
	at := &s.moduleCodes[image%moduleCodes]
	if at.process != image+1 {
		*at = processCode{image + 1, int64(s.batch.Texts.Text(attribution.BaseName(s.ctx.owners.Images[image].Path)))}
	}
	return uint32(at.code)
}
