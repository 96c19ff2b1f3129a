package sevenzip

// Properties in a header.
const (
	idEnd           = 0x00
	idHeader        = 0x01
	idMainStreams   = 0x04
	idFiles         = 0x05
	idPackInfo      = 0x06
	idUnpackInfo    = 0x07
	idSubStreams    = 0x08
	idSize          = 0x09
	idCRC           = 0x0a
	idFolder        = 0x0b
	idUnpackSizes   = 0x0c
	idStreamCounts  = 0x0d
	idEmptyStreams  = 0x0e
	idEmptyFiles    = 0x0f
	idNames         = 0x11
	idModified      = 0x14
	idAttributes    = 0x15
	idEncodedHeader = 0x17
)

// The limits of 7-Zip itself for a folder.
const (
	maxCoders  = 32
	maxStreams = 32
)

// streams are the packed streams and the folders made of them.
type streams struct {
	packed  []int64 // sizes
	start   int64   // of the first packed stream, after the signature header
	folders []folder
}

type folder struct {
	coders   []coder
	binds    []bind
	packed   []int   // inputs that are packed streams
	first    int     // index in streams.packed of the first one
	unpacked []int64 // sizes of the outputs
	crc      checksum

	files     int     // number of files in it
	sizes     []int64 // of them
	checksums []checksum
}

type coder struct {
	id         uint64
	inputs     int
	outputs    int
	properties []byte
}

// bind says that an input of a coder is the output of another.
type bind struct{ input, output int }

type checksum struct {
	known bool
	value uint32
}

// readStreams reads a StreamsInfo up to its end mark.
func readStreams(c *cursor, limits Limits) streams {
	var s streams
	id := c.byte()
	if id == idPackInfo {
		s.readPackInfo(c)
		id = c.byte()
	}
	if id == idUnpackInfo {
		s.readUnpackInfo(c, limits)
		id = c.byte()
	}
	for i := range s.folders {
		s.folders[i].files = 1
	}
	if id == idSubStreams {
		s.readSubStreams(c, limits)
		id = c.byte()
	} else {
		s.oneFileEach()
	}
	c.end(id, "the streams")
	return s
}

func (s *streams) readPackInfo(c *cursor) {
	s.start = c.size()
	n := c.count(c.left(), "packed streams")
	id := c.byte()
	if id == idSize {
		for range n {
			s.packed = append(s.packed, c.size())
		}
		id = c.byte()
	}
	if id == idCRC {
		readChecksums(c, n)
		id = c.byte()
	}
	c.end(id, "the packed streams")
}

func readChecksums(c *cursor, n int) []checksum {
	defined := c.defined(n)
	if c.err != nil {
		return nil
	}
	sums := make([]checksum, n)
	for i := range sums {
		if defined[i] {
			sums[i] = checksum{true, c.uint32()}
		}
	}
	return sums
}

func (s *streams) readUnpackInfo(c *cursor, limits Limits) {
	if id := c.byte(); id != idFolder {
		c.fail("property %#x where folders are expected", id)
	}
	n := c.files(limits) // a folder has at least a file
	if external := c.byte(); external != 0 {
		c.fail("folders that are elsewhere")
	}
	packed := 0
	for i := 0; i < n && c.err == nil; i++ {
		f := readFolder(c)
		f.first = packed
		packed += len(f.packed)
		s.folders = append(s.folders, f)
	}
	if packed > len(s.packed) {
		c.fail("folders of %d packed streams, where %d are", packed, len(s.packed))
	}
	c.end(c.byte()-idUnpackSizes, "the folders")
	for i := range s.folders {
		f := &s.folders[i]
		for _, coder := range f.coders {
			for range coder.outputs {
				f.unpacked = append(f.unpacked, c.size())
			}
		}
	}
	id := c.byte()
	if id == idCRC {
		for i, sum := range readChecksums(c, len(s.folders)) {
			s.folders[i].crc = sum
		}
		id = c.byte()
	}
	c.end(id, "the folders")
}

