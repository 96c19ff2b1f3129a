package pdb_test

import (
	"bytes"
	"compress/gzip"
	"debug/pe"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	ownpe "github.com/etl2parquet/etl2parquet/internal/engine/symbols/pe"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var (
	imagePath = flag.String("image", "", "compare this image, which has its PDB beside it")
)

const goldenName = "testdata/clang.pdb.gz"

// golden returns a PDB that clang and lld-link made.
func golden(t testing.TB) []byte {
	t.Helper()
	return pdbtest.Unpack(t, goldenName)
}

// TestGolden lists a PDB that clang made once, for machines without clang.
func TestGolden(t *testing.T) {
	if *testenv.Update {
		image := pdbtest.Build(t, pdbtest.Clang{Target: "x86_64", Sources: sources(t, 0), Link: []string{"/opt:icf"}})
		writeGolden(t, image.PDBWithAnnotations(t))
	}
	f := open(t, golden(t))
	var b strings.Builder
	guid, age := f.ID()
	fmt.Fprintln(&b, guid, age)
	for _, line := range functions(f) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range annotations(f) {
		fmt.Fprintln(&b, line)
	}
	for fn, err := range f.Functions() {
		if err == nil && !fn.Public {
			fmt.Fprintf(&b, "%x %s\n", fn.RVA+3, lookup(f, fn.RVA+3))
		}
	}
	testenv.Golden(t, "testdata/clang.txt", b.String())
}

func writeGolden(t *testing.T, data []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, goldenName, b.Bytes())
}

