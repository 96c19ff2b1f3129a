package interop_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var onlyProofs = flag.String("proofs", "", "a regular expression: run only the proofs and the row tests of these views")

const viewsFolder = "../views"

// provedDataset is a dataset that several proofs share, because they name the same traces.
type provedDataset struct {
	Folder string              `json:"folder"`
	Names  []string            `json:"names"`  // tables and views that they read
	Proofs []map[string]string `json:"proofs"` // view and other

	proofs []*viewstest.Proof
}

// proofAnswer is the answer of proofs.py about a proof.
type proofAnswer struct {
	Columns              []string
	DuckDB, Other, Spark [][]any
	Error                string
}

// TestProofs runs the proofs of the views: their query in DuckDB and in Spark, and an independent
// query over tables, must have the same rows. With -v it prints a table of all.
func TestProofs(t *testing.T) {
	python := interop.NewEngines(t)
	interop.RequireJava(t)
	datasets := provedDatasets(t)
	var answers [][]proofAnswer
	python.Run(t, "proofs.py", map[string]any{"datasets": datasets, "program": builtProgram(t)}, &answers)
	lines := []string{"view\ttraces\trows\tequal in DuckDB\tin Spark\thow"}
	for i, d := range datasets {
		for k, p := range d.proofs {
			t.Run(p.View+"/"+p.Name, func(t *testing.T) {
				lines = append(lines, checkProof(t, p, &answers[i][k]))
			})
		}
	}
	slices.Sort(lines[1:])
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(w, strings.Join(lines, "\n"))
	w.Flush()
	t.Logf("proofs of views\n%s", table.String())
}

// provedDatasets converts the traces of all proofs: one dataset for each set of traces.
func provedDatasets(t *testing.T) (datasets []*provedDataset) {
	t.Helper()
	only := regexp.MustCompile(*onlyProofs)
	byTraces := make(map[string]*provedDataset)
	for _, p := range viewstest.Proofs(t, viewsFolder) {
		if !only.MatchString(p.View) {
			continue
		}
		key := strings.Join(slices.Sorted(slices.Values(p.Traces)), "\n")
		d := byTraces[key]
		if d == nil {
			d = &provedDataset{Folder: t.TempDir()}
			byTraces[key], datasets = d, append(datasets, d)
		}
		d.proofs = append(d.proofs, p)
		d.Proofs = append(d.Proofs, map[string]string{"view": p.Query, "other": p.Other})
	}
	for _, d := range datasets {
		var inputs []string
		for _, trace := range d.proofs[0].Traces {
			inputs = append(inputs, provedTraces(t, trace)...)
		}
		if err := convertAll(filepath.Join(d.Folder, "out"), inputs); err != nil {
			t.Fatal(err)
		}
		d.Names = viewsOfProofs(d.proofs)
	}
	return datasets
}

// provedTraces returns the files of a trace that a proof names.
func provedTraces(t *testing.T, name string) []string {
	t.Helper()
	switch {
	case strings.HasPrefix(name, "testdata/"):
		return []string{filepath.Join("..", filepath.FromSlash(name))}
	case name == kernelPayloads:
		return writePayloads(t, testenv.Shared(t, name))
	}
	return []string{testenv.Shared(t, name)}
}

