package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// releases has, for the last release, what users rely on (docs/versions.md): lists of names, and a
// dataset that it wrote.
const releases = "testdata/releases"

var updateRelease = flag.Bool("update-release", false, "record what this program has as the last release's")

// lastRelease returns the folder of the last release.
func lastRelease(t *testing.T) string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(releases, "*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("%q, %v: want the folder of one release, the last", folders, err)
	}
	return folders[0]
}

// TestReleasedNames checks that everything that the last release's lists have is there still: the
// tables with their columns and types, the commands with their flags, the exit statuses, and the
// members of JSON. Further ones may be added. -update-release
// writes the lists anew.
func TestReleasedNames(t *testing.T) {
	folder := lastRelease(t)
	for name, list := range map[string][]string{
		"tables.txt.gz": tableLines(t), "commands.txt": commandLines(), "info.txt": infoLines(t), "statuses.txt": statusLines(),
	} {
		path := filepath.Join(folder, name)
		if *updateRelease {
			writeList(t, path, list)
		}
		have := make(map[string]bool, len(list))
		for _, line := range list {
			have[line] = true
		}
		released := readList(t, path)
		for _, line := range released {
			if !have[line] {
				t.Errorf("%s: the release has %q, and this program has not", path, line)
			}
		}
		t.Logf("%s: %d of the release, %d now", name, len(released), len(list))
	}
}

// writeList writes lines to a file, compressed if its name says so.
func writeList(t *testing.T, path string, list []string) {
	t.Helper()
	text := []byte(strings.Join(list, "\n") + "\n")
	if filepath.Ext(path) == ".gz" {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	testenv.WriteFile(t, path, text)
}

// readList reads the lines that writeList wrote.
func readList(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// tableLines returns a line for each column of each table and view: "table column type".
func tableLines(t *testing.T) (lines []string) {
	t.Helper()
	for line := range strings.Lines(outputOf(t, "describe", "--json")) {
		var table struct {
			Name    string
			Columns []struct{ Name, Type string }
		}
		if err := json.Unmarshal([]byte(line), &table); err != nil {
			t.Fatal(err)
		}
		for _, column := range table.Columns {
			lines = append(lines, fmt.Sprintf("%s %s %s", table.Name, column.Name, column.Type))
		}
	}
	return lines
}

// commandLines returns a line for each command and each flag of it: "convert --output string".
func commandLines() (lines []string) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		lines = append(lines, cmd.CommandPath())
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			line := cmd.CommandPath() + " --" + f.Name
			if f.NoOptDefVal == "" {
				line += " VALUE"
			}
			if lines = append(lines, line); f.Shorthand != "" {
				lines = append(lines, cmd.CommandPath()+" -"+f.Shorthand)
			}
		})
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				visit(sub)
			}
		}
	}
	visit(new(app).rootCommand())
	return lines
}

// infoLines returns the members of the JSON of info, with the types of their values.
func infoLines(t *testing.T) []string {
	t.Helper()
	var info any
	if err := json.Unmarshal([]byte(outputOf(t, "info", "--json", sampleTrace)), &info); err != nil {
		t.Fatal(err)
	}
	keys := make(map[string]bool)
	addKeys(keys, "", info)
	lines := make([]string, 0, len(keys))
	for key := range keys {
		lines = append(lines, key)
	}
	slices.Sort(lines)
	return lines
}

func statusLines() (lines []string) {
	for _, s := range exitStatuses {
		lines = append(lines, s.Term+" "+s.Text)
	}
	return lines
}

// TestReleasedDataset checks that this program works with a dataset of the last release: it finds it
// whole, describes it, adds a trace, and converts the release's trace again without losing a table, a
// column or a value. -update-release writes the dataset anew.
func TestReleasedDataset(t *testing.T) {
	zipped := filepath.Join(lastRelease(t), "dataset.zip")
	if *updateRelease {
		recordDataset(t, zipped)
	}
	out := unzipped(t, zipped)
	before := sampleTables(t, out)
	if len(before) < 30 {
		t.Fatalf("the release's dataset has %d tables", len(before))
	}
	outputOf(t, "check", out)
	if text := outputOf(t, "describe", out, "event_header"); !strings.Contains(text, "time_ns") {
		t.Errorf("describe: %s", text)
	}
	outputOf(t, "convert", "../../testdata/sample-compressed.etl", "-o", out)
	outputOf(t, "check", out)
	compareTables(t, before, sampleTables(t, out))

	outputOf(t, "convert", sampleTrace, "-o", out, "--force")
	outputOf(t, "check", out)
	compareTables(t, before, sampleTables(t, out))
}

