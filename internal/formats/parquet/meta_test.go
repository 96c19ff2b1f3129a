package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func seededRows(t *schema.Table, n int) testRows {
	return testRows{(&columnstest.Data{Table: t}).Fill(testenv.Seeded(t.Name), n, 0.2, 4, 1<<40)}
}

// TestSignedInts compares files of the same rows with and without Options.SignedInts: types, bounds
// and ids differ, bytes of values do not.
func TestSignedInts(t *testing.T) {
	members := []schema.Column{{Name: "m", Type: schema.Uint64}, {Name: "n", Type: schema.Uint64, List: true, Nullable: true}}
	table := &schema.Table{Name: "t", SortBy: []string{"a"}, Columns: []schema.Column{
		{Name: "a", Type: schema.Uint64, Unsigned: true, Encoding: schema.Rising},
		{Name: "b", Type: schema.Uint64, Nullable: true},
		{Name: "c", Type: schema.Uint64, List: true, Encoding: schema.Varied},
		{Name: "d", Type: schema.Struct, List: true, Nullable: true, Fields: members},
		{Name: "e", Type: schema.Int64},
	}}
	var files [2][]byte
	for i := range files {
		var out bytes.Buffer
		r := seededRows(table, 500)
		r.writeTo(t, &out, Options{Codec: snappyCodec{}, SignedInts: i == 1}, [][]int{{200, 100}, {200}})
		files[i] = out.Bytes()
	}
	unsigned, signed := footerOf(t, files[0]), footerOf(t, files[1])
	for i, e := range signed.Schema {
		was := unsigned.Schema[i]
		if e.LogicalType.Value != nil && e.Name != "c" && e.Name != "d" && e.Name != "n" || e.Name != was.Name || e.FieldID != 0 || (was.FieldID == 0) != (i == 0 || was.Name == listGroup) {
			t.Errorf("%s: type %v, ids %d, before %d", e.Name, e.LogicalType, e.FieldID, was.FieldID)
		}
	}
	for g := range signed.RowGroups {
		for c := range signed.RowGroups[g].Columns {
			is, was := &signed.RowGroups[g].Columns[c].MetaData, &unsigned.RowGroups[g].Columns[c].MetaData
			low, high := int64(binary.LittleEndian.Uint64(is.Statistics.MinValue)), int64(binary.LittleEndian.Uint64(is.Statistics.MaxValue))
			if name := is.PathInSchema[0]; low > 0 && name != "e" || low > high || is.TotalUncompressedSize != was.TotalUncompressedSize {
				t.Errorf("row group %d, %v: from %d to %d, %d bytes, before %d", g, is.PathInSchema, low, high, is.TotalUncompressedSize, was.TotalUncompressedSize)
			}
		}
		if !slices.Equal(signed.RowGroups[g].SortingColumns, unsigned.RowGroups[g].SortingColumns) || len(signed.RowGroups[g].SortingColumns) != 1 {
			t.Errorf("row group %d: sorted by %v", g, signed.RowGroups[g].SortingColumns)
		}
	}
	pages := int64(len(magic))
	for _, g := range unsigned.RowGroups {
		pages += g.TotalCompressedSize
	}
	if !bytes.Equal(files[0][:pages], files[1][:pages]) {
		t.Error("the pages differ")
	}
	if c := &Signed(table).Columns[0]; c.Unsigned || table.Columns[0].Type != schema.Uint64 {
		t.Errorf("a column that may be negative says that it is not: %+v", c)
	}
	if plain := (&schema.Table{Columns: table.Columns[4:]}); Signed(plain) != plain {
		t.Error("a table without unsigned columns is copied")
	}
}

// TestFieldIDs checks the ids of nodes, and that two columns of one hash have two ids.
func TestFieldIDs(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		schema.TraceColumn,
		{Name: "texts", Type: schema.String, List: true},
		{Name: "items", Type: schema.Struct, List: true, Fields: []schema.Column{{Name: "kind", Type: schema.Int32}}},
		{Name: "of", Type: schema.Struct, Fields: []schema.Column{{Name: "trace", Type: schema.Int32}}},
	}}
	var got []string
	for _, e := range schemaElements(table, true) {
		got = append(got, fmt.Sprint(e.Name, " ", e.FieldID))
	}
	id := schema.FieldID
	want := []string{
		"t 0", "trace 1", fmt.Sprint("texts ", id("texts")), "list 0", fmt.Sprint("element ", id("texts.element")),
		fmt.Sprint("items ", id("items")), "list 0", fmt.Sprint("element ", id("items.element")), fmt.Sprint("kind ", id("items.element.kind")),
		fmt.Sprint("of ", id("of")), fmt.Sprint("trace ", id("of.trace")),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	ids := make(fieldIDs)
	if a, b := ids.of("x"), ids.of("x"); a != id("x") || b != a+1 {
		t.Errorf("ids %d and %d", a, b)
	}
}

// TestDocs checks that files have sentences about their columns if the pages are large enough for
// them, and who made the file.
func TestDocs(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		{Name: "a", Type: schema.Int64, Encoding: schema.Varied, Doc: "A << \"B\"."},
		{Name: "trace", Type: schema.String, Doc: strings.Repeat("Shared. ", 300)},
		{Name: "s", Type: schema.Struct, Fields: []schema.Column{{Name: "m", Type: schema.Int32, Doc: "A member."}, {Name: "n", Type: schema.Int32}}},
	}}
	own := `{"a":"A << \"B\".","s.m":"A member."`
	for rows, want := range map[int]string{10: "", 500: own + "}", 20_000: own + `,"trace":"` + table.Columns[1].Doc + `"}`} {
		var out bytes.Buffer
		r := seededRows(table, rows)
		r.writeTo(t, &out, Options{Codec: snappyCodec{}, CreatedBy: "etl2parquet version v1.2.3"}, [][]int{{rows}})
		meta := footerOf(t, out.Bytes())
		got := ""
		for _, pair := range meta.KeyValueMetadata {
			got += pair.Key + pair.Value
		}
		if want != "" {
			want = docsKey + want
		}
		if got != want {
			t.Errorf("%d rows: %s, want %s", rows, got, want)
		}
		if footer, err := ReadFooter(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil || !footer.Own || meta.CreatedBy != "etl2parquet version v1.2.3" {
			t.Errorf("created by %q: %+v, %v", meta.CreatedBy, footer, err)
		}
	}
}

// TestCreators says which files are this program's.
func TestCreators(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "a", Type: schema.Int32}}}
	for by, own := range map[string]bool{
		"": true, "etl2parquet": true, "etl2parquet version devel (build 0123456789ab)": true, "etl2parquet2": false, "DuckDB version v1.5.5 (build 0)": false,
		"etl2parquet version " + strings.Repeat("9", maxCreator): false,
	} {
		var out bytes.Buffer
		r := seededRows(table, 1)
		r.writeTo(t, &out, Options{Codec: snappyCodec{}, CreatedBy: by}, [][]int{{1}})
		if footer, err := ReadFooter(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil || footer.Own != own {
			t.Errorf("%.40s: %+v, %v", by, footer, err)
		}
	}
}
