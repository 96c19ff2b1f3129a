package packed

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Catalog is an open file. It is safe for use from many goroutines.
type Catalog struct {
	Builds     []int // of Windows, that forms may name
	index      []byte
	hasKinds   bool     // index says which names are of components
	starts     []uint32 // of the entries in index, in the order of their GUIDs
	read       sync.Once
	entries    []Entry // once they are read
	blocks     []byte
	dictionary []byte
	mu         sync.Mutex
	decoder    *zstd.Decoder // created on first use
	unpacked   map[schema.GUID]*unpackedProvider
}

// Entry is what the index has of a provider.
type Entry struct {
	GUID       schema.GUID
	Name       string
	OtherNames []string
	// IsComponent says that the name is of a component: see [Provider].
	IsComponent bool
	Events      int // forms of events
	from, size  int // of the packed events
	unpacked    int
	sum         uint32
}

// unpackedProvider is a provider that was looked up.
type unpackedProvider struct {
	provider *Provider
	err      error
}

// Open reads the index of a file. The catalogue refers to data, which must not change.
func Open(data []byte) (*Catalog, error) {
	c, packed, err := open(data)
	if err != nil {
		return nil, err
	}
	decoder, err := newDecoder(nil)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	index, err := unpackFrame(decoder, packed.index, packed.size, packed.sum)
	if err == nil {
		err = c.readIndex(index)
	}
	if err != nil {
		return nil, fmt.Errorf("the index: %w", err)
	}
	return c, nil
}

// packedIndex is the index of a file, with its size when it is unpacked and the sum of its bytes.
type packedIndex struct {
	index []byte
	size  int
	sum   uint32
}

// open reads the parts of a file.
func open(data []byte) (*Catalog, *packedIndex, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic && string(data[:len(magic)]) != oldMagic {
		return nil, nil, fmt.Errorf("%w: it does not begin with %q", ErrDamaged, strings.TrimSpace(magic))
	}
	var sizes [4]uint32 // packed index, unpacked, sum, dictionary
	for i := range sizes {
		sizes[i] = binary.LittleEndian.Uint32(data[len(magic)+4*i:])
	}
	rest := data[headerSize:]
	if int64(sizes[0])+int64(sizes[3]) > int64(len(rest)) || sizes[1] > maxIndex {
		return nil, nil, fmt.Errorf("%w: of %d bytes, an index of %d, and %d unpacked, and a dictionary of %d", ErrDamaged, len(data), sizes[0], sizes[1], sizes[3])
	}
	c := &Catalog{unpacked: make(map[schema.GUID]*unpackedProvider), hasKinds: string(data[:len(magic)]) != oldMagic}
	c.dictionary, c.blocks = rest[sizes[0]:sizes[0]+sizes[3]], rest[sizes[0]+sizes[3]:]
	return c, &packedIndex{rest[:sizes[0]], int(sizes[1]), sizes[2]}, nil
}

// OpenReady is [Open] for a file whose index is ready, as [Catalog.ReadyIndex] returned it: for files that
// are part of a program. It does not check the index.
func OpenReady(data, ready []byte) (*Catalog, error) {
	c, _, err := open(data)
	if err != nil {
		return nil, err
	}
	n := 0
	if len(ready) >= startSize {
		n = int(binary.LittleEndian.Uint32(ready))
	}
	if len(ready) < startSize || n > len(ready)/startSize-1 {
		return nil, fmt.Errorf("%w: %d bytes are not an index of %d providers", ErrDamaged, len(ready), n)
	}
	c.starts = make([]uint32, n)
	for i := range c.starts {
		c.starts[i] = binary.LittleEndian.Uint32(ready[startSize*(1+i):])
	}
	c.index = ready[startSize*(1+n):]
	r := cursor{data: c.index}
	c.readBuilds(&r)
	return c, r.err
}

const startSize = 4 // bytes of a number in a ready index

// ReadyIndex returns the unpacked index, for [OpenReady]: the number of entries, where each of them
// starts, and the entries.
func (c *Catalog) ReadyIndex() []byte {
	ready := binary.LittleEndian.AppendUint32(nil, uint32(len(c.starts)))
	for _, start := range c.starts {
		ready = binary.LittleEndian.AppendUint32(ready, start)
	}
	return append(ready, c.index...)
}

func newDecoder(dictionary []byte) (*zstd.Decoder, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock), zstd.WithDecoderMaxWindow(window)}
	if len(dictionary) > 0 {
		options = append(options, zstd.WithDecoderDictRaw(dictionaryID, dictionary))
	}
	return zstd.NewReader(nil, options...)
}

