package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// open opens the inputs of a call with the default options.
func open(_ context.Context, from *reach.Files, notes io.Writer) (*answers.Traces, func(), error) {
	fmt.Fprintln(notes, "etl2parquet: a note\u009b")
	files, err := batch.ShareOpenFiles()
	return &answers.Traces{
		Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory}, Archive: archive.Options{Space: archive.NewSpace(1 << 30)},
		Servers: inputs.NewServers(inputs.ServerOptions{}), OpenFiles: files, From: from,
		OnFail: func(name string, err error) { fmt.Fprintf(notes, "etl2parquet: %s: %v\n", name, err) },
	}, func() {}, err
}

// opened returns options with which calls open their inputs.
func opened(o Options) Options {
	o.Open, o.Bound, o.Words = open, func(*answers.DuckDB) {}, error.Error
	return o
}

// connect starts a server and connects a client with it over pipes, which have whole lines.
func connect(t *testing.T, o Options) *mcp.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	if o.Time == 0 {
		o.Time = time.Hour // on a busy machine, too
	}
	done := make(chan error, 1)
	go func() { done <- Serve(context.WithoutCancel(t.Context()), fromClient, toClient, o) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(session.Close(), <-done); err != nil {
			t.Error(err)
		}
	})
	return session
}

// callTool calls a tool, and returns the text of its answer, and whether it is an error.
func callTool(t *testing.T, s *mcp.ClientSession, name string, arguments any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

type values map[string]any

// mostTexts bounds the bytes of what a model reads before it calls a tool: the tools with their
// descriptions and schemas.
const mostTexts = 2000

// TestTools lists the tools. A model reads them in each conversation.
func TestTools(t *testing.T) {
	s := connect(t, Options{Version: "1", Inputs: []string{"a.etl"}})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations.ReadOnlyHint != (tool.Name != "report") {
			t.Errorf("%s: read only is %v", tool.Name, tool.Annotations.ReadOnlyHint)
		}
	}
	if want := []string{"describe", "find", "info", "query", "report"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > mostTexts {
		t.Errorf("the tools have %d bytes, more than %d", len(text), mostTexts)
	}
	t.Logf("the tools have %d bytes, the instructions %d", len(text), len(s.InitializeResult().Instructions))
	if got := s.InitializeResult(); got.ServerInfo.Name != "etl2parquet" || got.Instructions != instructions {
		t.Errorf("the server is %+v", got)
	}
}

// TestResources reads the page of each view.
func TestResources(t *testing.T) {
	s := connect(t, Options{})
	var read []string
	for r, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		page, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		if c := page.Contents[0]; c.MIMEType != "text/markdown" || !strings.HasPrefix(c.Text, "# "+r.Name+"\n") || r.Size != int64(len(c.Text)) || r.Description == "" {
			t.Errorf("%+v is %.40q", r, c.Text)
		}
		read = append(read, r.Name)
	}
	if want := len(views.BuiltIn().All()) + len(views.BuiltIn().Macros()); len(read) != want {
		t.Errorf("%d pages, want %d", len(read), want)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: viewURI + "../../etc/passwd"}); err == nil {
		t.Error("a page that does not exist can be read")
	}
}

