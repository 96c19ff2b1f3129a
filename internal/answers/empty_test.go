package answers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFewRows checks the number of rows in results, and that the result can be read afterwards.
func TestFewRows(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for _, test := range []struct {
		name   string
		format *formats.Format
		text   string
		want   int64
	}{
		{"nothing", formats.NDJSON, "", 0},
		{"a line", formats.NDJSON, "{}\n", 1},
		{"a long line", formats.Table, `{"a":"` + long + `"}` + "\n", 1},
		{"two long lines", formats.Table, long + "\n" + long + "\n", 2},
		{"many lines", formats.JSON, "{}\n{}\n{}\n{}\n", 2},
		{"a line that is cut off", formats.Arrow, "{}", 1},
		{"a header", formats.CSV, "a,b\n", 0},
		{"a header with line feeds", formats.CSV, "\"a\nb\",c\n", 0},
		{"a row", formats.CSV, "a\n1\n", 1},
		{"a row with line feeds", formats.CSV, "a\n\"1\n2\"\n", 1},
		{"a row of one NULL", formats.CSV, "a\n\n", 1},
		{"two rows", formats.CSV, "a,b\n1,2\n3,4\n", 2},
		{"many rows", formats.CSV, "a\n1\n2\n3\n4\n5\n", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "result")
			testenv.WriteFile(t, path, test.text)
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() // only read
			if n, err := fewRows(test.format, f); err != nil || n != test.want {
				t.Errorf("%d rows, %v, want %d", n, err, test.want)
			}
			rest := make([]byte, len(test.text)+1)
			if n, _ := f.Read(rest); string(rest[:n]) != test.text {
				t.Errorf("the result begins with %q", rest[:min(n, 20)])
			}
		})
	}
}

// TestReadRecordings checks what is read about the traces of a dataset.
func TestReadRecordings(t *testing.T) {
	rows := `{"trace":"b","enable_flags_text":["EVENT_TRACE_FLAG_PROCESS"],"end_enable_flags_text":["EVENT_TRACE_FLAG_PROCESS","PERF_PROFILE"],"events_lost":3,"buffers_lost":null,"header_table":"system_trace_header","provider_id":null,"event_id":1316,"payload_table":"events/Thread/CSwitch","events":120}
{"trace":"a","enable_flags_text":null,"end_enable_flags_text":null,"events_lost":null,"buffers_lost":1,"header_table":null,"provider_id":null,"event_id":null,"payload_table":null,"events":null}
`
	want := []absence.Trace{
		{Name: "a", BuffersLost: 1},
		{Name: "b", Flags: []string{"EVENT_TRACE_FLAG_PROCESS", "PERF_PROFILE"}, EventsLost: 3,
			Kinds: []absence.Kind{{ID: 1316, IsHook: true, Header: "system_trace_header", Table: "thread_cswitch", Events: 120}}},
	}
	got, err := readRecordings(strings.NewReader(rows))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, wrong := range []string{`{"trace":`, `{"trace":"a","header_table":"event_header","provider_id":"x"}`} {
		if _, err := readRecordings(strings.NewReader(wrong)); err == nil {
			t.Errorf("%s is no error", wrong)
		}
	}
}

// TestReadCounts checks what is read about the rows of tables.
func TestReadCounts(t *testing.T) {
	rows := map[string]int64{"a": 1}
	err := readCounts(strings.NewReader("{\"name\":\"gc/start\",\"rows\":2}\n{\"name\":\"a\",\"rows\":3}\n"), rows)
	if diff := cmp.Diff(map[string]int64{"a": 3, "gc/start": 2}, rows); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if err := readCounts(strings.NewReader("{"), rows); err == nil {
		t.Error("a file that is cut off is no error")
	}
}

// TestViewsSayTheirRows checks that each view names tables that give it its rows, and that the reason why
// these are empty is known, and is on the page of the view.
func TestViewsSayTheirRows(t *testing.T) {
	for _, v := range views.BuiltIn().All() {
		tables := views.BuiltIn().RowsOf(v.Name)
		if len(tables) == 0 {
			t.Errorf("%s has no line \"rows of\"", v.Name)
		}
		for _, name := range tables {
			need := absence.NeedOf(name)
			if need == nil && len(views.BuiltIn().SourcesOf(v.Name)) > 0 {
				continue // its source says what records it
			}
			if need == nil || need.Otherwise == "" && len(need.Events) == 0 {
				t.Fatalf("%s: nothing is known about %s", v.Name, name)
			}
			for _, e := range need.Events {
				if strings.HasPrefix(e.Recorder, "EVENT_TRACE_FLAG_") && !strings.Contains(v.Page, "`"+e.Recorder+"`") {
					t.Errorf("the page of %s does not say %s", v.Name, e.Recorder)
				}
			}
		}
	}
}
