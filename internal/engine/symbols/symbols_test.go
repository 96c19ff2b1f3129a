package symbols_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// guid returns a distinct GUID for each number.
func guid(n byte) schema.GUID { return schema.GUID{n, 1, 2, 3} }

// makePDB returns a PDB with a decorated function at 0x1000 and a plain one at 0x1100.
func makePDB(id byte) []byte {
	p := pdbtest.PDB{
		GUID: guid(id), Age: 2, Sections: []pdbtest.Section{{RVA: 0x1000, Size: 0x1000}},
		Publics: []pdbtest.Public{{Name: "?run@Pump@@QEAAXXZ", Section: 1}, {Name: "helper", Section: 1, Offset: 0x100}},
	}
	return p.Bytes()
}

// write puts a PDB into a symbol store.
func write(t *testing.T, store, name string, id byte, contents []byte) {
	t.Helper()
	path := filepath.Join(store, find.PDB{Name: name, GUID: guid(id), Age: 2}.StorePath())
	testenv.WriteFile(t, path, contents)
}

// exportsOnly is the image of the tests of package pe, which exports functions.
func exportsOnly(t *testing.T) []byte {
	t.Helper()
	return pdbtest.Unpack(t, "pe/testdata/exports.dll.gz")
}

// tables has images whose symbols are in a PDB, missing, damaged, and in the image itself.
func tables(exportsStamp uint32) *attribution.Tables {
	return &attribution.Tables{
		Images: []attribution.Image{
			{Path: `\Device\HarddiskVolume1\pump.dll`, Size: 0x3000, Debug: 0},
			{Path: `\Device\HarddiskVolume1\lost.dll`, Size: 0x3000, Debug: 1},
			{Path: `\Device\HarddiskVolume1\broken.dll`, Size: 0x3000, Debug: 2},
			{Path: `\Device\HarddiskVolume1\image.dll`, Size: 0x5000, TimeStamp: exportsStamp, Debug: -1},
			{Path: `\Device\HarddiskVolume1\nothing.dll`, Size: 0x5000, Debug: -1},
			{Path: `\Device\HarddiskVolume1\pump.dll`, Size: 0x3000, Debug: 0}, // of another process
		},
		Debug: []attribution.DebugInfo{
			{GUID: guid(1), Age: 2, PDB: `D:\build\pump.pdb`}, {GUID: guid(2), Age: 2, PDB: "lost.pdb"}, {GUID: guid(3), Age: 2, PDB: "broken.pdb"},
		},
	}
}

func open(t *testing.T, folder string) *symbols.Set {
	t.Helper()
	set, err := symbols.New(context.Background(), symbols.Options{Paths: []string{folder}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

func TestFunction(t *testing.T) {
	store := t.TempDir()
	write(t, store, "pump.pdb", 1, makePDB(1))
	broken := makePDB(3)
	write(t, store, "broken.pdb", 3, broken[:len(broken)/2])
	image := exportsOnly(t)
	const stampOffset = 8 // of TimeDateStamp, after the offset of the header at 0x3c
	header := int(image[0x3c]) | int(image[0x3d])<<8
	stamp := uint32(image[header+stampOffset]) | uint32(image[header+stampOffset+1])<<8 | uint32(image[header+stampOffset+2])<<16 | uint32(image[header+stampOffset+3])<<24
	testenv.WriteFile(t, filepath.Join(store, "image.dll"), image)
	trace := open(t, store).Trace(tables(stamp))
	for _, test := range []struct {
		image int
		rva   uint64
		want  string
	}{
		{0, 0x1000, "Pump::run ?run@Pump@@QEAAXXZ 0x1000"},
		{0, 0x10ff, "Pump::run ?run@Pump@@QEAAXXZ 0x1000"},
		{0, 0x1180, "helper helper 0x1100"},
		{5, 0x1180, "helper helper 0x1100"},
		{0, 0x10, "none"},
		{0, 1 << 32, "none"},
		{1, 0x1000, "none"},
		{2, 0x1000, "none"},
		{3, 0x1013, "third third 0x1010"},
		{4, 0x1000, "none"},
	} {
		got := "none"
		if f := trace.Function(test.image, test.rva); f != nil {
			got = fmt.Sprintf("%s %s %#x", f.Name, f.Symbol, f.RVA)
		}
		if got != test.want {
			t.Errorf("image %d, %#x: %s, want %s", test.image, test.rva, got, test.want)
		}
	}
	want := []string{
		"broken.dll 1  true", "image.dll 1 exports false", "lost.dll 1  true", "nothing.dll 1  false", "pump.dll 4 pdb false",
	}
	var got []string
	for _, u := range trace.Uses() {
		got = append(got, fmt.Sprintf("%s %d %s %v", u.Name, u.Addresses, u.Kind, u.Err != nil))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("uses %q, want %q", got, want)
	}
}

// TestManyModules opens more files than may be open, from many goroutines.
func TestManyModules(t *testing.T) {
	const images = 100
	store := t.TempDir()
	tables := new(attribution.Tables)
	for i := range images {
		name := fmt.Sprintf("m%d.pdb", i)
		write(t, store, name, byte(i), makePDB(byte(i)))
		tables.Images = append(tables.Images, attribution.Image{Path: fmt.Sprintf("m%d.dll", i), Size: 0x3000, Debug: int32(i)})
		tables.Debug = append(tables.Debug, attribution.DebugInfo{GUID: guid(byte(i)), Age: 2, PDB: name})
	}
	set := open(t, store)
	var wait sync.WaitGroup
	for g := range 4 {
		trace := set.Trace(tables)
		wait.Go(func() {
			for round := range 3 {
				for i := range images {
					image := (i*7 + g*13) % images
					if f := trace.Function(image, uint64(0x1000+g+round*16)); f == nil || f.Name != "Pump::run" {
						t.Errorf("image %d: %v", image, f)
					}
				}
			}
		})
	}
	wait.Wait()
}

func TestNoSet(t *testing.T) {
	var set *symbols.Set
	trace := set.Trace(tables(0))
	if f, uses := trace.Function(0, 0x1000), trace.Uses(); f != nil || uses != nil {
		t.Errorf("%v, %v", f, uses)
	}
}
