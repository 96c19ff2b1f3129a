package agent

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOwnViews checks that a server has the views of a user's folder in all its tools, under the lock.
func TestOwnViews(t *testing.T) {
	testenv.Slow(t, "four questions, each by a process of DuckDB")
	t.Setenv(answers.Variable, interop.FindDuckDB(t))
	folder := t.TempDir()
	for name, sql := range map[string]string{
		"quiet":   "-- rows of events\n--   n INT64 not null: A number.\nSELECT trace, count(*) AS n FROM events GROUP BY trace\n",
		"outside": "--   text STRING nullable: A text.\nSELECT '' AS trace, content AS text FROM read_text('" + filepath.ToSlash(folder) + "/quiet/view.sql')\n",
	} {
		testenv.WriteFile(t, filepath.Join(folder, name, "view.sql"), []byte(sql))
		testenv.WriteFile(t, filepath.Join(folder, name, "view.md"), []byte("# "+name+"\n\nOne row per thing.\n"))
	}
	set, err := views.BuiltIn().With(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, opened(Options{Version: "1", Inputs: []string{"../../../testdata/sample.etl"}, Views: set}))
	for _, test := range []struct {
		tool, name string // of the argument
		value      string
		want       string
		fails      bool
	}{
		{"info", "", "", "quiet: One row per thing", false},
		{"describe", "name", "quiet", "A view of " + folder, false},
		{"query", "sql", "SELECT n FROM quiet", "449", false},
		{"query", "sql", "FROM outside", "the view outside calls read_text", true},
	} {
		arguments := values{}
		if test.name != "" {
			arguments[test.name] = test.value
		}
		text, failed := callTool(t, s, test.tool, arguments)
		if failed != test.fails || !strings.Contains(text, test.want) || strings.Contains(text, "SELECT trace, count") {
			t.Errorf("%s %s: failed is %v: %s", test.tool, test.value, failed, text)
		}
	}
	page, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: viewURI + "quiet"})
	if err != nil || !strings.HasPrefix(page.Contents[0].Text, "# quiet\n") {
		t.Errorf("%v, %v", page, err)
	}
}

// TestHostileSources checks that a server answers nothing with a source that has more than expressions.
func TestHostileSources(t *testing.T) {
	testenv.Slow(t, "a process of DuckDB for each")
	t.Setenv(answers.Variable, interop.FindDuckDB(t))
	for _, e := range viewstest.HostileExpressions {
		folder := t.TempDir()
		testenv.WriteFile(t, filepath.Join(folder, "process_starts", "own.toml"), []byte("name = 'x'\n[from]\nevents = ['event_header']\n[columns]\nimage_path = "+strconv.Quote(e)+"\n"))
		set, err := views.BuiltIn().With(folder)
		if err != nil {
			continue // the server does not begin
		}
		s := connect(t, opened(Options{Version: "1", Inputs: []string{"../../../testdata/sample.etl"}, Views: set}))
		if text, failed := callTool(t, s, "query", values{"sql": "SELECT 1 AS n"}); !failed || !strings.Contains(text, "process_starts/own.toml") {
			t.Errorf("%q: failed is %v: %s", e, failed, text)
		}
	}
}
