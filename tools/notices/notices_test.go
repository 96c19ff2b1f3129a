package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestLicencesIn(t *testing.T) {
	const (
		bsd2 = "Redistribution and use in source and binary forms, with or\nwithout modification, are permitted provided that"
		bsd3 = bsd2 + "\n* Neither the name of X nor the names of its\ncontributors may be used to endorse or promote products derived from"
		mit  = "Permission is hereby granted, free of charge, to any person\n\tobtaining a copy of this software"
	)
	for _, test := range []struct {
		name, text string
		want       []string
		err        string
	}{
		{"two clauses", bsd2, []string{"BSD-2-Clause"}, ""},
		{"three clauses", bsd3, []string{"BSD-3-Clause"}, ""},
		{"broken lines", mit, []string{"MIT"}, ""},
		{"several", "Apache License\n   Version 2.0, January 2004\n" + mit + bsd3, []string{"Apache-2.0", "MIT", "BSD-3-Clause"}, ""},
		{"repeated", "Apache License Version 2.0 ... Apache License, Version 2.0", []string{"Apache-2.0"}, ""},
		{"unknown", "Do as you like.", nil, ""},
		{"copyleft", "GNU GENERAL PUBLIC\nLICENSE Version 3", nil, "GNU General Public License is not compatible with Apache-2.0"},
		{"one of several", mit + "Mozilla Public License, v. 2.0", nil, "Mozilla Public License is not compatible"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := licencesIn(test.text)
			if !slices.Equal(got, test.want) || test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("%v, %v; want %v, %q", got, err, test.want, test.err)
			}
		})
	}
}

func TestIsLegal(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENSE.txt": true, "license.md": true, "LICENSE-MIT": true, "LICENSE.Golang": true, "LICENSES": true, "Licence": true, "COPYING": true, "NOTICE": true,
		"PATENTS": true, "UNLICENSE": true, "THIRD_PARTY_NOTICES.txt": true, "license.go": false, "notice.s": false, "README": false, "AUTHORS": false, "licensing": false, "": false,
	} {
		if isLegal(name) != want {
			t.Errorf("%q: %t, want %t", name, !want, want)
		}
	}
}

// TestRead reads the licences only of linked folders.
func TestRead(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		testenv.WriteFile(t, path, text)
	}
	const mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
	write("LICENSE", mit+"\r\nfor\r\n\r\n")
	write("NOTICE", "By X.")
	write("in/sub/LICENSE", "Apache License\nVersion 2.0")
	write("other/LICENSE", "GNU General Public License")
	modules := make(map[string]*module)
	for _, folder := range []string{"in/sub", "in"} {
		p := &listedPackage{ImportPath: "x/" + folder, Dir: filepath.Join(root, filepath.FromSlash(folder))}
		p.Module = &listedModule{Path: "x", Version: "v1.2.3", Dir: root}
		if err := add(modules, p); err != nil {
			t.Fatal(err)
		}
	}
	m := modules["x"]
	if err := m.read(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range m.files {
		names = append(names, f.name)
	}
	if !slices.Equal(names, []string{"LICENSE", "NOTICE", "in/sub/LICENSE"}) || !slices.Equal(m.licences, []string{"Apache-2.0", "MIT"}) || m.files[0].text != mit+"\nfor\n" {
		t.Errorf("%q, %v, %q", names, m.licences, m.files[0].text)
	}
	same := &module{path: "y", version: "v2.0.0", files: m.files[:1], licences: []string{"MIT"}}
	text := string(notices([]*module{m, same}))
	for _, want := range []string{"\n  x v1.2.3  Apache-2.0, MIT\n  y v2.0.0  MIT\n", "\nLICENSE\n-------\nThe same text as LICENSE of x v1.2.3, above.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, mit) != 1 {
		t.Errorf("a text occurs more than once in\n%s", text)
	}

	write("other/sub/x.go", "")
	for text, want := range map[string]string{
		"GNU General Public License": "is not compatible with Apache-2.0",
		"Ask me.":                    "an unknown licence",
		mit:                          "",
	} {
		write("other/LICENSE", text)
		m := &module{path: "z", root: filepath.Join(root, "other"), folders: map[string]bool{filepath.Join(root, "other"): true}}
		if err := m.read(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	none := &module{path: "z", root: filepath.Join(root, "other/sub"), folders: map[string]bool{filepath.Join(root, "other/sub"): true}}
	if err := none.read(); err == nil || !strings.Contains(err.Error(), "no licence") {
		t.Errorf("a module without a licence: %v", err)
	}
}
