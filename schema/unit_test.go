package schema_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestColumnUnit checks which units fields state.
func TestColumnUnit(t *testing.T) {
	for _, test := range []struct {
		field schema.Field
		want  schema.Unit
	}{
		{schema.Field{Kind: schema.I32, InType: "win:Int32", OutType: "win:HResult"}, schema.AsHResult},
		{schema.Field{Kind: schema.U32, InType: "win:UInt32", OutType: "xs:unsignedInt"}, ""},
		{schema.Field{Kind: schema.U32, Values: "ntstatus"}, schema.AsNTStatus},
		{schema.Field{Kind: schema.U32, InType: "win:UInt32", Values: "ntstatus"}, ""}, // a map of this name
		{schema.Field{Kind: schema.U64, Unit: schema.InBytes}, schema.InBytes},
		{schema.Field{Kind: schema.Port}, schema.AsPort},
		{schema.Field{Kind: schema.MAC, InType: "ItemMACAddr"}, schema.AsMAC},
		{schema.Field{Kind: schema.U32, InType: "ItemNTSTATUS"}, schema.AsNTStatus},
		{schema.Field{InType: schema.StructType, Struct: []schema.Field{{Kind: schema.Port}}}, ""},
	} {
		if got := test.field.ColumnUnit(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.field, got, test.want)
		}
	}
}

// TestUnitsOfVersions checks that a column has a unit only if all its values have it.
func TestUnitsOfVersions(t *testing.T) {
	of := func(version uint8, out, inner string) schema.Described {
		return schema.Described{Schema: &schema.Schema{ID: 1, Version: version, Event: schema.Event{Class: "P", Name: "E", Fields: []schema.Field{
			{Name: "same", Kind: schema.U32, InType: "win:UInt32", OutType: "win:NTSTATUS"},
			{Name: "status", Kind: schema.U32, InType: "win:UInt32", OutType: out},
			{Name: "s", InType: schema.StructType, Struct: []schema.Field{{Name: "m", Kind: schema.U32, InType: "win:UInt32", OutType: inner}}},
		}}}}
	}
	tables, _ := schema.UserTables([]schema.Described{of(0, "win:HResult", "win:HResult"), of(1, "win:Win32Error", "xs:unsignedInt")}, 0, 10)
	table := tables[0].Table
	for name, want := range map[string]schema.Unit{"same": schema.AsNTStatus, "status": "", "s": ""} {
		if c := &table.Columns[table.Column(name)]; c.Unit != want {
			t.Errorf("%s: %q, want %q", name, c.Unit, want)
		}
	}
	if m := table.Columns[table.Column("s")].Fields[0]; m.Unit != "" {
		t.Errorf("member: %q", m.Unit)
	}
}
