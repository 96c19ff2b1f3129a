package pdbtest

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// stream returns the two parts of a module's stream.
func (m *Module) stream(names *texts) (symbols, lines []byte) {
	symbols = put(nil, uint32(4))
	for _, f := range m.Functions {
		symbols = f.record(symbols)
	}
	symbols = annotations(symbols, m.Annotations)
	symbols = append(symbols, m.Raw...)
	return symbols, m.lines(names)
}

// record appends the records of a function.
func (f *Function) record(symbols []byte) []byte {
	const endAt = 8
	start, kind := len(symbols), cmp.Or(f.Kind, Procedure)
	if kind == Thunk {
		symbols = record(symbols, kind, [12]byte{}, f.Offset, f.Section, uint16(f.Size), uint8(0), f.Name)
	} else {
		symbols = record(symbols, kind, [12]byte{}, f.Size, [12]byte{}, f.Offset, f.Section, uint8(0), f.Name)
	}
	symbols = annotations(symbols, f.Annotations)
	binary.LittleEndian.PutUint32(symbols[start+endAt:], uint32(len(symbols)))
	return record(symbols, 6) // S_END
}

// annotations appends the records of annotations.
func annotations(symbols []byte, all [][]string) []byte {
	for _, texts := range all {
		var content []byte
		for _, text := range texts {
			content = put(content, text)
		}
		symbols = record(symbols, annotationKind, uint32(0), uint16(1), uint16(len(texts)), content)
	}
	return symbols
}

// lines returns the line tables, and the list of files to which they refer.
func (m *Module) lines(names *texts) []byte {
	var b, checksums []byte
	at := make(map[string]uint32)
	for _, f := range m.Functions {
		if len(f.Lines) == 0 {
			continue
		}
		if _, ok := at[f.File]; !ok {
			at[f.File] = uint32(len(checksums))
			checksums = fill(put(checksums, names.add(f.File), uint8(0), uint8(0)))
		}
		content := put(nil, f.Offset, f.Section, uint16(0), f.Size)
		content = put(content, at[f.File], uint32(len(f.Lines)), uint32(12+8*len(f.Lines)))
		for _, l := range f.Lines {
			content = put(content, l.Offset, l.Number|1<<31)
		}
		b = put(b, uint32(linesKind), uint32(len(content)), content)
	}
	if len(checksums) > 0 {
		b = put(b, uint32(checksumsKind), uint32(len(checksums)), checksums)
	}
	return b
}

// dbi returns the DBI stream. sizes are those of the parts of each module.
func (p *PDB) dbi(sizes [][2]int) []byte {
	var modules []byte
	contributions := put(nil, uint32(contributionsV1))
	for i := range p.Modules {
		m := &p.Modules[i]
		modules = put(modules, uint32(0), [28]byte{}, uint16(0), uint16(firstModule+i), uint32(sizes[i][0]), uint32(0), uint32(sizes[i][1]), [16]byte{})
		modules = fill(put(modules, m.Name, m.Name))
		for _, f := range m.Functions {
			contributions = put(contributions, f.Section, uint16(0), f.Offset, f.Size, uint32(0), uint16(i), [10]byte{})
		}
	}
	const none = 0xFFFF
	debug := []uint16{none, none, none, none, none, sectionsStream, none, none, none, none, none}
	if p.OriginalSections != nil {
		debug[3], debug[4], debug[10] = toSourceStream, fromSourceStream, originalStream
	}
	b := put(nil, int32(-1), uint32(19990903), p.Age, uint16(none), uint16(0), uint16(publicsStream), uint16(0), uint16(recordsStream), uint16(0))
	b = put(b, uint32(len(modules)), uint32(len(contributions)), [16]byte{}, uint32(2*len(debug)), [12]byte{})
	return put(slices.Concat(b, modules, contributions), debug)
}
