package manifest_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// logged is a payload with the provider, process and thread of its event.
type logged struct {
	provider        schema.GUID
	process, thread uint32
	payload         []byte
}

// chunk makes the payload of a chunk.
func chunk(version uint8, total, number uint16, text string) []byte {
	b := []byte{1, version, 0, 0x5b}
	b = binary.LittleEndian.AppendUint16(b, total)
	b = binary.LittleEndian.AppendUint16(b, number)
	return append(b, text...)
}

var (
	providerA = schema.GUID{0xa}
	providerB = schema.GUID{0xb}
)

// assemble writes the manifests assembled from payloads.
func assemble(all []logged) string {
	var p manifest.Pieces
	for _, l := range all {
		p.Add(l.provider, l.process, l.thread, l.payload)
	}
	return assembled(&p)
}

func assembled(p *manifest.Pieces) string {
	var b strings.Builder
	whole, incomplete := p.Assemble()
	name := func(id schema.GUID) string { return map[schema.GUID]string{providerA: "A", providerB: "B"}[id] }
	for _, one := range whole {
		b.WriteString(name(one.Provider) + string('0'+rune(one.Processes[0])) + "v" + string('0'+rune(one.Major)) + ":" + string(one.XML) + " ")
	}
	for _, one := range incomplete {
		b.WriteString(name(one.Provider) + string('0'+rune(one.Process)) + ":" + string('0'+rune(one.Chunks)) + "/" + string('0'+rune(one.Total)) + " ")
	}
	if p.Invalid > 0 {
		b.WriteString("invalid:" + string('0'+rune(p.Invalid)) + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestAssemble(t *testing.T) {
	a := func(number uint16, text string) logged { return logged{providerA, 1, 1, chunk(1, 3, number, text)} }
	of := func(l logged, process, thread uint32) logged {
		l.process, l.thread = process, thread
		return l
	}
	raw := func(payload ...byte) logged { return logged{providerA, 1, 1, payload} }
	for _, test := range []struct {
		name string
		all  []logged
		want string
	}{
		{"nothing", nil, ""},
		{"one chunk", []logged{{providerA, 1, 1, chunk(1, 1, 0, "x")}}, "A1v1:x"},
		{"in order", []logged{a(0, "x"), a(1, "y"), a(2, "z")}, "A1v1:xyz"},
		{"in any order", []logged{a(2, "z"), a(0, "x"), a(1, "y")}, "A1v1:xyz"},
		{"repeated", []logged{a(0, "x"), a(0, "x"), a(1, "y"), a(0, "x"), a(2, "z"), a(2, "z"), a(0, "x"), a(1, "y")}, "A1v1:xyz"},
		{"the same text in several chunks", []logged{a(0, "x"), a(1, "x"), a(2, "x")}, "A1v1:xxx"},
		{"empty chunks", []logged{a(0, ""), a(1, "x"), a(2, "")}, "A1v1:x"},
		{"a chunk is missing", []logged{a(0, "x"), a(2, "z")}, "A1:2/3"},
		{"missing in one process, complete in another", []logged{a(0, "x"), a(2, "z"), of(a(0, "x"), 2, 1), of(a(1, "y"), 2, 1), of(a(2, "z"), 2, 1)}, "A2v1:xyz"},
		{"two processes, mixed", []logged{a(0, "x"), of(a(0, "1"), 2, 1), a(1, "y"), of(a(1, "2"), 2, 1), a(2, "z"), of(a(2, "3"), 2, 1)}, "A2v1:123 A1v1:xyz"},
		{"two threads, mixed", []logged{a(0, "x"), of(a(0, "1"), 1, 2), a(1, "y"), of(a(1, "2"), 1, 2), a(2, "z"), of(a(2, "3"), 1, 2)}, "A1v1:123 A1v1:xyz"},
		{"two processes, the same", []logged{a(0, "x"), a(1, "y"), a(2, "z"), of(a(0, "x"), 2, 1), of(a(1, "y"), 2, 1), of(a(2, "z"), 2, 1)}, "A1v1:xyz"},
		{"two providers", []logged{{providerB, 1, 1, chunk(1, 1, 0, "b")}, {providerA, 1, 1, chunk(1, 1, 0, "a")}}, "B1v1:b A1v1:a"},
		{"a chunk that contradicts starts a new manifest", []logged{a(0, "x"), a(1, "y"), a(0, "1"), a(1, "2"), a(2, "3")}, "A1v1:123"},
		{"another number of chunks", []logged{a(0, "x"), {providerA, 1, 1, chunk(1, 2, 0, "1")}, a(1, "y"), {providerA, 1, 1, chunk(1, 2, 1, "2")}, a(2, "z")}, "A1v1:xyz A1v1:12"},
		{"the highest version is the best", []logged{{providerA, 1, 1, chunk(2, 1, 0, "new")}, {providerA, 2, 1, chunk(1, 1, 0, "old")}}, "A1v2:new A2v1:old"},
		{"of one version, the latest is the best", []logged{{providerA, 1, 1, chunk(1, 1, 0, "x")}, {providerA, 1, 1, chunk(1, 1, 0, "y")}}, "A1v1:y A1v1:x"},
		{"a repeated manifest counts as the latest", []logged{{providerA, 1, 1, chunk(1, 1, 0, "x")}, {providerA, 2, 1, chunk(1, 1, 0, "y")}, {providerA, 1, 1, chunk(1, 1, 0, "x")}}, "A1v1:x A2v1:y"},
		{"invalid chunks", []logged{raw(), raw(1, 1, 0, 0x5b, 1, 0, 0), raw(2, 1, 0, 0x5b, 1, 0, 0, 0), raw(1, 1, 0, 0x5a, 1, 0, 0, 0)}, "invalid:4"},
		{"numbers beyond the total", []logged{raw(1, 1, 0, 0x5b, 0, 0, 0, 0), raw(1, 1, 0, 0x5b, 1, 0, 1, 0)}, "invalid:2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := assemble(test.all); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			for at := range len(test.all) + 1 {
				var first, second manifest.Pieces
				for i, l := range test.all {
					to := &first
					if i >= at {
						to = &second
					}
					to.Add(l.provider, l.process, l.thread, l.payload)
				}
				first.Merge(&second)
				if got := assembled(&first); got != test.want {
					t.Errorf("merged at %d: %s, want %s", at, got, test.want)
				}
			}
		})
	}
}

// TestPiecesCopy checks that Add copies the payload, whose buffer is reused.
func TestPiecesCopy(t *testing.T) {
	var p manifest.Pieces
	payload := chunk(1, 1, 0, "text")
	p.Add(providerA, 1, 1, payload)
	clear(payload)
	if got := assembled(&p); got != "A1v1:text" {
		t.Error(got)
	}
}

// TestAssembleAnyOrder adds payloads in any order, because buffers reach the file out of
// time order.
func TestAssembleAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := strings.Repeat("0123456789", 10_000)
	var all []logged
	for i := range 10 {
		all = append(all, logged{providerA, 1, 1, chunk(1, 10, uint16(i), text[i*10_000:][:10_000])})
	}
	for range 20 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if got := assemble(all); got != "A1v1:"+text {
			t.Fatalf("%.60s", got)
		}
	}
}

