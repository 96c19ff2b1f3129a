package fixed

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// known writes a text, or null for none.
func (w *rowWriter) known(name, v string) { w.textUnless(name, v, v == "") }

// intIf writes a number, or null where it is not known.
func (w *rowWriter) intIf(name string, v int64, known bool) {
	if known {
		w.int(name, v)
	}
}

func (w *rowWriter) uint(name string, v uint64) { w.column(name).Uint64(v) }

// address writes an address, or null for 0.
func (w *rowWriter) address(name string, v uint64) {
	if v != 0 {
		w.uint(name, v)
	}
}

// life writes the columns that say when something was there.
func (w *rowWriter) life(x *index.Index, l *attribution.Life, began, ended string) {
	w.moment(x, began, l.From, l.Started)
	w.moment(x, ended, l.To, l.Ended)
	w.intIf("valid_from_ns", x.Clock.UnixNano(l.From), l.From != decode.MinTicks)
	w.intIf("valid_to_ns", x.Clock.UnixNano(l.To), l.To != decode.MaxTicks)
	w.texts("known_from", l.Sources.Names())
}

func (w *rowWriter) moment(x *index.Index, name string, t decode.Ticks, known bool) {
	if known {
		w.ticks(name+"_time", &x.Clock, t)
		w.int(name+"_ns", x.Clock.UnixNano(t))
	}
}

// Processes makes rows of the table processes.
func Processes(x *index.Index, from, to int) *columns.Batch {
	w := newRowWriter(schema.Processes)
	for i := from; i < to; i++ {
		p := &x.Tables().Processes[i]
		w.int("process_id", int64(p.ID))
		w.intIf("parent_process_id", int64(p.Parent), p.HasParent)
		w.address("unique_process_key", p.Key)
		w.known("process_name", p.Name)
		w.known("image_path", x.Tables().DOSPath(p.Path))
		w.known("command_line", p.CommandLine)
		w.known("package_full_name", p.Package)
		w.known("application_id", p.Application)
		if p.SID != "" {
			w.text("user_sid", string(decode.AppendSID(nil, []byte(p.SID))))
		}
		w.intIf("session_id", int64(p.Session), p.HasSession)
		w.intIf("exit_code", int64(p.ExitStatus), p.HasExit && p.Ended)
		if is, known := p.Is32Bit(); known {
			w.bool("is_32_bit", is)
		}
		w.life(x, &p.Life, "start", "end")
		w.next()
	}
	return w.batch
}

// processName writes the name of the process that something belongs to.
func (w *rowWriter) processName(x *index.Index, id uint32, l *attribution.Life) {
	at := l.From
	if !l.Started { // the id may have had another meaning before
		at = l.To
		if !l.Ended {
			at = min(l.To, x.Last)
		}
	}
	if i := x.Tables().Process(id, at); i >= 0 {
		w.known("process_name", x.Tables().Processes[i].Name)
	}
}

// Threads makes rows of the table threads.
func Threads(x *index.Index, from, to int) *columns.Batch {
	w := newRowWriter(schema.Threads)
	for i := from; i < to; i++ {
		t := &x.Tables().Threads[i]
		w.int("thread_id", int64(t.ID))
		w.int("process_id", int64(t.Process))
		w.processName(x, t.Process, &t.Life)
		w.known("thread_name", x.Tables().ThreadName(t))
		w.address("start_address", t.Start)
		w.intIf("base_priority", int64(t.BasePriority), t.HasPriority)
		w.life(x, &t.Life, "start", "end")
		w.next()
	}
	return w.batch
}

// Images makes rows of the table images.
func Images(x *index.Index, from, to int) *columns.Batch {
	w := newRowWriter(schema.Images)
	for i := from; i < to; i++ {
		m := &x.Tables().Images[i]
		w.int("process_id", int64(m.Process))
		w.processName(x, m.Process, &m.Life)
		w.uint("image_base", m.Base)
		w.uint("image_size", m.Size)
		w.known("image_name", attribution.BaseName(m.Path))
		w.known("image_path", x.Tables().DOSPath(m.Path))
		w.intIf("checksum", int64(m.Checksum), m.Checksum != 0)
		w.intIf("time_date_stamp", int64(m.TimeStamp), m.TimeStamp != 0)
		if m.Debug >= 0 {
			d := &x.Tables().Debug[m.Debug]
			w.known("pdb_name", d.PDB)
			w.guid("pdb_guid", d.GUID)
			w.int("pdb_age", int64(d.Age))
		}
		if m.Version >= 0 {
			v := &x.Tables().Versions[m.Version]
			w.known("file_version", v.Version)
			w.known("product_name", v.Product)
			w.known("company_name", v.Company)
		}
		w.life(x, &m.Life, "load", "unload")
		w.next()
	}
	return w.batch
}

// Files makes rows of the table files.
func Files(x *index.Index, from, to int) *columns.Batch {
	w := newRowWriter(schema.Files)
	for i := from; i < to; i++ {
		f := &x.Tables().Files[i]
		w.uint("file_object", f.Object)
		w.text("file_name", x.Tables().DOSPath(f.Path))
		w.int("first_seen_ns", x.Clock.UnixNano(f.First))
		w.int("last_seen_ns", x.Clock.UnixNano(f.Last))
		w.life(x, &f.Life, "open", "close")
		w.next()
	}
	return w.batch
}
