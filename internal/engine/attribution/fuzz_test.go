package attribution_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// FuzzTables builds tables from kernel events and events about code of arbitrary bytes. It checks
// that entities are sorted, that lives of one id do not overlap, and that each entity is found at
// its own times, with and without a cache of payloads.
func FuzzTables(f *testing.F) {
	hooks := []uint16{0x0301, 0x0302, 0x0303, 0x0304, 0x0501, 0x0502, 0x0503, 0x0504, 0x0548, 0x030a, 0x1402, 0x1403, 0x1404, 0x0400, 0x0423, 0x0424, 0x0440, 0x1820, 0x1822, 0x1823, 0x1824, 0x1825, 0x1826}
	codes := []struct {
		provider string
		id       uint16
	}{
		{clrProvider, 137}, {clrProvider, 140}, {clrProvider, 141}, {clrProvider, 142}, {clrProvider, 143}, {clrProvider, 144}, {rundownProvider, 144},
		{clrProvider, 151}, {clrProvider, 152}, {clrProvider, 153}, {rundownProvider, 154},
		{scriptProvider, 5}, {scriptProvider, 9}, {scriptProvider, 10}, {scriptProvider, 41}, {scriptProvider, 42},
	}
	for n := range len(hooks) + len(codes) {
		f.Add([]byte{byte(n), 1, byte(n), 2, byte(n + 1), 3, 0, 4}, uint8(n%5), n%2 == 0)
	}
	f.Add([]byte("\"<01\"\x9c\"Z"), uint8(1), false)  // two methods at one address began at the same moment
	f.Add([]byte("x\x06xBA&A\xf60"), uint8(1), false) // a method and its process began when the next of that id did
	file := emptyFile(f)
	f.Fuzz(func(t *testing.T, script []byte, version uint8, wide bool) {
		overflow := func() (attribution.Overflow, error) { return new(memoryFile), nil }
		builder := attribution.NewBuilder(attribution.Limits{Records: 64, Texts: 4096, Keys: 64, Frames: 4096}, nil)
		sharing := attribution.NewBuilder(attribution.Limits{Records: 64, Texts: 4096, Keys: 64, Frames: 40}, overflow)
		var records, shared attribution.Records
		var known attribution.Known
		records.Begin(0)
		shared.Begin(0)
		shared.Share(&known)
		for i := 0; i+1 < len(script) && i < 400; i += 2 {
			at, payload := int64(script[i+1]%16), payloadOf(script[i:], script[i+1])
			if n := int(script[i]) % (len(hooks) + len(codes)); n < len(hooks) {
				ev := eventOf(file, hooks[n], wide, at, payload)
				records.Hook(ev, hooks[n], version)
				shared.Hook(ev, hooks[n], version)
			} else {
				code := codes[n-len(hooks)]
				ev := providerEvent(file, code.provider, uint32(script[i+1]%2), code.id, version, wide, at, payload)
				records.Manifest(ev, ev.Header())
				shared.Manifest(ev, ev.Header())
			}
			if script[i]%7 == 0 {
				builder.Add(&records)
				sharing.Add(&shared)
				records, shared = attribution.Records{}, attribution.Records{}
				records.Begin(i)
				shared.Begin(i)
				shared.Share(&known)
			}
		}
		builder.Add(&records)
		sharing.Add(&shared)
		if err := errors.Join(builder.Flush(), sharing.Flush()); err != nil {
			t.Fatal(err)
		}
		tables := builder.Build(1)
		checkTables(t, tables)
		checkEqual(t, sharing.Build(3), tables)
		tables.Stacks.Frames(1, 3, nil)
		tables.Stacks.Buffers(0, 20, nil)
	})
}

// checkEqual checks that the cache does not change the tables.
func checkEqual(t *testing.T, got, want *attribution.Tables) {
	t.Helper()
	if !slices.Equal(got.Processes, want.Processes) || !slices.Equal(got.Threads, want.Threads) ||
		!slices.Equal(got.Images, want.Images) || !slices.Equal(got.Files, want.Files) ||
		!slices.Equal(got.Methods, want.Methods) || !slices.Equal(got.Modules, want.Modules) || got.Unlisted != want.Unlisted {
		t.Errorf("with what was read before: %+v, want %+v", got, want)
	}
	for key := range uint64(4) {
		for at := range decode.Ticks(18) {
			a, foundA, errA := got.Stacks.Frames(key, at, nil)
			b, foundB, errB := want.Stacks.Frames(key, at, nil)
			if errA != nil || errB != nil || foundA != foundB || !slices.Equal(a, b) {
				t.Errorf("key %d at %d: frames %x %v, want %x %v", key, at, a, foundA, b, foundB)
			}
		}
	}
}

