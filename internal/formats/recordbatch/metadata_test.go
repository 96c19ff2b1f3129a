package recordbatch

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestMetadata checks that fields, and members of structures, have the sentences and units of columns
// in their metadata.
func TestMetadata(t *testing.T) {
	s := Schema(&schema.Table{Columns: []schema.Column{
		{Name: "status", Type: schema.Int64, Doc: "How it ended.", Unit: schema.AsNTStatus},
		{Name: "unit only", Type: schema.Int64, List: true, Unit: schema.AsNTStatus},
		{Name: "none", Type: schema.Int64},
		{Name: "items", Type: schema.Struct, List: true, Fields: []schema.Column{{Name: "kind", Type: schema.Int32, Doc: "Its kind."}}},
	}})
	items := s.Field(3).Type.(*arrow.ListType).Elem().(*arrow.StructType)
	for _, test := range []struct {
		field arrow.Field
		want  map[string]string
	}{
		{s.Field(0), map[string]string{"doc": "How it ended.", "unit": "ntstatus"}},
		{s.Field(1), map[string]string{"unit": "ntstatus"}},
		{s.Field(2), map[string]string{}},
		{items.Field(0), map[string]string{"doc": "Its kind."}},
	} {
		if diff := cmp.Diff(test.want, test.field.Metadata.ToMap()); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.field.Name, diff)
		}
	}
}
