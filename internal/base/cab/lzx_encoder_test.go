package cab_test

import (
	"container/heap"
	"encoding/binary"
	"slices"
)

// The encoder writes LZX with every kind of block to test the decoder, because no
// available program does. TestCabextract checks its output with cabextract.

const (
	frameSize = 32 << 10

	verbatim = 1
	aligned  = 2
	raw      = 3
)

// lzxBlock is the kind and size of an LZX block.
type lzxBlock struct{ kind, size int }

// lzxOptions has the options of compressLZX. The encoder repeats the list of blocks.
type lzxOptions struct {
	windowBits int
	blocks     []lzxBlock
	translate  int32 // size for the translation of calls, 0 for none
}

type lzxEncoder struct {
	lzxOptions
	slots  int
	data   []byte
	at     int
	frames [][]byte
	out    []byte
	bits   uint64
	count  int
	recent [3]int

	mainLengths, lengthLengths []uint8
	last                       map[uint32]int // latest position of three bytes
	previous                   []int          // previous position of the same three
}

// lzxToken is a literal, or a match with its distance in the format's encoding.
type lzxToken struct {
	symbol         int // of the main tree
	length         int // of the length tree, or -1
	extra          int // bits of the distance
	extraBits, end int // end: position after the token
}

// compressLZX returns the frames of data.
func compressLZX(data []byte, o lzxOptions) [][]byte {
	slots := map[int]int{15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50}[o.windowBits]
	e := &lzxEncoder{
		lzxOptions: o, slots: slots, data: slices.Clone(data), recent: [3]int{1, 1, 1},
		mainLengths: make([]uint8, 256+8*slots), lengthLengths: make([]uint8, 249),
		last: make(map[uint32]int), previous: make([]int, len(data)),
	}
	e.translateCalls()
	if o.translate != 0 {
		e.put(1, 1)
		e.put(uint64(uint32(o.translate)), 32)
	} else {
		e.put(0, 1)
	}
	for i := 0; e.at < len(data); i++ {
		block := o.blocks[i%len(o.blocks)]
		block.size = min(block.size, len(data)-e.at)
		if block.kind == raw {
			e.rawBlock(block.size)
		} else {
			e.codedBlock(block)
		}
	}
	if len(data)%frameSize != 0 {
		e.endFrame()
	}
	return e.frames
}

func (e *lzxEncoder) translateCalls() {
	if e.translate == 0 {
		return
	}
	for start := 0; start < len(e.data); start += frameSize {
		frame := e.data[start:min(start+frameSize, len(e.data))]
		for i := 0; i < len(frame)-10; i++ {
			if frame[i] != 0xe8 {
				continue
			}
			at, size := int64(start+i), int64(e.translate)
			relative := int64(int32(binary.LittleEndian.Uint32(frame[i+1:])))
			switch {
			case relative >= -at && relative < size-at:
				binary.LittleEndian.PutUint32(frame[i+1:], uint32(relative+at))
			case relative >= size-at && relative < size:
				binary.LittleEndian.PutUint32(frame[i+1:], uint32(relative-size))
			}
			i += 4
		}
	}
}

func (e *lzxEncoder) put(v uint64, n int) {
	for n > 0 {
		k := min(n, 16-e.count)
		n -= k
		e.bits = e.bits<<k | v>>n&(1<<k-1)
		if e.count += k; e.count == 16 {
			e.out = binary.LittleEndian.AppendUint16(e.out, uint16(e.bits))
			e.bits, e.count = 0, 0
		}
	}
}

func (e *lzxEncoder) align() {
	if e.count > 0 {
		e.put(0, 16-e.count)
	}
}

func (e *lzxEncoder) endFrame() {
	e.align()
	e.frames = append(e.frames, e.out)
	e.out = nil
}

func (e *lzxEncoder) rawBlock(size int) {
	e.put(raw, 3)
	e.put(uint64(size), 24)
	e.put(0, 16-e.count) // a whole word if there is nothing to align
	for _, r := range e.recent {
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(r))
	}
	for i := range size {
		e.out = append(e.out, e.data[e.at])
		e.index(e.at)
		e.at++
		if i == size-1 && size%2 == 1 {
			e.out = append(e.out, 0)
		}
		if e.at%frameSize == 0 {
			e.endFrame()
		}
	}
}

