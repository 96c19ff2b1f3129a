package convert

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// hookColumns are those of kernel events.
type hookColumns struct {
	hookID, group, eventType, version, pmc, pebs *column
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

func newHookColumns(b *Batch, ctx *rowContext) hookColumns {
	return hookColumns{
		hookID: b.column("hook_id"), group: b.column("event_group"), eventType: b.column("event_type"),
		version: b.column("event_version"), pmc: b.column("pmc_counters"), pebs: b.column("pebs_index"),
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
	ids, groups, types, versions := more(&h.hookID.small, n), more(&h.group.small, n), more(&h.eventType.small, n), more(&h.version.small, n)
	for i, r := range rows {
		hook := int32(r.key.id)
		ids[i], groups[i], types[i], versions[i] = hook, hook>>8, hook&0xff, int32(r.key.version)
	}
	codes := c.room(n)
	for i, r := range rows {
		codes[i] = h.class(c, uint16(r.key.id)).id
	}
	c.providerID.codesAt(first, codes)
	for i, r := range rows {
		codes[i] = h.class(c, uint16(r.key.id)).name
	}
	c.providerName.codesAt(first, codes)
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
		h.pebs.at(row).uint64(counters.PEBSIndex())
	}
	if counters.PMC > 0 {
		h.pmc.at(row)
		for i := range counters.PMC {
			h.pmc.uint64(counters.Counter(i))
		}
		h.pmc.endList()
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
		*codes = classCodes{asked: true, id: none, name: none}
		if class, ok := schema.KernelClassOf(hook); ok {
			codes.id = int64(c.batch.texts.guid(class.GUID))
			codes.name = int64(c.batch.texts.text(class.Name))
		}
	}
	return codes
}

// systemRows fills system_trace_header.
type systemRows struct {
	common
	hookColumns
	kernelTime, userTime *column
}

func newSystemRows(t *schema.Table, ctx *rowContext) *systemRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &systemRows{common: c, hookColumns: newHookColumns(b, ctx), kernelTime: b.column("kernel_time"), userTime: b.column("user_time")}
}

func (s *systemRows) start() *common { return &s.common }

func (s *systemRows) fill(rows []*row) {
	first := s.append(rows)
	for i, r := range rows {
		if kernel, user, ok := r.System().Times(); ok {
			s.kernelTime.at(first + i).int64(int64(kernel))
			s.userTime.at(first + i).int64(int64(user))
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

func newPerfInfoRows(t *schema.Table, ctx *rowContext) *perfInfoRows {
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
type timeColumns struct{ kernel, user, processor *column }

func newTimeColumns(b *Batch) timeColumns {
	return timeColumns{b.column("kernel_time"), b.column("user_time"), b.column("processor_time")}
}

// fill appends the times of events that have headers with them.
func (t *timeColumns) fill(first int, rows []*row, private bool) {
	n := len(rows)
	if private {
		t.processor.present(first, n)
		for _, r := range rows {
			t.processor.uint64(timesOf(r))
		}
		return
	}
	kernel, user := more(&t.kernel.present(first, n).ints, n), more(&t.user.present(first, n).ints, n)
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
	classType, level, classVers *column
}

func newEventTraceRows(t *schema.Table, ctx *rowContext) *eventTraceRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &eventTraceRows{common: c, times: newTimeColumns(b), classType: b.column("class_type"),
		level: b.column("class_level"), classVers: b.column("class_version")}
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
		e.classType.int32(int32(classType))
		e.level.int32(int32(level))
		e.classVers.int32(int32(version))
	}
	e.times.fill(first, rows, e.ctx.private)
	e.finish(first, rows)
}

// instanceRows fills event_instance_header.
type instanceRows struct {
	eventTraceRows
	id, parentID, parentGUID, handle, parentHandle *column
}

func newInstanceRows(t *schema.Table, ctx *rowContext) *instanceRows {
	e := newEventTraceRows(t, ctx)
	b := e.batch
	return &instanceRows{eventTraceRows: *e, id: b.column("instance_id"), parentID: b.column("parent_instance_id"),
		parentGUID: b.column("parent_guid"), handle: b.column("reg_handle"), parentHandle: b.column("parent_reg_handle")}
}

func (s *instanceRows) fill(rows []*row) {
	first := s.batch.Rows
	s.eventTraceRows.fill(rows)
	for i, r := range rows {
		instance := r.Instance()
		s.id.int64(int64(instance.ID))
		s.parentID.int64(int64(instance.ParentID))
		if instance.Old {
			s.handle.at(first + i).uint64(instance.RegHandle)
			s.parentHandle.at(first + i).uint64(instance.ParentHandle)
			continue
		}
		s.parentGUID.at(first + i).code(s.batch.texts.guid(instance.ParentGUID))
	}
}

// messageRows fills message_trace_header.
type messageRows struct {
	common
	messageNumber, flags, sequence, guid, component, performance, hasTime *column
	level, function, source                                               *column
	places                                                                map[*schema.Schema]messagePlace // codes of the current batch
}

func newMessageRows(t *schema.Table, ctx *rowContext) *messageRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &messageRows{common: c, messageNumber: b.column("message_number"), flags: b.column("message_flags"),
		sequence: b.column("sequence_number"), guid: b.column("message_guid"), component: b.column("component_id"),
		performance: b.column("performance_timestamp"), hasTime: b.column("has_time"),
		level: b.column("level_name"), function: b.column("function_name"), source: b.column("source"),
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
		if r.schema != nil {
			m.place(first+i, r.schema)
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
				return none
			}
			return int64(m.batch.texts.text(text))
		}
		p = messagePlace{code(s.LevelName), code(s.Function), code(sourceOf(s))}
		m.places[s] = p
	}
	for _, c := range []struct {
		column *column
		code   int64
	}{{m.level, p.level}, {m.function, p.function}, {m.source, p.source}} {
		if c.code != none {
			c.column.at(at).code(uint32(c.code))
		}
	}
}

// header appends what only headers of messages have.
func (m *messageRows) header(at int, r *row) {
	h := r.Message()
	if id, ok := h.GUID(); ok {
		m.provider(at, id)
		m.guid.at(at).code(m.batch.texts.guid(id))
	}
	m.messageNumber.int32(int32(h.Number()))
	m.flags.int32(int32(h.Flags()))
	if n, ok := h.Sequence(); ok {
		m.sequence.at(at).int64(int64(n))
	}
	if id, ok := h.ComponentID(); ok {
		m.component.at(at).int64(int64(id))
	}
	if t, qpc, ok := h.Time(); ok && qpc {
		m.performance.at(at).int64(t)
	}
	m.hasTime.bool(r.Timed)
}

// otherRows fills other_header.
type otherRows struct {
	common
	marker, hasTime, raw *column
}

func newOtherRows(t *schema.Table, ctx *rowContext) *otherRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &otherRows{common: c, marker: b.column("marker"), hasTime: b.column("has_time"), raw: b.column("raw")}
}

func (o *otherRows) start() *common { return &o.common }

func (o *otherRows) fill(rows []*row) {
	first := o.append(rows)
	for i, r := range rows {
		o.marker.int64(int64(decode.Marker(r.Raw)))
		o.hasTime.bool(r.Timed)
		if o.ctx.payload != PayloadNone {
			o.raw.at(first + i).blob(r.Raw)
		}
		o.payloadSize.int32(0)
	}
}
