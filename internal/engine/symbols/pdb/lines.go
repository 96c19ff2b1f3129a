package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// The subsections of a module's C13 part: kind, size, content, filled up to 4 bytes.
const (
	subsectionHeadSize = 8
	subsectionIgnored  = 0x80000000
	linesKind          = 0xf2
	checksumsKind      = 0xf4
)

// DEBUG_S_LINES: offset, section, flags, bytes of code; then blocks of lines, one for
// each file in turn.
const (
	linesSectionAt = 4
	linesCodeAt    = 8
	linesHeadSize  = 12

	blockLinesAt  = 4 // number of lines
	blockHeadSize = 12
	lineSize      = 8 // offset of the code from the start of the range, line and flags
	lineMask      = 0x00FFFFFF
)

// Numbers of lines by which compilers mark code without a source.
const (
	alwaysStepInto = 0xfeefee
	neverStepInto  = 0xf00f00
)

// The stream /names: a head, then texts to which offsets refer.
const namesHeadSize = 12

// lineRange is a range of code whose lines are in one subsection.
type lineRange struct {
	start, end uint32
	at         int64  // of the blocks, in the module's stream
	size       uint32 // of the blocks
}

// moduleLines is the index of a module's lines.
type moduleLines struct {
	stream        stream
	ranges        []lineRange // sorted by their starts; no two overlap
	checksums     int64       // position in the stream
	checksumsSize int64
	err           error // where the module is damaged; ranges has what comes before
}

func (m *moduleLines) weight() int { return 64 + 24*len(m.ranges) }

// Line returns the source file and the line of the code at an address, if known.
func (f *File) Line(rva uint32) (file string, line int, ok bool, err error) {
	source, mapped := f.toSource.lookup(rva)
	number, inModule := f.moduleAt(source)
	if !mapped || !inModule {
		return "", 0, false, nil
	}
	m := f.lines.get(number, f.readLines)
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].start > source }) - 1
	if i < 0 || source >= m.ranges[i].end {
		return "", 0, false, m.err
	}
	found, err := m.line(m.ranges[i], source)
	if err != nil || found.number == 0 {
		return "", 0, false, err
	}
	file, err = f.sourceName(m, found.file)
	return file, found.number, err == nil, err
}

// readLines finds the lines of a module.
func (f *File) readLines(number int) *moduleLines {
	m := &moduleLines{}
	of := f.dbi.modules[number]
	if of.stream == noStream || of.lines == 0 {
		return m
	}
	m.stream = f.file.stream(int(of.stream))
	from := int64(of.symbols) + int64(of.c11)
	m.err = f.subsections(m, from, from+int64(of.lines))
	slices.SortStableFunc(m.ranges, func(a, b lineRange) int { return cmp.Compare(a.start, b.start) })
	end := uint32(0)
	m.ranges = slices.Clip(slices.DeleteFunc(m.ranges, func(r lineRange) bool {
		overlaps := r.start < end
		if !overlaps {
			end = r.end
		}
		return overlaps
	}))
	return m
}

// subsections lists the subsections between two positions of a module's stream.
func (f *File) subsections(m *moduleLines, from, to int64) error {
	const where = "module lines"
	var head [subsectionHeadSize + linesHeadSize]byte
	for from+subsectionHeadSize <= to {
		n := min(int64(len(head)), to-from)
		if err := m.stream.readAt(head[:n], from, where); err != nil {
			return err
		}
		kind, size := u32(head[:], 0), int64(u32(head[:], 4))
		content := from + subsectionHeadSize
		if size > to-content {
			return m.stream.wrong(from, where, ErrTruncated)
		}
		switch {
		case kind&subsectionIgnored != 0:
		case kind == checksumsKind:
			m.checksums, m.checksumsSize = content, size
		case kind == linesKind && size >= linesHeadSize:
			lines := head[subsectionHeadSize:]
			start, ok := f.sections.rva(u16(lines, linesSectionAt), u32(lines, 0))
			r := lineRange{start, addSize(start, u32(lines, linesCodeAt)), content + linesHeadSize, uint32(size - linesHeadSize)}
			if ok && r.start < r.end {
				m.ranges = append(m.ranges, r)
			}
		}
		from = content + (size+3)&^3
	}
	return nil
}

// sourceLine is a line of a file, which is an offset in the module's checksums. The
// number is 0 if code has no line.
type sourceLine struct {
	file   uint32
	number int
}

// line finds the line of an address in its range: the last line that begins before it, or the first
// line at it. A prologue without lines belongs to the first line, because compilers omit its lines.
// Blocks need not be in the order of addresses. All this matches llvm-symbolizer.
func (m *moduleLines) line(in lineRange, rva uint32) (sourceLine, error) {
	const where = "lines"
	data, err := m.stream.read(in.at, int64(in.size), where)
	if err != nil {
		return sourceLine{}, err
	}
	found := nearestLine{at: rva - in.start}
	for at := 0; len(data)-at >= blockHeadSize; {
		file, lines, size := u32(data, at), int64(u32(data, at+blockLinesAt)), int64(u32(data, at+8))
		if size < blockHeadSize || size > int64(len(data)-at) || lines > (size-blockHeadSize)/lineSize {
			return sourceLine{}, m.stream.wrong(in.at+int64(at), where, corrupt("a block of %d bytes with %d lines", size, lines))
		}
		for i := range int(lines) {
			entry := data[at+blockHeadSize+lineSize*i:]
			found.add(u32(entry, 0), sourceLine{file, int(u32(entry, 4) & lineMask)})
		}
		at += int(size)
	}
	if found.number == alwaysStepInto || found.number == neverStepInto {
		return sourceLine{}, nil
	}
	return found.sourceLine, nil
}

// nearestLine finds the line of an address among those added.
type nearestLine struct {
	sourceLine
	at     uint32 // the address, from the start of the range
	offset uint32 // at which the line begins
	some   bool
}

// add adds a line that begins at an offset.
func (n *nearestLine) add(offset uint32, line sourceLine) {
	better := offset > n.offset
	switch {
	case !n.some:
		better = true
	case offset > n.at: // only if no line was added before
		better = n.offset > n.at && offset < n.offset
	case n.offset > n.at:
		better = true
	case offset == n.offset:
		better = offset < n.at
	}
	if better {
		n.sourceLine, n.offset, n.some = line, offset, true
	}
}

// sourceName returns the name of a file, which the module's checksums refer to.
func (f *File) sourceName(m *moduleLines, file uint32) (string, error) {
	var ref [4]byte
	if int64(file) > m.checksumsSize-int64(len(ref)) {
		return "", m.stream.wrong(m.checksums+int64(file), "file checksums", ErrTruncated)
	}
	if err := m.stream.readAt(ref[:], m.checksums+int64(file), "file checksums"); err != nil {
		return "", err
	}
	return f.file.stream(f.info.names).textAt(namesHeadSize+int64(u32(ref[:], 0)), "names of source files")
}

// textAt returns the text at a position, which ends with zero.
func (s stream) textAt(at int64, where string) (string, error) {
	const longest = 32 << 10 // longer than any path of Windows
	for size := int64(256); ; size *= 4 {
		data, err := s.read(at, min(size, max(s.size-at, 0)), where)
		if err != nil {
			return "", err
		}
		if slices.Contains(data, 0) {
			return text(data), nil
		}
		if int64(len(data)) < size || size > longest {
			return "", s.wrong(at, where, corrupt("a text without an end"))
		}
	}
}