func checkTables(t *testing.T, tables *attribution.Tables) {
	t.Helper()
	resolver := tables.Resolver()
	for i := range tables.Threads {
		thread := &tables.Threads[i]
		checkLife(t, &thread.Life)
		if i > 0 && tables.Threads[i-1].ID == thread.ID {
			checkFollows(t, &tables.Threads[i-1].Life, &thread.Life)
		}
		if i+1 < len(tables.Threads) && tables.Threads[i+1].ID == thread.ID && tables.Threads[i+1].From <= thread.To {
			continue // the end of a life belongs to the next one
		}
		if at := tables.Thread(thread.ID, thread.To); at != i {
			t.Errorf("thread %d at %d is found at %d, want %d", thread.ID, thread.To, at, i)
		}
		for range 2 { // the second answer is from the cache
			if got := resolver.ProcessOf(thread.ID, thread.To); thread.ID != 0 && got != thread.Process {
				t.Errorf("thread %d is of process %d, want %d", thread.ID, got, thread.Process)
			}
		}
	}
	for i := range tables.Processes {
		process := &tables.Processes[i]
		checkLife(t, &process.Life)
		if i > 0 && tables.Processes[i-1].ID == process.ID {
			checkFollows(t, &tables.Processes[i-1].Life, &process.Life)
		}
	}
	for i := range tables.Images {
		image := &tables.Images[i]
		checkLife(t, &image.Life)
		if image.Size > 0 {
			if at := tables.Image(image.Process, image.Base, image.From); at < 0 {
				t.Errorf("image at %#x of process %d is not found", image.Base, image.Process)
			}
		}
	}
	for i := range tables.Files {
		checkLife(t, &tables.Files[i].Life)
	}
	for i := range tables.Methods {
		checkMethod(t, tables, resolver, i)
	}
	for i := range tables.Modules {
		checkLife(t, &tables.Modules[i].Life)
	}
}

// checkMethod checks that the resolver finds a method at its address, or one that begins later
// there.
func checkMethod(t *testing.T, tables *attribution.Tables, resolver *attribution.Resolver, i int) {
	t.Helper()
	m := &tables.Methods[i]
	checkLife(t, &m.Life)
	if i > 0 && tables.Methods[i-1].Process == m.Process && tables.Methods[i-1].Address == m.Address {
		checkFollows(t, &tables.Methods[i-1].Life, &m.Life)
	}
	for _, address := range []uint64{m.Address, m.Address + uint64(m.Size) - 1} {
		for range 2 { // the second answer is from the cache
			at := resolver.Method(m.Process, address, m.From)
			if at != tables.Method(m.Process, address, m.From) {
				t.Errorf("method %d, address %#x: the resolver finds %d, the tables %d", i, address, at, tables.Method(m.Process, address, m.From))
			}
			if m.Size > 0 && at < i && address >= m.Address {
				t.Errorf("method %d is found at %d", i, at)
			}
		}
	}
	if strings.ContainsAny(tables.FullName(m), ";\n") || tables.Kind(m) == "" && m.Runtime == attribution.RuntimeCLR {
		t.Errorf("method %d is %q, of kind %q", i, tables.FullName(m), tables.Kind(m))
	}
	tables.ModuleOf(m)
}

func checkLife(t *testing.T, l *attribution.Life) {
	t.Helper()
	if l.From > l.To {
		t.Errorf("from %d to %d", l.From, l.To)
	}
}

func checkFollows(t *testing.T, a, b *attribution.Life) {
	t.Helper()
	if a.From > b.From || a.To > b.From {
		t.Errorf("%d to %d, then %d to %d", a.From, a.To, b.From, b.To)
	}
}

// payloadOf makes a payload that contains few different ids and addresses.
func payloadOf(script []byte, seed byte) []byte {
	payload := make([]byte, 8*(int(seed)%16))
	for i := range payload {
		if i%4 == 0 && i/4 < len(script) {
			payload[i] = script[i/4] % 3
		}
	}
	return payload
}
