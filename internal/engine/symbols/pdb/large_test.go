package pdb_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	functionSize      = 64
	functionsInModule = 200
)

// large returns a file with a number of modules: each has functions with long names, a line for
// each 8 bytes, and a public symbol for each function.
func large(modules, blockSize int) []byte {
	size := uint32(modules * functionsInModule * functionSize)
	p := &pdbtest.PDB{BlockSize: blockSize, Age: 1, Sections: []pdbtest.Section{{RVA: 0x1000, Size: size}}}
	for m := range modules {
		module := pdbtest.Module{Name: fmt.Sprintf("module%d.obj", m)}
		for i := range functionsInModule {
			offset := uint32((m*functionsInModule + i) * functionSize)
			name := fmt.Sprintf("%s%d_%d", strings.Repeat("function_", 6), m, i)
			module.Functions = append(module.Functions, pdbtest.Function{
				Name: name, Section: 1, Offset: offset, Size: functionSize, File: module.Name + ".cpp",
				Lines: []pdbtest.Line{{Offset: 0, Number: 1}, {Offset: 8, Number: 2}, {Offset: 16, Number: 3}, {Offset: 24, Number: 4}, {Offset: 32, Number: 5}, {Offset: 40, Number: 6}},
			})
			p.Publics = append(p.Publics, pdbtest.Public{Name: "?" + name + "@@YAXPEAUstructure@@@Z", Section: 1, Offset: offset})
		}
		p.Modules = append(p.Modules, module)
	}
	return p.Bytes()
}

// lookAround opens a file and looks up an address in each of some modules.
func lookAround(t testing.TB, data []byte, modules int) {
	f := open(t, data)
	for m := range modules {
		rva := uint32(0x1000 + m*functionsInModule*functionSize + 10)
		if _, ok, err := f.Lookup(rva); !ok || err != nil {
			t.Fatalf("%x: %v", rva, err)
		}
		if _, line, _, err := f.Line(rva); line != 2 || err != nil {
			t.Fatalf("%x: line %d, %v", rva, line, err)
		}
	}
}

// TestLargeMemory bounds the memory for a large file, whose names and lines are not kept.
func TestLargeMemory(t *testing.T) {
	modules, most := 30, 2<<20
	if !testing.Short() {
		modules, most = 1600, 32<<20
	}
	data := large(modules, 4096)
	before := allocated()
	lookAround(t, data, min(modules, 50))
	if got := allocated() - before; got > uint64(most) {
		t.Errorf("%d bytes allocated for a file of %d, at most %d are allowed", got, len(data), most)
	} else {
		t.Logf("%d bytes allocated for a file of %d", got, len(data))
	}
}

// TestLargeDirectory checks a directory whose list of blocks takes several blocks.
func TestLargeDirectory(t *testing.T) {
	const modules, blockSize = 140, 512
	data := large(modules, blockSize)
	if least := blockSize / 4 * blockSize / 4 * blockSize; len(data) < least {
		t.Fatalf("%d bytes, at least %d are needed", len(data), least)
	}
	lookAround(t, data, modules)
}

// gapReader is a file with blocks left out.
type gapReader struct {
	data     []byte
	from, to int64 // the gap
}

func (r gapReader) ReadAt(p []byte, at int64) (int, error) {
	if at >= r.to {
		at -= r.to - r.from
	} else if at+int64(len(p)) > r.from {
		p = p[:max(r.from-at, 0)]
	}
	return bytes.NewReader(r.data).ReadAt(p, at)
}

// TestFarBlocks checks files beyond 4 GiB, which have blocks of 8 KiB and more.
func TestFarBlocks(t *testing.T) {
	for _, blockSize := range []int{8 << 10, 16 << 10, 32 << 10} {
		p := sample()
		p.BlockSize, p.Gap = blockSize, int(int64(10<<30)/int64(blockSize))
		data := p.Bytes()
		gap := int64(p.Gap) * int64(blockSize)
		r := gapReader{data, 3 * int64(blockSize), 3*int64(blockSize) + gap}
		f, err := pdb.Open(r, int64(len(data))+gap)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lookup(f, 0x1018), `?first@ns@@YAXXZ+8 of 32 c:\src\a.cpp:12`; got != want {
			t.Errorf("blocks of %d: %s, want %s", blockSize, got, want)
		}
	}
}

// TestLargeFunctions checks that the functions of a large file agree with Lookup.
func TestLargeFunctions(t *testing.T) {
	testenv.Sequential(t)
	const modules = 20
	f := open(t, large(modules, 4096))
	seen := 0
	for fn, err := range f.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if found, ok, err := f.Lookup(fn.RVA + 5); err != nil || !ok || found.RVA != fn.RVA || !strings.Contains(found.Name, fn.Name) {
			t.Fatalf("%+v is %+v (%v)", fn, found, err)
		}
	}
	if want := 2 * modules * functionsInModule; seen != want {
		t.Errorf("%d functions, want %d", seen, want)
	}
}

// BenchmarkOpen opens a file of 100 MB, with one address in its code.
//
//	go test ./internal/engine/symbols/pdb -run '^$' -bench . -benchtime 3x
func BenchmarkOpen(b *testing.B) {
	data := large(1600, 4096)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		lookAround(b, data, 1)
	}
}

// BenchmarkLookup looks up addresses all over a file of 100 MB: each module is read once.
func BenchmarkLookup(b *testing.B) {
	const modules = 1600
	data := large(modules, 4096)
	f, err := pdb.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rva := uint32(0)
	for b.Loop() {
		rva = (rva + 7919*functionSize + 3) % (modules * functionsInModule * functionSize)
		if _, ok, err := f.Lookup(0x1000 + rva); !ok || err != nil {
			b.Fatal(err)
		}
	}
}
