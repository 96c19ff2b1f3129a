package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// outside is in what DuckDB says of files that it may not read.
const outside = "operations are disabled by configuration"

// waysOut are statements that want out, with what refuses them. SECRET' ends with the path of a file,
// DATASET and FOLDER are those of folders, and PWNED is that of a file that must not appear.
var waysOut = []struct{ sql, want string }{
	{"FROM read_text('SECRET')", "calls read_text"},
	{"FROM read_blob('SECRET')", "calls read_blob"},
	{"FROM read_csv('SECRET')", "calls read_csv"},
	{"FROM \"READ_CSV_auto\"('SECRET')", "calls read_csv_auto"},
	{"FROM read_parquet('SECRET')", "calls read_parquet"},
	{"FROM read_json('/proc/self/environ')", "calls read_json"},
	{"FROM glob('FOLDER/*')", "calls glob"},
	{"FROM sniff_csv('SECRET')", "calls sniff_csv"},
	{"FROM 'SECRET'", outside},
	{"FROM 'DATASET/../secret.csv'", outside},
	{"FROM 's3://bucket/key.parquet'", outside},
	{"FROM 'https://example.com/x.csv'", outside},
	{"FROM query_table('SECRET')", outside},
	{"SELECT (FROM 'SECRET' LIMIT 1)", outside},
	{"WITH a AS (FROM read_text('SECRET')) FROM a", "calls read_text"},
	{"SELECT getenv('ETL2PARQUET_TEST_SECRET')", "uses getenv"},
	{"SELECT ('ETL2PARQUET_TEST_SECRET').GetEnv()", "uses getenv"},
	{"SELECT current_setting('s3_secret_access_key')", "uses current_setting"},
	{"FROM duckdb_settings()", "calls duckdb_settings"},
	{"FROM pg_catalog.pg_settings", "uses pg_settings"},
	{"FROM duckdb_secrets()", "calls duckdb_secrets"},
	{"FROM which_secret('s3://x', 's3')", "calls which_secret"},
	{"FROM query('SELECT getenv(''ETL2PARQUET_TEST_SECRET'')')", "calls query"},
	{"FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))", "calls json_execute_serialized_sql"},
	{"FROM enable_logging(storage = 'file', storage_path = 'PWNED')", "calls enable_logging"},
	{"FROM enable_profiling(format = 'json', save_location = 'PWNED.json')", "calls enable_profiling"},
	{"FROM arrow_scan(1, 2, 3)", "calls arrow_scan"},
	{"SELECT write_log('x')", "uses write_log"},
	{"COPY (SELECT 1) TO 'PWNED' (FORMAT csv)", "is not a SELECT: COPY"},
	{"COPY events FROM 'SECRET'", "is not a SELECT"},
	{"ATTACH 'PWNED' AS other", "is not a SELECT"},
	{"INSTALL httpfs", "is not a SELECT"},
	{"LOAD 'SECRET'", "is not a SELECT"},
	{"PRAGMA enable_profiling", "is not a SELECT"},
	{"SET enable_external_access = true", "is not a SELECT"},
	{"RESET lock_configuration", "is not a SELECT"},
	{"SET VARIABLE dataset_root = 'FOLDER'", "is not a SELECT"},
	{"CREATE SECRET (TYPE s3)", "is not a SELECT"},
	{"CREATE TABLE t AS SELECT 1", "is not a SELECT"},
	{"CREATE MACRO f() AS TABLE FROM read_text('SECRET')", "is not a SELECT"},
	{"EXPORT DATABASE 'PWNED'", "is not a SELECT"},
	{"IMPORT DATABASE 'FOLDER'", "is not a SELECT"},
	{"CALL enable_logging()", "is not a SELECT"},
	{"EXPLAIN ANALYZE COPY (SELECT 1) TO 'PWNED'", "is not a SELECT"},
	{"PREPARE p AS COPY (SELECT 1) TO 'PWNED'", "is not a SELECT"},
	{"SELECT 1; COPY (SELECT 1) TO 'PWNED'", "statement 2 is not a SELECT"},
	{"SELECT 1) TO 'PWNED' (FORMAT csv); --", "syntax error"},
	{"SELECT 1 -- \r; COPY (SELECT 1) TO 'PWNED'", "statement 2 is not a SELECT"},
	{".shell touch PWNED", "commands of DuckDB's shell"},
	{"SELECT 1;\n.shell touch PWNED", "commands of DuckDB's shell"},
	{"SELECT a$b$ FROM x; SELECT '$b$;\n.shell touch PWNED\n'", "double quotes"},
}