func (e *lzxEncoder) codedBlock(b lzxBlock) {
	tokens := e.tokens(e.at + b.size)
	main, length, low := make([]int, len(e.mainLengths)), make([]int, 249), make([]int, 8)
	for _, t := range tokens {
		main[t.symbol]++
		if t.length >= 0 {
			length[t.length]++
		}
		if b.kind == aligned && t.extraBits >= 3 {
			low[t.extra&7]++
		}
	}
	e.put(uint64(b.kind), 3)
	e.put(uint64(b.size), 24)
	var lowLengths []uint8
	if b.kind == aligned {
		if lowLengths = codeLengths(low, 7); slices.Max(lowLengths) == 0 {
			lowLengths = []uint8{3, 3, 3, 3, 3, 3, 3, 3} // other readers require a tree even if it is unused
		}
		for _, n := range lowLengths {
			e.put(uint64(n), 3)
		}
	}
	mainLengths, lengthLengths := codeLengths(main, 16), codeLengths(length, 16)
	e.putLengths(e.mainLengths[:256], mainLengths[:256])
	e.putLengths(e.mainLengths[256:], mainLengths[256:])
	e.putLengths(e.lengthLengths, lengthLengths)
	e.mainLengths, e.lengthLengths = mainLengths, lengthLengths
	mainCodes, lengthCodes, lowCodes := codes(mainLengths), codes(lengthLengths), codes(lowLengths)
	for _, t := range tokens {
		e.put(mainCodes[t.symbol], int(mainLengths[t.symbol]))
		if t.length >= 0 {
			e.put(lengthCodes[t.length], int(lengthLengths[t.length]))
		}
		if b.kind == aligned && t.extraBits >= 3 {
			e.put(uint64(t.extra>>3), t.extraBits-3)
			e.put(lowCodes[t.extra&7], int(lowLengths[t.extra&7]))
		} else {
			e.put(uint64(t.extra), t.extraBits)
		}
		if t.end%frameSize == 0 {
			e.endFrame()
		}
	}
}

// tokens makes the tokens up to end.
func (e *lzxEncoder) tokens(end int) []lzxToken {
	var tokens []lzxToken
	for e.at < end {
		limit := min(end, e.at-e.at%frameSize+frameSize)
		length, distance := e.match(limit)
		t := lzxToken{symbol: int(e.data[e.at]), length: -1}
		if length >= 2 {
			t = e.matchToken(length, distance)
		} else {
			length = 1
		}
		for range length {
			e.index(e.at)
			e.at++
		}
		t.end = e.at
		tokens = append(tokens, t)
	}
	return tokens
}

func (e *lzxEncoder) key(at int) (uint32, bool) {
	if at+3 > len(e.data) {
		return 0, false
	}
	return uint32(e.data[at]) | uint32(e.data[at+1])<<8 | uint32(e.data[at+2])<<16, true
}

func (e *lzxEncoder) index(at int) {
	if k, ok := e.key(at); ok {
		e.previous[at] = e.last[k]
		e.last[k] = at + 1
	}
}

func (e *lzxEncoder) matchLength(from, limit int) int {
	n := 0
	for e.at+n < limit && n < 257 && e.data[from+n] == e.data[e.at+n] {
		n++
	}
	return n
}

// match finds a match at the current position. It prefers the latest distances,
// which also allow matches of two bytes.
func (e *lzxEncoder) match(limit int) (length, distance int) {
	for _, d := range e.recent {
		if d <= e.at {
			if n := e.matchLength(e.at-d, limit); n > length {
				length, distance = n, d
			}
		}
	}
	if length >= 2 {
		return length, distance
	}
	k, ok := e.key(e.at)
	if !ok {
		return 0, 0
	}
	from := e.last[k]
	for range 8 {
		if from == 0 || e.at-(from-1) > 1<<e.windowBits-3 {
			break
		}
		if n := e.matchLength(from-1, limit); n >= 3 && n > length {
			length, distance = n, e.at-(from-1)
		}
		from = e.previous[from-1]
	}
	return length, distance
}

func (e *lzxEncoder) matchToken(length, distance int) lzxToken {
	t := lzxToken{length: -1}
	slot := slices.Index(e.recent[:], distance)
	if slot >= 0 {
		e.recent[slot] = e.recent[0]
	} else {
		e.recent[2], e.recent[1] = e.recent[1], e.recent[0]
		base, bits := 0, 0
		for slot = 0; ; slot++ {
			if slot >= 4 {
				bits = min(slot/2-1, 17)
			}
			if distance+2 < base+1<<bits {
				break
			}
			base += 1 << bits
		}
		t.extra, t.extraBits = distance+2-base, bits
	}
	e.recent[0] = distance
	header := min(length-2, 7)
	if header == 7 {
		t.length = length - 9
	}
	t.symbol = 256 + slot*8 + header
	return t
}

