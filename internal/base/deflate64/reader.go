package deflate64

import (
	"bufio"
	"errors"
	"io"
)

const (
	windowSize  = 64 << 10
	endOfBlock  = 256
	minMatch    = 3
	longLength  = 285 - 257 // index of the length code that differs from Deflate
	literals    = 286
	distances   = 32
	lengthCodes = 19
)

// lengthBase and lengthBits give the length and the extra bits of each length code, from code 257.
var lengthBase = [29]int{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 3}
var lengthBits = [29]int{8: 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, longLength: 16}

// order is the order in which the lengths of the length codes come.
var order = [lengthCodes]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

var (
	errBlock    = errors.New("deflate64: a block of type 3")
	errStored   = errors.New("deflate64: the length of a stored block does not match its complement")
	errLengths  = errors.New("deflate64: code lengths that make no tree")
	errDistance = errors.New("deflate64: a match goes back beyond the beginning")
)

// state is the next part of a stream.
type state int

const (
	inHeader state = iota // of a block
	inStored
	inCodes
	inMatch
)

// reader decompresses a stream.
type reader struct {
	in    *bufio.Reader
	bits  uint64
	count int
	err   error

	window [windowSize]byte
	at     int // position of the next byte in the window
	unread int // number of bytes before at that Read has not returned
	filled int // number of bytes that a match can reach back

	next     state
	last     bool // the block is the last
	left     int  // bytes of a stored block, or of a match
	distance int  // of the match

	literal, offset huffman
}

// NewReader returns a reader of the decompressed stream. It always takes 80 KiB of memory.
func NewReader(r io.Reader) io.Reader {
	return &reader{in: bufio.NewReader(r)}
}

// Read implements io.Reader.
func (d *reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for d.unread == 0 {
		if d.err != nil {
			return 0, d.err
		}
		for d.err == nil && d.unread < windowSize/2 {
			d.err = d.step()
		}
	}
	from := (d.at - d.unread) & (windowSize - 1)
	n := copy(p, d.window[from:min(from+d.unread, windowSize)])
	d.unread -= n
	return n, nil
}

// step decompresses the next part of the stream.
func (d *reader) step() error {
	switch d.next {
	case inHeader:
		return d.block()
	case inStored:
		return d.stored()
	case inCodes:
		return d.coded()
	default:
		d.copyMatch()
		return nil
	}
}

// need makes n bits available, at most 32.
func (d *reader) need(n int) error {
	for d.count < n {
		b, err := d.in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		d.bits |= uint64(b) << d.count
		d.count += 8
	}
	return nil
}

// readBits reads n bits, at most 32.
func (d *reader) readBits(n int) (int, error) {
	if err := d.need(n); err != nil {
		return 0, err
	}
	v := int(d.bits & (1<<n - 1))
	d.drop(n)
	return v, nil
}

func (d *reader) drop(n int) {
	d.bits >>= n
	d.count -= n
}

// symbol reads a symbol. At the end of the stream there may be fewer bits than
// the longest code has.
func (d *reader) symbol(h *huffman) (int, error) {
	needErr := d.need(maxCodeLength)
	symbol, n, err := h.find(uint32(d.bits))
	if err == nil && n > d.count {
		err = needErr
	}
	if err != nil {
		return 0, err
	}
	d.drop(n)
	return symbol, nil
}

func (d *reader) put(b byte) {
	d.window[d.at] = b
	d.at = (d.at + 1) & (windowSize - 1)
	d.unread++
	d.filled = min(d.filled+1, windowSize)
}

// block reads the header of a block.
func (d *reader) block() error {
	if d.last {
		return io.EOF
	}
	header, err := d.readBits(3)
	if err != nil {
		return err
	}
	d.last = header&1 != 0
	switch header >> 1 {
	case 0:
		return d.storedBlock()
	case 1:
		return d.fixedTrees()
	case 2:
		return d.readTrees()
	}
	return errBlock
}

