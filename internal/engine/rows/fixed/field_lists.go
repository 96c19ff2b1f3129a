package fixed

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fieldLists fills the column of event_types with the fields of events.
type fieldLists struct {
	batch                                             *columns.Batch
	list, name, column, in, out, isArray, depth, tags *columns.Column
}

func newFieldLists(b *columns.Batch, list *columns.Column) *fieldLists {
	m := list.Members
	return &fieldLists{batch: b, list: list, name: &m[0], column: &m[1], in: &m[2], out: &m[3], isArray: &m[4], depth: &m[5], tags: &m[6]}
}

// add appends the list of fields of a kind of event that has a description.
func (l *fieldLists) add(row int, k *catalog.Kind) {
	l.list.At(row)
	var columns []schema.Column // empty if the literal has no table
	if k.Literal.Table != nil {
		columns = k.Literal.Table.Table.Columns
	}
	l.fields(k.Literal.Event.Fields, k.Version, k.Literal.Columns, columns, "", 0)
	l.list.EndList()
}

// fields appends the fields that a version of an event or structure has. places are the columns of
// the fields, by their index in columns, whose names begin with prefix; without columns there are
// no places.
func (l *fieldLists) fields(fields []schema.Field, version uint8, places []schema.FieldColumns, columns []schema.Column, prefix string, depth int32) {
	for i := range fields {
		f := &fields[i]
		if !f.In(version) {
			continue
		}
		var path string
		var members []schema.Column
		var memberPlaces []schema.FieldColumns
		if columns != nil && places[i].Value >= 0 {
			c := &columns[places[i].Value]
			path = prefix + c.Name
			if own := places[i].Own; own == nil {
				members, memberPlaces = c.Fields, places[i].Members
			} else if c.Type == schema.Struct {
				members, memberPlaces = own.Fields, places[i].Members
			}
		}
		l.field(f, path, depth)
		l.fields(f.Struct, version, memberPlaces, members, path+".", depth+1)
	}
}

// field appends a field, with the path of its column or "".
func (l *fieldLists) field(f *schema.Field, path string, depth int32) {
	n := l.list.BeginStruct()
	in, out := f.SourceTypes()
	l.name.Code(l.batch.Texts.Text(f.OriginalName()))
	if path != "" {
		l.column.At(n).Code(l.batch.Texts.Text(path))
	}
	l.in.Code(l.batch.Texts.Text(in))
	if out != "" {
		l.out.At(n).Code(l.batch.Texts.Text(out))
	}
	l.isArray.Bool(f.IsArray())
	if f.Tags != 0 {
		l.tags.At(n).Int32(int32(f.Tags))
	}
	l.depth.Int32(depth)
}
