package rows

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// shownTexts is columnTexts in a readable form: a list of fields has a line for each field, with
// its name, its column, its types and a mark for arrays.
func shownTexts(b *columns.Batch, c *columns.Column) []string {
	texts := columnTexts(b, c)
	if b.Table != schema.EventTypes || c.Spec.Name != "field_list" {
		return texts
	}
	members := make([][]string, len(c.Members))
	for i := range c.Members {
		members[i] = textsOfRows(b, &c.Members[i], c.Structs)
	}
	list, at := 0, uint32(0)
	for row := range texts {
		if !c.Has(row) {
			continue
		}
		var lines strings.Builder
		for ; at < c.Lists[list]; at++ {
			name, path, in, out := members[0][at], members[1][at], members[2][at], members[3][at]
			line := fmt.Sprintf("%s%s %s %s %s", strings.Repeat("  ", int(c.Members[5].Small[at])), name, path, in, out)
			if c.Members[4].Bools[at] {
				line += " array"
			}
			if tags := members[6][at]; tags != "" {
				line += " tags " + tags
			}
			lines.WriteString("\n      " + strings.TrimRight(line, " "))
		}
		texts[row] = lines.String()
		if lines.Len() == 0 {
			texts[row] = "[]"
		}
		list++
	}
	return texts
}

// TestFieldListsLimit checks a trace whose kinds of event have more fields than the limit: it
// lists the fields of the first kinds, and reports the number of kinds without a list.
func TestFieldListsLimit(t *testing.T) {
	const events, versions = 3, 256
	fields := testenv.Times(t, 10, 10, 1000, 1000)
	most := testenv.Times(t, 5000, 5000, catalog.DefaultMaxFields, catalog.DefaultMaxFields)
	var manifest strings.Builder
	manifest.WriteString(`<instrumentationManifest><provider name="P" guid="{` + "00000000-0000-0000-0000-0000000000bb" + `}"><templates><template tid="T">`)
	for i := range fields {
		fmt.Fprintf(&manifest, `<data name="f%d" inType="win:UInt8"/>`, i)
	}
	manifest.WriteString(`</template></templates><events>`)
	var trace strings.Builder
	trace.WriteString("trace buffersize=65536\nstream\n")
	for i := range events {
		fmt.Fprintf(&manifest, `<event value="%d" template="T" symbol="E%[1]d"/>`, i)
		for version := range versions {
			fmt.Fprintf(&trace, "event64 provider=%s id=%d ver=%d\n", "00000000-0000-0000-0000-0000000000bb", i, version)
		}
	}
	manifest.WriteString(`</events></provider></instrumentationManifest>`)
	folder := t.TempDir()
	testenv.WriteFile(t, filepath.Join(folder, "p.man"), manifest.String())
	data := etltest.MustParse(t, trace.String())
	f := decodetest.Open(t, data)
	x, err := index.Build(t.Context(), f, index.Options{Workers: 2, Schemas: indextest.OpenFiles(t, []string{folder}, nil), MaxFields: most})
	if err != nil {
		t.Fatal(err)
	}
	b := fixed.EventTypes(x)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	c := b.Column("field_list")
	without := 0
	for row := range b.Rows {
		if !c.Has(row) {
			without++
		}
	}
	if c.Structs > most || c.Structs < most-2*fields || without == 0 {
		t.Errorf("%d fields are listed, %d kinds of event have no list", c.Structs, without)
	}
	for _, p := range x.Problems.All() {
		if p.Code == "field_lists_limit" && p.Count == int64(without) {
			return
		}
	}
	t.Errorf("no problem reports that %d kinds have no list: %+v", without, x.Problems.All())
}
