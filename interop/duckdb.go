package interop

import (
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// NewDuckDB returns the path of DuckDB's program, and installs it if no test has done so. Without
// Python or a network it skips the test, or fails it in CI.
func NewDuckDB(t testing.TB) string {
	t.Helper()
	program := programWith(t, smallList, "duckdb")
	// The program that Python installs only starts this one.
	native := filepath.Join(filepath.Dir(filepath.Dir(program)), "[Ll]ib", "*", "site-packages", "duckdb_cli", "duckdb")
	if found, err := filepath.Glob(native); err == nil && len(found) == 1 {
		return found[0]
	}
	return program
}

// FindDuckDB returns the path of a DuckDB program: the one that ETL2PARQUET_DUCKDB names or that is
// on the path, or else that of [NewDuckDB].
func FindDuckDB(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("ETL2PARQUET_DUCKDB"), "duckdb"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return NewDuckDB(t)
}

// shared is the process of DuckDB's program that answers [Ask]. Its errors are in its output.
var shared struct {
	sync.Mutex
	*process // nil if none runs
}

// marker is what the process prints after an answer.
var marker = "answered " + rand.Text()

// answerTime bounds the time of an answer, which never comes for SQL that does not end.
const answerTime = 5 * time.Minute

// Ask runs statements in a database of their own, in the one process of DuckDB's program that the tests of a package
// share. It returns the rows of each query after them as CSV, with NULL for missing values, or the message that the
// query is wrong.
func Ask(t testing.TB, sql string, queries ...string) (answers []string) {
	t.Helper()
	program := FindDuckDB(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.process == nil {
		cmd := exec.Command(program, "-init", os.DevNull, "-batch", "-csv", "-nullvalue", "NULL")
		var err error
		if shared.process, err = startProcess(cmd, true); err != nil {
			t.Fatal(err)
		}
	}
	if said := askShared(t, "SET TimeZone = 'UTC';\nATTACH ':memory:' AS asked;\nUSE asked;\n"+sql); said != "" {
		t.Errorf("the statements before the queries: %s", said)
	}
	for _, query := range queries {
		answers = append(answers, askShared(t, query))
	}
	askShared(t, "USE memory;\nDETACH asked")
	return answers
}

// askShared returns what the process prints for statements.
func askShared(t testing.TB, sql string) string {
	t.Helper()
	defer shared.endAfter(answerTime)()
	go func(in io.Writer) { // the process may wait for its output to be read
		_, _ = io.WriteString(in, sql+";\n.print "+marker+"\n") // if the process has ended, so has its output
	}(shared.in)
	var answer strings.Builder
	for {
		line, err := shared.out.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		switch {
		case err != nil:
			_ = shared.end() // because it has ended
			shared.process = nil
			t.Fatalf("DuckDB ends: %s%s\n%s", answer.String(), line, sql)
		case line == marker:
			return answer.String()
		}
		answer.WriteString(line + "\n")
	}
}
