package growing

import (
	"cmp"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// DefaultMemory is the default of the bytes of events that are remembered of a trace: about 60,000
// facts about processes, threads and images.
const DefaultMemory = 16 << 20

// Memory is the events of a trace that say something about later ones. The zero value is not valid;
// see NewMemory.
type Memory struct {
	limit    int64 // on bytes
	bytes    int64
	events   []index.KeptEvent
	once     map[index.KeptKey]struct{} // of the examples and pairs in events
	texts    map[xxh3.Uint128]struct{}  // hashes of the descriptions in events
	switches map[uint16]index.KeptEvent // the last of each processor
	Forgot   func(n int)                // called when facts about running processes are dropped; may be nil
}

// NewMemory returns an empty memory for a number of bytes; 0 is DefaultMemory.
func NewMemory(limit int64) *Memory {
	m := &Memory{limit: cmp.Or(limit, DefaultMemory)}
	m.clear()
	return m
}

func (m *Memory) clear() {
	m.bytes, m.events = 0, nil
	m.once, m.texts = make(map[index.KeptKey]struct{}), make(map[xxh3.Uint128]struct{})
	m.switches = make(map[uint16]index.KeptEvent)
}

// add remembers an event, whose Buffer is that in the whole trace. A context switch is remembered only
// if its buffer is printed: it says who runs on the processor after that.
func (m *Memory) add(e index.KeptEvent, isPrinted bool) {
	switch e.Kind {
	case index.KeptSwitch:
		if isPrinted {
			m.switches[e.Processor] = e
		}
		return
	case index.KeptExample, index.KeptPair:
		if _, ok := m.once[e.Key]; ok {
			return
		}
		m.once[e.Key] = struct{}{}
	case index.KeptDescription:
		hash := textOf(&e)
		if _, ok := m.texts[hash]; ok {
			return
		}
		m.texts[hash] = struct{}{}
	}
	m.events = append(m.events, e)
	m.bytes += sizeOf(&e)
	if m.bytes > m.limit {
		m.forget()
	}
}

// textOf identifies what a description says, whenever it is logged: runtimes log theirs again and
// again.
func textOf(e *index.KeptEvent) xxh3.Uint128 { return xxh3.Hash128(e.Raw[min(len(e.Raw), headerOf):]) }

const (
	headerOf = 0x30 // of the headers of descriptions: the class or event, but not the time, differ after it
	overhead = 128  // approximate bytes of an event besides its own
)

func sizeOf(e *index.KeptEvent) int64 { return int64(len(e.Raw)) + overhead }

// forget drops facts until half of the memory is free: first pairs, which most events say again, then
// what was true of ended processes, then the oldest facts.
func (m *Memory) forget() {
	gone := endedProcesses(m.events)
	dropped := 0
	steps := []func(e *index.KeptEvent) bool{
		func(e *index.KeptEvent) bool { return e.Kind == index.KeptPair },
		func(e *index.KeptEvent) bool { return e.Kind == index.KeptFact && gone.includes(e) },
		func(e *index.KeptEvent) bool {
			if e.Kind != index.KeptFact {
				return false
			}
			dropped++
			return true
		},
		func(e *index.KeptEvent) bool { return true },
	}
	for _, isUnneeded := range steps {
		m.events = slices.DeleteFunc(m.events, func(e index.KeptEvent) bool {
			if m.bytes <= m.limit/2 || !isUnneeded(&e) {
				return false
			}
			m.drop(&e)
			return true
		})
	}
	if dropped > 0 && m.Forgot != nil {
		m.Forgot(dropped)
	}
}

func (m *Memory) drop(e *index.KeptEvent) {
	m.bytes -= sizeOf(e)
	switch e.Kind {
	case index.KeptExample, index.KeptPair:
		delete(m.once, e.Key)
	case index.KeptDescription:
		delete(m.texts, textOf(e))
	}
}

// bufferBytes bounds a remembered buffer.
const bufferBytes = 8 << 20

// buffers returns buffers with the remembered events of other buffers than [from, to), by processor,
// and their contents one after another.
func (m *Memory) buffers(from, to int) ([]decode.BufferInfo, []byte) {
	byProcessor := make(map[uint16][]*index.KeptEvent)
	put := func(e *index.KeptEvent) {
		if e.Buffer < from || e.Buffer >= to {
			byProcessor[e.Processor] = append(byProcessor[e.Processor], e)
		}
	}
	for i := range m.events {
		put(&m.events[i])
	}
	for _, e := range m.switches {
		if e.Buffer < from {
			put(&e)
		}
	}
	var list []decode.BufferInfo
	var data []byte
	for _, processor := range slices.Sorted(maps.Keys(byProcessor)) {
		events := byProcessor[processor]
		slices.SortStableFunc(events, func(a, b *index.KeptEvent) int { return cmp.Compare(a.Buffer, b.Buffer) })
		for len(events) > 0 {
			begin := len(data)
			first := events[0].Time
			data = append(data, make([]byte, decode.BufferHeaderSize)...)
			for len(events) > 0 && (len(data) == begin+decode.BufferHeaderSize || len(data)-begin+len(events[0].Raw) < bufferBytes) {
				data = append(data, events[0].Raw...)
				data = append(data, make([]byte, -len(data)&7)...)
				events = events[1:]
			}
			size := uint32(len(data) - begin)
			list = append(list, decode.BufferInfo{Offset: int64(begin), Size: size, Header: decode.BufferHeader{
				BufferSize: size, SavedOffset: size, Offset: size, TimeStamp: first, Processor: processor, BufferFlag: decode.BufferProcIndex,
			}})
		}
	}
	return list, data
}

// ended are the times at which processes ended, by their ids.
type ended map[uint32]decode.Ticks

// endedProcesses returns the processes that ended some time ago. Buffers of other processors may still
// come with events of a process that ended just now.
func endedProcesses(events []index.KeptEvent) ended {
	gone := make(ended)
	for i := range events[:len(events)*3/4] {
		if e := &events[i]; e.Ends && e.Process != attribution.NoID {
			gone[e.Process] = max(gone[e.Process], e.Time)
		}
	}
	return gone
}

// includes reports whether a fact is about a process that ended after it.
func (g ended) includes(e *index.KeptEvent) bool {
	if e.Process == attribution.NoID {
		return false
	}
	end, ok := g[e.Process]
	return ok && e.Time <= end
}
