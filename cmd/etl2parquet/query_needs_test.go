package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestQueryNeeds compares the results of SQL over a trace, of which only the needed columns are converted,
// with those over the whole dataset of the trace.
func TestQueryNeeds(t *testing.T) {
	testenv.Slow(t, "questions about whole traces")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	output := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
			t.Fatalf("%q: exit status %d, %s", args, status, &stderr)
		}
		return stdout.String()
	}
	for _, test := range []struct {
		trace      string
		statements []string
	}{
		{"net.4.5.2.x86.etl", []string{
			"SELECT count(*) AS n FROM events",
			"SELECT event_name, level_name, count(*) AS n FROM events GROUP BY ALL ORDER BY ALL",
			"SELECT provider_name, count(stack_id) AS n FROM events GROUP BY ALL ORDER BY ALL",
			"SELECT sum(hash(fields)) AS h, max(message) AS m FROM events WHERE process_name = 'Test.x86.exe'",
			"SELECT process_name, count(*) AS n, max(seconds) AS s FROM cpu_samples GROUP BY ALL ORDER BY ALL",
			"SELECT stack_functions[1] AS f, count(*) AS n FROM cpu_samples GROUP BY ALL ORDER BY ALL LIMIT 20",
			"SELECT count(*) AS n FROM cpu_samples AS a JOIN gc_pauses AS p ON a.time_ns BETWEEN p.time_ns AND p.end_ns",
			"WITH gc AS (SELECT * EXCLUDE (number) FROM gc) SELECT max(COLUMNS('.*_ns')) FROM gc",
			"SELECT count(x) AS n FROM (SELECT x FROM gc AS x)",
			"SELECT count(*) AS n FROM processes NATURAL JOIN threads",
			"FROM processes WHERE process_id IN (SELECT process_id FROM images WHERE image_name LIKE '%ntdll.dll') ORDER BY ALL",
			"SELECT t.tables FROM (SELECT count(*) AS tables FROM query_table(['threads'])) AS t",
			"SELECT events_lost, problems, payloads_whole FROM traces",
		}},
		{"HTTP_Server.etl", []string{
			// Views read none of these tables: their columns that are not needed have no other description.
			"SELECT local_addr FROM (SELECT local_addr, remote_addr, keyword, seconds, payload_rest FROM microsoft_windows_httpservice_connconnect) ORDER BY ALL",
			"SELECT count(*) AS n FROM \"Microsoft-Windows-HttpService/ConnConnect\" WHERE remote_addr_length > 0",
			"SELECT * FROM microsoft_windows_httpservice_logfilewrite ORDER BY ALL LIMIT 9",
			"SELECT * EXCLUDE (trace) FROM microsoft_windows_httpservice_connconnect ORDER BY ALL",
			"SELECT url, status, count(*) AS n FROM http_requests GROUP BY ALL ORDER BY ALL",
		}},
	} {
		trace, dataset := testenv.Shared(t, "traces/"+test.trace), filepath.Join(t.TempDir(), "dataset")
		output("convert", trace, "-o", dataset)
		for _, sql := range test.statements {
			want := output("query", dataset, sql, "--format", "csv")
			if got := output("query", trace, sql, "--format", "csv"); got != want {
				t.Errorf("%s\nfrom the trace:\n%.500s\nfrom the dataset:\n%.500s", sql, got, want)
			}
		}
	}
}
