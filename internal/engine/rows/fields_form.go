package rows

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FieldsForm is the form of decoded payloads as text.
type FieldsForm uint8

// The forms.
const (
	// FieldsJSON is an object with the keys of [schema.Table.FieldKey], which tables have.
	FieldsJSON FieldsForm = iota
	// FieldsNamed is FieldsJSON with the names that the fields have in their source.
	FieldsNamed
	// FieldsAttributes is a list of attributes of OpenTelemetry in the JSON form of protocol buffers,
	// with the names that the fields have in their source: KeyValue of
	// https://github.com/open-telemetry/opentelemetry-proto, file common/v1/common.proto.
	FieldsAttributes
	// FieldsText is name=value for people, with the same keys; or the text alone if the payload
	// is a single text. Long values of bytes are cut.
	FieldsText
)

// fieldsForm has what is around values in a form.
type fieldsForm struct {
	open, close             byte   // of the whole payload; [jsonWriter.append] removes those of text
	separator               byte   // between members, and between elements
	openStruct, closeStruct string // each open ends with [ or {
	openList, closeList     string
	openTime, closeTime     string
	end                     string // of a member
	rest                    []byte // the beginning of the member with the bytes that are in no field
}

var fieldsForms = [...]fieldsForm{
	FieldsJSON:  jsonForm,
	FieldsNamed: jsonForm,
	FieldsAttributes: {
		open: '[', close: ']', separator: ',',
		openStruct: `{"kvlistValue":{"values":[`, closeStruct: "]}}",
		openList: `{"arrayValue":{"values":[`, closeList: "]}}",
		openTime: `{"stringValue":"`, closeTime: `"}`,
		end: "}", rest: FieldsAttributes.member(schema.RestColumn),
	},
	FieldsText: {
		open: '{', close: '}', separator: ' ',
		openStruct: "{", closeStruct: "}", openList: "[", closeList: "]", rest: FieldsText.member(schema.RestColumn),
	},
}

var jsonForm = fieldsForm{
	open: '{', close: '}', separator: ',',
	openStruct: "{", closeStruct: "}", openList: "[", closeList: "]", openTime: `"`, closeTime: `"`,
	rest: FieldsJSON.member(schema.RestColumn),
}

// member returns what comes before the value of a member with a name.
func (f FieldsForm) member(name string) []byte {
	switch f {
	case FieldsAttributes:
		return append(texts.AppendJSON([]byte(`{"key":`), []byte(name)), `,"value":`...)
	case FieldsText:
		return append(texts.AppendSafeWord(nil, []byte(name)), '=')
	}
	return append(texts.AppendJSON(nil, []byte(name)), ':')
}

// name sets the beginnings of the members. key returns the key of a column, which is unique among columns.
// It replaces a name of the source that is taken; if it is taken too, it gets a number.
func (l *jsonLayout) name(form FieldsForm, columns []schema.Column, key func(column string) string) {
	used := make(map[string]bool)
	for i := range l.members {
		m := &l.members[i]
		own := key(columns[m.column].Name)
		name := own
		if form == FieldsNamed || form == FieldsAttributes {
			if original := l.fields[m.field].OriginalName(); m.form == memberValue && original != "" && !used[original] {
				name = original
			}
			for n := 2; used[name]; n++ {
				name = own + "_" + strconv.Itoa(n)
			}
		}
		used[name] = true
		m.name = form.member(name)
	}
}

// isSingleText reports whether the payload is one text, which needs no name among people.
func (l *jsonLayout) isSingleText() bool {
	if len(l.members) != 1 {
		return false
	}
	m := &l.members[0]
	switch l.fields[m.field].Kind {
	case schema.Text16, schema.Text8, schema.Chars16, schema.Chars8:
		return m.isPlain
	}
	return false
}

// The methods below append a value of one kind, in the writer's form.

func (j *jsonWriter) signed(dst []byte, v int64) []byte {
	if j.form != FieldsAttributes {
		return strconv.AppendInt(dst, v, 10)
	}
	return append(strconv.AppendInt(append(dst, `{"intValue":"`...), v, 10), `"}`...)
}

// unsigned appends a number; as an attribute, which has 63 bits, it is a text if it is too large.
func (j *jsonWriter) unsigned(dst []byte, v uint64) []byte {
	if j.form != FieldsAttributes {
		return strconv.AppendUint(dst, v, 10)
	}
	name := `{"intValue":"`
	if v > math.MaxInt64 {
		name = `{"stringValue":"`
	}
	return append(strconv.AppendUint(append(dst, name...), v, 10), `"}`...)
}

func (j *jsonWriter) float(dst []byte, v float64, bits int) []byte {
	switch {
	case j.form == FieldsText:
		return strconv.AppendFloat(dst, v, 'g', -1, bits)
	case j.form != FieldsAttributes:
		return texts.AppendJSONFloat(dst, v, bits)
	}
	dst = append(dst, `{"doubleValue":`...)
	switch { // as protocol buffers spell them in JSON
	case math.IsInf(v, 1):
		dst = append(dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		dst = append(dst, `"-Infinity"`...)
	default:
		dst = texts.AppendJSONFloat(dst, v, bits)
	}
	return append(dst, '}')
}

func (j *jsonWriter) bool(dst []byte, v bool) []byte {
	if j.form != FieldsAttributes {
		return strconv.AppendBool(dst, v)
	}
	return append(strconv.AppendBool(append(dst, `{"boolValue":`...), v), '}')
}

// string appends a text, which is valid UTF-8.
func (j *jsonWriter) string(dst, text []byte) []byte {
	if j.mask != nil {
		j.masked = j.mask.Append(j.masked[:0], j.class, string(text))
		text = j.masked
	}
	switch j.form {
	case FieldsText:
		return texts.AppendSafeWord(dst, text)
	case FieldsAttributes:
		return append(texts.AppendJSON(append(dst, `{"stringValue":`...), text), '}')
	}
	return texts.AppendJSON(dst, text)
}

func (j *jsonWriter) bytes(dst, b []byte) []byte {
	switch j.form {
	case FieldsText:
		return texts.AppendSafeBytes(dst, b)
	case FieldsAttributes:
		return append(base64.StdEncoding.AppendEncode(append(dst, `{"bytesValue":"`...), b), `"}`...)
	}
	return append(hex.AppendEncode(append(dst, '"'), b), '"')
}
