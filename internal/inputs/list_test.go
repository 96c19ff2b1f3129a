package inputs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dirname := filepath.ToSlash(dir)
	fileURL := "file://" + "/" + strings.TrimPrefix(dirname, "/")
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	for _, path := range []string{"b.etl", "a.etl", "Cc.ETL", "notes.txt", "in/z.etl", "in/deep/y.Etl", "in/deep/x.log", "empty/readme", "odd[1].etl"} {
		testenv.WriteFile(t, path, "trace")
	}
	for _, test := range []struct {
		name   string
		args   []string
		want   []string
		failed []string
		single bool
	}{
		{"file", []string{"b.etl"}, []string{"b.etl"}, nil, true},
		{"any ending", []string{"notes.txt"}, []string{"notes.txt"}, nil, true},
		{"order of arguments", []string{"b.etl", "a.etl"}, []string{"b.etl", "a.etl"}, nil, false},
		{"twice", []string{"b.etl", "./b.etl", filepath.Join(dir, "b.etl")}, []string{"b.etl"}, nil, false},
		{"folder", []string{"."}, []string{"Cc.ETL", "a.etl", "b.etl", "in/deep/y.Etl", "in/z.etl", "odd[1].etl"}, nil, false},
		{"folder below", []string{"in"}, []string{"in/deep/y.Etl", "in/z.etl"}, nil, false},
		{"pattern", []string{"?.etl"}, []string{"a.etl", "b.etl"}, nil, false},
		{"absolute pattern", []string{filepath.Join(dir, "?.etl")}, []string{dirname + "/a.etl", dirname + "/b.etl"}, nil, false},
		{"pattern of folders", []string{"i*"}, []string{"in/deep/y.Etl", "in/z.etl"}, nil, false},
		{"pattern over folders", []string{"*/*.etl"}, []string{"in/z.etl"}, nil, false},
		{"pattern over any folders", []string{"**/*.etl"}, []string{"a.etl", "b.etl", "odd[1].etl", "in/z.etl"}, nil, false},
		{"everything below", []string{"**"}, []string{"Cc.ETL", "a.etl", "b.etl", "in/deep/y.Etl", "in/z.etl", "odd[1].etl"}, nil, false},
		{"everything below folders", []string{"i*/**"}, []string{"in/deep/y.Etl", "in/z.etl"}, nil, false},
		{"a name that looks like a pattern", []string{"odd[1].etl"}, []string{"odd[1].etl"}, nil, true},
		{"missing", []string{"nosuch.etl", "a.etl"}, []string{"a.etl"}, []string{"nosuch.etl"}, false},
		{"no match", []string{"x*.etl"}, nil, []string{"x*.etl"}, false},
		{"alternatives", []string{"{b,a}.etl"}, []string{"b.etl", "a.etl"}, nil, false},
		{"home", []string{"~/b.etl", "~/in", "~/?.etl"}, []string{dirname + "/b.etl", dirname + "/in/deep/y.Etl", dirname + "/in/z.etl", dirname + "/a.etl"}, nil, false},
		{"home alone", []string{"~"}, []string{dirname + "/Cc.ETL", dirname + "/a.etl", dirname + "/b.etl", dirname + "/in/deep/y.Etl", dirname + "/in/z.etl", dirname + "/odd[1].etl"}, nil, false},
		{"home of another user", []string{"~root/b.etl"}, nil, []string{"~root/b.etl"}, true},
		{"URL", []string{fileURL + "/b.etl"}, []string{dirname + "/b.etl"}, nil, true},
		{"URL of a folder", []string{fileURL + "/in"}, []string{dirname + "/in/deep/y.Etl", dirname + "/in/z.etl"}, nil, false},
		{"URL of a pattern", []string{fileURL + "/?.etl"}, []string{dirname + "/a.etl", dirname + "/b.etl"}, nil, false},
		{"URL, escaped", []string{fileURL + "/odd%5B1%5D.etl"}, []string{dirname + "/odd[1].etl"}, nil, true},
		{"URL of another machine", []string{"file://server/b.etl"}, nil, []string{"file://server/b.etl"}, true},
		{"bad pattern", []string{"[x"}, nil, []string{"[x"}, false},
		{"folder without traces", []string{"empty"}, nil, []string{"empty"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got, failed []string
			in := Find(test.args, nil, nil, func(name string, _ error) { failed = append(failed, name) })
			for i := range in.Files {
				got = append(got, filepath.ToSlash(in.Files[i].Name))
				if !filepath.IsAbs(in.Files[i].Path) || in.Files[i].Size != 5 {
					t.Errorf("%+v", in.Files[i])
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if !slices.Equal(failed, test.failed) || len(in.Absent) != len(failed) {
				t.Errorf("failed: %v (%d), want %v", failed, len(in.Absent), test.failed)
			}
			if in.Single != test.single {
				t.Errorf("single: %v, want %v", in.Single, test.single)
			}
		})
	}
	if in := Find([]string{"a.etl", "b.etl"}, nil, nil, nil); in.Size() != 10 {
		t.Errorf("size %d, want 10", in.Size())
	}
}
