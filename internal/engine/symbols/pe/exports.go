package pe

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// The export table.
const (
	exportBaseAt  = 16 // the first ordinal
	functionsAt   = 20 // number
	namesAt       = 24 // number
	functionRVAAt = 28
	nameRVAAt     = 32
	ordinalRVAAt  = 36
	exportsSize   = 40

	maxExports = 1 << 16 // ordinals have 16 bits
	maxName    = 8 << 10 // twice what compilers write
)

// Export is an exported function or variable.
type Export struct {
	Name string // OrdinalN if it has only a number
	RVA  uint32
}

// export is an export whose name is not read yet.
type export struct {
	rva     uint32
	nameRVA uint32 // 0 if it has none
	ordinal uint32
}

// readExports reads the export table, without forwarders, which refer to another image. The result
// is sorted by address, and at one address by name, as the table is.
func (f *File) readExports() ([]export, error) {
	const where = "exports"
	if f.exportDir.size < exportsSize {
		return nil, nil
	}
	head, err := f.readRVA(f.exportDir.rva, exportsSize, where)
	if err != nil {
		return nil, err
	}
	functions, err := f.readRVA(u32(head, functionRVAAt), 4*min(int64(u32(head, functionsAt)), maxExports), where)
	if err != nil || len(functions) == 0 {
		return nil, err
	}
	list, named, err := f.namedExports(head, functions)
	for i := range len(functions) / 4 {
		rva := u32(functions, 4*i)
		if (i >= len(named) || !named[i]) && f.isOwn(rva) {
			list = append(list, export{rva: rva, ordinal: u32(head, exportBaseAt) + uint32(i)})
		}
	}
	slices.SortStableFunc(list, func(a, b export) int {
		return cmp.Or(cmp.Compare(a.rva, b.rva), cmp.Compare(min(a.nameRVA, 1), min(b.nameRVA, 1)))
	})
	return list, err
}

// namedExports returns the exports that have names, in the order of the table, and which
// functions these are.
func (f *File) namedExports(head, functions []byte) (list []export, named []bool, err error) {
	const where = "names of exports"
	count := min(int64(u32(head, namesAt)), maxExports)
	if count == 0 {
		return nil, nil, nil
	}
	names, err := f.readRVA(u32(head, nameRVAAt), 4*count, where)
	if err != nil {
		return nil, nil, err
	}
	ordinals, err := f.readRVA(u32(head, ordinalRVAAt), 2*count, where)
	if err != nil {
		return nil, nil, err
	}
	named = make([]bool, len(functions)/4)
	for i := range int(count) {
		function, name := int(u16(ordinals, 2*i)), u32(names, 4*i)
		if function >= len(named) || name == 0 {
			continue
		}
		named[function] = true
		if rva := u32(functions, 4*function); f.isOwn(rva) {
			list = append(list, export{rva: rva, nameRVA: name})
		}
	}
	return list, named, nil
}

// isOwn reports whether an export is in a section of the image and is not a forwarder. A
// forwarder's address is that of its target's name, in the export table.
func (f *File) isOwn(rva uint32) bool {
	if rva-f.exportDir.rva < f.exportDir.size {
		return false
	}
	_, ok := f.sectionAt(rva)
	return ok && rva != 0
}

// name reads the name of an export.
func (f *File) name(e export) (string, error) {
	if e.nameRVA == 0 {
		return fmt.Sprintf("Ordinal%d", e.ordinal), nil
	}
	return f.readText(e.nameRVA, maxName, "name of an export")
}

// Lookup returns the export at an address, or the last one before it in its section. If several are
// at one address, it returns the last by name, as package pdb does. An error means that the export
// table is damaged.
func (f *File) Lookup(rva uint32) (name string, functionRVA uint32, ok bool, err error) {
	list, err := f.exports()
	s, inSection := f.sectionAt(rva)
	i := sort.Search(len(list), func(i int) bool { return list[i].rva > rva }) - 1
	if !inSection || i < 0 || list[i].rva < s.start {
		return "", 0, false, err
	}
	name, nameErr := f.name(list[i])
	return name, list[i].rva, nameErr == nil, cmp.Or(err, nameErr)
}

// Exports returns all exports of the image itself, by address.
func (f *File) Exports() iter.Seq2[Export, error] {
	return func(yield func(Export, error) bool) {
		list, err := f.exports()
		if err != nil && !yield(Export{}, err) {
			return
		}
		for _, e := range list {
			name, err := f.name(e)
			if !yield(Export{name, e.rva}, err) {
				return
			}
		}
	}
}
