package answers

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// boundaries are statements with the bounds of the events that they need; "" means all events.
var boundaries = []struct{ sql, want string }{
	{"SELECT count(*) FROM events WHERE time_ns BETWEEN 5 AND 9", "5..9"},
	{"SELECT * FROM events WHERE time_ns > 5", "5.."},
	{"SELECT sum(hash(e)) FROM events AS e WHERE time_ns >= 5 AND time_ns < 9 AND process_id = 4", "5..9"},
	{"SELECT count(*) FROM 'x.etl' WHERE time_ns = 7", "7..7"},
	{"SELECT url FROM microsoft_windows_httpservice_parse WHERE time_ns > 5", ""}, // the trace says what columns it has
	{"SELECT count(*) FROM thread_cswitch WHERE time_ns <= 9 ORDER BY 1", "..9"},
	{"SELECT count(*) FROM events WHERE provider_name = 'it''s, (a)' AND time_ns > 5", "5.. [it's, (a)]"},
	{"SELECT count(*) FROM events WHERE provider_name IN ('b', 'a,''(')", ".. [a,'( b]"},
	{"SELECT count(*) FROM thread_cswitch WHERE provider_id = 'x'", ".. [x]"},
	{"SELECT count(*) FROM events WHERE timestamp < '1970-01-01 00:00:01' AND timestamp >= TIMESTAMPTZ '1970-01-01 01:00:00+01'", "-2000..1000002000"},
	{"SELECT count(*) FROM events WHERE timestamp >= '1600-01-01'", ""}, // ns since 1970 overflow
	{"SELECT count(*) FROM events WHERE timestamp >= TIMESTAMPTZ '2020-01-01 01:00:00.5+01'", fmt.Sprintf("%d..", int64(1577836800500000000-timeMargin))},
	{"SELECT count(*) FROM thread_cswitch WHERE time_ns < 5; SELECT count(*) FROM events WHERE time_ns BETWEEN 8 AND 9", "..9"},
	{"SELECT count(*) FROM events AS e JOIN processes USING (trace, process_id) WHERE e.time_ns > 5", "5.."},
	{"SELECT stack_id FROM events WHERE time_ns > 5 AND provider_name = 'a'", "5.."},
	{"SELECT count(*) FROM events WHERE time_ns > 5 OR process_id = 4", ""},
	{"SELECT count(*) FROM events WHERE time_ns > 5 OR time_ns < 3", ""},
	{"SELECT count(*) FROM events WHERE NOT time_ns BETWEEN 5 AND 9", ""},
	{"SELECT count(*) FROM events WHERE time_ns + 1 > 5", ""},
	{"SELECT count(*) FROM events WHERE provider_name LIKE 'a%'", ""},
	{"SELECT count(*) FROM events WHERE event_name = ') AND (time_ns > 5) AND (provider_name = '", ""},
	{"SELECT count(*) FROM events WHERE event_name = 'x'' AND time_ns>5 AND event_name=''y'", ""},
	{"SELECT count(*) FROM events WHERE timestamp > now()", ""},
	{"SELECT count(*) FROM events WHERE time_ns > (SELECT min(time_ns) FROM events)", ""},
	{"SELECT count(*) FROM thread_cswitch WHERE time_ns < 5; SELECT count(*) FROM events", ""},
	{"SELECT count(*) FROM (SELECT *, lag(time_ns) OVER (ORDER BY event_ref) FROM events) WHERE time_ns > 5", ""},
	{"SELECT count(*) FROM (FROM events LIMIT 3) WHERE time_ns > 5", ""},
	{"SELECT count(*) FROM events LEFT JOIN thread_cswitch AS c ON c.time_ns = events.time_ns AND events.time_ns > 5", ""},
	{"SELECT count(*) FROM events, problems WHERE time_ns > 5", ""},
	{"SELECT sum(payloads_raw) FROM events, event_types WHERE time_ns > 5", ""},
	{"SELECT count(*) FROM \"Thread/CSwitch\" WHERE time_ns > 5", ""},
	{"SELECT count(*) FROM processes", ""},
}

// TestBounds checks which events statements need at most, by DuckDB's plan.
func TestBounds(t *testing.T) {
	for _, test := range boundaries {
		s := Source{Statements: parsed(t, test.sql), Inputs: []string{"x.etl"}}
		if err := duckDB.plan(context.Background(), &s, new(Options)); err != nil {
			t.Errorf("%s: %v", test.sql, err)
			continue
		}
		got := ""
		if b := s.bounds; b != nil {
			if b.From != math.MinInt64 {
				got = fmt.Sprint(b.From)
			}
			got += ".."
			if b.To != math.MaxInt64 {
				got += fmt.Sprint(b.To)
			}
			if b.Providers != nil {
				got += fmt.Sprintf(" %v", b.Providers)
			}
		}
		if got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.sql, got, test.want)
		}
	}
}
