package lines

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// plainJSON returns the value that package json should read, with numbers as spelt.
func plainJSON(t testing.TB, c *schema.Column, value any) any {
	t.Helper()
	if list, ok := value.([]any); ok && c.List {
		one := *c
		one.List = false
		values := make([]any, len(list))
		for i := range list {
			values[i] = plainJSON(t, &one, list[i])
		}
		return values
	}
	switch v := value.(type) {
	case bool, string:
		return v
	case int32:
		return json.Number(strconv.FormatInt(int64(v), 10))
	case int64:
		if c.Type == schema.Timestamp {
			return time.UnixMicro(v).UTC().Format("2006-01-02T15:04:05.000000Z")
		}
		return json.Number(strconv.FormatInt(v, 10))
	case uint64:
		return json.Number(strconv.FormatUint(v, 10))
	case float32:
		return plainFloat(float64(v), 32)
	case float64:
		return plainFloat(v, 64)
	case []byte:
		return hex.EncodeToString(v)
	case columnstest.Members:
		members := make(map[string]any)
		for i, m := range v {
			if m != nil {
				members[c.Fields[i].Name] = plainJSON(t, &c.Fields[i], m)
			}
		}
		return members
	}
	t.Fatalf("a value of type %T in column %s", value, c.Name)
	return nil
}

func plainFloat(v float64, bits int) any {
	text := strconv.FormatFloat(v, 'g', -1, bits)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return text
	}
	return json.Number(text)
}

// different describes how two values differ, or returns "".
func different(got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("got %v, want %v", got, want)
}

// checkCell compares a value in CSV with the value of a row.
func checkCell(t testing.TB, c *schema.Column, got string, value any) {
	t.Helper()
	if value == nil {
		if got != "" {
			t.Errorf("column %s: null is %q", c.Name, got)
		}
		return
	}
	want := plainJSON(t, c, value)
	if c.List || c.Type == schema.Struct {
		decoder := json.NewDecoder(strings.NewReader(got))
		decoder.UseNumber()
		var parsed any
		if err := decoder.Decode(&parsed); err != nil {
			t.Errorf("column %s: %v: %s", c.Name, err, got)
		}
		if diff := different(parsed, want); diff != "" {
			t.Errorf("column %s: %s", c.Name, diff)
		}
		return
	}
	text := fmt.Sprint(want)
	if strings.Trim(got, `"`) != strings.Trim(text, `"`) { // NaN is a text
		t.Errorf("column %s: got %q, want %q", c.Name, got, text)
	}
}
