package answers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// plans are statements with the columns of tables that they need, and the costly ones of all events.
var plans = []struct {
	sql, want string // "all": the plan does not tell
}{
	{"SELECT 1", ""},
	{"SELECT process_name, count(*) FROM cpu_samples GROUP BY 1", "perfinfo_collectionstart(source,trace) perfinfo_sampleprof(process_name,trace)"},
	{"SELECT count(stack_id) FROM cpu_samples", "perfinfo_collectionstart(source,trace) perfinfo_sampleprof(event_ref,trace) stack_events(event_ref,stack_id,trace)"},
	{"SELECT count(*) FROM cpu_samples WHERE seconds < 1", "perfinfo_collectionstart(source,trace) perfinfo_sampleprof(seconds,trace)"},
	{"SELECT max(thread_id) FROM threads; SELECT min(process_id) FROM threads", "threads(process_id,thread_id,trace)"},
	{"WITH t AS (FROM threads) SELECT count(*) FROM t", "threads(trace)"},
	{"SELECT count(*) FROM 'x.etl'", allHeaders("trace")},
	{"SELECT provider_name FROM events WHERE opcode_name = 'Start' LIMIT 1", "event_header(event_kind,opcode,provider_name,trace) event_instance_header(event_kind,provider_name,trace) event_trace_header(event_kind,provider_name,trace) " +
		"event_types(event_kind,opcode,opcode_name,trace) message_trace_header(event_kind,provider_name,trace) other_header(event_kind,provider_name,trace) perfinfo_trace_header(event_kind,provider_name,trace) system_trace_header(event_kind,provider_name,trace)"},
	{"SELECT fields FROM events", "events/* other_header(event_ref,trace) " + strings.Replace(allHeaders("event_ref,fields,trace"), "other_header(event_ref,fields,trace)", "", 1)},
	{"SELECT count(*) FROM events JOIN stacks USING (trace, stack_id)", "events.stack_id stack_events(event_ref,stack_id,trace) stacks(stack_id,trace) " + allHeaders("event_ref,trace")},
	{"SELECT url FROM microsoft_windows_httpservice_parse", "microsoft_windows_httpservice_parse(trace,url)"},
	{"SELECT * FROM microsoft_windows_httpservice_parse", "microsoft_windows_httpservice_parse"},
	{"SELECT * EXCLUDE (url) FROM microsoft_windows_httpservice_parse", "microsoft_windows_httpservice_parse"},
	{"SELECT COLUMNS('u.*') FROM microsoft_windows_httpservice_parse", "all"},
	{"SELECT url FROM microsoft_windows_httpservice_parse NATURAL JOIN threads", "all"},
	{"SELECT a FROM only_the_trace_knows_it", "all"},
	{"SELECT count(*) FROM search('x')", "all"},
	{"SELECT count(*) FROM 'file.csv'", "all"},
	{"CREATE TABLE x AS FROM threads; SELECT trace FROM threads", "all"},
}

// TestPlan checks which columns of which tables statements need, by DuckDB's plan.
func TestPlan(t *testing.T) {
	for _, test := range plans {
		s := Source{Statements: parsed(t, test.sql), Inputs: []string{"x.etl"}}
		if err := duckDB.plan(context.Background(), &s, new(Options)); err != nil {
			t.Errorf("%s: %v", test.sql, err)
			continue
		}
		got := "all"
		if s.planned != nil {
			var needs []string
			for _, n := range s.needs()[len(explaining):] {
				columns := ""
				if n.Columns != nil {
					columns = "(" + strings.Join(n.Columns, ",") + ")"
				}
				needs = append(needs, n.Table+columns)
			}
			if names, _ := s.names(); slices.Contains(names, views.EventStacks) {
				needs = append(needs, views.EventStacks)
			}
			slices.Sort(needs)
			got = strings.Join(needs, " ")
		}
		want := strings.Fields(test.want)
		slices.Sort(want)
		if want := strings.Join(want, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", test.sql, got, want)
		}
	}
}

// allHeaders returns the needs of the tables that the view of all events reads.
func allHeaders(columns string) string {
	var needs []string
	for name := range strings.FieldsSeq(headers) {
		if name != "event_types" {
			needs = append(needs, fmt.Sprintf("%s(%s)", name, columns))
		}
	}
	return strings.Join(needs, " ")
}

// planErrors are statements with an error, some of them whatever the traces have.
var planErrors = []struct {
	sql     string
	isWrong bool // whatever the traces have
}{
	{"SELECT nosuch FROM threads", true},
	{"SELECT nosuch FROM gc", true}, // of tables that may have further columns, which the view does not read
	{"SELECT nosuch FROM GC AS g JOIN threads AS t ON t.trace = g.trace", true},
	{"SELECT number FROM gc", false},
	{"SELECT nosuch FROM microsoft_windows_dotnetruntime_gc_start", false},
	{"SELECT g.nosuch FROM gc AS g, microsoft_windows_dotnetruntime_gc_start", false},
}

// TestPlanError checks that SQL that is wrong for any trace is an error before one is read.
func TestPlanError(t *testing.T) {
	for _, test := range planErrors {
		err := duckDB.plan(context.Background(), &Source{Statements: parsed(t, test.sql)}, new(Options))
		if isWrong := err != nil && strings.Contains(err.Error(), `"nosuch" not found`) && strings.Contains(err.Error(), "LINE 1: SELECT nosuch"); isWrong != test.isWrong || err != nil && !isWrong {
			t.Errorf("%s: the error is %v", test.sql, err)
		}
	}
}
