package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventFills fill the columns that all tables of events begin with, but for those
// that the tables of payloads fill in their own way.
var eventFills = []columnFill{
	{name: "event_ref", ints: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = r.ref
		}
	}},
	{name: "timestamp", ints: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = columns.Micros(r.ns)
		}
	}},
	{name: "time_ns", ints: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = r.ns
		}
	}},
	{name: "processor", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = r.processor
		}
	}},
	{name: "process_id", needs: needsOwner, ids: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = idOf(r.owner.Process)
		}
	}},
	{name: "thread_id", needs: needsOwner, ids: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = idOf(r.owner.Thread)
		}
	}},
	{name: "id_source", needs: needsOwner, codes: func(f *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.sourceCode(r.owner.Source)
		}
	}},
	{name: "process_name", needs: needsOwner, codes: func(f *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.processCode(r.process)
		}
	}},
	{name: "header_type", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Type)
		}
	}},
	{name: "pointer_size", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = r.pointerSize
		}
	}},
	{name: schema.KindColumn, fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		if sameKind(rows) && rows[0].Number < len(f.ctx.kinds) { // mostly, in tables of payloads
			columns.Repeat(&c.Present(first, len(rows)).Small, f.ctx.kinds[rows[0].Number], len(rows))
			return
		}
		for i, r := range rows {
			if r.Number < len(f.ctx.kinds) {
				c.At(first + i).Int32(f.ctx.kinds[r.Number])
			}
		}
	}},
	{name: "payload_size", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(len(r.payload))
		}
	}},
}

// headerFills fill the other common columns of tables of headers, from what the
// headers say.
var headerFills = []columnFill{
	{name: "provider_id", needs: needsProvider, codes: func(f *filling, v []int64, _ []*row) {
		copy(v, f.providers)
	}},
	{name: "provider_name", needs: needsProvider, codes: func(f *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.providerName(r, f.providers[i])
		}
	}},
	{name: "event_name", codes: func(f *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = columns.None
			if r.Literal.Event != nil {
				v[i] = f.eventNameOf(&r.Literal)
			}
		}
	}},
	{name: schema.PayloadColumn, needs: needsFit, fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		if f.ctx.payload == PayloadNone {
			return
		}
		for i, r := range rows {
			if r.Family != decode.FamilyOther && (!r.decoded || f.ctx.payload == PayloadAll) {
				c.At(first + i).Blob(r.payload)
			}
		}
	}},
}

// headerSizeFills fill the size of headers without extended items.
var headerSizeFills = []columnFill{
	{name: "header_size", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(len(r.Raw) - len(r.payload))
		}
	}},
}

// eventSizeFills fill the sizes of an EVENT_HEADER and of its extended items.
var eventSizeFills = []columnFill{
	{name: "header_size", small: func(_ *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = decode.EventHeaderSize
		}
	}},
	{name: "items_size", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(len(r.Raw) - len(r.payload) - decode.EventHeaderSize)
		}
	}},
}

var headerIDFills = []columnFill{
	{name: "header_process_id", needs: needsOwner, ids: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = idOf(r.owner.HeaderProcess)
		}
	}},
	{name: "header_thread_id", needs: needsOwner, ids: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = idOf(r.owner.HeaderThread)
		}
	}},
}

var fieldsFills = []columnFill{
	// The fields of an event with a table of its own may be known only because the
	// table of all events has them always.
	{name: schema.FieldsColumn, needs: needsFields, fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		all := f.ctx.fields || f.batch.Table.Name == schema.EventsName
		for i, r := range rows {
			if r.fields != nil && (all || r.Literal.Table == nil) {
				c.At(first + i).Blob(r.fields)
			}
		}
	}},
}

var messageFills = []columnFill{
	{name: schema.MessageColumn, needs: needsMessage, fill: func(_ *filling, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if r.message != nil {
				c.At(first + i).Blob(r.message)
			}
		}
	}},
}