// sources returns the program in testdata, and some modules with many functions.
func sources(t *testing.T, modules int) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/clang/*.c*")
	if err != nil || len(list) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		testenv.WriteFile(t, path, text)
		list = append(list, path)
	}
	var calls, declared strings.Builder
	for m := range modules {
		const perModule = 50
		var b strings.Builder
		fmt.Fprintf(&b, "#include %q\nnamespace m%d {\n", absolute(t, "testdata/clang/shared.h"), m)
		for i := range perModule {
			linkage := [...]string{"", "static ", "NOINLINE "}[i%3]
			fmt.Fprintf(&b, "%sint f%d(int x) {\n  if (x > %d)\n    return inlined(x);\n  return x * %d;\n}\n", linkage, i, i, i*i+m)
		}
		fmt.Fprintf(&b, "int all(int x) { return 0")
		for i := range perModule {
			fmt.Fprintf(&b, "\n  + f%d(x)", i)
		}
		fmt.Fprintf(&b, "; }\n}\n")
		write(fmt.Sprintf("m%d.cpp", m), b.String())
		fmt.Fprintf(&declared, "namespace m%d { int all(int); }\n", m)
		fmt.Fprintf(&calls, " + m%d::all(x)", m)
	}
	write("all.cpp", declared.String()+"int all(int x) { return x"+calls.String()+"; }\n")
	return list
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// TestClang compares all symbols of programs that clang makes with llvm-pdbutil, and look-ups of
// many addresses with llvm-symbolizer.
func TestClang(t *testing.T) {
	testenv.Tool(t, "clang")
	list := sources(t, 8)
	for _, test := range []struct {
		name     string
		optimize string
		target   string
		link     []string
		slow     bool
	}{
		{"exe", "-O0", "x86_64", []string{"/opt:noicf", "/opt:noref"}, false},
		{"exe, folded", "-O1", "x86_64", []string{"/opt:icf"}, false},
		{"dll", "-O2", "x86_64", []string{"/dll", "/noentry", "/opt:noicf", "/opt:noref"}, true},
		{"32 bits", "-O0", "i686", []string{"/opt:noicf", "/opt:noref"}, true},
		{"32 bits, folded", "-O2", "i686", []string{"/opt:icf", "/safeseh:no"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.slow {
				testenv.Slow(t, "clang compiles programs")
			}
			compareImage(t, pdbtest.Build(t, pdbtest.Clang{Target: test.target, Optimize: test.optimize, Sources: list, Link: test.link}))
		})
	}
}

// TestImage compares any image, of any linker, with the output of LLVM's tools:
//
//	go test ./internal/engine/symbols/pdb -run TestImage -image attach_amd64.dll -v
func TestImage(t *testing.T) {
	if *imagePath == "" {
		t.Skip("for an image given by -image")
	}
	path := absolute(t, *imagePath)
	compareImage(t, pdbtest.Image{Path: path, PDB: strings.TrimSuffix(path, filepath.Ext(path)) + ".pdb"})
}

// compareImage compares the symbols of an image with llvm-pdbutil, and look-ups of many addresses
// with llvm-symbolizer.
func compareImage(t *testing.T, image pdbtest.Image) {
	t.Helper()
	data := testenv.ReadFile(t, image.PDB)
	f := open(t, data)
	checkID(t, f, image.Path)
	sections, base := sectionsOf(t, image.Path)
	want := dumped(t, image.PDB, sections)
	got := functions(f)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("llvm-pdbutil: %s", diff)
	}
	compareSymbolizer(t, f, image.Path, sections, base)
}

// checkID checks that an image and the PDB itself agree on the PDB's identity.
func checkID(t *testing.T, f *pdb.File, path string) {
	t.Helper()
	data := testenv.ReadFile(t, path)
	image, err := ownpe.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	_, wantGUID, wantAge, _ := image.PDB()
	if guid, age := f.ID(); guid != wantGUID || age != wantAge {
		t.Errorf("%v, age %d, want %v, %d", guid, age, wantGUID, wantAge)
	}
}

// sectionsOf returns the sections of an image and its base.
func sectionsOf(t *testing.T, path string) ([]*pe.Section, uint64) {
	t.Helper()
	image, err := pe.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	if h, ok := image.OptionalHeader.(*pe.OptionalHeader32); ok {
		return image.Sections, uint64(h.ImageBase)
	}
	return image.Sections, image.OptionalHeader.(*pe.OptionalHeader64).ImageBase
}

var (
	symbolLine  = regexp.MustCompile("^ *[0-9]+ \\| S_(PUB32|THUNK32|[GL]PROC32(?:_ID)?) \\[size = [0-9]+\\] `(.*)`$")
	addressLine = regexp.MustCompile(`(?:size = ([0-9]+), )?addr = ([0-9]+):([0-9]+)(?:, code size = ([0-9]+))?`)
)

// dumped returns the procedures and publics that llvm-pdbutil prints, as functions does.
func dumped(t *testing.T, path string, sections []*pe.Section) []string {
	t.Helper()
	out, err := exec.Command(testenv.Tool(t, "llvm-pdbutil"), "dump", "-publics", "-symbols", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	var kind, name string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if m := symbolLine.FindStringSubmatch(line); m != nil {
			kind, name = m[1], m[2]
			continue
		}
		m := addressLine.FindStringSubmatch(line)
		if m == nil || kind == "" {
			continue
		}
		section, offset, size := number(t, m[2]), number(t, m[3]), number(t, "0"+m[1]+m[4])
		if section > 0 && section <= len(sections) && offset < int(max(sections[section-1].VirtualSize, sections[section-1].Size)) {
			list = append(list, fmt.Sprintf("%x %x %t %s", int(sections[section-1].VirtualAddress)+offset, size, kind == "PUB32", name))
		}
		kind = ""
	}
	return list
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// symbolized is a line that llvm-symbolizer prints.
type symbolized struct {
	Symbol []struct {
		FunctionName, FileName string
		Line                   int
	}
}

// isAssembler reports whether a source is assembly. If such files include others, llvm-symbolizer
// does not report the nearest line.
func isAssembler(file string) bool {
	return strings.HasSuffix(file, ".asm") || strings.HasSuffix(file, ".inc")
}

// compareSymbolizer compares look-ups of code addresses: at random, and around the borders of
// functions.
func compareSymbolizer(t *testing.T, f *pdb.File, image string, sections []*pe.Section, base uint64) {
	t.Helper()
	text := sections[0]
	random := rand.New(rand.NewPCG(1, 2))
	var addresses []uint32
	own := make(map[uint32][]string) // names of procedures in the source; a folded procedure has lines of several
	for fn, err := range f.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		if !fn.Public {
			own[fn.RVA] = append(own[fn.RVA], fn.Name)
		}
		if fn.RVA > text.VirtualAddress && fn.RVA < text.VirtualAddress+text.VirtualSize {
			addresses = append(addresses, fn.RVA-1, fn.RVA, fn.RVA+1, fn.RVA+fn.Size)
		}
	}
	for len(addresses) < 10_000 {
		addresses = append(addresses, text.VirtualAddress+random.Uint32N(text.VirtualSize))
	}
	var in strings.Builder
	for _, rva := range addresses {
		fmt.Fprintf(&in, "0x%x\n", base+uint64(rva))
	}
	command := exec.Command(testenv.Tool(t, "llvm-symbolizer"), "--obj="+image, "--functions=linkage", "--no-demangle", "--no-inlines", "--output-style=JSON")
	command.Stdin = strings.NewReader(in.String())
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	named, lines, wrong := 0, 0, 0
	for _, rva := range addresses {
		var line symbolized
		if err := decoder.Decode(&line); err != nil || len(line.Symbol) != 1 {
			t.Fatalf("%x: %v, %v", rva, line, err)
		}
		want := line.Symbol[0]
		fn, ok, err := f.Lookup(rva)
		file, n, hasLine, lineErr := f.Line(rva)
		if want.Line == 0xfeefee || want.Line == 0xf00f00 { // marks code without a line
			want.Line = 0
		}
		inSource := own[fn.RVA]
		if len(inSource) > 1 || isAssembler(want.FileName) {
			n, file = want.Line, want.FileName
		}
		if ok && slices.Contains(inSource, want.FunctionName) { // after a label in the function
			want.FunctionName = fn.Name
		}
		if err != nil || lineErr != nil || ok != (want.FunctionName != "") || fn.Name != want.FunctionName || n != want.Line || hasLine && file != want.FileName {
			t.Errorf("%x: %s %s:%d (%v, %v), want %+v", rva, fn.Name, file, n, err, lineErr, want)
			if wrong++; wrong > 20 {
				t.FailNow()
			}
		}
		if ok {
			named++
		}
		if hasLine {
			lines++
		}
	}
	t.Logf("%d addresses: %d with names, %d with lines", len(addresses), named, lines)
	if named < len(addresses)/2 || lines < len(addresses)/2 {
		t.Errorf("of %d addresses, %d have names and %d lines", len(addresses), named, lines)
	}
}
