package pdb_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
)

// FuzzFile reads arbitrary files, and checks the results of Lookup against a plain scan.
func FuzzFile(f *testing.F) {
	small := sample()
	small.BlockSize = 512
	f.Add(small.Bytes(), uint32(0x1010))
	small.Unlisted = true
	f.Add(small.Bytes(), uint32(0x1300))
	f.Add(reordered().Bytes(), uint32(0x4010))
	f.Add(golden(f), uint32(0x1030))
	f.Fuzz(func(t *testing.T, data []byte, rva uint32) {
		before := allocated()
		file, err := pdb.Open(bytes.NewReader(data), int64(len(data)))
		if (err == nil) != (file != nil) {
			t.Fatalf("%v and %v", file, err)
		}
		if err != nil {
			return
		}
		list := scan(t, file)
		for _, at := range append(edges(list), rva) {
			checkLookup(t, file, list, at)
		}
		for a, err := range file.Annotations() {
			if err == nil && !utf8.ValidString(a.Function+strings.Join(a.Texts, "")) {
				t.Fatalf("%q", a)
			}
		}
		// Each byte belongs to few values, which take some tens of bytes each.
		if most := uint64(1<<20 + 400*len(data)); allocated()-before > most {
			t.Fatalf("%d bytes allocated for %d, at most %d are allowed", allocated()-before, len(data), most)
		}
	})
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// scan returns all functions of a file.
func scan(t *testing.T, f *pdb.File) []pdb.Function {
	t.Helper()
	var list []pdb.Function
	for fn, err := range f.Functions() {
		if err != nil {
			continue
		}
		if !utf8.ValidString(fn.Name) {
			t.Fatalf("%q", fn.Name)
		}
		list = append(list, fn)
	}
	return list
}

// edges returns some addresses at which functions begin and end.
func edges(list []pdb.Function) []uint32 {
	const most = 20
	var at []uint32
	for _, fn := range list[:min(len(list), most)] {
		at = append(at, fn.RVA-1, fn.RVA, fn.RVA+fn.Size/2, fn.RVA+fn.Size-1, fn.RVA+fn.Size)
	}
	return at
}

// checkLookup checks that Lookup finds one of the functions listed: a procedure that covers the
// address, or the last public symbol before it.
func checkLookup(t *testing.T, f *pdb.File, list []pdb.Function, rva uint32) {
	t.Helper()
	found, ok, err := f.Lookup(rva)
	if _, line, hasLine, lineErr := f.Line(rva); hasLine && (line == 0 || lineErr != nil) {
		t.Fatalf("%x: line %d, %v", rva, line, lineErr)
	}
	if !ok {
		return
	}
	listed := false
	for _, fn := range list {
		if fn.Public == found.Public && fn.RVA == found.RVA && fn.Size == found.Size && (!fn.Public || fn.Name == found.Name) {
			listed = true
		} else if !f.Reordered() && found.Public && fn.Public && fn.RVA > found.RVA && fn.RVA <= rva {
			t.Fatalf("%x: %+v is before %+v", rva, found, fn)
		}
	}
	if !listed {
		t.Fatalf("%x: %+v (%v) is not listed", rva, found, err)
	}
	if !f.Reordered() && (rva < found.RVA || !found.Public && rva-found.RVA >= found.Size) {
		t.Fatalf("%x: %+v does not cover it", rva, found)
	}
}
