package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// agentSession is a client of the SDK with a server that runs as a program of its own.
type agentSession struct {
	*mcp.ClientSession
	server *exec.Cmd
	stderr *strings.Builder
}

// startMCP starts the command mcp and connects a client with it. What the server prints on standard error
// is an error of the test.
func startMCP(t *testing.T, args ...string) *agentSession {
	t.Helper()
	cmd := exec.Command("etl2parquet", append([]string{"mcp"}, args...)...)
	stderr := new(strings.Builder)
	cmd.Stderr = stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		if stderr.Len() > 0 {
			t.Errorf("standard error has %s", stderr)
		}
	})
	return &agentSession{session, cmd, stderr}
}

type arguments map[string]any

// call calls a tool, and returns the text of its answer, and whether it is an error.
func (s *agentSession) call(t *testing.T, tool string, args arguments) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

// agentRoot makes a folder with the sample trace and a dataset of it, and a secret beside it.
func agentRoot(t *testing.T) (folder string) {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(above, "root")
	sample, err := os.ReadFile(sampleTrace)
	if err = errors.Join(err, os.Mkdir(folder, 0o777), os.WriteFile(filepath.Join(folder, "sample.etl"), sample, 0o666), os.WriteFile(filepath.Join(above, "secret.csv"), []byte("a\n"+secretText+"\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if status := run(t.Context(), []string{"convert", "--quiet", sampleTrace, "-o", filepath.Join(folder, "set")}, nil, t.Output(), t.Output()); status != exitDone {
		t.Fatalf("exit status %d", status)
	}
	return folder
}

const secretText = "the-secret-of-this-test"

// TestMCP has a session with a trace and a dataset.
func TestMCP(t *testing.T) {
	testenv.Slow(t, "a dozen questions")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	folder := agentRoot(t)
	s := startMCP(t, "--root", folder, filepath.Join(folder, "sample.etl"))
	const switches = `SELECT process_name, count(*) AS switches FROM context_switches GROUP BY process_name ORDER BY switches DESC, process_name LIMIT 1`
	for _, test := range []struct {
		tool   string
		args   arguments
		want   []string
		failed bool
	}{
		{"info", nil, []string{"sample.etl\n", "\n events  449\n", "\nevents 449: Every event", "\ncontext_switches 120: ", "\nregistry: needs Registry/Open or one of 13 others, recorded with EVENT_TRACE_FLAG_REGISTRY"}, false},
		{"info", arguments{"input": "set"}, []string{": 1 trace, 449 events", "\ncontext_switches 120: ", "recorded with EVENT_TRACE_FLAG_REGISTRY"}, false},
		{"query", arguments{"sql": switches}, []string{"1 row\n[\"process_name\",\"switches\"]\n"}, false},
		{"query", arguments{"sql": "FROM events", "rows": 3}, []string{"3 of 449 rows, cut by the limit of this call"}, false},
		{"query", arguments{"sql": "FROM events", "rows": 3, "input": "set"}, []string{"3 of 449 rows"}, false},
		{"query", arguments{"sql": "FROM registry"}, []string{"0 rows\n\nregistry needs Registry/Open or one of 13 others, recorded with EVENT_TRACE_FLAG_REGISTRY"}, false},
		{"query", arguments{"sql": "FROM context_switch"}, []string{"did you mean context_switches?"}, true},
		{"query", arguments{"sql": "SELECT proces_name FROM context_switches"}, []string{`Candidate bindings: "process_name"`}, true},
		{"query", arguments{"sql": "SELECT 1,,2"}, []string{`syntax error at or near ","`}, true},
		{"describe", nil, []string{": 449 events", "thread_cswitch  120"}, false},
		{"describe", arguments{"name": "context_switches"}, []string{"context_switches\n", "\n ran_ns  INT64  nullable  "}, false},
		{"describe", arguments{"name": "Thread/CSwitch", "input": "set"}, []string{"thread_cswitch", "new_thread_id  INT64"}, false},
		{"find", arguments{"text": `c:\NOTES\11.txt`}, []string{"1 row\n", `"FileSaved",8589937552,null,{"path":"C:\\notes\\11.txt",`}, false},
		{"find", arguments{"text": `c:\NOTES\11.txt`, "input": "set"}, []string{"1 row\n", `"path","C:\\notes\\11.txt"]`}, false},
		{"report", arguments{"output": "page.html"}, []string{"page.html: "}, false},
	} {
		text, failed := s.call(t, test.tool, test.args)
		for _, want := range test.want {
			if failed != test.failed || !strings.Contains(text, want) {
				t.Errorf("%s %v: error %v, no %q in\n%s", test.tool, test.args, failed, want, text)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "page.html"))
	if err != nil || !strings.HasPrefix(string(page), "<!doctype html>") {
		t.Errorf("the page is %.40q, %v", page, err)
	}
}

// hostile are statements, beside waysOut, that must neither read the secret nor write anything.
var hostile = []string{
	"FROM parquet_metadata('SECRET')",
	"SELECT content FROM read_text('file://SECRET')",
	"FROM sqlite_scan('SECRET', 't')",
	"COPY (SELECT 1) TO '/dev/stdout'",
	"PRAGMA database_list",
	"CALL pragma_version()",
	"SELECT 1) TO 'PWNED.csv'; SELECT (1",
	"SELECT 1)) TO 'PWNED.csv' --",
	"SELECT 1 /* ; */ ) LIMIT 1) TO 'PWNED.csv' (FORMAT csv); --",
	"SELECT 1\n.shell touch PWNED",
	"SELECT '\n.shell touch PWNED\n'",
	"SELECT 1\x00",
}

// TestMCPHostile runs statements that want out.
func TestMCPHostile(t *testing.T) {
	testenv.Slow(t, "a call for each way out")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	t.Setenv("HOME", "/"+secretText) // for getenv
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := agentRoot(t)
	temp := t.TempDir()
	secret := filepath.Join(filepath.Dir(folder), "secret.csv")
	before := filesBelow(t, filepath.Dir(folder))
	s := startMCP(t, "--root", folder, "--temp-dir", temp)
	statements := slices.Clone(hostile)
	for _, way := range waysOut {
		statements = append(statements, way.sql)
	}
	for i, input := range []string{"sample.etl", "set"} {
		for j, sql := range statements {
			if testenv.Running(t) < testenv.TierAll && i != j%2 {
				continue // both inputs have the same lock
			}
			sql = strings.NewReplacer("_SECRET", "_SECRET", "SECRET", filepath.ToSlash(secret), "DATASET", filepath.ToSlash(folder)+"/set", "FOLDER", filepath.ToSlash(folder), "PWNED", filepath.ToSlash(folder)+"/written").Replace(sql)
			text, failed := s.call(t, "query", arguments{"sql": sql, "input": input})
			if isHarmless := strings.HasPrefix(sql, "SELECT '\n") || strings.HasPrefix(sql, "SELECT 1\n."); !failed && !isHarmless {
				t.Errorf("%s: no error, but\n%s", sql, text)
			}
			if strings.Contains(text, secretText) {
				t.Errorf("%s: the secret is in\n%s", sql, text)
			}
		}
	}
	for _, text := range []string{"'); COPY (SELECT 1) TO '" + folder + "/written.csv' --", `' || getenv('HOME') || '`} {
		for _, input := range []string{"sample.etl", "set"} {
			if got, failed := s.call(t, "find", arguments{"text": text, "input": input}); failed || !strings.HasPrefix(got, "0 rows\n") {
				t.Errorf("find %s in %s: error %v, %s", text, input, failed, got)
			}
		}
	}
	for _, input := range []string{"../secret.csv", secret, "file://" + secret, `\\server\share\x.etl`, "s3://bucket/x.etl", "https://example.com/x.etl", "-", "/dev/stdin", "/proc/self/environ"} {
		for _, tool := range []string{"info", "query", "describe", "find", "report"} {
			args := arguments{"input": input}
			switch tool {
			case "query":
				args["sql"] = "SELECT 1"
			case "find":
				args["text"] = "x"
			}
			if text, failed := s.call(t, tool, args); !failed || strings.Contains(text, secretText) {
				t.Errorf("%s of %s: error %v, %s", tool, input, failed, text)
			}
		}
	}
	if diff := cmp.Diff(before, filesBelow(t, filepath.Dir(folder))); diff != "" {
		t.Errorf("files are written: -before +after:\n%s", diff)
	}
	if left := filesBelow(t, temp); len(left) > 1 {
		t.Errorf("temporary files are left: %q", left)
	}
}

// filesBelow returns the names of the files and folders below a folder.
func filesBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestMCPCancel cancels a statement that would run for years, and lets one reach the limit on its time.
// DuckDB ends, and the server answers again.
func TestMCPCancel(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	folder, temp := agentRoot(t), t.TempDir()
	s := startMCP(t, "--root", folder, "--temp-dir", temp)
	const endless = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "query", Arguments: arguments{"sql": endless, "input": "set"}})
		ended <- err
	}()
	for len(filesBelow(t, temp)) < 2 { // it has a temporary folder
		select {
		case err := <-ended:
			t.Fatalf("the call ended by itself: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if text, failed := s.call(t, "query", arguments{"sql": "SELECT 42 AS a", "input": "set"}); failed || text != "1 row\n[\"a\"]\n[42]\n" {
		t.Errorf("the next call: error %v, %s", failed, text)
	}
	if left := filesBelow(t, temp); len(left) > 1 {
		t.Errorf("temporary files are left: %q", left)
	}
	limited := startMCP(t, "--root", folder, "--max-time", "1s")
	if text, failed := limited.call(t, "query", arguments{"sql": endless, "input": "set"}); !failed || !strings.HasPrefix(text, "the call was stopped after 1s, ") {
		t.Errorf("error %v, %s", failed, text)
	}
}

// TestMCPUsage starts servers that cannot serve.
func TestMCPUsage(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "nothing to read: name a trace, or a folder of traces with --root"},
		{[]string{"-"}, "standard input cannot be a trace (-)"},
		{[]string{"--root", "no such folder"}, "--root no such folder: no such file"},
		{[]string{"--root", sampleTrace}, "it is not a folder"},
		{[]string{"x.etl", "--max-time", "1ms"}, "--max-time"},
	} {
		var stderr strings.Builder
		status := run(t.Context(), append([]string{"mcp"}, test.args...), strings.NewReader(""), t.Output(), &stderr)
		if status != exitUsage || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: exit status %d, %s", test.args, status, &stderr)
		}
	}
}

// TestMCPRedact replaces names in messages.
func TestMCPRedact(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("a secret of this test"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := agentRoot(t)
	s := startMCP(t, "--root", folder, "--redact", "--redact-key", key)
	for _, tool := range []string{"info", "describe"} {
		if text, failed := s.call(t, tool, arguments{"input": "set"}); !failed || !strings.Contains(text, "the names in them cannot be replaced") {
			t.Errorf("%s of a dataset: error %v, %s", tool, failed, text)
		}
	}
	text, failed := s.call(t, "info", arguments{"input": `C:\Users\alice\x.etl`})
	if !failed || strings.Contains(text, "alice") {
		t.Errorf("error %v, %s", failed, text)
	}
	if text, failed := s.call(t, "info", arguments{"input": "sample.etl"}); failed || !strings.Contains(text, "\nevents 449: ") {
		t.Errorf("error %v, %s", failed, text)
	}
}