func (d *reader) storedBlock() error {
	d.drop(d.count & 7)
	both, err := d.readBits(32)
	if err != nil {
		return err
	}
	if d.left = both & 0xffff; d.left != both>>16&0xffff^0xffff {
		return errStored
	}
	d.next = inStored
	return nil
}

// stored copies a byte of a stored block. Bits that were read ahead come first.
func (d *reader) stored() error {
	if d.left == 0 {
		d.next = inHeader
		return nil
	}
	b, err := d.readBits(8)
	if err != nil {
		return err
	}
	d.put(byte(b))
	d.left--
	return nil
}

func (d *reader) fixedTrees() error {
	var lengths [literals + 2]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var offsets [distances]uint8
	for i := range offsets {
		offsets[i] = 5
	}
	d.next = inCodes
	return errors.Join(d.literal.build(lengths[:]), d.offset.build(offsets[:]))
}

// readTrees reads the trees of a block. Their code lengths are coded with a tree, too.
func (d *reader) readTrees() error {
	counts, err := d.readBits(14)
	if err != nil {
		return err
	}
	nLiterals, nOffsets, nLengths := counts&31+257, counts>>5&31+1, counts>>10+4
	if nLiterals > literals {
		return errLengths
	}
	var pre [lengthCodes]uint8
	for _, i := range order[:nLengths] {
		n, err := d.readBits(3)
		if err != nil {
			return err
		}
		pre[i] = uint8(n)
	}
	if err := d.literal.build(pre[:]); err != nil {
		return err
	}
	var lengths [literals + distances]uint8
	if err := d.readLengths(lengths[:nLiterals+nOffsets]); err != nil {
		return err
	}
	if err := d.literal.build(lengths[:nLiterals]); err != nil {
		return err
	}
	d.next = inCodes
	return d.offset.build(lengths[nLiterals : nLiterals+nOffsets])
}

// readLengths reads code lengths, whose tree is in d.literal.
func (d *reader) readLengths(lengths []uint8) error {
	const same, zeros, moreZeros = 16, 17, 18
	for i := 0; i < len(lengths); {
		symbol, err := d.symbol(&d.literal)
		if err != nil {
			return err
		}
		count, bits, length := 1, 0, uint8(0)
		switch symbol {
		case same:
			if i == 0 {
				return errLengths
			}
			count, bits, length = 3, 2, lengths[i-1]
		case zeros:
			count, bits = 3, 3
		case moreZeros:
			count, bits = 11, 7
		default:
			length = uint8(symbol)
		}
		more, err := d.readBits(bits)
		if err != nil {
			return err
		}
		if count += more; count > len(lengths)-i {
			return errLengths
		}
		for range count {
			lengths[i] = length
			i++
		}
	}
	return nil
}

// coded reads a literal or a match.
func (d *reader) coded() error {
	symbol, err := d.symbol(&d.literal)
	if err != nil {
		return err
	}
	switch {
	case symbol < endOfBlock:
		d.put(byte(symbol))
		return nil
	case symbol == endOfBlock:
		d.next = inHeader
		return nil
	case symbol >= literals:
		return errCode
	}
	return d.match(symbol - endOfBlock - 1)
}

func (d *reader) match(code int) error {
	more, err := d.readBits(lengthBits[code])
	if err != nil {
		return err
	}
	d.left = lengthBase[code] + more
	code, err = d.symbol(&d.offset)
	if err != nil {
		return err
	}
	d.distance = code + 1
	if code >= 4 {
		bits := code/2 - 1
		if more, err = d.readBits(bits); err != nil {
			return err
		}
		d.distance = (2|code&1)<<bits + more + 1
	}
	if d.distance > d.filled {
		return errDistance
	}
	d.next = inMatch
	return nil
}

// copyMatch copies as much of a match as there is room for.
func (d *reader) copyMatch() {
	n := min(d.left, windowSize-d.unread)
	for range n {
		d.put(d.window[(d.at-d.distance)&(windowSize-1)])
	}
	if d.left -= n; d.left == 0 {
		d.next = inCodes
	}
}

// unexpected turns the end of the input into an error: a stream marks its end.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
