package convert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/schema"
)

// filesIn returns the files below a folder, by their paths in it.
func filesIn(t testing.TB, root string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		relative, _ := filepath.Rel(root, path) // path is below root
		files[filepath.ToSlash(relative)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sums returns the files, with a sum in place of the contents.
func sums(files map[string]string) map[string]string {
	short := make(map[string]string, len(files))
	for path, data := range files {
		short[path] = fmt.Sprintf("%d bytes, %s", len(data), sumOf([]byte(data)))
	}
	return short
}

func openParquet(t testing.TB, data []byte) *parquet.File {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// eachValue reads the values of a leaf column with the Parquet library, page
// by page, nulls included.
func eachValue(t testing.TB, chunk parquet.ColumnChunk, do func(parquet.Value)) {
	t.Helper()
	pages := chunk.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 1024)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		reader := page.Values()
		for {
			n, err := reader.ReadValues(values)
			for _, v := range values[:n] {
				do(v)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		parquet.Release(page)
	}
}

// columnSum is what can be compared of a column where row groups may end
// elsewhere.
type columnSum struct {
	Rows, Values int64
	Sum          uint64
}

// contents returns a sum of each column of a Parquet file, over all row
// groups, and checks that texts are UTF-8.
func contents(t testing.TB, data []byte) map[string]columnSum {
	t.Helper()
	f := openParquet(t, data)
	columns := make(map[string]columnSum)
	for i, leaf := range f.Schema().Columns() {
		isText := f.Metadata().RowGroups != nil && f.RowGroups()[0].ColumnChunks()[i].Type().String() == "STRING"
		sum := columnSum{Rows: f.NumRows()}
		hash := fnv.New64a()
		var word [10]byte
		for _, group := range f.RowGroups() {
			eachValue(t, group.ColumnChunks()[i], func(v parquet.Value) {
				sum.Values++
				word[0], word[1] = byte(v.RepetitionLevel()), byte(v.DefinitionLevel())
				switch {
				case v.IsNull():
					hash.Write(word[:2])
				case v.Kind() == parquet.ByteArray:
					binary.LittleEndian.PutUint64(word[2:], uint64(len(v.ByteArray())))
					hash.Write(word[:])
					hash.Write(v.ByteArray())
					if isText && !utf8.Valid(v.ByteArray()) {
						t.Errorf("%s: %q is not UTF-8", leaf, v.ByteArray())
					}
				default:
					binary.LittleEndian.PutUint64(word[2:], v.Uint64())
					hash.Write(word[:])
				}
			})
		}
		sum.Sum = hash.Sum64()
		columns[strings.Join(leaf, ".")] = sum
	}
	return columns
}

// rowText is a row as text, column by column; null is "NULL".
type rowText map[string]string

// readRows returns the rows of a small Parquet file.
func readRows(t testing.TB, data []byte) []rowText {
	t.Helper()
	f := openParquet(t, data)
	rows := make([]rowText, f.NumRows())
	for i := range rows {
		rows[i] = make(rowText)
	}
	for i, leaf := range f.Schema().Columns() {
		name, n := nameOf(leaf), -1
		for _, group := range f.RowGroups() {
			eachValue(t, group.ColumnChunks()[i], func(v parquet.Value) {
				if v.RepetitionLevel() == 0 {
					n++
					rows[n][name] = valueText(v, len(leaf) > 1)
					return
				}
				rows[n][name] += " " + v.String()
			})
		}
	}
	return rows
}

// nameOf returns the name of a column or, as column.member, of a member.
func nameOf(leaf []string) string {
	name := strings.Join(leaf, ".") + "."
	name = strings.ReplaceAll(name, "."+listGroup+"."+listElement+".", ".")
	return strings.TrimSuffix(name, ".")
}

func valueText(v parquet.Value, list bool) string {
	switch {
	case !v.IsNull():
		return v.String()
	case list && v.DefinitionLevel() > 0:
		return "[]"
	}
	return "NULL"
}

// rowsByTable reads the files of a trace in a dataset.
func rowsByTable(t testing.TB, root, trace string) map[string][]rowText {
	t.Helper()
	tables := make(map[string][]rowText)
	for _, table := range schema.Tables() {
		data, err := os.ReadFile(filepath.Join(root, table.Name, "trace="+trace, partFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		tables[table.Name] = readRows(t, data)
	}
	return tables
}
