package pdbtest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Clang is a program to compile and link. It has no libraries.
type Clang struct {
	Target   string   // x86_64 or i686
	Optimize string   // -O0 if it is ""
	Sources  []string // paths
	Link     []string // options of lld-link; /dll and /noentry make a library
}

// Image is a linked program with its PDB.
type Image struct {
	Path, PDB string
	objects   []string
}

// PDBWithAnnotations returns the PDB of an image, with the annotations of its objects in the places
// that lld-link left empty: lld-link does not know their kind and marks them as skipped.
// Microsoft's linker keeps annotations.
func (i Image) PDBWithAnnotations(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile(i.PDB)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, path := range i.objects {
		object, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range annotationRecords(object) {
			empty := put(nil, uint16(len(r)-2), uint16(skippedKind), make([]byte, len(r)-4))
			at := bytes.Index(file, empty)
			if at < 0 {
				t.Fatalf("%s has no place for an annotation of %d bytes", i.PDB, len(r))
			}
			copy(file[at:], r)
			kept++
		}
	}
	if kept == 0 {
		t.Fatal("the objects have no annotations")
	}
	return file
}

// annotationRecords returns the records of WPP's annotations in an object file.
func annotationRecords(object []byte) [][]byte {
	const headSize = 12 // length, kind, offset, section, count; then texts
	var list [][]byte
	for at := range object {
		rest := object[at:]
		if len(rest) < headSize+4 || binary.LittleEndian.Uint16(rest[2:]) != annotationKind {
			continue
		}
		size := 2 + int(binary.LittleEndian.Uint16(rest))
		if first := string(rest[headSize:][:4]); size <= len(rest) && (first == "TMF:" || first == "TMC:") {
			list = append(list, rest[:size])
		}
	}
	return list
}

// Build compiles and links a program, or skips the test if the tools are missing.
func Build(t testing.TB, c Clang) Image {
	t.Helper()
	clang, link := testenv.Tool(t, "clang"), testenv.Tool(t, "lld-link")
	folder := t.TempDir()
	image := Image{Path: filepath.Join(folder, "image.exe"), PDB: filepath.Join(folder, "image.pdb")}
	arguments := append([]string{"/nodefaultlib", "/subsystem:console", "/debug", "/pdb:" + image.PDB, "/out:" + image.Path}, c.Link...)
	if !slices.Contains(c.Link, "/noentry") {
		arguments = append(arguments, "/entry:entry")
	}
	for _, source := range c.Sources {
		path, err := filepath.Abs(source)
		if err != nil {
			t.Fatal(err)
		}
		object := filepath.Join(folder, strings.ReplaceAll(filepath.Base(source), ".", "_")+".obj")
		command(t, folder, clang, "-target", c.Target+"-pc-windows-msvc", "-fms-extensions", "-g", "-gcodeview", "-ffunction-sections",
			cmp.Or(c.Optimize, "-O0"), "-fno-builtin", "-fno-rtti",
			"-fdebug-prefix-map="+filepath.Dir(path)+"=/src", "-c", path, "-o", object)
		image.objects = append(image.objects, object)
	}
	command(t, folder, link, append(arguments, image.objects...)...)
	return image
}

func command(t testing.TB, folder, program string, arguments ...string) {
	t.Helper()
	run := exec.Command(program, arguments...)
	run.Dir = folder
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}
