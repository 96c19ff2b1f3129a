package parquettest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// Open opens a file for the Parquet library.
func Open(t testing.TB, data []byte) *parquet.File {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// EachValue reads the values of a leaf column with the Parquet library, page
// by page, nulls included.
func EachValue(t testing.TB, chunk parquet.ColumnChunk, do func(parquet.Value)) {
	t.Helper()
	pages := chunk.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 64) // most columns of tests are short
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

// Sum has the properties of a column that do not depend on the ends of row groups.
type Sum struct {
	Rows, Values int64
	Sum          uint64
}

// Sums returns a sum of each column of a Parquet file, over all row
// groups, and checks that texts are UTF-8.
func Sums(t testing.TB, data []byte) map[string]Sum {
	t.Helper()
	f := Open(t, data)
	columns := make(map[string]Sum)
	for i, leaf := range f.Schema().Columns() {
		isText := f.Metadata().RowGroups != nil && f.RowGroups()[0].ColumnChunks()[i].Type().String() == "STRING"
		sum := Sum{Rows: f.NumRows()}
		hash := fnv.New64a()
		var word [10]byte
		for _, group := range f.RowGroups() {
			EachValue(t, group.ColumnChunks()[i], func(v parquet.Value) {
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

// Row is a row as text, column by column; null is "NULL".
type Row map[string]string

// Rows returns the rows of a small Parquet file.
func Rows(t testing.TB, data []byte) []Row {
	t.Helper()
	f := Open(t, data)
	rows := make([]Row, f.NumRows())
	for i := range rows {
		rows[i] = make(Row)
	}
	for i, leaf := range f.Schema().Columns() {
		name, n := nameOf(leaf), -1
		for _, group := range f.RowGroups() {
			EachValue(t, group.ColumnChunks()[i], func(v parquet.Value) {
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
	name = strings.ReplaceAll(name, ".list.element.", ".")
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
