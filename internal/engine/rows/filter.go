package rows

import (
	"fmt"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Filter is a selection prepared for one trace: a decision for each kind of event in it, and each
// process.
type Filter struct {
	Selection *selection.Selection
	catalog   *catalog.Catalog
	names     *index.Names
	Within    slabs.Slab
	First     int // the buffers before this one give no rows
	demand    demand
	fixed     []*schema.Table // in the order of schema.FixedTables; nil if not wanted
	kinds     []bool          // needed, by the index of the kind in the catalog; nil if all are
	families  uint8           // a bit for each family that a needed kind belongs to
	bits      catalog.Bits    // of needed kinds
	processes *processFilter
	marks     *marks
	Taken     int64 // events, once they are converted
}

// NewFilter prepares a selection.
func NewFilter(s *selection.Selection, x *index.Index) (*Filter, error) {
	f := &Filter{Selection: s, catalog: x.Catalog, names: x.Names(), Within: slabs.Whole(), families: 1<<decode.Families - 1, bits: catalog.AnyKind}
	span := x.TimeSpan()
	for _, bound := range []struct {
		option string
		of     *facts.TimeBound
		to     *slabs.Key
	}{{"from", &s.From, &f.Within.From}, {"to", &s.To, &f.Within.To}} {
		if !bound.of.Set {
			continue
		}
		if x.ClockSteps != nil && bound.of.Kind == facts.BoundSinceStart {
			return nil, fmt.Errorf("%s: the clock was set while the trace was written (problem clock_set), and %s after its start can be two times or none: give a date and time, or use the column seconds in a query", bound.option, bound.of.Text)
		}
		ns, err := bound.of.UnixNano(span)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", bound.option, err)
		}
		*bound.to = slabs.Key{Time: x.Clock.Ticks(ns)}
	}
	if b := s.Bounds; b != nil {
		within := slabs.Whole()
		within.From.Time = x.Clock.Ticks(b.From)
		if b.To < math.MaxInt64-1 { // later times of events saturate
			within.To = slabs.Key{Time: x.Clock.Ticks(b.To + 1)}
		}
		f.Within = f.Within.Intersect(within)
	}
	f.demand = newDemand(x, s)
	for _, t := range schema.FixedTables() {
		f.fixed = append(f.fixed, s.Table(t))
	}
	if len(s.Processes) > 0 {
		f.processes = newProcessFilter(x, s.Processes)
	}
	var err error
	if f.marks, err = newMarks(s, x); err != nil {
		return nil, err
	}
	if s.ChoosesEvents() || s.Bounds != nil && len(s.Bounds.Providers) > 0 || !f.demand.needsAll() {
		f.selectKinds(x)
	}
	return f, nil
}

func (f *Filter) selectKinds(x *index.Index) {
	f.kinds = make([]bool, len(x.Types))
	if x.UnlistedEvents == 0 { // else some kinds are unknown, and any buffer may have them
		f.families, f.bits = 0, catalog.Bits{}
	}
	for i := range x.Types {
		t := &x.Types[i]
		f.kinds[i] = f.needsKind(&t.Key, &f.catalog.Kinds[i]) && (f.marks == nil || f.marks.mayKeep(i, t))
		if f.kinds[i] {
			f.families |= 1 << t.Family
			f.bits.Add(t.Bits)
		}
	}
}

// needsKind reports whether events of a kind are needed: they are selected, by provider and by
// event, and have something that is wanted.
func (f *Filter) needsKind(key *catalog.Key, k *catalog.Kind) bool {
	return f.selects(key, k) && f.demand.needsKind(key.Family, k)
}

// selects reports whether a kind of event is selected by provider and event.
func (f *Filter) selects(key *catalog.Key, k *catalog.Kind) bool {
	s := f.Selection
	id, hasID := key.Provider()
	provider, _ := f.names.Provider(id)
	if len(s.Providers) > 0 && !(hasID && slices.ContainsFunc(s.Providers, func(pattern string) bool { return schema.MatchProvider(pattern, id, provider) })) {
		return false
	}
	if !s.Bounds.HasProvider(id, provider) && !f.hasTableOf(k) {
		return false
	}
	if len(s.Events) == 0 {
		return true
	}
	names := k.EventNames(key, provider)
	return slices.ContainsFunc(s.Events, names.Matches)
}

