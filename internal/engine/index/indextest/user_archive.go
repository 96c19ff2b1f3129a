package indextest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Archive is a txtar: comment, the user's files, trace and expect.
type Archive struct{ Files map[string]string }

var sectionMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// pieceMark stands for one of several equal pieces of a file, as quoted text.
var pieceMark = regexp.MustCompile(`@([\w.]+)/(\d+)/(\d+)`)

// ParseArchive splits a txtar, and inserts pieces of its files into its trace.
func ParseArchive(text string) *Archive {
	a := &Archive{Files: make(map[string]string)}
	marks := sectionMark.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		a.Files[text[m[2]:m[3]]] = text[m[1]:end]
	}
	a.Files["trace"] = pieceMark.ReplaceAllStringFunc(a.Files["trace"], func(mark string) string {
		m := pieceMark.FindStringSubmatch(mark)
		file := a.Files[m[1]]
		i, _ := strconv.Atoi(m[2])
		n, _ := strconv.Atoi(m[3])
		return strings.ReplaceAll(strconv.Quote(file[len(file)*i/n:len(file)*(i+1)/n]), "$", "$$")
	})
	return a
}

// SchemaFiles opens the manifests and TMF files of an archive.
func (a *Archive) SchemaFiles(t testing.TB) *catalog.Files {
	t.Helper()
	var manifests, tmf []string
	folder := t.TempDir()
	for name, text := range a.Files {
		path := filepath.Join(folder, name)
		switch filepath.Ext(name) {
		case ".man":
			manifests = append(manifests, path)
		case ".tmf":
			tmf = append(tmf, path)
		default:
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return OpenFiles(t, manifests, tmf)
}

// OpenFiles opens the user's files at these paths.
func OpenFiles(t testing.TB, manifests, tmf []string) *catalog.Files {
	t.Helper()
	files, err := catalog.OpenFiles(manifests)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.AddTMF(tmf); err != nil {
		t.Fatal(err)
	}
	return files
}

// FileWith makes the index pass over a file, with the user's files.
func FileWith(t testing.TB, path string, files *catalog.Files) *index.Index {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return With(t, bytes.NewReader(data), int64(len(data)), files)
}
