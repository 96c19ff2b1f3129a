package pdb_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// sample is a file with all that the package reads.
func sample() *pdbtest.PDB {
	return &pdbtest.PDB{
		GUID: schema.GUID{1, 2, 3, 15: 16}, Age: 7,
		Sections: []pdbtest.Section{{RVA: 0x1000, Size: 0x1000}, {RVA: 0x2000, Size: 0x100}, {RVA: 0x3000, Size: 0x100}},
		Modules: []pdbtest.Module{
			{Name: "a.obj", Functions: []pdbtest.Function{
				{Name: "ns::first", Section: 1, Offset: 0x10, Size: 0x20, File: `c:\src\a.cpp`, Lines: []pdbtest.Line{{Offset: 0, Number: 10}, {Offset: 8, Number: 12}, {Offset: 0x10, Number: 0xfeefee}, {Offset: 0x18, Number: 0}}},
				{Name: "hidden", Kind: pdbtest.LocalProcedure, Section: 1, Offset: 0x40, Size: 0x10},
				{Name: "removed", Section: 0, Offset: 0x40, Size: 0x10},
				{Name: "jump", Kind: pdbtest.Thunk, Section: 1, Offset: 0x50, Size: 5},
			}},
			{Name: "b.obj", Annotations: [][]string{{}, {"TMC:", "x"}}, Functions: []pdbtest.Function{
				{Name: "outer", Section: 1, Offset: 0x100, Size: 0x100, File: `c:\src\b.h`, Lines: []pdbtest.Line{{Offset: 0, Number: 1}}},
				{Name: "inner", Kind: pdbtest.LocalID, Section: 1, Offset: 0x140, Size: 0x10, Annotations: [][]string{{"TMF:", "{", "}"}}},
				{Name: "alias", Section: 1, Offset: 0x140, Size: 0x10},
			}},
		},
		Publics: []pdbtest.Public{
			{Name: "?first@ns@@YAXXZ", Section: 1, Offset: 0x10}, {Name: "zz_same", Section: 1, Offset: 0x300}, {Name: "aa_same", Section: 1, Offset: 0x300}, {Name: "mm_same", Section: 1, Offset: 0x300},
			{Name: "label", Section: 1, Offset: 0x20}, {Name: "data", Section: 3, Offset: 0x10}, {Name: "absolute", Section: 4, Offset: 0}, {Name: "beyond", Section: 2, Offset: 0x100},
		},
	}
}

