package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A record batch ends after so many rows, or so many bytes of JSON.
const (
	batchRows  = 10_000
	batchBytes = 16 << 20
)

// writeArrow writes a result as an Arrow stream. DuckDB's program writes no Arrow, so the values
// are read from JSON, which has them exactly.
func writeArrow(w io.Writer, result io.Reader, columns []column) (err error) {
	var fields []arrow.Field
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.Name, Type: arrowType(c.Type), Nullable: true})
	}
	s := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(s))
	text := lines(result)
	defer text.Close() // its error is the reader's
	d := json.NewDecoder(text)
	flush := func() error {
		batch := b.NewRecordBatch()
		defer batch.Release()
		return out.Write(batch)
	}
	begun := int64(0)
	for rows := 0; ; {
		err := eachMember(d, func(i int, value json.RawMessage) error { return appendValue(b.Field(i), value) })
		switch {
		case errors.Is(err, io.EOF):
			if rows > 0 {
				if err := flush(); err != nil {
					return err
				}
			}
			return out.Close() // a stream that failed has no end
		case err != nil:
			return err
		}
		if rows++; rows == batchRows || d.InputOffset()-begun > batchBytes {
			if err := flush(); err != nil {
				return err
			}
			rows, begun = 0, d.InputOffset()
		}
	}
}

// eachMember calls add with each value of the next JSON object.
func eachMember(d *json.Decoder, add func(i int, value json.RawMessage) error) error {
	if _, err := d.Token(); err != nil { // the brace
		return err
	}
	for i := 0; d.More(); i++ {
		if _, err := d.Token(); err != nil { // the name
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := add(i, value); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// appendValue appends a value of JSON to a column.
func appendValue(to array.Builder, value json.RawMessage) error {
	if bytes.Equal(value, []byte("null")) {
		to.AppendNull()
		return nil
	}
	switch to := to.(type) {
	case *array.ListBuilder:
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return err
		}
		to.Append(true)
		for _, item := range items {
			if err := appendValue(to.ValueBuilder(), item); err != nil {
				return err
			}
		}
		return nil
	case *array.StructBuilder:
		to.Append(true)
		return eachMember(json.NewDecoder(bytes.NewReader(value)), func(i int, value json.RawMessage) error { return appendValue(to.FieldBuilder(i), value) })
	}
	text := string(value)
	if value[0] == '"' {
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
	}
	if err := appendText(to, text); err != nil {
		return fmt.Errorf("%.100q as %s of Arrow: %w", text, to.Type(), err)
	}
	return nil
}

// appendText appends a value that DuckDB wrote as a text or number.
func appendText(to array.Builder, text string) (err error) {
	switch to := to.(type) {
	case *array.StringBuilder:
		to.Append(text)
	case *array.BinaryBuilder:
		var bytes []byte
		if bytes, err = blobBytes(text); err == nil {
			to.Append(bytes)
		}
	case *array.Decimal128Builder:
		t := to.Type().(*arrow.Decimal128Type)
		var v decimal128.Num
		if v, err = decimal128.FromString(text, t.Precision, t.Scale); err == nil {
			to.Append(v)
		}
	case *array.TimestampBuilder:
		return appendTime(to, text)
	case *array.Date32Builder:
		var day time.Time
		if day, err = time.Parse(time.DateOnly, text); err == nil {
			to.Append(arrow.Date32FromTime(day))
		}
	case *array.Float64Builder:
		var v float64
		if v, err = strconv.ParseFloat(text, 64); err == nil {
			to.Append(v)
		}
	case *array.Float32Builder:
		var v float64
		if v, err = strconv.ParseFloat(text, 64); err == nil {
			to.Append(float32(v))
		}
	default:
		return to.AppendValueFromString(text)
	}
	return err
}

// timeLayouts are how DuckDB writes times, with a zone of whole hours, of minutes, or none.
var timeLayouts = []string{"2006-01-02 15:04:05-07", "2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05"}

func appendTime(to *array.TimestampBuilder, text string) error {
	if strings.HasSuffix(text, "infinity") {
		return errors.New("there is no such time")
	}
	var at time.Time
	var err error
	for _, layout := range timeLayouts {
		if at, err = time.Parse(layout, text); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	if to.Type().(*arrow.TimestampType).Unit == arrow.Nanosecond {
		to.Append(arrow.Timestamp(at.UnixNano()))
	} else {
		to.Append(arrow.Timestamp(at.UnixMicro()))
	}
	return nil
}
