package fixed

import (
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// lifeFills fill the columns that say when an entity existed. began and ended name the times.
func lifeFills[T any](began, ended string, of func(T) *attribution.Life) []columnFill[T] {
	return []columnFill[T]{
		{began + "_time", func(c *cell, v T) { c.time(of(v).From, of(v).Started) }},
		{began + "_ns", func(c *cell, v T) { c.nano(of(v).From, of(v).Started) }},
		{ended + "_time", func(c *cell, v T) { c.time(of(v).To, of(v).Ended) }},
		{ended + "_ns", func(c *cell, v T) { c.nano(of(v).To, of(v).Ended) }},
		{"valid_from_ns", func(c *cell, v T) { c.nano(of(v).From, of(v).HasFrom()) }},
		{"valid_to_ns", func(c *cell, v T) { c.nano(of(v).To, of(v).HasTo()) }},
		{"known_from", func(c *cell, v T) { c.listOf(uint64(of(v).Sources), of(v).Sources.Names) }},
	}
}

// pointers returns the addresses of elements, from which rows are made.
func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// processRow is a process with its index and that of its parent, or -1, in the tables.
type processRow struct {
	*attribution.Process
	index, parent int
}

type processFill = columnFill[*processRow]

var processFills = slices.Concat([]processFill{
	{"process_id", func(c *cell, p *processRow) { c.int(int64(p.ID)) }},
	{"process_ref", func(c *cell, p *processRow) { c.int(c.x.Tables().Ref(p.index)) }},
	{"parent_process_id", func(c *cell, p *processRow) { c.intIf(int64(p.Parent), p.HasParent) }},
	{"parent_process_ref", func(c *cell, p *processRow) {
		if p.parent >= 0 {
			c.int(c.x.Tables().Ref(p.parent))
		}
	}},
	{"parent_process_name", func(c *cell, p *processRow) {
		if p.parent >= 0 {
			c.known(c.x.Tables().Processes[p.parent].Name)
		}
	}},
	{"unique_process_key", func(c *cell, p *processRow) {
		if p.Key != 0 {
			c.text("0x" + strconv.FormatUint(p.Key, 16)) // as decode.AppendText writes it in the events
		}
	}},
	{"process_name", func(c *cell, p *processRow) { c.known(p.Name) }},
	{"image_path", func(c *cell, p *processRow) { c.known(c.x.Tables().DOSPath(p.Path)) }},
	{"command_line", func(c *cell, p *processRow) { c.known(p.CommandLine) }},
	{"package_full_name", func(c *cell, p *processRow) { c.known(p.Package) }},
	{"application_id", func(c *cell, p *processRow) { c.known(p.Application) }},
	{"user_sid", func(c *cell, p *processRow) {
		if p.SID != "" {
			c.text(string(decode.AppendSID(nil, []byte(p.SID))))
		}
	}},
	{"session_id", func(c *cell, p *processRow) { c.intIf(int64(p.Session), p.HasSession) }},
	{"exit_code", func(c *cell, p *processRow) { c.intIf(int64(p.ExitStatus), p.HasExit && p.Ended) }},
	{"is_32_bit", func(c *cell, p *processRow) {
		if is, known := p.Is32Bit(); known {
			c.bool(is)
		}
	}},
	{"first_seen_ns", func(c *cell, p *processRow) { c.nano(p.First, true) }},
}, lifeFills("start", "end", func(p *processRow) *attribution.Life { return &p.Life }))

// Processes makes rows of the table processes.
func Processes(x *index.Index, from, to int) *columns.Batch {
	t := x.Tables()
	list := make([]processRow, to-from)
	for i := range list {
		p := &t.Processes[from+i]
		list[i] = processRow{p, from + i, t.Parent(p)}
	}
	return fillTable(x, schema.Processes, processFills, pointers(list))
}

// processName writes the name of the process that an entity belongs to.
func (c *cell) processName(id uint32, l *attribution.Life) { c.known(c.processOf(id, l).name) }

// processRef writes the key of the process that an entity belongs to, or null if it is unknown.
func (c *cell) processRef(id uint32, l *attribution.Life) {
	if p := c.processOf(id, l); p.index >= 0 {
		c.int(c.x.Tables().Ref(p.index))
	}
}

// processOf returns the process that an entity belongs to.
func (c *cell) processOf(id uint32, l *attribution.Life) *processAnswer {
	at := l.From
	if !l.Started { // the id may have meant another process before
		at = l.To
		if !l.Ended {
			at = min(l.To, c.x.Last)
		}
	}
	if a := &c.process; !a.any || a.id != id || at < a.from || at > a.to {
		*a = processAnswer{id: id, from: at, to: at, index: -1, any: true}
		if i := c.x.Tables().Process(id, at); i >= 0 {
			p := &c.x.Tables().Processes[i]
			a.from, a.to, a.index, a.name = p.From, max(p.To, at), i, p.Name
		}
	}
	return &c.process
}

// processAnswer is the process that has an id in an interval of time.
type processAnswer struct {
	id       uint32
	from, to decode.Ticks
	index    int // in the tables, or -1
	name     string
	any      bool
}

type threadFill = columnFill[*attribution.Thread]

var threadFills = slices.Concat([]threadFill{
	{"thread_id", func(c *cell, t *attribution.Thread) { c.int(int64(t.ID)) }},
	{"process_id", func(c *cell, t *attribution.Thread) { c.int(int64(t.Process)) }},
	{"process_ref", func(c *cell, t *attribution.Thread) { c.processRef(t.Process, &t.Life) }},
	{"process_name", func(c *cell, t *attribution.Thread) { c.processName(t.Process, &t.Life) }},
	{"thread_name", func(c *cell, t *attribution.Thread) { c.known(c.x.Tables().ThreadName(t)) }},
	{"start_address", func(c *cell, t *attribution.Thread) { c.address(t.Start) }},
	{"base_priority", func(c *cell, t *attribution.Thread) { c.intIf(int64(t.BasePriority), t.HasPriority) }},
}, lifeFills("start", "end", func(t *attribution.Thread) *attribution.Life { return &t.Life }))

// Threads makes rows of the table threads.
func Threads(x *index.Index, from, to int) *columns.Batch {
	return fillTable(x, schema.Threads, threadFills, pointers(x.Tables().Threads[from:to]))
}

type imageFill = columnFill[*attribution.Image]

var imageFills = slices.Concat([]imageFill{
	{"process_id", func(c *cell, m *attribution.Image) { c.int(int64(m.Process)) }},
	{"process_ref", func(c *cell, m *attribution.Image) { c.processRef(m.Process, &m.Life) }},
	{"process_name", func(c *cell, m *attribution.Image) { c.processName(m.Process, &m.Life) }},
	{"image_base", func(c *cell, m *attribution.Image) { c.int(int64(m.Base)) }}, // by its bits
	{"image_size", func(c *cell, m *attribution.Image) { c.int(int64(m.Size)) }},
	{"image_name", func(c *cell, m *attribution.Image) { c.known(attribution.BaseName(m.Path)) }},
	{"image_path", func(c *cell, m *attribution.Image) { c.known(c.x.Tables().DOSPath(m.Path)) }},
	{"checksum", func(c *cell, m *attribution.Image) { c.intIf(int64(m.Checksum), m.Checksum != 0) }},
	{"time_date_stamp", func(c *cell, m *attribution.Image) { c.intIf(int64(m.TimeStamp), m.TimeStamp != 0) }},
	{"pdb_name", func(c *cell, m *attribution.Image) {
		if m.Debug >= 0 {
			c.known(c.x.Tables().Debug[m.Debug].PDB)
		}
	}},
	{"pdb_guid", func(c *cell, m *attribution.Image) {
		if m.Debug >= 0 {
			c.text(c.x.Tables().Debug[m.Debug].GUID.String())
		}
	}},
	{"pdb_age", func(c *cell, m *attribution.Image) {
		if m.Debug >= 0 {
			c.int(int64(c.x.Tables().Debug[m.Debug].Age))
		}
	}},
	{"file_version", func(c *cell, m *attribution.Image) {
		if m.Version >= 0 {
			c.known(c.x.Tables().Versions[m.Version].Version)
		}
	}},
	{"product_name", func(c *cell, m *attribution.Image) {
		if m.Version >= 0 {
			c.known(c.x.Tables().Versions[m.Version].Product)
		}
	}},
	{"company_name", func(c *cell, m *attribution.Image) {
		if m.Version >= 0 {
			c.known(c.x.Tables().Versions[m.Version].Company)
		}
	}},
}, lifeFills("load", "unload", func(m *attribution.Image) *attribution.Life { return &m.Life }))

// Images makes rows of the table images.
func Images(x *index.Index, from, to int) *columns.Batch {
	return fillTable(x, schema.Images, imageFills, pointers(x.Tables().Images[from:to]))
}

type fileFill = columnFill[*attribution.File]

var fileFills = slices.Concat([]fileFill{
	{"file_object", func(c *cell, f *attribution.File) { c.int(int64(f.Object)) }}, // by its bits
	{"file_name", func(c *cell, f *attribution.File) { c.text(c.x.Tables().DOSPath(f.Path)) }},
	{"first_seen_ns", func(c *cell, f *attribution.File) { c.nano(f.First, true) }},
	{"last_seen_ns", func(c *cell, f *attribution.File) { c.nano(f.Last, true) }},
}, lifeFills("open", "close", func(f *attribution.File) *attribution.Life { return &f.Life }))

// Files makes rows of the table files.
func Files(x *index.Index, from, to int) *columns.Batch {
	return fillTable(x, schema.Files, fileFills, pointers(x.Tables().Files[from:to]))
}