// TestQueryLocked runs hostile SQL over a dataset: each statement is refused, and changes no file.
func TestQueryLocked(t *testing.T) {
	testenv.Slow(t, "a question for each way out")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	folder := t.TempDir()
	secret, dataset, temp := filepath.Join(folder, "secret.csv"), filepath.Join(folder, "dataset"), filepath.Join(folder, "temp")
	t.Setenv("ETL2PARQUET_TEST_SECRET", "s3cr3t")
	for _, err := range []error{os.WriteFile(secret, []byte("s3cr3t\n"), 0o666), os.Mkdir(temp, 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"convert", sampleTrace, "-o", dataset, "--quiet"}, nil, &stderr, &stderr); status != exitDone {
		t.Fatal(&stderr)
	}
	if err := os.Symlink(secret, filepath.Join(dataset, "link.csv")); err != nil {
		t.Log("no links:", err)
	}
	before := listFiles(t, folder)
	const locked = "the SQL is locked, and statement "
	for _, test := range waysOut {
		sql := strings.NewReplacer("SECRET'", secret+"'", "DATASET", dataset, "FOLDER", folder, "PWNED", filepath.Join(folder, "pwned")).Replace(test.sql)
		sql = strings.ReplaceAll(sql, "ETL2PARQUET_TEST_"+secret, "ETL2PARQUET_TEST_SECRET")
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{"query", dataset, sql, "--locked", "--temp-dir", temp}, nil, &stdout, &stderr)
		said := stderr.String()
		if status != exitFailed || !strings.Contains(said, test.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit status %d, %s%s", sql, status, &stdout, said)
		}
		if strings.HasPrefix(test.want, "uses") && !strings.Contains(said, locked) {
			t.Errorf("%s: %s", sql, said)
		}
		if strings.Contains(said, "s3cr3t") {
			t.Errorf("%s shows the secret: %s", sql, said)
		}
	}
	if after := listFiles(t, folder); after != before {
		t.Errorf("the files changed: -before +after:\n%s", cmp.Diff(before, after))
	}
}

// TestQueryLockedRuns runs harmless SQL under the lock, over a trace, with a relative folder for
// temporary files, and over a dataset.
func TestQueryLockedRuns(t *testing.T) {
	testenv.Slow(t, "four runs of ten statements")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	sample := absoluteSample(t)
	t.Chdir(t.TempDir())
	if err := os.Mkdir("temp", 0o777); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"convert", sample, "-o", "out", "--quiet"}, nil, &stderr, &stderr); status != exitDone {
		t.Fatal(&stderr)
	}
	const sql = `SELECT count(*) AS n FROM events; WITH a AS (FROM search('explorer')) SELECT count(*) > 0 AS found FROM a;
SELECT E'\';
.shell touch pwned
' AS text, /* /* */ ;
.shell touch pwned
*/ hresult_name(-2147024891) AS h, $a$;
.shell touch pwned
$a$ AS dollars;
DESCRIBE problems; SUMMARIZE SELECT events FROM traces; SHOW TABLES; PIVOT events ON processor IN (0, 1) USING count(*) GROUP BY event_name ORDER BY 1 LIMIT 1;
FROM query_table('traces') SELECT events; SELECT count(*) > 0 AS tables FROM duckdb_tables()`
	for _, input := range []string{sample, "out"} {
		var before string
		for _, flags := range [][]string{nil, {"--locked"}} {
			stdout.Reset()
			stderr.Reset()
			if status := run(t.Context(), append([]string{"query", input, sql, "--format", "csv", "--temp-dir", "temp"}, flags...), nil, &stdout, &stderr); status != exitDone {
				t.Fatalf("%s: exit status %d, %s", input, status, &stderr)
			}
			if stderr.Len() > 0 {
				t.Errorf("%s %v: %s", input, flags, &stderr)
			}
			if before == "" {
				before = stdout.String()
			} else if before != stdout.String() {
				t.Errorf("%s: locked, the results are\n%s", input, &stdout)
			}
		}
	}
	if _, err := os.Stat("pwned"); err == nil {
		t.Error("a text in SQL ran as a command")
	}
}

// listFiles lists the files of a folder with their times.
func listFiles(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
