package inputs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestLeftOut lists folders with files whose names are like those of traces: traces and archives
// among them are read, and the others are named.
func TestLeftOut(t *testing.T) {
	trace := testenv.ReadFile(t, sampleTrace)
	const zip = "PK\x03\x04"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string
		left  string
	}{
		{"traces by content", map[string]string{"a.etl.merged": string(trace), "b.etl.old": string(trace), "c.ETL.bak": string(trace), "d.blg": string(trace), "e.etl~": string(trace), "f.etl.002": "by name"},
			[]string{"a.etl.merged", "b.etl.old", "c.ETL.bak", "d.blg", "e.etl~", "f.etl.002"}, ""},
		{"archives by content", map[string]string{"a.etl.old": zip}, []string{"a.etl.old"}, ""},
		{"others", map[string]string{"a.etl": "by name", "b.blg": "counters\x00", "c.etl.old": "", "d.etl.txt": "text", "e.evtx": "ElfFile\x00rest"},
			[]string{"a.etl"}, "4 files left out: b.blg (a log of performance counters (.blg)), c.etl.old (empty), d.etl.txt (a text file) and 1 more"},
		{"unfinished", map[string]string{"a.etl": "by name", "b.etl.part": string(trace), "c.etl.CRDOWNLOAD": string(trace)},
			[]string{"a.etl"}, "2 files left out: b.etl.part (unfinished, by its name), c.etl.CRDOWNLOAD (unfinished, by its name)"},
		{"one", map[string]string{"a.etl": "by name", "b.etl.old": "\x01\x02\x00"}, []string{"a.etl"}, "1 file left out: b.etl.old (not a trace)"},
		{"zeros", map[string]string{"a.etl": "by name", "b.etl.old": "\x00\x00\x00"}, []string{"a.etl"}, "1 file left out: b.etl.old (a file that begins with zeros)"},
		{"other names", map[string]string{"SCM.EVM": string(trace), "MpWppTracing-20260101-1.bin": string(trace), "EtwRTUBPM": string(trace), "notes.txt": "text", "x.docx": zip, "y": ""},
			[]string{"EtwRTUBPM", "MpWppTracing-20260101-1.bin", "SCM.EVM"}, "3 files left out: notes.txt (a text file), x.docx (an archive of another name), y (empty)"},
		{"cut off", map[string]string{"a.etl": "by name", "b.bin": string(trace[:80]), "c.bin": "\x00\x10\x00\x00\x01"}, []string{"a.etl"}, "2 files left out: b.bin (not a trace), c.bin (not a trace)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, contents := range test.files {
				testenv.WriteFile(t, name, contents)
			}
			in := Find([]string{"."}, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
			var got []string
			for _, f := range in.Files {
				got = append(got, f.Name)
			}
			if !slices.Equal(got, test.want) || in.LeftOut.String() != test.left {
				t.Errorf("got %q, %q\nwant %q, %q", got, in.LeftOut.String(), test.want, test.left)
			}
		})
	}
}

// TestLeftOutOfMany checks that a folder with very many files has a short line.
func TestLeftOutOfMany(t *testing.T) {
	folder := t.TempDir()
	for i := range 2000 {
		testenv.WriteFile(t, filepath.Join(folder, fmt.Sprintf("%04d.evtx", i)), "ElfFile\x00")
	}
	testenv.WriteFile(t, filepath.Join(folder, "a.etl"), "trace")
	in := Find([]string{folder}, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
	if text := in.LeftOut.String(); len(in.Files) != 1 || len(in.LeftOut) != 2000 || strings.Count(text, "evtx)") != maxLeftOut || !strings.HasSuffix(text, " and 1997 more") {
		t.Errorf("%d files, %d left out: %s", len(in.Files), len(in.LeftOut), text)
	}
}
