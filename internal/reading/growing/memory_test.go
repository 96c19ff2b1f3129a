package growing

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// TestMemoryIsBounded remembers the facts about many processes, of which most end: the memory stays
// bounded, and keeps the facts about those that run.
func TestMemoryIsBounded(t *testing.T) {
	const most = 1 << 20
	m := NewMemory(most)
	forgotten := 0
	m.Forgot = func(n int) { forgotten += n }
	fact := func(process uint32, at int, ends bool) {
		m.add(index.KeptEvent{Kind: index.KeptFact, Buffer: at, Time: int64(at), Raw: make([]byte, 200), Process: process, Ends: ends}, true)
		if m.bytes > most {
			t.Fatalf("%d bytes are remembered, at most %d may be", m.bytes, most)
		}
	}
	const services = 100
	for i := range services {
		fact(uint32(i), i, false)
	}
	for i := services; i < 100_000; i++ {
		fact(uint32(i), i, false)
		fact(uint32(i), i, true)
		key := index.KeptKey{Process: uint32(i), Thread: uint32(i)}
		m.add(index.KeptEvent{Kind: index.KeptPair, Key: key, Buffer: i, Raw: make([]byte, 100), Process: attribution.NoID}, true)
	}
	for i := range services {
		if e := &m.events[i]; e.Process != uint32(i) {
			t.Fatalf("the facts about process %d, which runs, were forgotten", i)
		}
	}
	if forgotten > 0 {
		t.Errorf("%d facts about running processes were forgotten", forgotten)
	}
	for i := range 20_000 { // they never end
		fact(uint32(1_000_000+i), 200_000+i, false)
	}
	if forgotten == 0 {
		t.Error("nothing was said of the facts that were forgotten")
	}
	if len(m.once) > len(m.events) || m.bytes < most/4 {
		t.Errorf("%d keys for %d events, %d bytes", len(m.once), len(m.events), m.bytes)
	}
}

// TestMemoryRepeats remembers what is logged again and again once: examples, pairs and descriptions, and
// of the switches of a processor the last.
func TestMemoryRepeats(t *testing.T) {
	m := NewMemory(0)
	for i := range 100 {
		description := make([]byte, headerOf+20)
		description[0] = byte(i) // in its header
		m.add(index.KeptEvent{Kind: index.KeptDescription, Buffer: i, Raw: description}, true)
		m.add(index.KeptEvent{Kind: index.KeptExample, Key: index.KeptKey{Size: 7}, Buffer: i, Raw: make([]byte, 64)}, true)
		m.add(index.KeptEvent{Kind: index.KeptSwitch, Buffer: i, Processor: 3, Raw: make([]byte, 64)}, true)
	}
	if len(m.events) != 2 || m.switches[3].Buffer != 99 {
		t.Errorf("%d events, the last switch is in buffer %d", len(m.events), m.switches[3].Buffer)
	}
	list, data := m.buffers(50, 60)
	if len(list) != 1 || int(list[0].Size) != len(data) {
		t.Errorf("%d buffers", len(list))
	}
	if list, _ = m.buffers(0, 100); len(list) != 0 { // all is in the part itself
		t.Errorf("%d buffers, want none", len(list))
	}
}
