package cab

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	minWindowBits = 15
	maxWindowBits = 21
	literals      = 256
	lengthSymbols = 249
	minMatch      = 2
	// lengthInTree is the length in a main symbol that stands for one in the
	// length tree.
	lengthInTree = 7
	// translatedFrames is the number of frames in which calls are translated: 1 GiB.
	translatedFrames = 32768
)

// Kinds of block.
const (
	lzxVerbatim = 1
	lzxAligned  = 2
	lzxStored   = 3
)

// slots is the number of position slots of each window size.
var slots = [maxWindowBits + 1]int{15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50}

// slotBits is the number of bits that follow a position slot, slotBase the distance plus two to
// which they are added.
var slotBits, slotBase = slotTables()

func slotTables() (bits [50]uint8, base [50]uint32) {
	for i := range bits {
		if i >= 4 {
			bits[i] = uint8(min(i/2-1, 17))
		}
		if i > 0 {
			base[i] = base[i-1] + 1<<bits[i-1]
		}
	}
	return bits, base
}

// lzx is a folder compressed with LZX. Each block of the cabinet is a frame: 32 KiB of the
// stream, or less for the last, beginning at a 16-bit word. The blocks of LZX itself begin and
// end anywhere.
type lzx struct {
	in     bitReader
	window []byte // the size of a power of two
	at     int    // position of the next byte
	filled int    // bytes of the window that have been written
	frame  int    // index of the next frame

	// The block in which the last frame ended.
	kind    int
	left    int  // its remaining bytes
	padding bool // a byte follows it, up to the next word

	recent     [3]uint32 // the last distances: R0, R1, R2
	translated int32     // size for the translation of calls, 0 if there is none

	main, length, aligned, pre huffman
	mainLengths                [literals + 8*50]uint8
	lengthLengths              [lengthSymbols]uint8
	slots                      int

	out [blockSize]byte
}

var (
	errInputEnds = errors.New("the data end too soon")
	errDistance  = errors.New("a match goes back beyond the beginning")
	errFrame     = errors.New("a match goes beyond the end of its frame or block")
)

func newLZX(windowBits int) (*lzx, error) {
	if windowBits < minWindowBits || windowBits > maxWindowBits {
		return nil, fmt.Errorf("%w: an LZX window of 2^%d bytes", ErrCorrupt, windowBits)
	}
	return &lzx{
		window: make([]byte, 1<<windowBits),
		slots:  slots[windowBits],
		recent: [3]uint32{1, 1, 1},
	}, nil
}

// decode implements decoder.
func (d *lzx) decode(data []byte, size int, last bool) ([]byte, error) {
	if size != blockSize && !last {
		return nil, fmt.Errorf("a frame of %#x bytes before the last", size)
	}
	d.in = bitReader{in: data}
	if d.frame == 0 && d.in.read(1) == 1 {
		d.translated = int32(d.in.read(32)) // two words, the high one first
	}
	start := d.at
	for done := 0; done < size; {
		if d.left == 0 {
			if err := d.readBlockHeader(); err != nil {
				return nil, err
			}
		}
		n := min(size-done, d.left)
		if err := d.run(n); err != nil {
			return nil, err
		}
		done += n
		d.left -= n
		d.filled = min(d.filled+n, len(d.window))
	}
	if d.in.short() {
		return nil, errInputEnds
	}
	if d.left == 0 && d.in.at < len(data) {
		d.skipPadding() // here, not at the beginning of the next frame
	}
	out := d.out[:size]
	copy(out, d.window[start:]) // a window holds whole frames
	d.translate(out)
	d.at &= len(d.window) - 1
	d.frame++
	return out, nil
}

// readBlockHeader reads the header of a block.
func (d *lzx) readBlockHeader() error {
	d.skipPadding()
	d.kind = int(d.in.read(3))
	d.left = int(d.in.read(24))
	switch d.kind {
	case lzxAligned:
		var lengths [8]uint8
		for i := range lengths {
			lengths[i] = uint8(d.in.read(3))
		}
		if err := d.aligned.build(lengths[:]); err != nil {
			return fmt.Errorf("aligned offset tree: %w", err)
		}
		return d.readTrees()
	case lzxVerbatim:
		return d.readTrees()
	case lzxStored:
		return d.beginStored()
	}
	if d.in.short() {
		return errInputEnds
	}
	return fmt.Errorf("an LZX block of type %d", d.kind)
}

