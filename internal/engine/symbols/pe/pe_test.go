package pe_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pe"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// sourceName is a library with exports of all kinds: named, of data, by ordinal only, of one
// function twice, and forwarded.
const sourceName = "testdata/exports.c"

var link = []string{"/dll", "/noentry", "/opt:icf", "/opt:noref", "/export:numbered,@7,NONAME", "/export:forwarded=other.function", "/export:second=first"}

func build(t *testing.T, target string) pdbtest.Image {
	t.Helper()
	return pdbtest.Build(t, pdbtest.Clang{Target: target, Sources: []string{sourceName}, Link: link})
}

const goldenName = "testdata/exports.dll.gz"

// golden returns a library that clang and lld-link made.
func golden(t testing.TB) []byte {
	t.Helper()
	return pdbtest.Unpack(t, goldenName)
}

func open(t testing.TB, data []byte) *pe.File {
	t.Helper()
	f, err := pe.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describe prints the contents of a file.
func describe(f *pe.File) string {
	var b strings.Builder
	name, guid, age, ok := f.PDB()
	fmt.Fprintf(&b, "time stamp %x\nsize %x\npdb %t %s %v %d\n", f.TimeStamp(), f.ImageSize(), ok, name[strings.LastIndexAny(name, `/\`)+1:], guid, age)
	for _, line := range exports(f) {
		fmt.Fprintln(&b, line)
	}
	for rva := uint32(0xF00); rva < f.ImageSize(); rva += 0x20 {
		if name, at, ok, err := f.Lookup(rva); ok || err != nil {
			fmt.Fprintf(&b, "%x: %s+%x %v\n", rva, name, rva-at, err)
		}
	}
	return b.String()
}

func exports(f *pe.File) []string {
	var list []string
	for e, err := range f.Exports() {
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		list = append(list, fmt.Sprintf("%x %s", e.RVA, e.Name))
	}
	return list
}

// TestGolden reads a library that clang made once, for machines without clang.
func TestGolden(t *testing.T) {
	if *testenv.Update {
		writeGolden(t, build(t, "x86_64").Path)
	}
	got := describe(open(t, golden(t)))
	testenv.Golden(t, "testdata/exports.txt", got)
}

func writeGolden(t *testing.T, path string) {
	t.Helper()
	data := testenv.ReadFile(t, path)
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, goldenName, b.Bytes())
}

var exportField = regexp.MustCompile(`(?m)^ +(Ordinal|Name|RVA): ?(.*)$`)

// TestClang compares the exports of libraries that clang makes with llvm-readobj.
func TestClang(t *testing.T) {
	for _, target := range []string{"x86_64", "i686"} {
		t.Run(target, func(t *testing.T) {
			image := build(t, target)
			out, err := exec.Command(testenv.Tool(t, "llvm-readobj"), "--coff-exports", image.Path).Output()
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, block := range strings.Split(string(out), "Export {")[1:] {
				field := make(map[string]string)
				for _, m := range exportField.FindAllStringSubmatch(block, -1) {
					field[m[1]] = m[2]
				}
				if field["RVA"] == "0x0" || field["Name"] == "forwarded" { // no function has the ordinal, or it is forwarded
					continue
				}
				if field["Name"] == "" {
					field["Name"] = "Ordinal" + field["Ordinal"]
				}
				want = append(want, strings.ToLower(strings.TrimPrefix(field["RVA"], "0x"))+" "+field["Name"])
			}
			data := testenv.ReadFile(t, image.Path)
			f := open(t, data)
			got := exports(f)
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if name, _, age, ok := f.PDB(); !ok || filepath.Base(name) != filepath.Base(image.PDB) || age != 1 {
				t.Errorf("%s, age %d, %t", name, age, ok)
			}
		})
	}
}

func TestOpenDamaged(t *testing.T) {
	change := func(at int, b ...byte) []byte {
		data := slices.Clone(golden(t))
		copy(data[at:], b)
		return data
	}
	head := int(golden(t)[0x3c])
	for _, test := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, pe.ErrNotPE},
		{"a script", []byte(strings.Repeat("#!", 100)), pe.ErrNotPE},
		{"DOS program", change(head, 'N', 'E'), pe.ErrNotPE},
		{"headers far away", change(0x3c, 0xFF, 0xFF, 0xFF, 0x7F), pe.ErrTruncated},
		{"cut in the optional header", golden(t)[:head+40], pe.ErrTruncated},
		{"cut in the sections", golden(t)[:head+24+0xF0+50], pe.ErrTruncated},
		{"unknown magic", change(head+24, 7), pe.ErrCorrupt},
		{"small optional header", change(head+20, 2, 0), pe.ErrTruncated},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := pe.Open(bytes.NewReader(test.data), int64(len(test.data))); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

// TestDamagedExports checks that a damaged export table gives errors only where it is needed.
func TestDamagedExports(t *testing.T) {
	data := slices.Clone(golden(t))
	directory := int(data[0x3c]) + 24 + 112
	copy(data[directory:], []byte{0, 0, 0, 0x7F})
	f := open(t, data)
	if _, _, ok, err := f.Lookup(0x1000); ok || !errors.Is(err, pe.ErrCorrupt) {
		t.Errorf("%t, %v", ok, err)
	}
	if _, _, _, ok := f.PDB(); !ok {
		t.Error("no PDB")
	}
}

// FuzzFile reads arbitrary files, and checks the results of Lookup against the list of exports.
func FuzzFile(f *testing.F) {
	f.Add(golden(f), uint32(0x1000))
	f.Fuzz(func(t *testing.T, data []byte, rva uint32) {
		file, err := pe.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if name, _, _, ok := file.PDB(); ok != (name != "") {
			t.Fatalf("%q, %t", name, ok)
		}
		name, at, ok, err := file.Lookup(rva)
		listed := false
		for e, damage := range file.Exports() {
			if damage != nil {
				continue
			}
			listed = listed || e.RVA == at && e.Name == name
			if ok && e.RVA > at && e.RVA <= rva {
				t.Fatalf("%x: %s at %x is before %s at %x", rva, name, at, e.Name, e.RVA)
			}
		}
		if ok && (!listed || at > rva) {
			t.Fatalf("%x: %s at %x is not listed (%v)", rva, name, at, err)
		}
	})
}
