package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const root = "../.."

func readTestPackage(t *testing.T) *pythonPackage {
	t.Helper()
	p, err := readPackage(root)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wheelOf returns the bytes of a wheel whose program is a text.
func wheelOf(t *testing.T, p *pythonPackage, s system) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.write(&b, s, []byte("the program")); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWheels checks the entries of each system's wheel: its program, with the bit that makes it
// executable, its metadata, and RECORD, which has the sum of every entry.
func TestWheels(t *testing.T) {
	p := readTestPackage(t)
	names := make(map[string]bool)
	for _, s := range systems {
		t.Run(s.name, func(t *testing.T) {
			if name := p.wheelName(s); names[name] {
				t.Errorf("two systems have wheels called %s", name)
			} else {
				names[name] = true
			}
			wheel := wheelOf(t, p, s)
			if !bytes.Equal(wheel, wheelOf(t, readTestPackage(t), s)) {
				t.Error("a second wheel has other bytes")
			}
			entries, record := readWheel(t, wheel)
			base := "etl2parquet-" + p.project.Version
			program := base + ".data/scripts/" + s.programFile()
			for _, name := range []string{"etl2parquet/__init__.py", "etl2parquet/py.typed", "etl2parquet/_spark_views.sql", program, base + ".dist-info/METADATA",
				base + ".dist-info/WHEEL", base + ".dist-info/licenses/LICENSE", base + ".dist-info/licenses/THIRD_PARTY_NOTICES"} {
				if _, ok := entries[name]; !ok {
					t.Errorf("%s is missing", name)
				}
			}
			for name, text := range entries {
				sum := sha256.Sum256([]byte(text))
				line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
				if !strings.Contains(record, line) {
					t.Errorf("RECORD lacks %s", line)
				}
			}
			for _, tag := range s.tags {
				if !strings.Contains(entries[base+".dist-info/WHEEL"], "\nTag: py3-none-"+tag+"\n") {
					t.Errorf("WHEEL lacks the tag %s", tag)
				}
			}
		})
	}
}

// readWheel returns the entries of a wheel without RECORD, and RECORD, which must be the last.
func readWheel(t *testing.T, wheel []byte) (entries map[string]string, record string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		t.Fatal(err)
	}
	entries = make(map[string]string)
	for i, f := range z.File {
		if !f.Modified.Equal(entryTime) {
			t.Errorf("%s has the time %v", f.Name, f.Modified)
		}
		if executable := strings.Contains(f.Name, "/scripts/"); executable != (f.Mode() == 0o755) || !executable && f.Mode() != 0o644 {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if last := i == len(z.File)-1; last != strings.HasSuffix(f.Name, "/RECORD") {
			t.Errorf("%s is entry %d of %d", f.Name, i+1, len(z.File))
		} else if last {
			record = string(text)
			continue
		}
		entries[f.Name] = string(text)
	}
	return entries, record
}

// TestMetadata checks that METADATA has every field of the project, and the readme.
func TestMetadata(t *testing.T) {
	p := readTestPackage(t)
	text := string(p.metadata())
	for _, want := range []string{
		"Name: etl2parquet\n", "Version: " + p.project.Version + "\n", "License-Expression: Apache-2.0\n", "License-File: THIRD_PARTY_NOTICES\n",
		"Requires-Python: >=3.10\n", "Requires-Dist: pyarrow>=", "Provides-Extra: polars\nRequires-Dist: polars>=", "; extra == 'spark'\n",
		"Description-Content-Type: text/markdown\n\n# etl2parquet\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("METADATA lacks %q:\n%s", want, text)
		}
	}
}

// TestBadProjects checks that a project with values that a wheel cannot have is refused.
func TestBadProjects(t *testing.T) {
	for text, want := range map[string]string{
		"[project]\nname = \"etl2parquet\"\nversion = \"1.0-1\"":               "a wheel cannot have them",
		"[project]\nname = \"other\"\nversion = \"1.0\"":                       "a wheel cannot have them",
		"[project]\nname = \"etl2parquet\"\nversion = \"1.0\"\nreadme = \"x\"": "project.readme is not written",
		"[project]\nname = \"etl2parquet\"\nversion = 1":                       "incompatible types",
	} {
		path := filepath.Join(t.TempDir(), "pyproject.toml")
		testenv.WriteFile(t, path, text)
		if _, err := readProject(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestSelectSystems(t *testing.T) {
	for names, want := range map[string]int{"": len(systems), "linux/arm64": 1, "linux/arm64,windows/amd64": 2} {
		if got, err := selectSystems(names); err != nil || len(got) != want {
			t.Errorf("%q: %d systems, %v", names, len(got), err)
		}
	}
	if _, err := selectSystems("plan9/amd64"); err == nil {
		t.Error("plan9 is a system of wheels")
	}
}