// viewsOfProofs returns the tables and views that the queries over the views read: Spark takes seconds for all.
func viewsOfProofs(proofs []*viewstest.Proof) (names []string) {
	for _, p := range proofs {
		for _, name := range nameInQuery.FindAllString(p.Query, -1) {
			if views.BuiltIn().IsTable(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// withoutSpark is the view that Spark has without payloads: no SQL joins the tables of all events there.
const withoutSpark = "event_fields"

var nameInQuery = regexp.MustCompile(`\b[a-z_][a-z0-9_]*\b`)

// checkProof compares the three answers of a proof with each other and with its golden. It returns
// the line of the table.
func checkProof(t *testing.T, p *viewstest.Proof, got *proofAnswer) string {
	t.Helper()
	view, other, spark := texts(got.DuckDB), texts(got.Other), texts(got.Spark)
	if p.View == withoutSpark && got.Other != nil {
		got.Error, spark = "", view
	}
	if got.Error != "" {
		t.Errorf("%s", got.Error)
	}
	inDuckDB, inSpark := gocmp.Diff(other, view), gocmp.Diff(view, spark)
	if inDuckDB != "" {
		t.Errorf("-independent query +view:\n%s", inDuckDB)
	}
	if inSpark != "" && got.Error == "" {
		t.Errorf("-DuckDB +Spark:\n%s", inSpark)
	}
	if len(view) == 0 {
		t.Error("no rows: that proves nothing")
	}
	rows := csvText(t, got.Columns, view)
	switch {
	case rows == p.Rows:
	case *testenv.Update && !t.Failed():
		p.Update(t, rows)
	default:
		t.Errorf("-golden +view:\n%s", gocmp.Diff(p.Rows, rows))
	}
	var traces []string
	for _, trace := range p.Traces {
		traces = append(traces, filepath.Base(trace))
	}
	answer := map[bool]string{true: "yes", false: "NO"}
	return strings.Join([]string{p.View + ": " + p.Name, strings.Join(traces, " "), fmt.Sprint(len(view)), answer[inDuckDB == ""], answer[inSpark == ""],
		strings.Join(strings.Fields(p.How), " ")}, "\t")
}

// texts returns rows as text.
func texts(rows [][]any) (answer [][]string) {
	for _, row := range rows {
		var line []string
		for _, value := range row {
			line = append(line, csvValue(value))
		}
		answer = append(answer, line)
	}
	return answer
}

func csvText(t *testing.T, columns []string, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(append([][]string{columns}, rows...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// kernelPayloads has the payloads of kernel events that no real trace of the test set has.
const kernelPayloads = "oracles/libtrace/payloads.jsonl"

// kernelPayload is a line of kernelPayloads.
type kernelPayload struct {
	Class       string              `json:"class_guid"`
	Version     uint16              `json:"version"`
	Type        uint8               `json:"type"`
	PointerSize int                 `json:"pointer_size"`
	Payload     string              `json:"payload"`
	Fields      [][]json.RawMessage `json:"fields"` // name, type and value of each
}

// writePayloads writes two traces, payloads32 and payloads64, that have each payload in an event of its
// own. The events are 1 ms apart, but an event with an InitialTime is 0.1 ms after it.
func writePayloads(t *testing.T, path string) (traces []string) {
	t.Helper()
	text := testenv.ReadFile(t, path)
	folder := t.TempDir()
	for _, size := range []int{4, 8} {
		boot := int64(0)
		trace := etltest.Trace{PointerSize: size, Start: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), StartTicks: &boot, Frequency: 10_000_000}
		var events []etltest.Event
		for line := range bytes.Lines(text) {
			var p kernelPayload
			if err := json.Unmarshal(line, &p); err != nil {
				t.Fatal(err)
			}
			if p.PointerSize == size {
				events = append(events, p.event(t, int64(len(events)+1)*10_000))
			}
		}
		slices.SortStableFunc(events, func(a, b etltest.Event) int { return cmp.Compare(a.Time, b.Time) })
		for _, event := range events {
			trace.Buffers = append(trace.Buffers, etltest.Buffer{Events: []etltest.Event{event}})
		}
		path := filepath.Join(folder, fmt.Sprintf("payloads%d.etl", 8*size))
		testenv.WriteFile(t, path, trace.MustBytes(t))
		traces = append(traces, path)
	}
	return traces
}

// event returns an event with the payload.
func (p *kernelPayload) event(t *testing.T, ticks int64) etltest.Event {
	t.Helper()
	class, err := etltest.ParseGUID(p.Class)
	if err != nil {
		t.Fatal(err)
	}
	payload := etltest.MustHex(t, p.Payload)
	for _, field := range p.Fields {
		if string(field[0]) == `"InitialTime"` {
			if err := json.Unmarshal(field[2], &ticks); err != nil {
				t.Fatal(err)
			}
			ticks += 1000
		}
	}
	event := etltest.Event{Kind: etltest.Full64, GUID: class, Opcode: p.Type, Version: p.Version, Time: ticks, Payload: payload}
	if p.PointerSize == 4 {
		event.Kind = etltest.Full32
	}
	return event
}
