package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/export"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// secretNames are the names in testdata/redact/names.txt, in lower case.
var secretNames = []string{
	"zaphod", "ford prefect", "heartofgold", "magrathea", "betelgeuse", "trillian", "hunter42",
	"1004336348", "203.0.113.7", "198.51.100.23", "2001:db8",
	"eddie5g", "marvin5g", "00155d424242", "babelfish", "arthur dent", "vogsphere", "krikkit", "wowbagger", "towel4242", "slartibart", "deep042", "ip-198-51-100-24", "deepthought", "agrajag", "mcmillan", "fenchurch",
	"dap.113.0.203",
}

// redactCase is a trace with names, and the files of a run.
type redactCase struct {
	folder, trace, key string
}

func newRedactCase(t *testing.T) *redactCase {
	t.Helper()
	text := testenv.ReadFile(t, "testdata/redact/names.txt")
	file := etltest.MustParse(t, string(text))
	c := &redactCase{folder: t.TempDir()}
	c.trace, c.key = filepath.Join(c.folder, "HEARTOFGOLD zaphodb.etl"), filepath.Join(c.folder, "key")
	beside := []byte("b1a7c3d2-5e4f-3a6b-8c9d-0e1f2a3b4c5d guide // SRC=C:\\Users\\zaphodb\\items.c MJ= MN=\n#typev io_c10 10 \"%0open of %10!s!\" // FUNC=Open\n{\nName, ItemWString -- 10\n}\n")
	for path, content := range map[string][]byte{c.trace: file, c.key: []byte("a secret of this test\n"), strings.TrimSuffix(c.trace, ".etl") + ".tmf": beside} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// run runs a command over the trace, and returns its output. What it says on standard error is
// searched too, without the path of the input, which the user has given.
func (c *redactCase) run(t *testing.T, args ...string) []byte {
	t.Helper()
	args = append(args, "--redact", "--redact-key", c.key)
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("%q: exit status %d: %s", args, status, &stderr)
	}
	searchNames(t, fmt.Sprintf("standard error of %q", args), []byte(strings.NewReplacer(c.trace, "", filepath.Base(strings.TrimSuffix(c.trace, ".etl"))+".tmf", "").Replace(stderr.String())))
	return stdout.Bytes()
}

// searchNames searches bytes for the names, also as UTF-16, as hexadecimal, as base64, and in what is
// compressed.
func searchNames(t *testing.T, where string, content []byte) {
	t.Helper()
	lower := bytes.ToLower(content)
	for _, name := range secretNames {
		var wide []byte
		for _, unit := range utf16.Encode([]rune(name)) {
			wide = append(wide, byte(unit), byte(unit>>8))
		}
		for form, b := range map[string][]byte{"text": []byte(name), "UTF-16": wide, "hexadecimal": []byte(hex.EncodeToString([]byte(name))), "hexadecimal UTF-16": []byte(hex.EncodeToString(wide))} {
			if at := bytes.Index(lower, b); at >= 0 {
				t.Errorf("%s has %s as %s: %q", where, name, form, content[max(at-60, 0):min(at+60, len(content))])
			}
		}
	}
	for _, text := range base64Texts.FindAll(content, -1) {
		decoded, err := base64.StdEncoding.DecodeString(string(text))
		if err != nil {
			continue
		}
		if z, err := zlib.NewReader(bytes.NewReader(decoded)); err == nil {
			if decoded, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		searchNames(t, "base64 in "+where, decoded)
	}
	if z, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
		unpacked, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		searchNames(t, "what "+where+" has compressed", unpacked)
	}
	if bytes.HasPrefix(content, []byte("PAR1")) {
		searchNames(t, "the rows of "+where, parquetRows(t, content))
	}
}

var base64Texts = regexp.MustCompile(`[A-Za-z0-9+/]{12,}={0,2}`)