// TestReleasedQuery checks that DuckDB answers the same questions from the release's files as from
// those of this program, with the views of this one.
func TestReleasedQuery(t *testing.T) {
	testenv.Slow(t, "six questions")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	out := unzipped(t, filepath.Join(lastRelease(t), "dataset.zip"))
	for _, sql := range []string{
		"SELECT event_name, count(*), min(time_ns), max(time_ns) FROM events GROUP BY 1 ORDER BY 1",
		"SELECT process_id, process_name, command_line FROM processes ORDER BY ALL",
		"SELECT module, function, count(*) FROM cpu_samples GROUP BY ALL ORDER BY ALL",
	} {
		if old, now := outputOf(t, "query", out, sql, "-F", "csv"), outputOf(t, "query", sampleTrace, sql, "-F", "csv"); old != now {
			t.Errorf("%s\nfrom the release's dataset:\n%s\nfrom the trace:\n%s", sql, old, now)
		}
	}
}

// releasedTable is a table of a trace: its columns with their types, and its rows, by column.
type releasedTable struct {
	types map[string]string
	rows  []map[string]string
}

// sampleTables reads the tables of the trace sample of a dataset.
func sampleTables(t *testing.T, dataset string) map[string]*releasedTable {
	t.Helper()
	tables := make(map[string]*releasedTable)
	for name := range testenv.Files(t, dataset) {
		if path.Base(name) != "sample.parquet" {
			continue
		}
		table, err := readReleased(filepath.Join(dataset, name))
		if err != nil {
			t.Fatal(err)
		}
		tables[path.Dir(name)] = table
	}
	return tables
}

// readReleased reads a Parquet file with the library, not with our own reader.
func readReleased(path string) (*releasedTable, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	table := &releasedTable{types: make(map[string]string)}
	columns := f.Schema().Columns()
	for _, column := range columns {
		leaf, _ := f.Schema().Lookup(column...)
		table.types[strings.Join(column, ".")] = leaf.Node.Type().String()
	}
	for _, group := range f.RowGroups() {
		rows := make([]parquet.Row, group.NumRows())
		r := group.Rows()
		if n, err := r.ReadRows(rows); n != len(rows) {
			return nil, fmt.Errorf("%s: %d of %d rows: %w", path, n, len(rows), err)
		}
		for _, row := range rows {
			cells := make(map[string]string)
			for _, value := range row {
				cells[strings.Join(columns[value.Column()], ".")] += fmt.Sprintf("%v,", value)
			}
			table.rows = append(table.rows, cells)
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// compareTables checks that all tables, columns and values of before are in now.
func compareTables(t *testing.T, before, now map[string]*releasedTable) {
	t.Helper()
	for name, old := range before {
		table := now[name]
		if table == nil || len(table.rows) != len(old.rows) {
			t.Errorf("%s: lost, or other rows", name)
			continue
		}
		for column, kind := range old.types {
			if table.types[column] != kind {
				t.Errorf("%s.%s: %s in the release, %q now", name, column, kind, table.types[column])
				continue
			}
			for i, cells := range old.rows {
				if got := table.rows[i][column]; got != cells[column] {
					t.Errorf("%s.%s, row %d: %s in the release, %s now", name, column, i, cells[column], got)
					break
				}
			}
		}
	}
}

// recordDataset writes a dataset of this program as the release's.
func recordDataset(t *testing.T, zipped string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "dataset")
	outputOf(t, "convert", sampleTrace, "-o", out)
	f, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	if err := errors.Join(w.AddFS(os.DirFS(out)), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// unzipped unpacks a dataset into a folder of its own, and returns that.
func unzipped(t *testing.T, zipped string) string {
	t.Helper()
	r, err := zip.OpenReader(zipped)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := filepath.Join(t.TempDir(), "dataset")
	if err := os.CopyFS(out, r); err != nil {
		t.Fatal(err)
	}
	return out
}

// addKeys adds the paths of all members, and the types of their values.
func addKeys(keys map[string]bool, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		if strings.HasSuffix(path, "events_by_header") {
			keys[path+" object"] = true
			return
		}
		for name, member := range value {
			addKeys(keys, path+"."+name, member)
		}
	case []any:
		for _, element := range value {
			addKeys(keys, path+"[]", element)
		}
	default:
		keys[fmt.Sprintf("%s %T", path, value)] = true
	}
}
