package viewstest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// ProofFile is the file with the proofs of a view, in its folder.
const ProofFile = "proof.txtar"

// Proof compares a query over a view with an independent one, over real traces. In proof.txtar it
// consists of
//
//	<name>/traces     the traces, one a line: paths in ../shared, or testdata/... of this repository
//	<name>/view.sql   the query over the view
//	<name>/other.sql  a query over tables that must have the same rows
//	<name>/rows.csv   the rows of both, with a header line and NULL for missing values
//	<name>/how.md     optional: a sentence on the other query
type Proof struct {
	View, Name       string
	Traces           []string
	Query, Other     string
	Rows, How        string
	archive          *txtar.Archive
	path, rowsInFile string
}

// Proofs reads the proofs of all views below a folder.
func Proofs(t testing.TB, folder string) (proofs []*Proof) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*", ProofFile))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no proofs in %s: %v", folder, err)
	}
	for _, path := range paths {
		proofs = append(proofs, proofsOf(t, path)...)
	}
	return proofs
}

// ProvenOnRealTraces reports whether a view below a folder has a proof over real traces: all but those
// of this repository.
func ProvenOnRealTraces(t testing.TB, folder, view string) bool {
	t.Helper()
	path := filepath.Join(folder, view, ProofFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	isReal := func(trace string) bool { return !strings.HasPrefix(trace, "testdata/") }
	return slices.ContainsFunc(proofsOf(t, path), func(p *Proof) bool { return slices.ContainsFunc(p.Traces, isReal) })
}

func proofsOf(t testing.TB, path string) (proofs []*Proof) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*Proof)
	for _, f := range archive.Files {
		name, part, _ := strings.Cut(f.Name, "/")
		p := byName[name]
		if p == nil {
			p = &Proof{View: filepath.Base(filepath.Dir(path)), Name: name, archive: archive, path: path, rowsInFile: name + "/rows.csv"}
			byName[name] = p
			proofs = append(proofs, p)
		}
		text := string(f.Data)
		switch part {
		case "traces":
			p.Traces = strings.Fields(text)
		case "view.sql":
			p.Query = text
		case "other.sql":
			p.Other = text
		case "rows.csv":
			p.Rows = text
		case "how.md":
			p.How = strings.TrimSpace(text)
		default:
			t.Fatalf("%s: %s is no part of a proof", path, f.Name)
		}
	}
	for _, p := range proofs {
		if len(p.Traces) == 0 || p.Query == "" || p.Other == "" {
			t.Fatalf("%s: %s lacks traces, view.sql or other.sql", path, p.Name)
		}
	}
	if len(proofs) == 0 {
		t.Fatalf("%s has no proof", path)
	}
	return proofs
}

// Update replaces the rows of the proof in proof.txtar.
func (p *Proof) Update(t testing.TB, rows string) {
	t.Helper()
	found := false
	for i := range p.archive.Files {
		if f := &p.archive.Files[i]; f.Name == p.rowsInFile {
			f.Data, found = []byte(rows), true
		}
	}
	if !found {
		p.archive.Files = append(p.archive.Files, txtar.File{Name: p.rowsInFile, Data: []byte(rows)})
	}
	if err := os.WriteFile(p.path, txtar.Format(p.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