// hasTableOf reports whether the bounds have the provider that the table of a kind names.
func (f *Filter) hasTableOf(k *catalog.Kind) bool {
	if k.Literal.Event == nil {
		return false
	}
	name, _ := f.names.Provider(k.Literal.Event.GUID)
	return f.Selection.Bounds.HasProvider(k.Literal.Event.GUID, name)
}

// NeedsBuffer reports whether a buffer may have needed events.
func (f *Filter) NeedsBuffer(x *index.Index, i int) bool {
	s := &x.Buffers[i]
	return i >= f.First && s.Families&f.families != 0 && s.Kinds.MayHave(f.bits) && (f.processes == nil || s.Processes&f.processes.bits != 0) &&
		s.First <= f.Within.To.Time && s.Last >= f.Within.From.Time
}

// Events returns f, or nil if all events are needed.
func (f *Filter) Events() *Filter {
	if f.kinds == nil {
		return nil
	}
	return f
}

// Plan divides the needed part of the trace into slabs.
func (f *Filter) Plan(x *index.Index) *slabs.Plan {
	p := slabs.NewPlan(x, slabs.SizeFor(x), func(i int) bool { return f.NeedsBuffer(x, i) }, f.Within)
	p.Stacks, p.NoRows = f.demand.stacks, !f.demand.rows
	return p
}

// Cut divides the needed part of the trace into at most n parts; see [slabs.Cut].
func (f *Filter) Cut(x *index.Index, n int, wholeTimes bool) []slabs.Part {
	return slabs.Cut(x, func(i int) bool { return f.NeedsBuffer(x, i) }, f.Within, n, wholeTimes)
}

// Context returns the context for filling rows of the trace.
func (f *Filter) Context(x *index.Index, payload PayloadMode, fields bool, form FieldsForm, s *symbols.Set) *Context {
	ctx := contextOf(x, payload, f.demand)
	ctx.Symbols = s.Trace(x.Tables())
	ctx.fields, ctx.form = fields, form
	if f.demand.Tables[EventsTable] != nil {
		for i := range x.Types {
			ctx.eventNames = append(ctx.eventNames, x.EventNames(&x.Types[i]))
		}
	}
	return ctx
}

// Tables returns the number of tables of events, wanted or not.
func (f *Filter) Tables() int { return len(f.demand.Tables) }

// Table returns a table of events with the wanted columns, or nil if there are none.
func (f *Filter) Table(id TableID) *schema.Table { return f.demand.Tables[id] }

// CountPayloads makes every row count by how much of its payload is read.
func (ctx *Context) CountPayloads() { ctx.counts = true }

// CountsPayloads reports whether rows are counted in this way, because of CountPayloads or of the
// selection.
func (ctx *Context) CountsPayloads() bool { return ctx.counts || ctx.problems }

// FixedTable returns a table that does not hold events with the wanted columns, or nil if there are
// none.
func (f *Filter) FixedTable(t *schema.Table) *schema.Table {
	if i := slices.Index(schema.FixedTables(), t); i >= 0 {
		return f.fixed[i]
	}
	return nil
}

// keep reports whether an event is needed. running is the thread that runs on its processor.
func (f *Filter) keep(r *attribution.Resolver, ev *decode.Event, running uint32) bool {
	var key catalog.Key
	f.catalog.KeyOf(ev, &key)
	if place := f.catalog.Place(&key); place >= 0 {
		return f.keepListed(int32(place), r, ev, running)
	}
	return f.keepUnlisted(r, ev, running)
}

// find is keep for a worker with a finder. It also returns the finder's result.
func (f *Filter) find(finder *catalog.Finder, r *attribution.Resolver, ev *decode.Event, running uint32) (found catalog.Found, ok bool) {
	if f.families&(1<<ev.Family) == 0 { // its kind is not needed
		return unknown, false
	}
	if found = finder.Find(ev); found.Place < 0 {
		return found, f.keepUnlisted(r, ev, running)
	}
	return found, f.keepListed(found.Place, r, ev, running)
}

// keepListed is keep for an event whose kind is listed.
func (f *Filter) keepListed(place int32, r *attribution.Resolver, ev *decode.Event, running uint32) bool {
	return f.kinds[place] && (f.marks == nil || f.marks.keep(place, ev)) && (f.processes == nil || f.processes.keep(r, ev, &f.catalog.Kinds[place], running))
}

