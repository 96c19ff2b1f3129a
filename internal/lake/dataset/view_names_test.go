package dataset

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

// TestCookbookTables checks that every dataset has views of the event tables that the
// cookbook names.
func TestCookbookTables(t *testing.T) {
	text, err := os.ReadFile("../../../docs/cookbook.md")
	if err != nil {
		t.Fatal(err)
	}
	words := make(map[string]bool)
	for _, block := range sqlBlock.FindAllStringSubmatch(string(text), -1) {
		for _, word := range sqlName.FindAllString(block[1], -1) {
			words[word] = true
		}
	}
	var want []string
	for _, table := range schema.Tables() {
		if table.IsPayload() && words[table.ViewName()] {
			want = append(want, table.ViewName())
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, cookbookTables); diff != "" {
		t.Errorf("-named in the cookbook +in the program:\n%s", diff)
	}
}

func TestDuckType(t *testing.T) {
	b := schema.Column{Name: "b", Type: schema.Struct, Nullable: true, Fields: []schema.Column{{Name: "c", Type: schema.Timestamp, List: true}}}
	c := schema.Column{Name: "s", Type: schema.Struct, List: true, Nullable: true, Fields: []schema.Column{{Name: "a", Type: schema.Float}, b}}
	if got, want := duckType(&c), "STRUCT(a FLOAT, b STRUCT(c TIMESTAMPTZ[]))[]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestStartViews checks that each start view is documented and is one SELECT, so that
// programs can find it in views.sql.
func TestStartViews(t *testing.T) {
	taken := map[string]bool{"events": true}
	for _, table := range schema.Tables() {
		taken[table.ViewName()] = true
	}
	var names []string
	for _, v := range StartViews() {
		names = append(names, v.Name)
		if taken[v.Name] {
			t.Errorf("%s: another view has this name", v.Name)
		}
		if !strings.HasPrefix(v.Doc, "A row per ") && !strings.Contains(v.Doc, ", a row per ") || !strings.HasSuffix(v.Doc, ".") {
			t.Errorf("%s: bad documentation %q", v.Name, v.Doc)
		}
		if !strings.HasPrefix(v.SQL, "SELECT ") && !strings.HasPrefix(v.SQL, "WITH ") || strings.Contains(v.SQL, ";") || strings.HasSuffix(v.SQL, "\n") {
			t.Errorf("%s: no SELECT alone: %q", v.Name, v.SQL)
		}
		for i := range v.Columns {
			c := &v.Columns[i]
			if !strings.HasSuffix(c.Doc, ".") || c.Type == 0 || slices.ContainsFunc(v.Columns[:i], func(other schema.Column) bool { return other.Name == c.Name }) {
				t.Errorf("%s: column %q, %v: %q", v.Name, c.Name, c.Type, c.Doc)
			}
		}
	}
	if want := []string{"context_switches", "cpu_samples", "disk_io", "file_io", "folded_stacks", "image_loads", "process_tree"}; !slices.Equal(names, want) {
		t.Errorf("views %v, want %v", names, want)
	}
}

// TestHostileNames checks that names from folders and records stay names in SQL.
func TestHostileNames(t *testing.T) {
	for _, test := range []struct{ name, got, want string }{
		{"comment", sqlComment("events/a/b\n.shell id\r\u0085"), "events/a/b\ufffd.shell id\ufffd\ufffd"},
		{"name", sqlQuoted(`a" FROM x; --`), `"a"" FROM x; --"`},
		{"text", sqlText("a' OR '"), "'a'' OR '''"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestNeeded(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  []string
	}{
		{[]string{"Thread_CSwitch"}, []string{"thread_cswitch"}},
		{[]string{"image_loads"}, []string{"image_load", "image_loads", "images"}},
		{[]string{"contoso_shop_checkout"}, []string{"contoso_shop_checkout"}},
	} {
		var got []string
		for name := range Needed(test.names) {
			got = append(got, name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", test.names, diff)
		}
	}
	if needed := Needed([]string{"events"}); !needed["event_header"] || !needed["event_types"] || !needed["buffers"] || needed["processes"] {
		t.Errorf("events needs %v", needed)
	}
}