func open(t testing.TB, data []byte) *pdb.File {
	t.Helper()
	f, err := pdb.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// lookup returns the results of Lookup and Line in one line.
func lookup(f *pdb.File, rva uint32) string {
	var b strings.Builder
	fn, ok, err := f.Lookup(rva)
	if ok {
		fmt.Fprintf(&b, "%s+%d of %d", fn.Name, rva-fn.RVA, fn.Size)
		if fn.Public {
			b.WriteString(" public")
		}
	}
	if err != nil {
		fmt.Fprintf(&b, " %v", err)
	}
	file, line, ok, err := f.Line(rva)
	if ok {
		fmt.Fprintf(&b, " %s:%d", file, line)
	}
	if err != nil {
		fmt.Fprintf(&b, " %v", err)
	}
	return b.String()
}

func TestLookup(t *testing.T) {
	tests := []struct {
		rva  uint32
		want string
	}{
		{0x0, ""},
		{0x100F, ""}, // no symbol before it in the section
		{0x1010, `?first@ns@@YAXXZ+0 of 32 c:\src\a.cpp:10`},
		{0x1017, `?first@ns@@YAXXZ+7 of 32 c:\src\a.cpp:10`},
		{0x1018, `?first@ns@@YAXXZ+8 of 32 c:\src\a.cpp:12`},
		{0x1020, `?first@ns@@YAXXZ+16 of 32`}, // code without a line; a label in a procedure is not its name
		{0x102F, `?first@ns@@YAXXZ+31 of 32`},
		{0x1030, `label+16 of 0 public`},
		{0x1040, `hidden+0 of 16`},
		{0x1054, `jump+4 of 5`},
		{0x1055, `label+53 of 0 public`},
		{0x1100, `outer+0 of 256 c:\src\b.h:1`},
		{0x1140, `inner+0 of 16 c:\src\b.h:1`}, // the first of the file's
		{0x1150, `outer+80 of 256 c:\src\b.h:1`},
		{0x1300, `zz_same+0 of 0 public`},
		{0x1FFF, `zz_same+3327 of 0 public`},
		{0x2000, ""}, // never the last symbol of another section
		{0x20FF, ""},
		{0x2100, ""},
		{0x300F, ""},
		{0x3011, "data+1 of 0 public"},
		{0xFFFFFFFF, ""},
	}
	for _, size := range []int{512, 1024, 4096, 8192, 32768} {
		t.Run(fmt.Sprint("blocks=", size), func(t *testing.T) {
			p := sample()
			p.BlockSize = size
			f := open(t, p.Bytes())
			if guid, age := f.ID(); guid != p.GUID || age != p.Age {
				t.Errorf("%v, age %d", guid, age)
			}
			for _, test := range tests {
				if got := lookup(f, test.rva); got != test.want {
					t.Errorf("%x: %q, want %q", test.rva, got, test.want)
				}
			}
		})
	}
}

// TestLookupWithoutList checks that, without the list by address, symbols at one address are in the
// order of their records.
func TestLookupWithoutList(t *testing.T) {
	p := sample()
	p.Unlisted = true
	if got, want := lookup(open(t, p.Bytes()), 0x1300), "mm_same+0 of 0 public"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// all returns the values that an iterator yields; errors are in their places.
func all[T any](seq iter.Seq2[T, error], line func(T) string) []string {
	var lines []string
	for v, err := range seq {
		if err != nil {
			lines = append(lines, err.Error())
			continue
		}
		lines = append(lines, line(v))
	}
	return lines
}

func functions(f *pdb.File) []string {
	return all(f.Functions(), func(fn pdb.Function) string {
		return fmt.Sprintf("%x %x %t %s", fn.RVA, fn.Size, fn.Public, fn.Name)
	})
}

func TestFunctions(t *testing.T) {
	want := []string{
		"1010 20 false ns::first", "1040 10 false hidden", "1050 5 false jump",
		"1100 100 false outer", "1140 10 false inner", "1140 10 false alias",
		"1010 0 true ?first@ns@@YAXXZ", "1020 0 true label",
		"1300 0 true aa_same", "1300 0 true mm_same", "1300 0 true zz_same", "3010 0 true data",
	}
	if diff := cmp.Diff(want, functions(open(t, sample().Bytes()))); diff != "" {
		t.Error(diff)
	}
	for range open(t, sample().Bytes()).Functions() {
		break
	}
}

// annotations returns the annotations of a file, with the function before them.
func annotations(f *pdb.File) []string {
	return all(f.Annotations(), func(a pdb.Annotation) string { return a.Function + ": " + strings.Join(a.Texts, "|") })
}

func TestAnnotations(t *testing.T) {
	f := open(t, sample().Bytes())
	if diff := cmp.Diff([]string{"inner: TMF:|{|}", ": ", ": TMC:|x"}, annotations(f)); diff != "" {
		t.Error(diff)
	}
	for range f.Annotations() {
		break
	}
}

// TestDamagedAnnotation checks that an annotation with fewer texts than it claims is an error, and
// that the other annotations are read.
func TestDamagedAnnotation(t *testing.T) {
	p := sample()
	p.Modules[0].Raw = []byte{14, 0, 0x19, 0x10, 0, 0, 0, 0, 1, 0, 2, 0, 'a', 0, 'b', 'c'}
	got := annotations(open(t, p.Bytes()))
	if want := "annotation, stream 12 at 0xc8: corrupt"; len(got) != 4 || got[0] != want {
		t.Errorf("%q, want %s", got, want)
	}
}

// reordered is the file of an image whose halves were exchanged and moved: the first function lies
// after the second one, and the rest of it elsewhere.
func reordered() *pdbtest.PDB {
	return &pdbtest.PDB{
		Age:              1,
		Sections:         []pdbtest.Section{{RVA: 0x1000, Size: 0x5000}},
		OriginalSections: []pdbtest.Section{{RVA: 0x1000, Size: 0x1000}},
		FromSource:       []pdbtest.Moved{{From: 0x1000, To: 0x2000}, {From: 0x1100, To: 0x1000}, {From: 0x1180, To: 0x4000}, {From: 0x1200, To: 0}},
		ToSource:         []pdbtest.Moved{{From: 0x1000, To: 0x1100}, {From: 0x1080, To: 0}, {From: 0x2000, To: 0x1000}, {From: 0x2100, To: 0}, {From: 0x4000, To: 0x1180}, {From: 0x4080, To: 0}},
		Modules: []pdbtest.Module{{Name: "a.obj", Functions: []pdbtest.Function{
			{Name: "whole", Section: 1, Offset: 0, Size: 0x100}, {Name: "split", Section: 1, Offset: 0x100, Size: 0x100},
			{Name: "dropped", Section: 1, Offset: 0x200, Size: 0x100},
		}}},
	}
}

func TestOMAP(t *testing.T) {
	f := open(t, reordered().Bytes())
	for rva, want := range map[uint32]string{
		0x2010: "whole+16 of 256",
		0x1010: "split+16 of 0",
		0x4010: "split+12304 of 0",
		0x2100: "",
		0x500:  "",
	} {
		if got := lookup(f, rva); got != want {
			t.Errorf("%x: %q, want %q", rva, got, want)
		}
	}
	if diff := cmp.Diff([]string{"2000 100 false whole", "1000 0 false split"}, functions(f)); diff != "" {
		t.Error(diff)
	}
}

// damage is a change to a file.
type damage struct {
	name   string
	change func(file []byte) []byte
	want   error
}

func set(stream, offset int, bytes ...byte) func([]byte) []byte {
	return func(file []byte) []byte {
		for i, b := range bytes {
			at := offset + i
			if stream >= 0 {
				at = pdbtest.Position(file, stream, at)
			}
			file[at] = b
		}
		return file
	}
}

func TestOpenDamaged(t *testing.T) {
	for _, test := range []damage{
		{"empty", func([]byte) []byte { return nil }, pdb.ErrNotPDB},
		{"an image", func([]byte) []byte { return []byte("MZ") }, pdb.ErrNotPDB},
		{"compressed", func([]byte) []byte { return []byte("Microsoft MSFZ Container\r\n\x1aALD\x00\x00") }, pdb.ErrUnsupported},
		{"portable", func([]byte) []byte { return []byte("BSJB\x01\x00\x01\x00") }, pdb.ErrUnsupported},
		{"only a magic", func(file []byte) []byte { return file[:32] }, pdb.ErrTruncated},
		{"half of it", func(file []byte) []byte { return file[:len(file)/2] }, pdb.ErrTruncated},
		{"a block size that is none", set(-1, 0x20, 1), pdb.ErrCorrupt},
		{"a block size of zero", set(-1, 0x20, 0, 0), pdb.ErrCorrupt},
		{"a large directory", set(-1, 0x2c, 0xFF, 0xFF, 0xFF, 0xFF), pdb.ErrCorrupt},
		{"no directory", set(-1, 0x2c, 0, 0, 0, 0), pdb.ErrCorrupt},
		{"a map of the directory beyond the end", set(-1, 0x34, 0xFF, 0xFF, 0xFF, 0xFF), pdb.ErrCorrupt},
		{"info cut", func(file []byte) []byte { return set(1, 28, 0xFF, 0xFF, 0xFF)(file) }, nil}, // loses the lines
		{"DBI of another version", set(3, 0, 1), pdb.ErrUnsupported},
		{"large modules", set(3, 27, 0x7F), pdb.ErrTruncated},
		{"contributions of another version", set(3, 64+76+76, 1), pdb.ErrUnsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := test.change(sample().Bytes())
			_, err := pdb.Open(bytes.NewReader(file), int64(len(file)))
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			var at *pdb.Error
			if err != nil && !errors.As(err, &at) {
				t.Errorf("%v has no position", err)
			}
		})
	}
}

// TestSharedBlocks checks that streams that share blocks, and so would be larger than the file, are
// rejected before memory is allocated for them.
func TestSharedBlocks(t *testing.T) {
	const block, streams = 512, 100
	file := make([]byte, 10*block)
	put := func(at int, values ...uint32) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(file[at+4*i:], v)
		}
	}
	copy(file, "Microsoft C/C++ MSF 7.00\r\n\x1aDS")
	put(0x20, block, 1, 10, 4+8*streams, 0, 3)
	put(3*block, 4, 5) // the blocks of the directory
	put(4*block, streams)
	for i := range streams {
		put(4*block+4+4*i, block)
		put(4*block+4+4*streams+4*i, 9)
	}
	_, err := pdb.Open(bytes.NewReader(file), int64(len(file)))
	if !errors.Is(err, pdb.ErrCorrupt) || !strings.Contains(err.Error(), "streams of") {
		t.Errorf("%v", err)
	}
}

