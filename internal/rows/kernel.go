package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// hookColumns are those of kernel events.
type hookColumns struct {
	hookID, group, eventType, version, pmc, pebs *columns.Column
	names                                        counterNames
	classes                                      [hookImage + 1]classCodes // by group
}

// classCodes are the texts of a kernel class in the current batch.
type classCodes struct {
	asked    bool
	id, name int64 // codes, or none
}

// hookImage stands for the one hook whose class is not that of its group.
const hookImage = 256

func newHookColumns(b *columns.Batch, ctx *Context) hookColumns {
	return hookColumns{
		hookID: b.Column("hook_id"), group: b.Column("event_group"), eventType: b.Column("event_type"),
		version: b.Column("event_version"), pmc: b.Column("pmc_counters"), pebs: b.Column("pebs_index"),
		names: newCounterNames(b, ctx),
	}
}

// fill appends the columns of rows, whose keys have their hooks.
func (h *hookColumns) fill(c *common, first int, rows []*row) {
	n := len(rows)
	if first == 0 { // a batch begins
		clear(h.classes[:])
		h.names.begin()
	}
	ids, groups, types, versions := columns.More(&h.hookID.Small, n), columns.More(&h.group.Small, n), columns.More(&h.eventType.Small, n), columns.More(&h.version.Small, n)
	for i, r := range rows {
		hook := int32(r.key.ID)
		ids[i], groups[i], types[i], versions[i] = hook, hook>>8, hook&0xff, int32(r.key.Version)
	}
	codes := c.room(n)
	for i, r := range rows {
		codes[i] = h.class(c, uint16(r.key.ID)).id
	}
	c.providerID.CodesAt(first, codes)
	for i, r := range rows {
		codes[i] = h.class(c, uint16(r.key.ID)).name
	}
	c.providerName.CodesAt(first, codes)
	for i, r := range rows {
		if r.HasCounters() {
			h.counters(c, first+i, r)
		}
	}
}

// counters appends the counters of a row.
func (h *hookColumns) counters(c *common, row int, r *row) {
	counters := r.Counters()
	if counters.None() {
		return
	}
	if counters.HasPEBS {
		h.pebs.At(row).Uint64(counters.PEBSIndex())
	}
	if counters.PMC > 0 {
		h.pmc.At(row)
		for i := range counters.PMC {
			h.pmc.Uint64(counters.Counter(i))
		}
		h.pmc.EndList()
		h.names.fill(c, row, r.Time, counters.PMC)
	}
}

// class returns the texts of a hook's class.
func (h *hookColumns) class(c *common, hook uint16) *classCodes {
	at := int(hook >> 8)
	if hook == schema.HookImageLoad {
		at = hookImage
	}
	codes := &h.classes[at]
	if !codes.asked {
		*codes = classCodes{asked: true, id: columns.None, name: columns.None}
		if class, ok := schema.KernelClassOf(hook); ok {
			codes.id = int64(c.batch.Texts.GUID(class.GUID))
			codes.name = int64(c.batch.Texts.Text(class.Name))
		}
	}
	return codes
}

// systemRows fills system_trace_header.
type systemRows struct {
	common
	hookColumns
	kernelTime, userTime *columns.Column
}

func newSystemRows(t *schema.Table, ctx *Context) *systemRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &systemRows{common: c, hookColumns: newHookColumns(b, ctx), kernelTime: b.Column("kernel_time"), userTime: b.Column("user_time")}
}

func (s *systemRows) start() *common { return &s.common }

func (s *systemRows) fill(rows []*row) {
	first := s.append(rows)
	for i, r := range rows {
		if kernel, user, ok := r.System().Times(); ok {
			s.kernelTime.At(first + i).Int64(int64(kernel))
			s.userTime.At(first + i).Int64(int64(user))
		}
	}
	s.hookColumns.fill(&s.common, first, rows)
	s.finish(first, rows)
}

// perfInfoRows fills perfinfo_trace_header.
type perfInfoRows struct {
	common
	hookColumns
}

func newPerfInfoRows(t *schema.Table, ctx *Context) *perfInfoRows {
	c := newCommon(t, ctx)
	return &perfInfoRows{common: c, hookColumns: newHookColumns(c.batch, ctx)}
}

func (p *perfInfoRows) start() *common { return &p.common }

func (p *perfInfoRows) fill(rows []*row) {
	first := p.append(rows)
	p.hookColumns.fill(&p.common, first, rows)
	p.finish(first, rows)
}

// timeColumns are kernel and user time, or processor time in their place.
type timeColumns struct{ kernel, user, processor *columns.Column }

func newTimeColumns(b *columns.Batch) timeColumns {
	return timeColumns{b.Column("kernel_time"), b.Column("user_time"), b.Column("processor_time")}
}

// fill appends the times of events that have headers with them.
func (t *timeColumns) fill(first int, rows []*row, private bool) {
	n := len(rows)
	if private {
		t.processor.Present(first, n)
		for _, r := range rows {
			t.processor.Uint64(timesOf(r))
		}
		return
	}
	kernel, user := columns.More(&t.kernel.Present(first, n).Ints, n), columns.More(&t.user.Present(first, n).Ints, n)
	for i, r := range rows {
		times := timesOf(r)
		kernel[i], user[i] = int64(uint32(times)), int64(times>>32)
	}
}

// timesOf returns the times in a header that has them.
func timesOf(r *row) uint64 {
	if r.Family == decode.FamilyEvent {
		return r.Header().Times()
	}
	return r.EventTrace().Times()
}