// TestPiecesMemory checks that the claims of chunks take no memory, and their content
// takes memory only up to a limit.
func TestPiecesMemory(t *testing.T) {
	testenv.Sequential(t)
	for _, test := range []struct {
		name    string
		add     func(p *manifest.Pieces)
		dropped bool
		most    uint64 // bytes
	}{
		{"claims of 4 GiB", func(p *manifest.Pieces) {
			for i := range 1000 {
				p.Add(schema.GUID{byte(i), byte(i >> 8)}, 1, 1, chunk(1, 65535, 65534, "x"))
			}
		}, false, 8 << 20},
		{"65,535 empty chunks", func(p *manifest.Pieces) {
			for i := range 65535 {
				p.Add(providerA, 1, 1, chunk(1, 65535, uint16(i), ""))
			}
		}, false, 64 << 20},
		{"more chunks than are kept", func(p *manifest.Pieces) {
			payload := chunk(1, 1, 0, "the same")
			for i := range 1<<17 + 1 {
				p.Add(providerA, uint32(i), 1, payload)
			}
		}, true, 128 << 20},
		{"more bytes than are kept", func(p *manifest.Pieces) {
			payload := chunk(1, 1, 0, strings.Repeat("x", 0xff00))
			for i := range 600 {
				binary.LittleEndian.PutUint32(payload[8:], uint32(i))
				p.Add(providerA, uint32(i), 1, payload)
			}
		}, true, 128 << 20},
		{"a manifest that is too long, of equal chunks", func(p *manifest.Pieces) {
			text := strings.Repeat("x", 0xff00)
			for i := range 1000 {
				p.Add(providerA, 1, 1, chunk(1, 1000, uint16(i), text))
			}
		}, false, 32 << 20},
		{"long manifests that share all chunks but one", func(p *manifest.Pieces) {
			text := strings.Repeat("x", 0xff00)
			for process := range testenv.Times(t, 100, 200, 500, 500) {
				for i := range 200 {
					p.Add(schema.GUID{byte(process), byte(process >> 8)}, uint32(process), 1, chunk(1, 201, uint16(i), text))
				}
				p.Add(schema.GUID{byte(process), byte(process >> 8)}, uint32(process), 1, chunk(1, 201, 200, string(rune('a'+process))))
			}
		}, false, 96 << 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var p manifest.Pieces
			test.add(&p)
			whole, incomplete := p.Assemble()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc); grown > test.most {
				t.Errorf("%d bytes in use, the limit is %d", grown, test.most)
			}
			if (p.Dropped > 0) != test.dropped {
				t.Errorf("%d chunks dropped", p.Dropped)
			}
			if len(whole)+len(incomplete) == 0 {
				t.Error("neither whole nor incomplete")
			}
			total := 0
			for _, one := range whole {
				total += len(one.XML)
			}
			if total > 16<<20 {
				t.Errorf("%d bytes of manifests", total)
			}
			runtime.KeepAlive(p)
		})
	}
}

