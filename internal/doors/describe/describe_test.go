package describe

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestDescribeStructs checks that every member of a struct is named and explained, at
// any depth.
func TestDescribeStructs(t *testing.T) {
	columns := []schema.Column{
		{Name: "n", Type: schema.Int32, Doc: "A number."},
		{Name: "list", Type: schema.Struct, List: true, Nullable: true, Doc: "Some structs.", Fields: []schema.Column{
			{Name: "one", Type: schema.Struct, Doc: "A struct.", Fields: []schema.Column{{Name: "x", Type: schema.Float, List: true, Doc: "Floats."}}},
			{Name: "text", Type: schema.String, Nullable: true, Doc: "A text."},
		}},
	}
	var text strings.Builder
	writeColumns(&text, &Options{Width: 80}, columnDocs(columns))
	writeColumns(&text, &Options{Width: 100}, columnDocs(columns))
	want := `  column  type
  n       INT32         not null
      A number.
  list    LIST<STRUCT>  nullable
      Some structs.
    one   STRUCT        not null
        A struct.
      x   LIST<FLOAT>   not null
          Floats.
    text  STRING        nullable
        A text.
  column  type                    meaning
  n       INT32         not null  A number.
  list    LIST<STRUCT>  nullable  Some structs.
    one   STRUCT        not null  A struct.
      x   LIST<FLOAT>   not null  Floats.
    text  STRING        nullable  A text.
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	got, err := json.Marshal(columnDocs(columns))
	if err != nil {
		t.Fatal(err)
	}
	wantJSON := `[{"name":"n","type":"INT32","nullable":false,"doc":"A number."},` +
		`{"name":"list","type":"LIST\u003cSTRUCT\u003cone STRUCT\u003cx LIST\u003cFLOAT\u003e\u003e, text STRING\u003e\u003e","nullable":true,"doc":"Some structs.","fields":[` +
		`{"name":"one","type":"STRUCT\u003cx LIST\u003cFLOAT\u003e\u003e","nullable":false,"doc":"A struct.","fields":[{"name":"x","type":"LIST\u003cFLOAT\u003e","nullable":false,"doc":"Floats."}]},` +
		`{"name":"text","type":"STRING","nullable":true,"doc":"A text."}]}]`
	if diff := cmp.Diff(wantJSON, string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestTables checks that a list of tables has a line for each, and fits a terminal of 80 columns.
func TestTables(t *testing.T) {
	var page strings.Builder
	writeDatasetTables(&page, &Options{Width: 80}, []datasetTableDoc{
		{SQLName: "microsoft_windows_kernel_process_processstart_start", Doc: "Event Start of provider P. More.", Rows: 1_234_567, Bytes: 5 << 30, Parts: 3},
		{SQLName: "traces", Rows: 3, Bytes: 5 << 10, Parts: 1},
	})
	want := `  in SQL                                                    rows    bytes  parts
  microsoft_windows_kernel_process_processstart_start  1,234,567  5.0 GiB      3
  traces                                                       3  5.0 KiB      1
`
	if diff := cmp.Diff(want, page.String()); diff != "" {
		t.Error(diff)
	}
}
