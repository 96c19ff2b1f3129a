package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// logsData is a batch of log records as JSON, with all members that records may have.
type logsData struct {
	ResourceLogs []struct {
		Resource  struct{ Attributes []attribute }
		ScopeLogs []struct {
			Scope      struct{ Name string }
			LogRecords []logRecord
		}
	}
}

type attribute struct {
	Key   string
	Value any
}

type logRecord struct {
	TimeUnixNano   string
	SeverityNumber int
	SeverityText   string
	Body           any
	Attributes     []attribute
	EventName      string
}

// TestLogCase reads the case of levels as log records, and compares what its README expects.
func TestLogCase(t *testing.T) {
	path := testenv.Shared(t, "cases/tracelogging-levels.etl")
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"cat", path, "--format", "otlp", "--provider", "Demo.Shop"}, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields()
	var got logsData
	if err := d.Decode(&got); err != nil || d.More() {
		t.Fatalf("%v; more than one batch: %v", err, d.More())
	}
	if len(got.ResourceLogs) != 1 || len(got.ResourceLogs[0].ScopeLogs) != 1 || got.ResourceLogs[0].ScopeLogs[0].Scope.Name != "Demo.Shop" {
		t.Fatalf("%+v", got)
	}
	severity := []struct {
		number int
		text   string
	}{{21, "CRITICAL"}, {17, "ERROR"}, {13, "WARNING"}, {9, "INFO"}, {5, "VERBOSE"}}
	value := func(kind string, v any) any { return map[string]any{kind: v} }
	for i, record := range got.ResourceLogs[0].ScopeLogs[0].LogRecords {
		number := fmt.Sprint(i + 1)
		want := logRecord{
			TimeUnixNano: fmt.Sprint(int64(1767323045000000000) + int64(i)*1000000), SeverityNumber: severity[i].number, SeverityText: severity[i].text, EventName: "Order",
			Attributes: []attribute{
				{"etw.provider.id", value("stringValue", "11111111-2222-3333-4444-555555555501")},
				{"etw.event.id", value("intValue", "0")},
				{"etw.version", value("intValue", "0")},
				{"etw.level", value("intValue", number)},
				{"etw.opcode", value("intValue", "0")},
				{"etw.keywords", value("intValue", "4")},
				{"etw.process.id", value("intValue", "7000")},
				{"etw.thread.id", value("intValue", "5208")},
				{"etw.activity.id", value("stringValue", "0a0b0c0d-0000-0000-0000-000000000001")},
				{"Id", value("intValue", number)},
				{"Text", value("stringValue", "line one")},
				{"Ok", value("boolValue", true)},
			},
		}
		if diff := cmp.Diff(want, record); diff != "" {
			t.Errorf("record %d: -want +got:\n%s", i, diff)
		}
	}
	if n := len(got.ResourceLogs[0].ScopeLogs[0].LogRecords); n != len(severity) {
		t.Errorf("%d records", n)
	}
}