// keepUnlisted is keep for any other event.
func (f *Filter) keepUnlisted(r *attribution.Resolver, ev *decode.Event, running uint32) bool {
	var key catalog.Key
	f.catalog.KeyOf(ev, &key)
	k := f.catalog.Of(&key)
	return f.needsKind(&key, k) && (f.marks == nil || f.marks.keep(-1, ev)) && (f.processes == nil || f.processes.keep(r, ev, k, running))
}

// demand says what is wanted of the selected events. Nothing else is made, and demand does not
// change the values.
type demand struct {
	Tables    []*schema.Table        // by TableID, with the wanted columns; nil if not wanted
	needs     []needs                // by TableID, of its rows
	families  [decode.Families]needs // of events, for the table of their headers and the table of all events
	allFields bool                   // the table of all events has the fields
	problems  bool                   // the table of problems, for what does not fit
	counts    bool                   // how much is read of each payload
	stacks    bool                   // of events; the table of problems counts incomplete stacks
	rows      bool                   // anything but stacks
	items     bool                   // the extended items, for any table
}

func newDemand(x *index.Index, s *selection.Selection) demand {
	problems := s.Table(schema.Problems) != nil
	full := x.Catalog.EventTables()
	d := demand{problems: problems, rows: problems, Tables: make([]*schema.Table, 0, len(full)), needs: make([]needs, 0, len(full))}
	rowless := rowlessTables(x, len(full))
	plain := *s // of a table without rows, only whether it is wanted matters
	plain.Stored = false
	for id, t := range full {
		if rowless[id] {
			wanted := plain.Table(t)
			d.rows = d.rows || wanted != nil
			d.Tables, d.needs = append(d.Tables, wanted), append(d.needs, 0)
			continue
		}
		wanted, needed := s.Table(t), needs(0)
		if wanted != nil {
			needed = needsOf(TableID(id), wanted, t)
			d.rows = d.rows || TableID(id) != stackEventTable && TableID(id) != stackTable
		}
		d.items = d.items || needed&needsItems != 0
		d.Tables, d.needs = append(d.Tables, wanted), append(d.needs, needed)
	}
	// Whether the table of a header has the fields does not depend on the table of all events.
	d.allFields = d.needs[EventsTable]&needsFields != 0
	for family := range d.families {
		d.families[family] = d.needs[family] | d.needs[EventsTable]&^needsFields
	}
	d.stacks = x.Tables().Stacks.Any() && (d.Tables[stackEventTable] != nil || d.Tables[stackTable] != nil || d.problems || d.wantsStackOfEvent())
	return d
}

// rowlessTables returns, by TableID, whether a table is of a kernel event that the trace has not: nearly
// all of them are, in nearly all traces.
func rowlessTables(x *index.Index, n int) []bool {
	rowless := make([]bool, n)
	if x.UnlistedEvents > 0 { // of unknown kinds
		return rowless
	}
	for _, t := range schema.KernelCatalog().Tables() {
		rowless[payloadTable(t)] = true
	}
	for i := range x.Catalog.Kinds {
		if t := x.Catalog.Kinds[i].Literal.Table; t != nil {
			rowless[payloadTable(t)] = false
		}
	}
	return rowless
}

// wantsStackOfEvent reports whether the table of all events has the stacks.
func (d *demand) wantsStackOfEvent() bool { return d.needs[EventsTable]&needsStack != 0 }

// needsAll reports whether something may be wanted of every event.
func (d *demand) needsAll() bool {
	return d.stacks || d.Tables[EventsTable] != nil || !slices.Contains(d.Tables[:decode.Families], nil)
}

// needsKind reports whether something is wanted of a kind of event.
func (d *demand) needsKind(family decode.Family, k *catalog.Kind) bool {
	return d.stacks || d.problems && k.Literal.Table != nil || d.hasRows(family, k)
}

// hasRows reports whether a kind of event has rows in any wanted table of events, ignoring the
// tables of stacks.
func (d *demand) hasRows(family decode.Family, k *catalog.Kind) bool {
	return d.Tables[family] != nil || d.Tables[EventsTable] != nil || k.Literal.Table != nil && d.Tables[payloadTable(k.Literal.Table)] != nil
}

// needsOf returns what the rows of a kind of event need.
func (d *demand) needsOf(family decode.Family, k *catalog.Kind) needs {
	if k.Literal.Table == nil {
		return d.families[family]
	}
	return d.families[family] | d.needs[payloadTable(k.Literal.Table)]
}