// eventTraceRows fills event_trace_header.
type eventTraceRows struct {
	common
	times                       timeColumns
	classType, level, classVers *columns.Column
}

func newEventTraceRows(t *schema.Table, ctx *Context) *eventTraceRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &eventTraceRows{common: c, times: newTimeColumns(b), classType: b.Column("class_type"),
		level: b.Column("class_level"), classVers: b.Column("class_version")}
}

func (e *eventTraceRows) start() *common { return &e.common }

func (e *eventTraceRows) fill(rows []*row) {
	first := e.append(rows)
	for i, r := range rows {
		h := r.EventTrace()
		if id, ok := h.GUID(); ok {
			e.provider(first+i, id)
		}
		classType, level, version := h.Class()
		e.classType.Int32(int32(classType))
		e.level.Int32(int32(level))
		e.classVers.Int32(int32(version))
	}
	e.times.fill(first, rows, e.ctx.private)
	e.finish(first, rows)
}

// instanceRows fills event_instance_header.
type instanceRows struct {
	eventTraceRows
	id, parentID, parentGUID, handle, parentHandle *columns.Column
}

func newInstanceRows(t *schema.Table, ctx *Context) *instanceRows {
	e := newEventTraceRows(t, ctx)
	b := e.batch
	return &instanceRows{eventTraceRows: *e, id: b.Column("instance_id"), parentID: b.Column("parent_instance_id"),
		parentGUID: b.Column("parent_guid"), handle: b.Column("reg_handle"), parentHandle: b.Column("parent_reg_handle")}
}

func (s *instanceRows) fill(rows []*row) {
	first := s.batch.Rows
	s.eventTraceRows.fill(rows)
	for i, r := range rows {
		instance := r.Instance()
		s.id.Int64(int64(instance.ID))
		s.parentID.Int64(int64(instance.ParentID))
		if instance.Old {
			s.handle.At(first + i).Uint64(instance.RegHandle)
			s.parentHandle.At(first + i).Uint64(instance.ParentHandle)
			continue
		}
		s.parentGUID.At(first + i).Code(s.batch.Texts.GUID(instance.ParentGUID))
	}
}

// messageRows fills message_trace_header.
type messageRows struct {
	common
	messageNumber, flags, sequence, guid, component, performance, hasTime *columns.Column
	level, function, source                                               *columns.Column
	places                                                                map[*schema.Schema]messagePlace // codes of the current batch
}

func newMessageRows(t *schema.Table, ctx *Context) *messageRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &messageRows{common: c, messageNumber: b.Column("message_number"), flags: b.Column("message_flags"),
		sequence: b.Column("sequence_number"), guid: b.Column("message_guid"), component: b.Column("component_id"),
		performance: b.Column("performance_timestamp"), hasTime: b.Column("has_time"),
		level: b.Column("level_name"), function: b.Column("function_name"), source: b.Column("source"),
		places: make(map[*schema.Schema]messagePlace)}
}

func (m *messageRows) start() *common { return &m.common }

func (m *messageRows) fill(rows []*row) {
	first := m.append(rows)
	if first == 0 { // a batch begins
		clear(m.places)
	}
	for i, r := range rows {
		m.header(first+i, r)
		if r.Schema != nil {
			m.place(first+i, r.Schema)
		}
	}
	m.finish(first, rows)
}

// messagePlace is the codes of where a program logs a message, or none.
type messagePlace struct{ level, function, source int64 }

// place appends where the program logs a message, as its TMF file says.
func (m *messageRows) place(at int, s *schema.Schema) {
	p, known := m.places[s]
	if !known {
		code := func(text string) int64 {
			if text == "" {
				return columns.None
			}
			return int64(m.batch.Texts.Text(text))
		}
		p = messagePlace{code(s.LevelName), code(s.Function), code(index.SourceOf(s))}
		m.places[s] = p
	}
	for _, c := range []struct {
		column *columns.Column
		code   int64
	}{{m.level, p.level}, {m.function, p.function}, {m.source, p.source}} {
		if c.code != columns.None {
			c.column.At(at).Code(uint32(c.code))
		}
	}
}

// header appends what only headers of messages have.
func (m *messageRows) header(at int, r *row) {
	h := r.Message()
	if id, ok := h.GUID(); ok {
		m.provider(at, id)
		m.guid.At(at).Code(m.batch.Texts.GUID(id))
	}
	m.messageNumber.Int32(int32(h.Number()))
	m.flags.Int32(int32(h.Flags()))
	if n, ok := h.Sequence(); ok {
		m.sequence.At(at).Int64(int64(n))
	}
	if id, ok := h.ComponentID(); ok {
		m.component.At(at).Int64(int64(id))
	}
	if t, qpc, ok := h.Time(); ok && qpc {
		m.performance.At(at).Int64(t)
	}
	m.hasTime.Bool(r.Timed)
}

// otherRows fills other_header.
type otherRows struct {
	common
	marker, hasTime, raw *columns.Column
}

func newOtherRows(t *schema.Table, ctx *Context) *otherRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &otherRows{common: c, marker: b.Column("marker"), hasTime: b.Column("has_time"), raw: b.Column("raw")}
}

func (o *otherRows) start() *common { return &o.common }

func (o *otherRows) fill(rows []*row) {
	first := o.append(rows)
	for i, r := range rows {
		o.marker.Int64(int64(decode.Marker(r.Raw)))
		o.hasTime.Bool(r.Timed)
		if o.ctx.payload != PayloadNone {
			o.raw.At(first + i).Blob(r.Raw)
		}
		o.payloadSize.Int32(0)
	}
}
