package manifest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Assembled is a manifest from the trace, for [Parse] with
// [schema.FromEventSource]. It may name any provider, but is only valid for the one
// that logged it.
type Assembled struct {
	Provider     schema.GUID
	Processes    []uint32 // that logged it, in the order of their first complete one
	Major, Minor uint8    // version of the envelope
	XML          []byte
}

// Incomplete is a manifest with missing chunks.
type Incomplete struct {
	Provider schema.GUID
	Process  uint32
	Chunks   int // present
	Total    int
}

// Limits on assembled manifests.
const (
	maxManifestBytes = 16 << 20 // of one manifest
	maxVariants      = 8        // of one provider
	maxAssembled     = 16 << 20 // bytes in all
)

// Assemble assembles the chunks into manifests. They are ordered by the first chunk
// of their provider in the trace. The different manifests of a provider are ordered
// by preference: the highest version first and, within a version, the one completed
// last. For a provider without a complete manifest, or with one beyond the limits,
// Assemble returns the most complete one as incomplete.
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
				all = append(all, Assembled{id, one.processes, one.major, one.minor, a.text(one)})
			}
		}
		if !any {
			incomplete = append(incomplete, v.best)
		}
	}
	return all, incomplete
}

// assembler assembles chunks, which it takes in the order of the file.
type assembler struct {
	contents  []string
	streams   map[stream]*assembly
	providers map[schema.GUID]*variants
	order     []schema.GUID
}

// assembly is a manifest being assembled.
type assembly struct {
	stream
	chunks    map[uint16]int // contents by number
	bytes     int
	processes []uint32 // that logged all chunks
}

func (s *assembly) complete() bool { return len(s.chunks) == int(s.total) }

// add adds a chunk. A chunk that contradicts an earlier one begins a new manifest.
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
			v.repeated(s)
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

// text returns the text of a complete manifest.
func (a *assembler) text(s *assembly) []byte {
	text := make([]byte, 0, s.bytes)
	for number := range int(s.total) {
		text = append(text, a.contents[s.chunks[uint16(number)]]...)
	}
	return text
}

// variants are the manifests of a provider.
type variants struct {
	complete []*assembly // complete and distinct, in the order in which each was last logged
	best     Incomplete  // the one with the most chunks
}

// grown records that an assembly has one more chunk.
func (v *variants) grown(s *assembly) {
	if len(s.chunks) > v.best.Chunks {
		v.best = Incomplete{s.provider, s.process, len(s.chunks), int(s.total)}
	}
	if !s.complete() {
		return
	}
	for _, old := range v.complete {
		if old.major == s.major && old.minor == s.minor && maps.Equal(old.chunks, s.chunks) {
			if !slices.Contains(old.processes, s.process) {
				old.processes = append(old.processes, s.process)
			}
			v.repeated(old)
			return
		}
	}
	if len(v.complete) == maxVariants {
		v.complete = slices.Delete(v.complete, 0, 1)
	}
	s.processes = []uint32{s.process}
	v.complete = append(v.complete, s)
}

// repeated records that a manifest was logged once more.
func (v *variants) repeated(s *assembly) {
	if i := slices.Index(v.complete, s); i >= 0 {
		v.complete = append(slices.Delete(v.complete, i, i+1), s)
	}
}

// sorted returns the manifests in the order of preference.
func (v *variants) sorted() []*assembly {
	list := slices.Clone(v.complete)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b *assembly) int {
		return cmp.Or(cmp.Compare(b.major, a.major), cmp.Compare(b.minor, a.minor))
	})
	return list
}
