package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb/pdbtest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// makePDB is the script command "pdb FILE GUID AGE NAME=RVA...": it makes a PDB of an image
// with one section, of 16 KiB from 0x1000 on.
func makePDB(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: pdb FILE GUID AGE NAME=RVA...")
	}
	const start = 0x1000
	p := pdbtest.PDB{Sections: []pdbtest.Section{{RVA: start, Size: 0x4000}}}
	var id schema.GUID
	ts.Check(id.UnmarshalText([]byte(args[1])))
	age, err := strconv.ParseUint(args[2], 10, 32)
	ts.Check(err)
	p.GUID, p.Age = id, uint32(age)
	for _, arg := range args[3:] {
		name, text, _ := strings.Cut(arg, "=")
		rva, err := strconv.ParseUint(text, 0, 32)
		ts.Check(err)
		p.Publics = append(p.Publics, pdbtest.Public{Name: name, Section: 1, Offset: uint32(rva) - start})
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	ts.Check(os.WriteFile(path, p.Bytes(), 0o666))
}