// FuzzAssembler splits an input into payloads. Each has a byte for the provider,
// process and thread, a byte for the length, and the payload.
func FuzzAssembler(f *testing.F) {
	seeds := [][]logged{
		{{providerA, 1, 1, chunk(1, 1, 0, "whole")}},
		{{providerA, 1, 1, chunk(1, 2, 1, "second")}, {providerA, 2, 1, chunk(1, 2, 0, "other")}, {providerA, 1, 1, chunk(1, 2, 0, "first")}},
		{{providerA, 1, 1, chunk(1, 2, 0, "x")}, {providerA, 1, 1, chunk(1, 2, 0, "y")}, {providerA, 1, 1, chunk(1, 2, 1, "z")}},
		{{providerB, 1, 1, chunk(1, 65535, 65534, "")}, {providerA, 1, 1, []byte("junk")}},
	}
	for _, all := range seeds {
		f.Add(fuzzBytes(all))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		all := fuzzLogged(input)
		var p, left, right manifest.Pieces
		for i, l := range all {
			p.Add(l.provider, l.process, l.thread, l.payload)
			if i < len(all)/2 {
				left.Add(l.provider, l.process, l.thread, l.payload)
			} else {
				right.Add(l.provider, l.process, l.thread, l.payload)
			}
		}
		left.Merge(&right)
		whole, incomplete := p.Assemble()
		wholeMerged, incompleteMerged := left.Assemble()
		if diff := cmp.Diff(whole, wholeMerged); diff != "" {
			t.Fatalf("-at once +merged:\n%s", diff)
		}
		if diff := cmp.Diff(incomplete, incompleteMerged); diff != "" || p.Invalid != left.Invalid || p.Dropped != left.Dropped {
			t.Fatalf("-at once +merged:\n%s", diff)
		}
		checkAssembled(t, all, whole, incomplete, p.Invalid)
	})
}

// checkAssembled checks that each provider with a chunk has either a complete manifest or an
// incomplete one, and that a complete manifest begins with a first chunk.
func checkAssembled(t *testing.T, all []logged, whole []manifest.Assembled, incomplete []manifest.Incomplete, invalid int64) {
	t.Helper()
	providers := make(map[schema.GUID]bool)
	for _, l := range all {
		if len(l.payload) >= 8 && l.payload[0] == 1 && l.payload[3] == 0x5b &&
			binary.LittleEndian.Uint16(l.payload[6:]) < binary.LittleEndian.Uint16(l.payload[4:]) {
			providers[l.provider] = true
		} else {
			invalid--
		}
	}
	if invalid != 0 {
		t.Fatalf("%d invalid chunks too many", invalid)
	}
	seen := make(map[schema.GUID]bool)
	for _, one := range whole {
		seen[one.Provider] = true
		if !slices.ContainsFunc(all, func(l logged) bool {
			return l.provider == one.Provider && len(l.payload) >= 8 && binary.LittleEndian.Uint16(l.payload[6:]) == 0 && bytes.HasPrefix(one.XML, l.payload[8:])
		}) {
			t.Fatalf("%q does not begin with a first chunk", one.XML)
		}
	}
	for _, one := range incomplete {
		if seen[one.Provider] || one.Chunks >= one.Total || one.Chunks == 0 {
			t.Fatalf("incomplete: %+v", one)
		}
		seen[one.Provider] = true
	}
	if !cmp.Equal(providers, seen) {
		t.Fatalf("providers %v, want %v", seen, providers)
	}
}

func fuzzBytes(all []logged) []byte {
	var b []byte
	for _, l := range all {
		b = append(b, l.provider[0]&1|byte(l.process)&3<<1|byte(l.thread)&1<<3, byte(len(l.payload)))
		b = append(b, l.payload...)
	}
	return b
}

func fuzzLogged(input []byte) []logged {
	var all []logged
	for len(input) >= 2 {
		l := logged{schema.GUID{0xa + input[0]&1}, uint32(input[0] >> 1 & 3), uint32(input[0] >> 3 & 1), nil}
		n := min(int(input[1]), len(input)-2)
		l.payload = input[2 : 2+n]
		input = input[2+n:]
		all = append(all, l)
	}
	return all
}