// skipPadding moves to the word after a stored block.
func (d *lzx) skipPadding() {
	if d.padding {
		d.padding = false
		d.in.at++ // the bit reader holds no bits here
	}
}

func (d *lzx) beginStored() error {
	at := d.in.align()
	if at > len(d.in.in)-12 {
		return errInputEnds
	}
	for i := range d.recent {
		d.recent[i] = binary.LittleEndian.Uint32(d.in.in[at+4*i:])
	}
	d.in.at = at + 12
	d.padding = d.left&1 != 0
	return nil
}

// run decodes n bytes of the block. They are in one frame, so they do not wrap around in the
// window.
func (d *lzx) run(n int) error {
	if d.kind == lzxStored {
		if n > len(d.in.in)-d.in.at {
			return errInputEnds
		}
		copy(d.window[d.at:d.at+n], d.in.in[d.in.at:])
		d.in.at += n
		d.at += n
		return nil
	}
	return d.runCoded(n)
}

func (d *lzx) runCoded(n int) error {
	at, end := d.at, d.at+n
	filled := d.filled - d.at // of the bytes before position 0
	for at < end {
		symbol, err := d.main.read(&d.in)
		if err != nil {
			return err
		}
		if symbol < literals {
			d.window[at] = byte(symbol)
			at++
			continue
		}
		symbol -= literals
		length := symbol & 7
		if length == lengthInTree {
			more, err := d.length.read(&d.in)
			if err != nil {
				return fmt.Errorf("length tree: %w", err)
			}
			length += more
		}
		length += minMatch
		distance, err := d.distance(symbol >> 3)
		if err != nil {
			return err
		}
		switch {
		case length > end-at:
			return errFrame
		case distance == 0 || int64(distance) > int64(min(at+filled, len(d.window))):
			return errDistance
		}
		d.copyMatch(at, int(distance), length)
		at += length
	}
	d.at = at
	return nil
}

// distance reads the distance of a match.
func (d *lzx) distance(slot int) (uint32, error) {
	if slot < len(d.recent) {
		distance := d.recent[slot]
		d.recent[slot] = d.recent[0]
		d.recent[0] = distance
		return distance, nil
	}
	extra := int(slotBits[slot])
	distance := slotBase[slot] - 2
	if d.kind == lzxAligned && extra >= 3 {
		distance += d.in.read(extra-3) << 3
		low, err := d.aligned.read(&d.in)
		if err != nil {
			return 0, fmt.Errorf("aligned offset tree: %w", err)
		}
		distance += uint32(low)
	} else {
		distance += d.in.read(extra)
	}
	d.recent[2], d.recent[1], d.recent[0] = d.recent[1], d.recent[0], distance
	return distance, nil
}

// copyMatch copies within the window, where the source may overlap the
// destination and may begin at the end of the window.
func (d *lzx) copyMatch(at, distance, length int) {
	from := at - distance
	if from >= 0 && distance >= length {
		copy(d.window[at:at+length], d.window[from:])
		return
	}
	mask := len(d.window) - 1
	for i := range length {
		d.window[at+i] = d.window[(from+i)&mask]
	}
}

// translate turns the targets of x86 calls (0xe8 and four bytes), which the
// compressor made absolute, into relative ones again.
func (d *lzx) translate(out []byte) {
	const call = 0xe8
	if d.translated == 0 || d.frame >= translatedFrames {
		return
	}
	base := int32(d.frame) * blockSize
	for i := 0; i < len(out)-10; i++ {
		if out[i] != call {
			continue
		}
		at := base + int32(i)
		target := out[i+1 : i+5]
		absolute := int32(binary.LittleEndian.Uint32(target))
		switch {
		case absolute >= -at && absolute < 0:
			binary.LittleEndian.PutUint32(target, uint32(absolute+d.translated))
		case absolute >= 0 && absolute < d.translated:
			binary.LittleEndian.PutUint32(target, uint32(absolute-at))
		}
		i += 4
	}
}
