package stacks

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestJoin finds the stacks of events that happen at one time, of two traces, and of an event without a
// time, which has that of the row before it.
func TestJoin(t *testing.T) {
	s := recordbatch.Schema(schema.StackEvents.WithTrace())
	text := `[
		{"trace":"a","time_ns":5,"event_ref":1,"stack_id":10},
		{"trace":"b","time_ns":5,"event_ref":1,"stack_id":20},
		{"trace":"a","time_ns":5,"event_ref":null,"stack_id":30},
		{"trace":"a","time_ns":6,"event_ref":2,"stack_id":40},
		{"trace":"a","time_ns":7,"event_ref":3,"stack_id":50},
		{"trace":"a","time_ns":null,"event_ref":4,"stack_id":60}]`
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, s, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rows := recordbatch.NewReader[Event]()
	err = rows.Open(schema.StackEvents, func([]string) (array.RecordReader, error) {
		return array.NewRecordReader(s, []arrow.RecordBatch{batch})
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	join := NewJoin(rows)
	for _, test := range []struct {
		time  int64
		trace string
		ref   int64
		want  int64 // 0: there is none
	}{
		{4, "a", 1, 0}, {5, "a", 1, 10}, {5, "b", 1, 20}, {5, "c", 1, 0}, {7, "a", 2, 0}, {7, "a", 3, 50}, {7, "a", 4, 60}, {8, "a", 5, 0},
	} {
		id, found := join.Find(test.time, test.trace, test.ref)
		if id != test.want || found != (test.want != 0) {
			t.Errorf("event %d of %s at %d: %d, %v; want %d", test.ref, test.trace, test.time, id, found, test.want)
		}
	}
}
