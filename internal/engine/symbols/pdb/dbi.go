package pdb

import "bytes"

// The header of the DBI stream. The sizes of its parts are in the order of the parts.
const (
	dbiSignature    = 0xFFFFFFFF
	dbiAgeAt        = 8
	dbiPublicsAt    = 16 // number of the stream
	dbiRecordsAt    = 20 // number of the stream
	dbiSizesAt      = 24 // modules, contributions, section map, sources, type servers
	dbiDebugSizeAt  = 48
	dbiEditSizeAt   = 52 // edit and continue; it precedes the debug streams
	dbiHeaderSize   = 64
	dbiFirstParts   = 5
	modulesPart     = 0
	contributesPart = 1
)

// The streams that the debug header lists, 2 bytes each.
const (
	omapToSource     = 3
	omapFromSource   = 4
	sectionHeaders   = 5
	originalSections = 10
	debugStreams     = 11
)

// dbi is the content of the DBI stream, except for the contributions.
type dbi struct {
	age              uint32
	publics, records int
	debug            [debugStreams]int
	modules          []module
	contributions    [2]int64 // range in the stream
}

// module is what the linker calls a compiland, usually an object file.
type module struct {
	stream              uint16
	symbols, c11, lines uint32 // bytes of the parts of the stream
}

// The start of a module in the DBI stream. Two texts follow it.
const (
	moduleStreamAt = 34
	moduleSizesAt  = 36
	moduleNamesAt  = 64
)

// readDBI reads the DBI stream. It may be missing, as in the PDB of a library.
func readDBI(s stream) (dbi, error) {
	const where = "DBI header"
	d := dbi{publics: noStream, records: noStream}
	for i := range d.debug {
		d.debug[i] = noStream
	}
	if s.size == 0 {
		return d, nil
	}
	head, err := s.read(0, dbiHeaderSize, where)
	if err != nil {
		return d, err
	}
	if u32(head, 0) != dbiSignature {
		return d, s.wrong(0, where, ErrUnsupported)
	}
	d.age, d.publics, d.records = u32(head, dbiAgeAt), int(u16(head, dbiPublicsAt)), int(u16(head, dbiRecordsAt))
	var ends [dbiFirstParts]int64
	end := int64(dbiHeaderSize)
	for i := range ends {
		size := u32(head, dbiSizesAt+4*i)
		end += int64(size)
		ends[i] = end
	}
	debugAt, debugSize := end+int64(u32(head, dbiEditSizeAt)), int64(u32(head, dbiDebugSizeAt))
	if debugAt+debugSize > s.size {
		return d, s.wrong(dbiSizesAt, where, ErrTruncated)
	}
	d.contributions = [2]int64{ends[modulesPart], ends[contributesPart]}
	if err := d.readDebugStreams(s, debugAt, debugSize); err != nil {
		return d, err
	}
	return d, d.readModules(s, dbiHeaderSize, ends[modulesPart])
}

// readDebugStreams reads the numbers of streams in the debug header.
func (d *dbi) readDebugStreams(s stream, at, size int64) error {
	list, err := s.read(at, min(size, 2*debugStreams), "debug header")
	for i := 0; i < len(list)/2; i++ {
		d.debug[i] = int(u16(list, 2*i))
	}
	return err
}

// readModules reads the list of modules. Each has a stream of its own. A module that shares the
// stream of another counts as one without a stream, so that no stream is read many times.
func (d *dbi) readModules(s stream, from, to int64) error {
	const where = "modules"
	data, err := s.read(from, to-from, where)
	if err != nil {
		return err
	}
	used := make(map[uint16]bool)
	for at := 0; at < len(data); {
		rest := data[at:]
		if len(rest) < moduleNamesAt {
			return s.wrong(from+int64(at), where, ErrTruncated)
		}
		m := module{u16(rest, moduleStreamAt), u32(rest, moduleSizesAt), u32(rest, moduleSizesAt+4), u32(rest, moduleSizesAt+8)}
		if used[m.stream] {
			m.stream = noStream
		}
		used[m.stream] = true
		d.modules = append(d.modules, m)
		end := moduleNamesAt
		for range 2 { // the names of the module and of its file
			n := bytes.IndexByte(rest[end:], 0)
			if n < 0 {
				return s.wrong(from+int64(at+end), where, ErrTruncated)
			}
			end += n + 1
		}
		at += (end + 3) &^ 3
	}
	return nil
}
