package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// moduleSignature begins a module's stream. Its symbols follow.
const (
	moduleSignature     = 4 // C13, since Visual C++ 7
	moduleSignatureSize = 4
)

// procedureForm says where a kind of record has its parts.
type procedureForm struct {
	size, offset, section, name int // positions in the content; those from the record's start are larger
	shortSize                   bool
}

// procedureForms are the records of procedures. S_THUNK32 is a jump that the linker made.
var (
	procedureForm32 = procedureForm{size: 12, offset: 28, section: 32, name: 35}
	procedureForms  = map[uint16]procedureForm{
		0x110f: procedureForm32, // S_LPROC32
		0x1110: procedureForm32, // S_GPROC32
		0x1146: procedureForm32, // S_LPROC32_ID
		0x1147: procedureForm32, // S_GPROC32_ID
		0x1155: procedureForm32, // S_LPROC32_DPC
		0x1156: procedureForm32, // S_LPROC32_DPC_ID
		0x1102: {size: 18, offset: 12, section: 16, name: 21, shortSize: true},
	}
)

// procedure is a procedure of a module, with the half-open range [start, end).
type procedure struct {
	start, end uint32
	reach      uint32 // the furthest end of this and all before it
	record     uint32 // offset in the module's stream
	name       uint16 // offset in the record
}

// procedures are the procedures of a module, sorted by address. If two have the same start, the
// first in the file is last.
type procedures struct {
	stream stream
	list   []procedure
	err    error // where the module is damaged; list has what comes before
}

func (p *procedures) weight() int { return 64 + 20*len(p.list) }

// symbolsOf returns the stream of a module and the end of its symbols, which begin after
// the signature. A module without symbols has an empty range.
func (f *File) symbolsOf(number int) (s stream, end int64, err error) {
	m := f.dbi.modules[number]
	if m.stream == noStream || m.symbols < moduleSignatureSize {
		return stream{}, moduleSignatureSize, nil
	}
	const where = "module symbols"
	s = f.file.stream(int(m.stream))
	head, err := s.read(0, moduleSignatureSize, where)
	if err != nil {
		return s, moduleSignatureSize, err
	}
	if u32(head, 0) != moduleSignature {
		return s, moduleSignatureSize, s.wrong(0, where, ErrUnsupported)
	}
	if int64(m.symbols) > s.size {
		err = s.wrong(s.size, where, ErrTruncated)
	}
	return s, min(int64(m.symbols), s.size), err
}

// moduleRecords calls use for each symbol record of a module, until it returns false.
func (f *File) moduleRecords(number int, use func(stream, record) bool) error {
	s, end, err := f.symbolsOf(number)
	walked := s.records(moduleSignatureSize, end, "module symbols", func(r record) bool { return use(s, r) })
	if err != nil {
		return err
	}
	return walked
}

// readProcedures reads the procedures of a module.
func (f *File) readProcedures(number int) *procedures {
	p := new(procedures)
	p.err = f.moduleRecords(number, func(s stream, r record) bool {
		p.stream = s
		if found, ok := f.procedure(r); ok {
			p.list = append(p.list, found)
		}
		return true
	})
	slices.SortFunc(p.list, func(a, b procedure) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.record, a.record))
	})
	reach := uint32(0)
	for i := range p.list {
		reach = max(reach, p.list[i].end)
		p.list[i].reach = reach
	}
	p.list = slices.Clip(p.list)
	return p
}

// procedure returns the procedure in a record, if the record is a procedure's and lies in the
// image.
func (f *File) procedure(r record) (procedure, bool) {
	form, ok := procedureForms[r.kind]
	if !ok || len(r.data) < form.name {
		return procedure{}, false
	}
	size := uint32(u16(r.data, form.size))
	if !form.shortSize {
		size = u32(r.data, form.size)
	}
	start, ok := f.sections.rva(u16(r.data, form.section), u32(r.data, form.offset))
	return procedure{start: start, end: addSize(start, size), record: uint32(r.at), name: uint16(recordHeadSize + form.name)}, ok
}

// at returns the procedure that covers an address; if several do, the one that begins last.
func (p *procedures) at(rva uint32) (procedure, bool) {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].start > rva }) - 1
	for ; i >= 0 && p.list[i].reach > rva; i-- {
		if p.list[i].end > rva {
			return p.list[i], true
		}
	}
	return procedure{}, false
}

// nameOf reads the name of a procedure.
func (p *procedures) nameOf(of procedure) (string, error) {
	return p.stream.nameAt(int64(of.record), int(of.name), "procedure")
}
