package convert

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// hookColumns are those of kernel events.
type hookColumns struct {
	hookID, group, eventType, version, pmc, pebs *column
	classes                                      [hookImage + 1]classCodes // by group
}

// classCodes are the texts of a kernel class in the current batch.
type classCodes struct {
	asked    bool
	id, name int64 // codes, or -1
}

// hookImage stands for the one hook whose class is not that of its group.
const hookImage = 256

func newHookColumns(b *Batch) hookColumns {
	return hookColumns{
		hookID: b.column("hook_id"), group: b.column("event_group"), eventType: b.column("event_type"),
		version: b.column("event_version"), pmc: b.column("pmc_counters"), pebs: b.column("pebs_index"),
	}
}

func (h *hookColumns) fill(c *common, r *row, hook uint16, version uint8) {
	h.hookID.int32(int32(hook))
	h.group.int32(int32(hook >> 8))
	h.eventType.int32(int32(hook & 0xff))
	h.version.int32(int32(version))
	class := h.class(c, hook)
	if class.id >= 0 {
		c.providerID.at(r.number).code(uint32(class.id))
		c.providerName.at(r.number).code(uint32(class.name))
	}
	counters := r.Counters()
	if counters.None() {
		return
	}
	if counters.HasPEBS {
		h.pebs.at(r.number).uint64(counters.PEBSIndex())
	}
	if counters.PMC > 0 {
		h.pmc.at(r.number)
		for i := range counters.PMC {
			h.pmc.uint64(counters.Counter(i))
		}
		h.pmc.endList()
	}
}

// class returns the texts of a hook's class.
func (h *hookColumns) class(c *common, hook uint16) *classCodes {
	if c.batch.Rows == 1 { // counted already: a batch begins
		clear(h.classes[:])
	}
	at := int(hook >> 8)
	if hook == schema.HookImageLoad {
		at = hookImage
	}
	codes := &h.classes[at]
	if !codes.asked {
		*codes = classCodes{asked: true, id: -1, name: -1}
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
	return &systemRows{common: c, hookColumns: newHookColumns(b), kernelTime: b.column("kernel_time"), userTime: b.column("user_time")}
}

func (s *systemRows) start() *common { return &s.common }

func (s *systemRows) fill(r *row) {
	h := r.System()
	s.common.start(r)
	s.ids(r, h.ProcessID(), h.ThreadID())
	s.hookColumns.fill(&s.common, r, h.HookID(), h.Version())
	if kernel, user, ok := h.Times(); ok {
		s.kernelTime.at(r.number).int64(int64(kernel))
		s.userTime.at(r.number).int64(int64(user))
	}
	s.finish(r, r.Payload())
}

// perfInfoRows fills perfinfo_trace_header.
type perfInfoRows struct {
	common
	hookColumns
}

func newPerfInfoRows(t *schema.Table, ctx *rowContext) *perfInfoRows {
	c := newCommon(t, ctx)
	return &perfInfoRows{common: c, hookColumns: newHookColumns(c.batch)}
}

func (p *perfInfoRows) start() *common { return &p.common }

func (p *perfInfoRows) fill(r *row) {
	h := r.PerfInfo()
	p.common.start(r)
	p.hookColumns.fill(&p.common, r, h.HookID(), h.Version())
	p.finish(r, r.Payload())
}

// timeColumns are kernel and user time, or processor time in their place.
type timeColumns struct{ kernel, user, processor *column }

func newTimeColumns(b *Batch) timeColumns {
	return timeColumns{b.column("kernel_time"), b.column("user_time"), b.column("processor_time")}
}

func (t *timeColumns) fill(r *row, private bool, times uint64) {
	if private {
		t.processor.at(r.number).uint64(times)
		return
	}
	t.kernel.at(r.number).int64(int64(uint32(times)))
	t.user.at(r.number).int64(int64(times >> 32))
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

func (e *eventTraceRows) fill(r *row) {
	h := r.EventTrace()
	e.common.start(r)
	e.ids(r, h.ProcessID(), h.ThreadID())
	if id, ok := h.GUID(); ok {
		e.provider(r, id)
	}
	classType, level, version := h.Class()
	e.classType.int32(int32(classType))
	e.level.int32(int32(level))
	e.classVers.int32(int32(version))
	e.times.fill(r, e.ctx.private, h.Times())
	e.finish(r, r.Payload())
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

func (s *instanceRows) fill(r *row) {
	s.eventTraceRows.fill(r)
	instance := r.Instance()
	s.id.int64(int64(instance.ID))
	s.parentID.int64(int64(instance.ParentID))
	if instance.Old {
		s.handle.at(r.number).uint64(instance.RegHandle)
		s.parentHandle.at(r.number).uint64(instance.ParentHandle)
		return
	}
	s.parentGUID.at(r.number).code(s.batch.texts.guid(instance.ParentGUID))
}

// messageRows fills message_trace_header.
type messageRows struct {
	common
	messageNumber, flags, sequence, guid, component, performance, hasTime *column
}

func newMessageRows(t *schema.Table, ctx *rowContext) *messageRows {
	c := newCommon(t, ctx)
	b := c.batch
	return &messageRows{common: c, messageNumber: b.column("message_number"), flags: b.column("message_flags"),
		sequence: b.column("sequence_number"), guid: b.column("message_guid"), component: b.column("component_id"),
		performance: b.column("performance_timestamp"), hasTime: b.column("has_time")}
}

func (m *messageRows) start() *common { return &m.common }

func (m *messageRows) fill(r *row) {
	h := r.Message()
	m.common.start(r)
	process, hasProcess := h.ProcessID()
	thread, _ := h.ThreadID()
	if hasProcess {
		m.ids(r, process, thread)
	}
	if id, ok := h.GUID(); ok {
		m.provider(r, id)
		m.guid.at(r.number).code(m.batch.texts.guid(id))
	}
	m.messageNumber.int32(int32(h.Number()))
	m.flags.int32(int32(h.Flags()))
	if n, ok := h.Sequence(); ok {
		m.sequence.at(r.number).int64(int64(n))
	}
	if id, ok := h.ComponentID(); ok {
		m.component.at(r.number).int64(int64(id))
	}
	if t, qpc, ok := h.Time(); ok && qpc {
		m.performance.at(r.number).int64(t)
	}
	m.hasTime.bool(r.Timed)
	m.finish(r, r.Payload())
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

func (o *otherRows) fill(r *row) {
	o.common.start(r)
	o.marker.int64(int64(decode.Marker(r.Raw)))
	o.hasTime.bool(r.Timed)
	if o.ctx.payload != PayloadNone {
		o.raw.at(r.number).blob(r.Raw)
	}
	o.payloadSize.int32(0)
}
