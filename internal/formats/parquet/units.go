package parquet

import (
	"encoding/json"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// unitsKey is the key of the units of columns in the metadata of a file: a JSON object with
// the unit of each column that has one. A member of a struct is named struct.member.
const unitsKey = "etl2parquet.units"

// maxUnits bounds the units that are read from a footer.
const maxUnits = 1 << 20

// unitMetadata returns the metadata of a file with the units of the table's columns.
func unitMetadata(t *schema.Table) []format.KeyValue {
	units := make(map[string]schema.Unit)
	eachUnit(t.Columns, "", func(path string, unit *schema.Unit) {
		if *unit != "" {
			units[path] = *unit
		}
	})
	if len(units) == 0 {
		return nil
	}
	text, _ := json.Marshal(units) // only texts; sorted by key
	return []format.KeyValue{{Key: unitsKey, Value: string(text)}}
}

// setUnits sets the units of columns from the text in a footer.
func setUnits(columns []schema.Column, text string) error {
	if text == "" {
		return nil
	}
	var units map[string]schema.Unit
	if err := json.Unmarshal([]byte(text), &units); err != nil {
		return errThrift
	}
	eachUnit(columns, "", func(path string, unit *schema.Unit) { *unit = units[path] })
	return nil
}

func eachUnit(columns []schema.Column, before string, visit func(path string, unit *schema.Unit)) {
	for i := range columns {
		c := &columns[i]
		visit(before+c.Name, &c.Unit)
		if len(c.Fields) > 0 {
			eachUnit(c.Fields, before+c.Name+".", visit)
		}
	}
}

// units reads one of the key-value pairs of a footer, and returns the units if it has them.
func (t *thriftReader) units(kind byte) (text string, err error) {
	if kind != thriftStruct {
		return "", errThrift
	}
	isUnits := false
	err = t.structure(func(id int64, kind byte) (err error) {
		switch {
		case id == 1 && kind == thriftBinary:
			isUnits, err = t.isText(unitsKey)
		case id == 2 && kind == thriftBinary && isUnits:
			text, err = t.text(maxUnits)
		default:
			err = t.skip(kind)
		}
		return err
	})
	return text, err
}
