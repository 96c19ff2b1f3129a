package answers

import (
	"bytes"
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

// A record batch ends after batchRows rows or batchBytes bytes of JSON.
const (
	batchRows  = 10_000
	batchBytes = 16 << 20
)

// writeArrow writes a result as an Arrow stream. DuckDB's program cannot write Arrow, so the values
// are read from its JSON, which has them exactly.
func writeArrow(w io.Writer, result io.Reader, columns []column) error {
	var fields []arrow.Field
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.Name, Type: arrowType(c.Type), Nullable: true})
	}
	s := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(s))
	rows, size := 0, 0
	flush := func() error {
		batch := b.NewRecordBatch()
		defer batch.Release()
		rows, size = 0, 0
		return out.Write(batch)
	}
	err := eachRow(result, func(values [][]byte) error {
		if len(values) != len(columns) {
			return errCut
		}
		for i, value := range values {
			if err := appendValue(b.Field(i), value); err != nil {
				return err
			}
			size += len(value)
		}
		if rows++; rows == batchRows || size > batchBytes {
			return flush()
		}
		return nil
	})
	if err == nil && rows > 0 {
		err = flush()
	}
	if err != nil {
		return err // a failed stream gets no end marker
	}
	return out.Close()
}

// appendValue appends a JSON value to a column.
func appendValue(to array.Builder, value []byte) error {
	if bytes.Equal(value, null) {
		to.AppendNull()
		return nil
	}
	switch to := to.(type) {
	case *array.ListBuilder:
		to.Append(true)
		items, err := appendMembers(nil, value)
		for i := 0; err == nil && i < len(items); i++ {
			err = appendValue(to.ValueBuilder(), items[i])
		}
		return err
	case *array.StructBuilder:
		to.Append(true)
		members, err := appendMembers(nil, value)
		if err == nil && len(members) != to.NumField() {
			err = errCut
		}
		for i := 0; err == nil && i < len(members); i++ {
			err = appendValue(to.FieldBuilder(i), members[i])
		}
		return err
	}
	text, err := plainText(value)
	if err == nil {
		err = appendText(to, text)
	}
	if err != nil {
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

// timeLayouts are DuckDB's forms of times: with a zone of whole hours, of minutes, or none.
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
