package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// fake is a source whose answers a test gives.
type fake struct {
	ask func(ctx context.Context, list []string, sql string, most int, use func(int64, io.Reader) error, notes io.Writer) error
}

func (f *fake) source(*reach.Files) Source { return f }

func (f *fake) Contents(context.Context, []string, io.Writer) (*Contents, error) {
	return &Contents{About: "a trace"}, nil
}

func (f *fake) Ask(ctx context.Context, list []string, sql string, most int, use func(all int64, lines io.Reader) error, notes io.Writer) error {
	return f.ask(ctx, list, sql, most, use, notes)
}

func (f *fake) Describe(_ context.Context, list []string, name string, w, _ io.Writer) error {
	_, err := fmt.Fprintf(w, "%s   of %v\n", name, list)
	return err
}

func (f *fake) IsDataset(context.Context, []string) (bool, error) { return true, nil }

func (f *fake) Traces(context.Context, []string, func(*etl2parquet.Traces) error, io.Writer) error {
	return errors.New("there is no trace")
}

func (f *fake) Report(_ context.Context, list []string, w, notes io.Writer) error {
	fmt.Fprintln(notes, "etl2parquet: a warning\u009b")
	_, err := fmt.Fprintf(w, "page of %v\n", list)
	return err
}

// connect starts a server and connects a client with it over pipes, which have whole lines.
func connect(t *testing.T, o Options) *mcp.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	if o.Time == 0 {
		o.Time = time.Minute
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
	s := connect(t, Options{Version: "1", Source: (&fake{}).source, Inputs: []string{"a.etl"}})
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
	s := connect(t, Options{Source: (&fake{}).source})
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
	if want := len(views.All()) + len(views.Macros()); len(read) != want {
		t.Errorf("%d pages, want %d", len(read), want)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: viewURI + "../../etc/passwd"}); err == nil {
		t.Error("a page that does not exist can be read")
	}
}

// TestCalls calls the tools.
func TestCalls(t *testing.T) {
	folder := place(t)
	source := &fake{ask: func(_ context.Context, list []string, sql string, most int, use func(int64, io.Reader) error, notes io.Writer) error {
		fmt.Fprintln(notes, "etl2parquet: note")
		switch sql {
		case "wrong":
			return errors.New("Parser Error: \x1b[31mwrong")
		case "unreadable":
			return ErrInputs
		}
		line, err := json.Marshal(values{"sql": sql, "most": most})
		if err != nil {
			return err
		}
		return use(7, strings.NewReader(string(line)+"\n"))
	}}
	s := connect(t, Options{Source: source.source, Inputs: []string{"given.etl"}, Roots: []string{folder}})
	search := fmt.Sprintf(findSQL, "'it''s'")
	escaped, err := json.Marshal(search)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tool      string
		arguments values
		want      string
		failed    bool
	}{
		{"info", nil, "a trace\n\nViews with rows", false},
		{"query", values{"sql": "SELECT 1"}, "1 of 7 rows, cut by the limit of this call: filter, aggregate, or ask for more rows\n[\"most\",\"sql\"]\n[100,\"SELECT 1\"]\n\nnote", false},
		{"query", values{"sql": "SELECT 1", "rows": 1000, "input": "boot.etl"}, "[1000,\"SELECT 1\"]\n", false},
		{"query", values{"sql": "SELECT 1", "rows": 1001}, "rows is 1001: it must be 1 to 1,000", true},
		{"query", values{"sql": "SELECT 1", "rows": -1}, "rows is -1", true},
		{"query", values{"sql": "SELECT 1", "input": "../secret.etl"}, "../secret.etl: it is outside of what this server may read", true},
		{"query", values{"sql": "wrong"}, "Parser Error: \\u001b[31mwrong\nnote", true},
		{"query", values{"sql": "unreadable"}, "note", true},
		{"query", values{"sql": 1}, "type: 1 has type", true},
		{"query", nil, "required: missing properties", true},
		{"query", values{"sql": "SELECT 1", "file": "x"}, "unexpected additional properties", true},
		{"find", values{"text": "it's", "rows": 3}, fmt.Sprintf("[3,%s]\n", escaped), false},
		{"find", values{"text": ""}, "text is empty", true},
		{"describe", values{"name": "gc"}, "gc  of [given.etl]\n", false},
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
	source := &fake{ask: func(ctx context.Context, _ []string, _ string, _ int, _ func(int64, io.Reader) error, _ io.Writer) error {
		started <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ctx.Err()
	}}
	s := connect(t, Options{Source: source.source, Inputs: []string{"given.etl"}})
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
	if text, failed := callTool(t, s, "info", nil); failed { // the server answers again
		t.Errorf("info fails: %s", text)
	}
	limited := connect(t, Options{Source: source.source, Inputs: []string{"given.etl"}, Time: time.Nanosecond})
	text, failed := callTool(t, limited, "query", arguments)
	if want := "the call was stopped after 1ns, the limit of this server"; !failed || !strings.HasPrefix(text, want) {
		t.Errorf("error %v: %s", failed, text)
	}
}