// putLengths writes code lengths as differences from the old ones.
func (e *lzxEncoder) putLengths(old, lengths []uint8) {
	type op struct{ symbol, extra, bits, then int }
	var ops []op
	difference := func(i int) int { return int(old[i]+17-lengths[i]) % 17 }
	for i := 0; i < len(lengths); {
		run := 1
		for i+run < len(lengths) && lengths[i+run] == lengths[i] {
			run++
		}
		switch {
		case lengths[i] == 0 && run >= 20:
			run = min(run, 51)
			ops = append(ops, op{18, run - 20, 5, -1})
		case lengths[i] == 0 && run >= 4:
			run = min(run, 19)
			ops = append(ops, op{17, run - 4, 4, -1})
		case run >= 4:
			run = min(run, 5)
			ops = append(ops, op{19, run - 4, 1, difference(i)})
		default:
			run = 1
			ops = append(ops, op{difference(i), 0, 0, -1})
		}
		i += run
	}
	count := make([]int, 20)
	for _, o := range ops {
		count[o.symbol]++
		if o.then >= 0 {
			count[o.then]++
		}
	}
	pre := codeLengths(count, 15)
	for _, n := range pre {
		e.put(uint64(n), 4)
	}
	preCodes := codes(pre)
	for _, o := range ops {
		e.put(preCodes[o.symbol], int(pre[o.symbol]))
		e.put(uint64(o.extra), o.bits)
		if o.then >= 0 {
			e.put(preCodes[o.then], int(pre[o.then]))
		}
	}
}

// codes returns the canonical codes of lengths.
func codes(lengths []uint8) []uint64 {
	out := make([]uint64, len(lengths))
	code := uint64(0)
	for n := uint8(1); n <= 16; n++ {
		for symbol, m := range lengths {
			if m == n {
				out[symbol] = code
				code++
			}
		}
		code <<= 1
	}
	return out
}

// codeLengths returns a complete tree of codes of at most longest bits, or an empty
// one if all counts are 0.
func codeLengths(counts []int, longest int) []uint8 {
	counts = slices.Clone(counts)
	used := 0
	for _, c := range counts {
		used += min(c, 1)
	}
	if used == 0 {
		return make([]uint8, len(counts))
	}
	if used == 1 { // a code needs at least one bit
		counts[slices.Index(counts, 0)] = 1
	}
	for {
		lengths := huffmanLengths(counts)
		if int(slices.Max(lengths)) <= longest {
			return lengths
		}
		for i, c := range counts {
			if c > 0 {
				counts[i] = c/2 + 1
			}
		}
	}
}

type huffmanNode struct{ weight, order, left, right int }
type huffmanHeap []huffmanNode

func (h huffmanHeap) Len() int { return len(h) }
func (h huffmanHeap) Less(i, j int) bool {
	return h[i].weight < h[j].weight || h[i].weight == h[j].weight && h[i].order < h[j].order
}
func (h huffmanHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *huffmanHeap) Push(x any)   { *h = append(*h, x.(huffmanNode)) }
func (h *huffmanHeap) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

func huffmanLengths(counts []int) []uint8 {
	var nodes []huffmanNode
	var queue huffmanHeap
	for symbol, c := range counts {
		n := huffmanNode{weight: c, order: symbol, left: -1}
		nodes = append(nodes, n)
		if c > 0 {
			heap.Push(&queue, n)
		}
	}
	for queue.Len() > 1 {
		a, b := heap.Pop(&queue).(huffmanNode), heap.Pop(&queue).(huffmanNode)
		n := huffmanNode{weight: a.weight + b.weight, order: len(nodes), left: a.order, right: b.order}
		nodes = append(nodes, n)
		heap.Push(&queue, n)
	}
	depth := make([]uint8, len(nodes))
	for i := len(nodes) - 1; i >= len(counts); i-- {
		depth[nodes[i].left], depth[nodes[i].right] = depth[i]+1, depth[i]+1
	}
	return depth[:len(counts)]
}