// parquetRows returns the values of a Parquet file as text.
func parquetRows(t *testing.T, content []byte) []byte {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		room := make([]parquet.Row, 64)
		for {
			n, err := rows.ReadRows(room)
			for _, row := range room[:n] {
				for _, v := range row {
					fmt.Fprintln(&text, v)
				}
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return text.Bytes()
}

// TestRedactTraces searches the events and the session of real traces for the names that are in them.
func TestRedactTraces(t *testing.T) {
	t.Parallel()
	key := newRedactCase(t).key
	tests := map[string][]string{
		"Process": {"georgis"}, "diaghub.user_paged.1": {"liha", "redmond"}, "ShutdownPerfDiagLogger": {"sylvain"}, "PktMon": {"demeter"},
	}
	for trace, names := range tests {
		if testenv.Running(t) < testenv.TierAll && trace != "Process" {
			continue
		}
		c := &redactCase{trace: testenv.Shared(t, "traces/"+trace+".etl"), key: key}
		for _, args := range [][]string{{"--format", "ndjson", "--messages", "all"}, {"--table", "traces"}} {
			out := c.run(t, append([]string{"cat", c.trace}, args...)...)
			searchNames(t, trace, out)
			for _, name := range names {
				if at := bytes.Index(bytes.ToLower(out), []byte(name)); at >= 0 {
					t.Errorf("%s %q has %s: %q", trace, args, name, out[max(at-60, 0):min(at+60, len(out))])
				}
			}
		}
	}
}

// TestRedactHasNames checks that the trace has each name, which is found without --redact.
func TestRedactHasNames(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	var all bytes.Buffer
	for _, args := range [][]string{{"--messages", "all"}, {"--table", "traces"}, {"--table", "SystemConfig/CPU"}, {"--table", "processes"}, {"--table", "images"}} {
		var stderr bytes.Buffer
		if status := run(t.Context(), append([]string{"cat", c.trace}, args...), nil, &all, &stderr); status != exitDone {
			t.Fatalf("%q: exit status %d: %s", args, status, &stderr)
		}
	}
	for _, name := range secretNames[:len(secretNames)-1] {
		if !bytes.Contains(bytes.ToLower(all.Bytes()), []byte(name)) {
			t.Errorf("the trace does not show %s", name)
		}
	}
}

// TestRedactCat prints the events in every format, with any number of workers.
func TestRedactCat(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	for _, format := range formats.Names(formats.All()) {
		args := []string{"cat", c.trace, "--format", format, "--payload", "all", "--messages", "all", "--workers"}
		one, four := c.run(t, append(args, "1")...), c.run(t, append(args, "4")...)
		if len(one) == 0 || !bytes.Equal(one, four) {
			t.Errorf("%s: %d bytes by one worker and %d by four are not the same", format, len(one), len(four))
		}
		searchNames(t, format, one)
	}
}

// TestRedactTables prints every table, as lines and as Parquet.
func TestRedactTables(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"describe", c.trace, "--json"}, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	tables := regexp.MustCompile(`"name":\s*"(events/[^"]+)"`).FindAllStringSubmatch(stdout.String(), -1)
	names := []string{"SystemConfig/CPU", "Process/DCStart", "Image/DCStart", "FileIo/Name", "Registry/Open", "TcpIp/SendIPV4", "Say", "Forms", "Shapes", "Page"}
	for _, table := range tables {
		names = append(names, table[1])
	}
	for _, table := range append(schema.FixedTables(), schema.HeaderTables()...) {
		names = append(names, table.Name)
	}
	for _, name := range names {
		for _, format := range []string{"ndjson", "parquet"} {
			searchNames(t, format+" of "+name, c.run(t, "cat", c.trace, "--table", name, "--payload", "all", "--format", format))
		}
	}
}

// TestRedactEquality checks that one name has one pseudonym in all tables, columns and texts.
func TestRedactEquality(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	out := string(c.run(t, "cat", c.trace, "--event", "Say", "--event", "Line", "--event", "Page", "--messages", "all"))
	user := regexp.MustCompile(`"text":"(user-[a-z2-7]{8}) logged on"`).FindStringSubmatch(out)
	if user == nil {
		t.Fatalf("no pseudonym in %s", out)
	}
	host := regexp.MustCompile(`"computer_name":"(host-[a-z2-7]{8})"`).FindStringSubmatch(out)
	if host == nil {
		t.Fatalf("no pseudonym in %s", out)
	}
	for _, want := range []string{
		`\\` + user[1] + `"`, "Hello " + user[1], `User: ` + user[1], `"account_name":"` + user[1], `The user ` + user[1] + ` of ` + host[1],
		"from " + host[1] + "$", `"machine_name":"` + host[1] + `"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}

// TestRedactExports exports the trace in every format that can have it.
func TestRedactExports(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	for _, format := range export.All() {
		if format.Name == "pcapng" {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), []string{"export", c.trace, "--format", format.Name, "-o", "-", "--redact", "--redact-key", c.key}, nil, &stdout, &stderr)
			if status != exitUsage || !strings.Contains(stderr.String(), "packets") {
				t.Errorf("pcapng: exit status %d: %s", status, &stderr)
			}
			continue
		}
		out := filepath.Join(c.folder, "out."+format.Name)
		c.run(t, "export", c.trace, "--format", format.Name, "-o", out)
		content, err := os.ReadFile(out)
		if err != nil || len(content) == 0 {
			t.Fatalf("%s: %d bytes: %v", format.Name, len(content), err)
		}
		searchNames(t, format.Name, content)
	}
}

// TestRedactReport writes the page, with SQL where DuckDB is there.
func TestRedactReport(t *testing.T) {
	t.Parallel()
	c := newRedactCase(t)
	out := filepath.Join(c.folder, "page.html")
	c.run(t, "report", c.trace, "-o", out)
	page := testenv.ReadFile(t, out)
	searchNames(t, "the page", page)
}

// TestRedactQuery asks for rows with names, in every format.
func TestRedactQuery(t *testing.T) {
	testenv.Slow(t, "twenty questions")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	c := newRedactCase(t)
	for _, sql := range []string{
		"SELECT * FROM events", "SELECT * FROM processes", "SELECT * FROM images", "SELECT * FROM files", "SELECT * FROM traces", "SELECT * FROM systemconfig_cpu",
		"SELECT * FROM demo_say", "SELECT * FROM demo_forms", "SELECT * FROM events WHERE CAST(fields AS VARCHAR) ILIKE '%zaphod%'",
	} {
		searchNames(t, sql, c.run(t, "query", c.trace, sql, "--messages", "all", "--payload", "all", "--format", "json"))
	}
	for _, format := range formats.Names(answers.Formats()) {
		out := filepath.Join(c.folder, "rows."+format)
		c.run(t, "query", c.trace, "SELECT process_name, message, fields FROM events", "--messages", "all", "--format", format, "-o", out)
		content := testenv.ReadFile(t, out)
		searchNames(t, format, content)
	}
}
