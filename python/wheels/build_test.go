package main

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestBuiltWheels builds wheels as a user does. A second build, with other settings of the user,
// has the same bytes, and a wheel for another system has a program of that system.
func TestBuiltWheels(t *testing.T) {
	testenv.All(t, "programs for two systems")
	t.Chdir(root)
	first := buildWheels(t, "linux/amd64,windows/amd64")
	entries, _ := readWheel(t, first[0])
	checkLinux(t, programOf(t, entries, "etl2parquet"))
	entries, _ = readWheel(t, first[1])
	checkWindows(t, programOf(t, entries, "etl2parquet.exe"))

	t.Setenv("GOFLAGS", "-ldflags=-X=github.com/etl2parquet/etl2parquet/internal/base/version.release=v9")
	t.Setenv("GOAMD64", "v3")
	if second := buildWheels(t, "linux/amd64"); !bytes.Equal(first[0], second[0]) {
		t.Error("a second build has other bytes")
	}
}

// buildWheels returns the wheels for systems, in their order.
func buildWheels(t *testing.T, systems string) (wheels [][]byte) {
	t.Helper()
	var out strings.Builder
	folder := filepath.Join(t.TempDir(), "dist")
	if err := run([]string{"-o", folder, "-systems", systems}, &out); err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(out.String()) {
		wheel := testenv.ReadFile(t, strings.TrimSpace(path))
		wheels = append(wheels, wheel)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != len(wheels) || len(wheels) != 1+strings.Count(systems, ",") {
		t.Fatalf("wheels for %s: %q", systems, left)
	}
	return wheels
}

// programOf returns the program of a wheel. It names no folder of this machine.
func programOf(t *testing.T, entries map[string]string, name string) *strings.Reader {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for entry, text := range entries {
		if strings.HasSuffix(entry, ".data/scripts/"+name) {
			if strings.Contains(text, here) {
				t.Errorf("%s has the path %s in it", entry, here)
			}
			return strings.NewReader(text)
		}
	}
	t.Fatalf("no program %s", name)
	return nil
}

// checkLinux checks that a program needs no library, and so neither glibc nor musl.
func checkLinux(t *testing.T, program *strings.Reader) {
	t.Helper()
	f, err := elf.NewFile(program)
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := f.ImportedLibraries()
	if f.Machine != elf.EM_X86_64 || err != nil || len(libraries) != 0 {
		t.Errorf("%v program with the libraries %q, %v", f.Machine, libraries, err)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic loader")
		}
	}
}

func checkWindows(t *testing.T, program *strings.Reader) {
	t.Helper()
	f, err := pe.NewFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		t.Errorf("the program is for the machine %#x", f.Machine)
	}
}
