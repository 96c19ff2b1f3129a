package pcapng

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// readBack counts the packets of a file and their bytes, and fails if the file is no pcapng.
func readBack(t testing.TB, file []byte) (packets, size int64) {
	t.Helper()
	if len(file) == 0 {
		return 0, 0
	}
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, info, _, err := r.ReadPacketDataWithOptions()
		if errors.Is(err, io.EOF) {
			return packets, size
		}
		if err != nil {
			t.Fatalf("packet %d: %v", packets, err)
		}
		if info.Length < len(data) || len(data) > maxPacket {
			t.Fatalf("packet %d: %d of %d bytes", packets, len(data), info.Length)
		}
		packets++
		size += int64(len(data))
	}
}

// FuzzEvents makes events of bytes: kinds, flags, places, lengths. The file is always a pcapng with all
// bytes of the events except those of fragments and appearances that are left out.
func FuzzEvents(f *testing.F) {
	f.Add([]byte{0x0b, 1, 2, 9, 0x13, 1, 2, 9, 0x40, 3, 4, 200}, false)
	f.Add(bytes.Repeat([]byte{0x02, 1, 0, 255}, 20), true)
	f.Add(append([]byte{0x06, 1, 0, 255}, bytes.Repeat([]byte{0x02, 1, 0, 255, 0x10, 1, 2, 0}, 20)...), false) // a packet that never ends
	payload := bytes.Repeat([]byte{0x45, 0, 0, 20, 0x86, 0xdd, 8, 0}, 8192)
	f.Fuzz(func(t *testing.T, data []byte, all bool) {
		var out bytes.Buffer
		file := &file{to: &out, names: &names{traces: []string{"a", "b"}}, interfaces: make(map[interfaceKey]int)}
		a := newAssembler(all, file.write)
		given := int64(0)
		for i := 0; i+4 <= len(data); i += 4 {
			flags, n := data[i], int(data[i+3])*257
			e := &event{
				trace: int(flags & 1), time: int64(i) - 8, process: int64(int8(data[i+1])), name: string(data[i : i+4]), thread: int64(data[i+1] & 3),
				place:     place{kind: placeKind(data[i+2] & 3), id: int64(data[i+2]), sub: int64(data[i+1]), name: string(data[i : i+2])},
				direction: direction(data[i+2] % 3), bytes: payload[:n], wire: int64(data[i+1]) << (data[i+2] & 63), damaged: flags&0x80 != 0, cut: data[i+1]&1 != 0,
				isFragment: flags&2 != 0, starts: flags&4 != 0, ends: flags&8 != 0, isKnown: flags&16 != 0, packet: packetID{uint64(data[i+1]) << 44, int64(data[i+2])},
			}
			if flags&32 != 0 {
				e.dropped = string(data[:min(len(data), 70_000)])
			}
			given += int64(n)
			if err := a.add(e); err != nil {
				t.Fatal(err)
			}
			if len(a.held) > maxHeld || a.bytes > maxBytes+maxPacket {
				t.Fatalf("%d packets with %d bytes are held", len(a.held), a.bytes)
			}
		}
		if err := errors.Join(a.finish(), file.flush()); err != nil {
			t.Fatal(err)
		}
		packets, size := readBack(t, out.Bytes())
		if packets != file.packets || size > given {
			t.Fatalf("%d packets with %d bytes in the file; %d were written, of events with %d bytes", packets, size, file.packets, given)
		}
		if a.bytes != 0 {
			t.Fatalf("%d bytes are held at the end", a.bytes)
		}
	})
}

// TestManyInterfaces writes packets of more interfaces than a file describes.
func TestManyInterfaces(t *testing.T) {
	var out bytes.Buffer
	file := &file{to: &out, names: &names{traces: []string{"a"}}, interfaces: make(map[interfaceKey]int)}
	a := newAssembler(false, file.write)
	for i := range int64(maxInterfaces + 3) {
		if err := a.add(&event{time: i, process: -1, place: place{kind: adapter, id: i, sub: i}, link: ethernet, bytes: []byte{1}, starts: true, ends: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(a.finish(), file.flush()); err != nil {
		t.Fatal(err)
	}
	r, err := pcapgo.NewNgReader(&out, pcapgo.NgReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var last pcapgo.NgPacketOptions
	packets := 0
	for ; ; packets++ {
		_, _, o, err := r.ReadPacketDataWithOptions()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		last = o
	}
	about, err := r.Interface(r.NInterfaces() - 1)
	if err != nil || packets != maxInterfaces+3 || r.NInterfaces() != maxInterfaces+1 || about.Name != "more interfaces" || len(last.Comments) != 1 ||
		last.Comments[0] != "interface: adapter 65538" {
		t.Errorf("%d packets, %d interfaces, the last is %q, the last comments %q: %v", packets, r.NInterfaces(), about.Name, last.Comments, err)
	}
}

// TestMutants exports traces with changed bytes.
func TestMutants(t *testing.T) {
	real := testenv.ReadFile(t, testenv.Shared(t, "traces/PktMon.etl"))
	fragments := testenv.ReadFile(t, testenv.Shared(t, "cases/ndiscap-older-form.etl"))
	text := testenv.ReadFile(t, "testdata/golden/ndis.txtar")
	_, text, _ = bytes.Cut(text, []byte("-- trace --\n"))
	text, _, _ = bytes.Cut(text, []byte("-- expect --\n"))
	originals := [][]byte{real, fragments, etltest.MustParse(t, string(text))}
	rounds := testenv.Times(t, 12, 40, 400, 2000)
	random := rand.New(rand.NewPCG(33, 1))
	path := filepath.Join(t.TempDir(), "mutant.etl")
	files, packets := 0, int64(0)
	for i := range rounds {
		mutant := bytes.Clone(originals[i%len(originals)])
		for range 1 + random.IntN(8) {
			at := random.IntN(len(mutant))
			mutant[at] ^= byte(1 + random.IntN(255))
		}
		if random.IntN(4) == 0 {
			mutant = mutant[:random.IntN(len(mutant))]
		}
		testenv.WriteFile(t, path, mutant)
		traces, err := etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{Workers: 1})
		if err != nil {
			continue // it is no trace any more
		}
		var out bytes.Buffer
		err = Export(t.Context(), traces, &out, Options{AllComponents: i%2 == 0})
		if closed := traces.Close(); closed != nil {
			t.Fatal(closed)
		}
		n, _ := readBack(t, out.Bytes())
		if n == 0 && !errors.Is(err, ErrNoPackets) || n > 0 && err != nil {
			t.Fatalf("mutant %d: %d packets, %v", i, n, err)
		}
		files, packets = files+1, packets+n
	}
	t.Logf("%d mutants, %d of them traces, with %d packets", rounds, files, packets)
	if files < rounds/2 || packets == 0 {
		t.Errorf("%d of %d mutants are traces, with %d packets", files, rounds, packets)
	}
}