// TestDamagedModule checks that a damaged module loses only its own functions, from the damage on.
func TestDamagedModule(t *testing.T) {
	const firstModule, afterFirst = 12, 4 + 48 + 4
	file := set(firstModule, afterFirst, 1, 0)(sample().Bytes())
	f := open(t, file)
	for rva, want := range map[uint32]string{
		0x1010: `?first@ns@@YAXXZ+0 of 32 c:\src\a.cpp:10`,
		0x1040: `label+32 of 0 public module symbols, stream 12 at 0x38: corrupt: a record of 3 bytes`,
		0x1100: `outer+0 of 256 c:\src\b.h:1`,
	} {
		if got := lookup(f, rva); got != want {
			t.Errorf("%x: %q, want %q", rva, got, want)
		}
	}
	lines := functions(f)
	if want := "module symbols, stream 12 at 0x38: corrupt: a record of 3 bytes"; lines[1] != want || lines[2] != "1100 100 false outer" {
		t.Errorf("%q", lines[:3])
	}
}

// TestModulesShareStream checks that, if two modules share a stream, the second counts as one
// without.
func TestModulesShareStream(t *testing.T) {
	const secondModuleStream = 64 + 76 + 34
	f := open(t, set(3, secondModuleStream, 12)(sample().Bytes()))
	if got := len(functions(f)); got != 3+6 {
		t.Errorf("%d functions", got)
	}
	if got, want := lookup(f, 0x1100), "label+224 of 0 public"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// failing is a reader whose reads fail from some point on.
type failing struct {
	data  []byte
	fails *atomic.Bool
}

var errDisk = errors.New("disk on fire")

func (r failing) ReadAt(p []byte, at int64) (int, error) {
	if r.fails.Load() {
		return 0, errDisk
	}
	return bytes.NewReader(r.data).ReadAt(p, at)
}

// TestReadErrors checks that errors of the reader are returned by the functions that read.
func TestReadErrors(t *testing.T) {
	r := failing{sample().Bytes(), new(atomic.Bool)}
	f, err := pdb.Open(r, int64(len(r.data)))
	if err != nil {
		t.Fatal(err)
	}
	r.fails.Store(true)
	if _, ok, err := f.Lookup(0x1010); ok || !errors.Is(err, errDisk) {
		t.Errorf("%t, %v", ok, err)
	}
	if _, _, ok, err := f.Line(0x1010); ok || !errors.Is(err, errDisk) {
		t.Errorf("%t, %v", ok, err)
	}
	for _, err := range f.Functions() {
		if !errors.Is(err, errDisk) {
			t.Errorf("%v", err)
		}
	}
	if _, err := pdb.Open(r, int64(len(r.data))); !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
}

// TestConcurrentLookups checks that many goroutines get the same results as one.
func TestConcurrentLookups(t *testing.T) {
	const modules = 30
	data := large(modules, 4096)
	f := open(t, data)
	var group sync.WaitGroup
	for from := range 4 {
		group.Go(func() {
			for m := from; m < modules+from; m++ {
				rva := uint32(0x1000 + m%modules*functionsInModule*functionSize)
				if fn, ok, err := f.Lookup(rva + 9); !ok || err != nil || fn.RVA != rva {
					t.Errorf("%x: %+v, %v", rva, fn, err)
				}
				if _, line, _, err := f.Line(rva + 9); line != 2 || err != nil {
					t.Errorf("%x: line %d, %v", rva, line, err)
				}
			}
		})
	}
	group.Wait()
}