// unpackFrame unpacks a frame. size is only claimed, so memory is bounded by what the packed bytes
// can expand to.
func unpackFrame(decoder *zstd.Decoder, packed []byte, size int, sum uint32) ([]byte, error) {
	if got := crc32.Checksum(packed, castagnoli); got != sum {
		return nil, fmt.Errorf("%w: the checksum of %d bytes is %08x, not %08x", ErrDamaged, len(packed), got, sum)
	}
	out, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("%w: %d bytes unpacked, not %d", ErrDamaged, len(out), size)
	}
	return out, nil
}

// readIndex checks the index and notes where its entries are: most programs look up a few of thousands.
func (c *Catalog) readIndex(index []byte) error {
	c.index = index
	r := cursor{data: index}
	c.readBuilds(&r)
	n := r.many(minProvider)
	c.starts = make([]uint32, 0, n)
	var before schema.GUID
	for i := range n {
		start := r.at
		e := c.readEntry(&r, nil)
		if i > 0 && before.Compare(e.GUID) >= 0 {
			r.fail("the provider %s is not in order", e.GUID)
		}
		if r.err != nil {
			return r.err
		}
		c.starts, before = append(c.starts, uint32(start)), e.GUID
	}
	if r.err == nil && r.at < len(index) {
		r.fail("%d bytes more than the providers", len(index)-r.at)
	}
	return r.err
}

// readBuilds reads the builds, with which the index begins.
func (c *Catalog) readBuilds(r *cursor) {
	for range r.small(maxBuilds) {
		c.Builds = append(c.Builds, r.small(math.MaxInt32))
	}
}

// readEntry reads an entry. text returns the text between two places of the index; if it is nil, the
// entry has no names.
func (c *Catalog) readEntry(r *cursor, text func(from, to int) string) (e Entry) {
	name := func() (name string) {
		if n := len(r.bytes(r.many(1))); text != nil {
			name = text(r.at-n, r.at)
		}
		return name
	}
	copy(e.GUID[:], r.bytes(len(e.GUID)))
	e.Name = name()
	for range r.many(1) {
		if other := name(); text != nil {
			e.OtherNames = append(e.OtherNames, other)
		}
	}
	if c.hasKinds {
		e.IsComponent = r.number(1) == 1
	}
	if e.Events = r.small(maxOfType); e.Events > 0 {
		e.from = r.small(len(c.blocks))
		e.size = r.small(len(c.blocks) - e.from)
		e.unpacked = r.small(maxBlock)
		e.sum = uint32(r.number(math.MaxUint32))
	}
	return e
}

// Entries returns the index entries of all providers by GUID, without unpacking them. The caller
// must not change them.
func (c *Catalog) Entries() []Entry {
	c.read.Do(func() {
		texts := string(c.index) // the names share its memory
		c.entries = make([]Entry, len(c.starts))
		for i, start := range c.starts {
			c.entries[i] = c.readEntry(&cursor{data: c.index, at: int(start)}, func(from, to int) string { return texts[from:to] })
		}
	})
	return c.entries
}

// Entry returns the entry of a provider.
func (c *Catalog) Entry(id schema.GUID) (*Entry, bool) {
	i, ok := slices.BinarySearchFunc(c.starts, id, func(start uint32, id schema.GUID) int {
		return schema.GUID(c.index[start:]).Compare(id)
	})
	if !ok {
		return nil, false
	}
	e := c.readEntry(&cursor{data: c.index, at: int(c.starts[i])}, func(from, to int) string { return string(c.index[from:to]) })
	return &e, true
}

// Provider returns a provider with its events; nil if the catalogue has no such provider. The
// caller must not change it.
func (c *Catalog) Provider(id schema.GUID) (*Provider, error) {
	e, ok := c.Entry(id)
	if !ok || e.Events == 0 {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.unpacked[id]
	if u == nil {
		u = new(unpackedProvider)
		if u.provider, u.err = c.unpack(e); u.err != nil {
			u.provider, u.err = nil, fmt.Errorf("provider %s: %w", id, u.err)
		}
		c.unpacked[id] = u
	}
	return u.provider, u.err
}

func (c *Catalog) unpack(e *Entry) (p *Provider, err error) {
	if c.decoder == nil {
		if c.decoder, err = newDecoder(c.dictionary); err != nil {
			return nil, err
		}
	}
	data, err := unpackFrame(c.decoder, c.blocks[e.from:e.from+e.size], e.unpacked, e.sum)
	if err != nil {
		return nil, err
	}
	p = &Provider{GUID: e.GUID, Name: e.Name, OtherNames: e.OtherNames, IsComponent: e.IsComponent}
	if err := unpack(data, p, c.Builds); err != nil {
		return nil, err
	}
	if len(p.Events) != e.Events {
		return nil, fmt.Errorf("%w: %d events, not %d", ErrDamaged, len(p.Events), e.Events)
	}
	return p, nil
}
