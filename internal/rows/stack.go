package rows

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

var le = binary.LittleEndian

// stackRows fills the table of stacks. It takes parts of stacks, not events.
type stackRows struct {
	common
	eventID, sources, unresolved, kernelFrames, addresses, modules, offsets *columns.Column

	moduleCodes [moduleCodes]processCode // of images, by index in Tables.Images
	unknown     uint32                   // code of the name of no module
}

const moduleCodes = 512

func newStackRows(ctx *Context) *stackRows {
	b := columns.NewBatch(schema.Stacks)
	return &stackRows{
		common: common{
			batch: b, ctx: ctx, eventRef: b.Column("event_ref"), timestamp: b.Column("timestamp"), timeNS: b.Column("time_ns"),
			processor: b.Column("processor"), processID: b.Column("process_id"), threadID: b.Column("thread_id"),
			processName: b.Column("process_name"), providerID: b.Column("provider_id"), eventName: b.Column("event_name"),
		},
		eventID: b.Column("event_id"), sources: b.Column("sources"), unresolved: b.Column("unresolved_keys"),
		kernelFrames: b.Column("kernel_frames"), addresses: b.Column("addresses"), modules: b.Column("modules"), offsets: b.Column("offsets"),
	}
}

func (r *stackRows) start() *common { return &r.common }

// fill has nothing to do for events: see fillStacks.
func (r *stackRows) fill([]*row) {}

// fillStacks makes the rows of the stacks of the slab.
func (g *Gathered) fillStacks(s *slabFiller) {
	p := &g.Stacks
	if len(p.parts) == 0 {
		return
	}
	g.match(s.ctx)
	for from := 0; from < len(p.parts); {
		to := from + 1
		for to < len(p.parts) && p.parts[to].sameStack(&p.parts[from]) {
			to++
		}
		if p.parts[from].entry != noEntry || p.complete {
			p.count(p.parts[from:to])
			if s.ctx.Tables[stackTable] {
				s.rowsOfStacks().stack(g, s, p.parts[from:to])
			}
		}
		from = to
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

// rowsOfStacks returns the filler of the table of stacks.
func (s *slabFiller) rowsOfStacks() *stackRows {
	fresh := s.rows[stackTable] == nil
	filler := s.table(stackTable).(*stackRows)
	if fresh {
		clear(filler.moduleCodes[:])
		filler.unknown = filler.batch.Texts.Text("")
	}
	return filler
}

// stack appends the row of a stack, which the parts make up in their order.
func (r *stackRows) stack(g *Gathered, s *slabFiller, parts []stackPart) {
	row := r.batch.Rows
	process, thread := parts[0].process, parts[0].thread
	ns := r.ctx.clock.UnixNano(parts[0].event)
	r.timestamp.Int64(columns.Micros(ns))
	r.timeNS.Int64(ns)
	if entry := parts[0].entry; entry != noEntry {
		r.event(g, s, row, int(entry))
	}
	if process == attribution.NoID && thread != attribution.NoID {
		process = g.resolver.ProcessOf(thread, parts[0].event)
	}
	if process != attribution.NoID {
		r.processID.At(row).Int64(int64(process))
		if code := r.processCode(int32(g.resolver.Process(process, parts[0].event))); code != columns.None {
			r.processName.At(row).Code(uint32(code))
		}
	}
	if thread != attribution.NoID {
		r.threadID.At(row).Int64(int64(thread))
	}
	unresolved, kernel := 0, 0
	for i := range parts {
		p := &parts[i]
		r.sources.Code(r.batch.Texts.Text(stackSourceNames[p.source]))
		if !p.resolved {
			unresolved++
		}
		for _, address := range g.Stacks.frames[p.from : p.from+p.frames] {
			if attribution.IsKernelAddress(address, int(p.pointerSize)) {
				kernel++
			}
			r.frame(g.resolver, process, address, p)
		}
	}
	r.sources.EndList()
	r.addresses.EndList()
	r.modules.EndList()
	r.offsets.EndList()
	r.unresolved.Int32(int32(unresolved))
	r.kernelFrames.Int32(int32(kernel))
	r.batch.Rows++
}

// event appends what the row says of the event.
func (r *stackRows) event(g *Gathered, s *slabFiller, row, entry int) {
	ev, ref, processor := g.event(s.ctx, entry)
	var key catalog.Key
	r.ctx.Catalog.KeyOf(&ev, &key)
	r.eventRef.At(row).Int64(ref)
	r.processor.At(row).Int32(processor)
	r.eventID.At(row).Int32(int32(key.ID))
	if id, ok := key.Provider(); ok {
		r.providerID.At(row).Code(r.batch.Texts.GUID(id))
	}
	if event := r.ctx.Catalog.Of(&key).Literal.Event; event != nil {
		r.eventName.At(row).Code(r.nameOfEvent(event))
	}
}

// nameOfEvent returns the code of an event's name: mostly that of the last one.
func (r *stackRows) nameOfEvent(e *schema.Event) uint32 {
	if r.lastName.event != e {
		r.lastName = eventName{e, int64(r.batch.Texts.Text(e.Class + "/" + e.Name))}
	}
	return uint32(r.lastName.code)
}

// frame appends a frame: its address, and where that is.
func (r *stackRows) frame(resolver *attribution.Resolver, process uint32, address uint64, p *stackPart) {
	r.addresses.Uint64(address)
	image := resolver.Image(process, address, p.event, int(p.pointerSize))
	if image < 0 {
		r.modules.Code(r.unknown)
		r.offsets.Uint64(address)
		return
	}
	m := &r.ctx.owners.Images[image]
	at := &r.moduleCodes[image%moduleCodes]
	if at.process != int32(image)+1 {
		*at = processCode{int32(image) + 1, int64(r.batch.Texts.Text(attribution.BaseName(m.Path)))}
	}
	r.modules.Code(uint32(at.code))
	r.offsets.Uint64(address - m.Base)
}