func readFolder(c *cursor) folder {
	var f folder
	inputs, outputs := 0, 0
	for range c.count(maxCoders, "coders") {
		coder := readCoder(c)
		f.coders = append(f.coders, coder)
		inputs += coder.inputs
		outputs += coder.outputs
	}
	if outputs == 0 || inputs < outputs {
		c.fail("a folder of %d inputs and %d outputs", inputs, outputs)
		return f
	}
	bound := make(map[int]bool)
	for range outputs - 1 {
		b := bind{c.count(inputs-1, "as an input"), c.count(outputs-1, "as an output")}
		bound[b.input] = true
		f.binds = append(f.binds, b)
	}
	if n := inputs - len(f.binds); n > 1 {
		for range n {
			f.packed = append(f.packed, c.count(inputs-1, "as an input"))
		}
		return f
	}
	for i := range inputs {
		if !bound[i] {
			f.packed = append(f.packed, i)
		}
	}
	if len(f.packed) != 1 {
		c.fail("a folder with %d inputs that are not bound", len(f.packed))
	}
	return f
}

func readCoder(c *cursor) coder {
	const (
		idSizeMask    = 0x0f
		isComplex     = 0x10
		hasProperties = 0x20
	)
	flags := c.byte()
	k := coder{inputs: 1, outputs: 1}
	id := c.bytes(int(flags & idSizeMask))
	if len(id) > 8 {
		c.fail("a method whose number has %d bytes", len(id))
		return k
	}
	for _, b := range id {
		k.id = k.id<<8 | uint64(b)
	}
	if flags&isComplex != 0 {
		k.inputs = c.count(maxStreams, "inputs")
		k.outputs = c.count(maxStreams, "outputs")
	}
	if flags&hasProperties != 0 {
		k.properties = c.bytes(c.count(c.left(), "bytes of properties"))
	}
	return k
}

// size returns the size of the folder's content, which is the output that is not bound to an input.
func (f *folder) size() int64 {
	bound := make(map[int]bool)
	for _, b := range f.binds {
		bound[b.output] = true
	}
	for i, size := range f.unpacked {
		if !bound[i] {
			return size
		}
	}
	return 0
}

// oneFileEach gives each folder one file, for archives without numbers of files.
func (s *streams) oneFileEach() {
	for i := range s.folders {
		f := &s.folders[i]
		f.sizes, f.checksums = []int64{f.size()}, []checksum{f.crc}
	}
}

func (s *streams) readSubStreams(c *cursor, limits Limits) {
	id := c.byte()
	if id == idStreamCounts {
		left := limits
		for i := range s.folders {
			s.folders[i].files = c.files(left)
			left.Files -= s.folders[i].files
		}
		id = c.byte()
	}
	hasSizes := id == idSize
	for i := range s.folders {
		if c.err != nil {
			return
		}
		s.folders[i].readSizes(c, hasSizes)
	}
	if hasSizes {
		id = c.byte()
	}
	unknown := 0
	for i := range s.folders {
		f := &s.folders[i]
		f.checksums = make([]checksum, f.files)
		if f.files == 1 && f.crc.known {
			f.checksums[0] = f.crc
		} else {
			unknown += f.files
		}
	}
	if id == idCRC {
		s.setChecksums(readChecksums(c, unknown))
		id = c.byte()
	}
	c.end(id, "the files of the folders")
}

// readSizes reads the sizes of all files in a folder except the last, which has the rest.
func (f *folder) readSizes(c *cursor, hasSizes bool) {
	if f.files == 0 {
		return
	}
	rest := f.size()
	for range f.files - 1 {
		var n int64
		if hasSizes {
			n = c.size()
		}
		if n > rest {
			c.fail("files of more than the %d bytes of their folder", f.size())
			return
		}
		rest -= n
		f.sizes = append(f.sizes, n)
	}
	f.sizes = append(f.sizes, rest)
}

// setChecksums sets the checksums of all files except those that use the checksum of their folder.
func (s *streams) setChecksums(sums []checksum) {
	for i := range s.folders {
		f := &s.folders[i]
		if len(sums) == 0 || f.files == 1 && f.crc.known {
			continue
		}
		sums = sums[copy(f.checksums, sums):]
	}
}
