package pdb

import (
	"cmp"
	"io"
	"iter"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// File is a PDB. It is safe for use from many goroutines.
type File struct {
	file          *container
	info          info
	dbi           dbi
	sections      sections
	toSource      omap // from addresses in the image to those for which symbols were written
	fromSource    omap
	contributions []contribution
	publics       func() ([]public, error)
	procedures    cache[*procedures]
	lines         cache[*moduleLines]
}

// Function is a named piece of code or, as a public symbol, of data.
type Function struct {
	// Name is the decorated name if a public symbol has it, else the name in the source.
	Name   string
	RVA    uint32 // of its first byte
	Size   uint32 // 0 if unknown, as for public symbols
	Public bool   // known as a public symbol only
}

// Open opens a PDB of size bytes. It fails if the file is not a PDB, or if its directory or its
// list of modules is damaged. Damage in a module or in the public symbols is reported when they are
// read.
func Open(r io.ReaderAt, size int64) (*File, error) {
	c, err := openContainer(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{file: c}
	f.publics = sync.OnceValues(f.readPublics)
	if f.info, err = readInfo(c.stream(infoStream)); err != nil {
		return nil, err
	}
	if f.dbi, err = readDBI(c.stream(dbiStream)); err != nil {
		return nil, err
	}
	if err := f.readAddresses(); err != nil {
		return nil, err
	}
	return f, nil
}

// readAddresses reads what is needed to compute addresses. A reordered image has maps, and the
// section headers from before the reordering.
func (f *File) readAddresses() (err error) {
	headers := f.dbi.debug[sectionHeaders]
	if to, from := f.dbi.debug[omapToSource], f.dbi.debug[omapFromSource]; f.dbi.debug[originalSections] != noStream && to != noStream && from != noStream {
		headers = f.dbi.debug[originalSections]
		if f.toSource, err = readOMAP(f.file.stream(to)); err != nil {
			return err
		}
		if f.fromSource, err = readOMAP(f.file.stream(from)); err != nil {
			return err
		}
	}
	if f.sections, err = readSections(f.file.stream(headers)); err != nil {
		return err
	}
	parts := f.dbi.contributions
	f.contributions, err = readContributions(f.file.stream(dbiStream), parts[0], parts[1], f.sections)
	return err
}

// ID returns the GUID and the age by which an image names its PDB.
func (f *File) ID() (schema.GUID, uint32) {
	if f.dbi.age != 0 {
		return f.info.guid, f.dbi.age
	}
	return f.info.guid, f.info.age
}

// Lookup returns the function at an address: the procedure that covers it, else the last public
// symbol at or before it in its section. If several public symbols are at one address, it returns
// the last in the linker's order, which is by name, as llvm-symbolizer does.
//
// An error means that a part of the file is damaged. A public symbol may still be found; then ok is
// true as well.
func (f *File) Lookup(rva uint32) (fn Function, ok bool, err error) {
	source, mapped := f.toSource.lookup(rva)
	in, inSection := f.sections.at(source)
	if !mapped || !inSection {
		return Function{}, false, nil
	}
	all, publicsErr := f.publics()
	list, found, ok := f.procedureAt(source)
	if ok {
		fn, err := f.function(list, found, all)
		return fn, err == nil, err
	}
	if list != nil {
		err = list.err
	}
	p, ok := publicBefore(all, source)
	if !ok || p.rva() < in.start {
		return Function{}, false, cmp.Or(err, publicsErr)
	}
	name, nameErr := f.publicName(p)
	fn, ok = f.moved(Function{Name: name, RVA: p.rva(), Public: true})
	return fn, ok && nameErr == nil, cmp.Or(err, publicsErr, nameErr)
}

// procedureAt returns the procedure at an address and the procedures of its module, which
// are nil if no module fills the address.
func (f *File) procedureAt(source uint32) (*procedures, procedure, bool) {
	number, ok := f.moduleAt(source)
	if !ok {
		return nil, procedure{}, false
	}
	list := f.procedures.get(number, f.readProcedures)
	found, ok := list.at(source)
	return list, found, ok
}

// function describes a procedure. A public symbol at its address has the decorated name.
func (f *File) function(list *procedures, p procedure, all []public) (Function, error) {
	fn := Function{RVA: p.start, Size: p.end - p.start}
	var err error
	if decorated, ok := publicBefore(all, p.start); ok && decorated.rva() == p.start {
		fn.Name, err = f.publicName(decorated)
	} else {
		fn.Name, err = list.nameOf(p)
	}
	fn, _ = f.moved(fn)
	return fn, err
}

// moved maps a function into the image. Its size is unknown if it is no longer in one piece. ok is
// false if the image does not contain it.
func (f *File) moved(fn Function) (Function, bool) {
	rva, ok := f.fromSource.lookup(fn.RVA)
	if fn.Size > 0 {
		last, lastOK := f.fromSource.lookup(fn.RVA + fn.Size - 1)
		if !lastOK || last-rva != fn.Size-1 {
			fn.Size = 0
		}
	}
	fn.RVA = rva
	return fn, ok
}

// Functions returns all procedures, with their names in the source, and then all public
// symbols of the image's sections. A damaged part of the file yields an error in place of
// its functions.
func (f *File) Functions() iter.Seq2[Function, error] {
	return func(yield func(Function, error) bool) {
		for number := range f.dbi.modules {
			if !f.moduleFunctions(number, yield) {
				return
			}
		}
		all, err := f.publics()
		if err != nil && !yield(Function{}, err) {
			return
		}
		for _, p := range all {
			name, err := f.publicName(p)
			fn, ok := f.moved(Function{Name: name, RVA: p.rva(), Public: true})
			if ok && !yield(fn, err) {
				return
			}
		}
	}
}

// moduleFunctions yields the procedures of a module, in the order of the file. It reports whether
// to continue.
func (f *File) moduleFunctions(number int, yield func(Function, error) bool) bool {
	goOn := true
	err := f.moduleRecords(number, func(_ stream, r record) bool {
		p, ok := f.procedure(r)
		if !ok {
			return true
		}
		fn, ok := f.moved(Function{Name: text(r.data[int(p.name)-recordHeadSize:]), RVA: p.start, Size: p.end - p.start})
		if ok {
			goOn = yield(fn, nil)
		}
		return goOn
	})
	if goOn && err != nil {
		goOn = yield(Function{}, err)
	}
	return goOn
}
