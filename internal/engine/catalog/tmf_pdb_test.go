package catalog_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// messagesText is what tracepdb would write for messagesSource.
const messagesText = `// PDB: messages.pdb
01e9b841-7d67-315a-7b92-23b2033356de sample // SRC=messages.c MJ= MN=
#typev messages_c4 10 "%0Status %10!d! of %11!s!" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=GENERAL FUNC=message
{
status, ItemLong -- 10
name, ItemString -- 11
}
`

const messagesSource = "../symbols/pdb/testdata/clang/messages.c"

// messagesPDB is the PDB of messagesSource, made by hand.
func messagesPDB() []byte {
	p := pdbtest.PDB{
		Age: 1, Sections: []pdbtest.Section{{RVA: 0x1000, Size: 0x100}},
		Modules: []pdbtest.Module{{Name: "messages.obj", Functions: []pdbtest.Function{{
			Name: "message", Section: 1, Size: 16,
			Annotations: [][]string{
				{"TMF:", "01e9b841-7d67-315a-7b92-23b2033356de sample // SRC=messages.c MJ= MN=",
					`#typev  messages_c4 10 "%0Status %10!d! of %11!s!" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=GENERAL`,
					"{", "status, ItemLong -- 10", "name, ItemString -- 11", "}"},
				{"TMC:", "5d9b1c33-8e8e-4a8c-9f0c-1f6f0f6d6f01", "SampleControl", "GENERAL"},
			},
		}}}},
	}
	return p.Bytes()
}

// write writes files to a folder of their own.
func write(t *testing.T, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range files {
		testenv.WriteFile(t, filepath.Join(folder, name), data)
	}
	return folder
}

// messages returns the messages that files at a path describe.
func messages(t *testing.T, path string) (*catalog.Files, []byte) {
	t.Helper()
	files, err := catalog.OpenFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.AddTMF([]string{path}); err != nil {
		t.Fatal(err)
	}
	packed, _, _, err := files.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return files, packed
}

// TestPDB compares the messages of a PDB with those of the TMF file that tracepdb would
// write for it.
func TestPDB(t *testing.T) {
	_, want := messages(t, write(t, map[string][]byte{"a.tmf": []byte(messagesText)}))
	for _, test := range []struct {
		name string
		make func(t *testing.T) []byte
	}{
		{"by hand", func(*testing.T) []byte { return messagesPDB() }},
		{"by clang", func(t *testing.T) []byte {
			image := pdbtest.Build(t, pdbtest.Clang{Target: "x86_64", Sources: []string{messagesSource}, Link: []string{"/dll", "/noentry", "/export:message"}})
			return image.PDBWithAnnotations(t)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, map[string][]byte{"a.PDB": test.make(t)})
			for _, path := range []string{folder, filepath.Join(folder, "a.PDB")} {
				files, got := messages(t, path)
				if diff := cmp.Diff(want, got); diff != "" || len(files.Errors()) > 0 {
					t.Errorf("%s: %v, %v", path, diff, files.Errors())
				}
			}
		})
	}
	if tmf, err := wpp.ParseTMF([]byte(messagesText)); err != nil || len(tmf.Messages) != 1 || tmf.Messages[0].Function != "message" {
		t.Errorf("%+v, %v", tmf, err)
	}
}

// TestPDBWithoutMessages checks that a PDB without messages is an error if it is named, and that in
// a folder it is ignored, unless it cannot be read.
func TestPDBWithoutMessages(t *testing.T) {
	none := pdbtest.PDB{Modules: []pdbtest.Module{{Name: "a.obj", Annotations: [][]string{{"TMC:", "x"}}}}}
	damaged := pdbtest.PDB{Modules: []pdbtest.Module{{Name: "a.obj", Raw: []byte{1, 0, 0, 0}}}}
	folder := write(t, map[string][]byte{"a.pdb": messagesPDB(), "none.pdb": none.Bytes(), "damaged.pdb": damaged.Bytes(), "text.pdb": []byte("no PDB")})
	for _, test := range []struct{ name, want string }{
		{"none.pdb", "none.pdb: a PDB without WPP messages"},
		{"damaged.pdb", "damaged.pdb: no WPP messages in the modules that can be read: module symbols, stream 12 at 0x4: corrupt"},
		{"text.pdb", "text.pdb: superblock at 0x0: not a PDB"},
	} {
		files, err := catalog.OpenFiles(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := files.AddTMF([]string{filepath.Join(folder, test.name)}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	files, _ := messages(t, folder)
	if errs := files.Errors(); len(errs) != 2 {
		t.Errorf("%v", errs)
	}
}