// allEventsFills fill the columns that only the table of all events has.
var allEventsFills = []columnFill{
	{name: "header_table", fill: func(f *filling, c *columns.Column, _ int, rows []*row) {
		family, code := decode.Families, uint32(0)
		for i, v := 0, columns.More(&c.Codes, len(rows)); i < len(v); i++ {
			if r := rows[i]; int(r.Family) != family {
				family, code = int(r.Family), f.batch.Texts.Text(schema.HeaderTables()[r.Family].Name)
			}
			v[i] = code
		}
	}},
}

// sameKind reports whether all events are of one kind.
func sameKind(rows []*row) bool {
	for _, r := range rows {
		if r.Kind != rows[0].Kind {
			return false
		}
	}
	return true
}

func idOf(id uint32) int64 {
	if id == attribution.NoID {
		return columns.None
	}
	return int64(id)
}

// sourceCode returns the code of the name of where ids are from, or none.
func (f *filling) sourceCode(source attribution.Source) int64 {
	if source == attribution.FromNowhere {
		return columns.None
	}
	code := &f.sources[source]
	if *code == 0 {
		*code = int64(f.batch.Texts.Text(source.String())) + 1
	}
	return *code - 1
}

// processCode is the code of a process's name, one of a few that are remembered.
type processCode struct {
	process int32 // too large by one: 0 is no process
	code    int64
}

const processCodes = 64

// processCode returns the code of a process's name, or none.
func (f *filling) processCode(process int32) int64 {
	if process < 0 {
		return columns.None
	}
	at := &f.processes[process%processCodes]
	if at.process != process+1 {
		*at = processCode{process + 1, columns.None}
		if name := f.ctx.owners.Processes[process].Name; name != "" {
			at.code = int64(f.batch.Texts.Text(name))
		}
	}
	return at.code
}

// findProviders finds the codes of the GUIDs of a block's providers, or none.
func (f *filling) findProviders(rows []*row) {
	f.providers = slices.Grow(f.providers[:0], len(rows))[:len(rows)]
	for i, r := range rows {
		f.providers[i] = columns.None
		switch {
		case r.Family == decode.FamilySystem || r.Family == decode.FamilyPerfInfo:
			f.providers[i] = f.class(uint16(r.key.ID)).id
		case r.key.HasGUID:
			f.providers[i] = int64(f.batch.Texts.GUID(r.key.GUID))
		}
	}
}

// providerName returns the code of the name of an event's provider, or none; id is
// that of its GUID.
func (f *filling) providerName(r *row, id int64) int64 {
	switch {
	case id == columns.None:
		return columns.None
	case r.key.HasGUID:
		return f.nameOf(r.key.GUID, uint32(id))
	}
	return f.class(uint16(r.key.ID)).name
}

// nameOf returns the code of a provider's name, or none if it has none. In
// nameCodes 0 means "not yet asked"; other values are too large by one.
func (f *filling) nameOf(id schema.GUID, code uint32) int64 {
	for len(f.nameCodes) <= int(code) {
		f.nameCodes = append(f.nameCodes, 0)
	}
	if f.nameCodes[code] == 0 {
		f.nameCodes[code] = -1
		if name, ok := f.ctx.names.Provider(id); ok {
			f.nameCodes[code] = int64(f.batch.Texts.Text(name)) + 1
		}
	}
	if f.nameCodes[code] < 0 {
		return columns.None
	}
	return f.nameCodes[code] - 1
}

// eventName is the code of an event's name.
type eventName struct {
	event *schema.Event // of which it is
	code  int64
}

// eventNameOf returns the code of an event's name.
func (f *filling) eventNameOf(l *schema.Literal) int64 {
	if f.lastName.event == l.Event {
		return f.lastName.code
	}
	if f.eventNames == nil {
		f.eventNames = make([]eventName, len(f.ctx.Catalog.Tables)+1)
	}
	number := len(f.ctx.Catalog.Tables) // of events without a table
	if l.Table != nil {
		number = l.Table.Number
	}
	name := &f.eventNames[number]
	if name.event != l.Event {
		*name = eventName{l.Event, int64(f.batch.Texts.Text(l.Event.Name))}
	}
	f.lastName = *name
	return name.code
}
