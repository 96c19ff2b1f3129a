package pdbtest

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/testenv"
)

// Clang is a program to compile and link. It has no libraries.
type Clang struct {
	Target   string   // x86_64 or i686
	Optimize string   // -O0 if it is ""
	Sources  []string // paths
	Link     []string // options of lld-link; /dll and /noentry make a library
}

// Image is a linked program with its PDB.
type Image struct{ Path, PDB string }

// Build compiles and links a program, or skips the test if the tools are missing.
func Build(t testing.TB, c Clang) Image {
	t.Helper()
	clang, link := testenv.Tool(t, "clang"), testenv.Tool(t, "lld-link")
	folder := t.TempDir()
	image := Image{filepath.Join(folder, "image.exe"), filepath.Join(folder, "image.pdb")}
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
		arguments = append(arguments, object)
	}
	command(t, folder, link, arguments...)
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