// TestCalls calls the tools.
func TestCalls(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	folder := place(t)
	for _, name := range []string{"boot.etl", "given.etl"} {
		testenv.WriteFile(t, filepath.Join(folder, name), testenv.ReadFile(t, "../../../testdata/sample.etl"))
	}
	testenv.WriteFile(t, filepath.Join(folder, "bad.etl"), []byte("no trace"))
	s := connect(t, opened(Options{Inputs: []string{filepath.Join(folder, "given.etl")}, Roots: []string{folder}}))
	const processes = "SELECT process_name, process_id FROM processes ORDER BY process_ref"
	for _, test := range []struct {
		tool      string
		arguments values
		want      string
		failed    bool
	}{
		{"info", nil, "\nViews with rows", false},
		{"info", values{"input": "bad.etl"}, "bad.etl: ", true},
		{"query", values{"sql": "SELECT 1 AS a, 2 AS b"}, "1 row\n[\"a\",\"b\"]\n[1,2]\n\na note", false},
		{"query", values{"sql": processes, "rows": 1}, "1 of 5 rows, cut by the limit of this call: filter, aggregate, or ask for more rows\n[\"process_name\",\"process_id\"]\n[\"Idle\",0]\n", false},
		{"query", values{"sql": "SELECT count(*) AS n FROM events", "rows": 1000, "input": "boot.etl"}, "[449]\n", false},
		{"query", values{"sql": "SELECT 1", "rows": 1001}, "rows is 1001: it must be 1 to 1,000", true},
		{"query", values{"sql": "SELECT 1", "rows": -1}, "rows is -1", true},
		{"query", values{"sql": "SELECT 1", "input": "../secret.etl"}, "../secret.etl: it is outside of what this server may read", true},
		{"query", values{"sql": "SELECT 1; SELECT 2"}, "the SQL must be one SELECT, and has 2", true},
		{"query", values{"sql": "wrong \x1b[31m"}, "wrong", true},
		{"query", values{"sql": "SELECT 1", "input": "bad.etl"}, "bad.etl: ", true},
		{"query", values{"sql": 1}, "type: 1 has type", true},
		{"query", nil, "required: missing properties", true},
		{"query", values{"sql": "SELECT 1", "file": "x"}, "unexpected additional properties", true},
		{"find", values{"text": "EXPLORER", "rows": 1}, "1 of ", false},
		{"find", values{"text": "it's"}, "0 rows", false},
		{"find", values{"text": ""}, "text is empty", true},
		{"describe", values{"name": "gc"}, "gc", false},
		{"describe", values{"name": "Thread/CSwitch", "input": "boot.etl"}, "new_thread_id", false},
		{"describe", values{"name": "gc", "input": "nothing.etl"}, "there is no such file or folder", true},
		{"report", values{"input": "boot.etl", "output": "more/page.html"}, "page.html: ", false},
		{"report", values{"output": "../page.html"}, "outside of the folders", true},
	} {
		text, failed := callTool(t, s, test.tool, test.arguments)
		if failed != test.failed || !strings.Contains(text, test.want) {
			t.Errorf("%s %v: error %v, got\n%s, want\n%s", test.tool, test.arguments, failed, text, test.want)
		}
		if strings.ContainsAny(text, "\x1b\u009b") || strings.Contains(text, "etl2parquet: ") {
			t.Errorf("%s %v: %q", test.tool, test.arguments, text)
		}
	}
}

// TestCancel cancels a call that runs and one that waits for it, and lets one reach the limit on its time.
func TestCancel(t *testing.T) {
	started, ended := make(chan struct{}, 3), make(chan struct{}, 3)
	var isFree atomic.Bool // calls end before they are cancelled
	o := opened(Options{Inputs: []string{"../../../testdata/sample.etl"}})
	o.Open = func(ctx context.Context, from *reach.Files, notes io.Writer) (*answers.Traces, func(), error) {
		if isFree.Load() {
			return open(ctx, from, notes)
		}
		started <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, nil, ctx.Err()
	}
	s := connect(t, o)
	arguments := values{"sql": "SELECT 1"}
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "query", Arguments: arguments}); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
	<-started
	cancel()
	calls.Wait()
	<-ended
	isFree.Store(true)
	if text, failed := callTool(t, s, "info", nil); failed { // the server answers again
		t.Errorf("info fails: %s", text)
	}
	isFree.Store(false)
	o.Time = time.Nanosecond
	limited := connect(t, o)
	text, failed := callTool(t, limited, "query", arguments)
	if want := "the call was stopped after 1ns, the limit of this server"; !failed || !strings.HasPrefix(text, want) {
		t.Errorf("error %v: %s", failed, text)
	}
}
