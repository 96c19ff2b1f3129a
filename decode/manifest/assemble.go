package manifest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Assembled is a manifest from the trace, for [Parse] with
// [schema.FromEventSource]. It may name any provider: what it says is to be
// believed only of the one that logged it.
type Assembled struct {
	Provider     schema.GUID
	Process      uint32 // the first that logged it
	Major, Minor uint8  // version of the envelope
	XML          []byte
}

// Incomplete is a manifest of which chunks are missing.
type Incomplete struct {
	Provider schema.GUID
	Process  uint32
	Chunks   int // that are there
	Total    int
}

// The limits of what is assembled.
const (
	maxManifestBytes = 16 << 20 // of one manifest
	maxVariants      = 8        // of one provider
	maxAssembled     = 16 << 20 // bytes in all
)

// Assemble puts the chunks together. Manifests come by provider, in the order
// in which the trace first has one of its chunks, and of each provider those
// that differ, the best first: that of the highest version and, of one
// version, that which was whole last. Incomplete are, of providers that have
// no whole manifest or one for which there is no room, those of which most is
// there.
func (p *Pieces) Assemble() ([]Assembled, []Incomplete) {
	a := assembler{contents: p.contents, streams: make(map[stream]*assembly), providers: make(map[schema.GUID]*variants)}
	for _, one := range p.list {
		a.add(one)
	}
	var all []Assembled
	var incomplete []Incomplete
	left := maxAssembled
	for _, id := range a.order {
		v := a.providers[id]
		any := false
		for _, one := range v.sorted() {
			if one.bytes <= left {
				left -= one.bytes
				any = true
				all = append(all, Assembled{id, one.process, one.major, one.minor, a.text(one)})
			}
		}
		if !any {
			incomplete = append(incomplete, v.best)
		}
	}
	return all, incomplete
}

// assembler takes the chunks in the order of the file.
type assembler struct {
	contents  []string
	streams   map[stream]*assembly
	providers map[schema.GUID]*variants
	order     []schema.GUID
}

// assembly is a manifest in the making.
type assembly struct {
	stream
	chunks map[uint16]int // contents by number
	bytes  int
}

func (s *assembly) whole() bool { return len(s.chunks) == int(s.total) }

// add takes a chunk. One that contradicts an earlier one begins a new
// manifest.
func (a *assembler) add(one piece) {
	v := a.providers[one.provider]
	if v == nil {
		v = new(variants)
		a.providers[one.provider] = v
		a.order = append(a.order, one.provider)
	}
	s := a.streams[one.stream]
	if s != nil {
		switch content, there := s.chunks[one.number]; {
		case there && content == one.content:
			v.again(s)
			return
		case there:
			s = nil
		}
	}
	if s == nil {
		s = &assembly{stream: one.stream, chunks: make(map[uint16]int)}
		a.streams[one.stream] = s
	}
	n := len(a.contents[one.content])
	if s.bytes+n > maxManifestBytes {
		return // it stays incomplete
	}
	s.chunks[one.number] = one.content
	s.bytes += n
	v.grown(s)
}

// text returns the text of a manifest that is whole.
func (a *assembler) text(s *assembly) []byte {
	text := make([]byte, 0, s.bytes)
	for number := range int(s.total) {
		text = append(text, a.contents[s.chunks[uint16(number)]]...)
	}
	return text
}

// variants are the manifests of a provider.
type variants struct {
	whole []*assembly // no two the same, in the order in which they were said last
	best  Incomplete  // that with the most chunks
}

// grown notes that an assembly has one chunk more.
func (v *variants) grown(s *assembly) {
	if len(s.chunks) > v.best.Chunks {
		v.best = Incomplete{s.provider, s.process, len(s.chunks), int(s.total)}
	}
	if !s.whole() {
		return
	}
	for _, old := range v.whole {
		if old.major == s.major && old.minor == s.minor && maps.Equal(old.chunks, s.chunks) {
			v.again(old)
			return
		}
	}
	if len(v.whole) == maxVariants {
		v.whole = slices.Delete(v.whole, 0, 1)
	}
	v.whole = append(v.whole, s)
}

// again notes that a manifest was said once more.
func (v *variants) again(s *assembly) {
	if i := slices.Index(v.whole, s); i >= 0 {
		v.whole = append(slices.Delete(v.whole, i, i+1), s)
	}
}

// sorted returns the manifests, the best first.
func (v *variants) sorted() []*assembly {
	list := slices.Clone(v.whole)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b *assembly) int {
		return cmp.Or(cmp.Compare(b.major, a.major), cmp.Compare(b.minor, a.minor))
	})
	return list
}
