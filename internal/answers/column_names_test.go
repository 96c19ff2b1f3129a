package answers

import "testing"

// TestColumnsFor checks the columns that a message about a missing column lists.
func TestColumnsFor(t *testing.T) {
	const notFound = "Binder Error: Referenced column \"x\" not found in FROM clause!\n"
	for _, test := range []struct {
		name    string
		tables  []string
		message string
		want    string
	}{
		{"a view", []string{"lost_time"}, notFound, "\n\nThe columns of lost_time are:\n  trace, kind, processor, start_ns, end_ns, duration_ns, lost"},
		{"a view twice, and a table, sorted", []string{"problems", "lost_time", "problems"}, notFound,
			"\n\nThe columns of lost_time are:\n  trace, kind, processor, start_ns, end_ns, duration_ns, lost\n" +
				"\nThe columns of problems are:\n  trace, severity, code, count, buffer, file_offset, position, field, message"},
		{"a table macro", []string{"search"}, `Binder Error: Table "s" does not have a column named "x"`,
			"\n\nThe columns of search are:\n  trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id,\n  process_name, thread_id, provider_name, event_name, field, value"},
		{"only three", []string{"processes", "problems", "lost_time", "LOST_TIME", "folded_stacks", "zzz"}, notFound,
			"\n\nThe columns of folded_stacks are:\n  trace, stack_id, process_id, process_name, stack\n" +
				"\nThe columns of lost_time are:\n  trace, kind, processor, start_ns, end_ns, duration_ns, lost\n" +
				"\nThe columns of problems are:\n  trace, severity, code, count, buffer, file_offset, position, field, message"},
		{"a table that only the traces know", []string{"amsitrace_amsiscript"}, notFound, ""},
		{"another error", []string{"lost_time"}, "Parser Error: syntax error", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &Source{Statements: []Statement{{Tables: test.tables}}}
			if got := s.columnsFor(test.message); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
