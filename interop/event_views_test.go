package interop_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOneViewPerEvent checks that all events of one provider and id are in one view, in a
// dataset of all real traces, each converted with manifests and without.
func TestOneViewPerEvent(t *testing.T) {
	testenv.All(t, "a dataset of all real traces, with and without manifests")
	python := interop.NewPython(t)
	inputs := testenv.SharedFiles(t, "traces/*.etl")
	manifests, err := catalog.OpenFiles([]string{testenv.Shared(t, "manifests")})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	root := filepath.Join(folder, "out")
	if err := convertAll(root, inputs); err != nil {
		t.Fatal(err)
	}
	d, err := bundle.OpenDataset(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range partname.OfTraces(inputs) {
		if _, err := convertFile(d, inputs[i], name+" with manifests", bundle.Options{Options: pipeline.Options{Workers: 2, Memory: 48 << 20, Schemas: manifests}}); err != nil {
			t.Fatal(err)
		}
	}
	all := *views.BuiltIn()
	all.MaxEvents = math.MaxInt
	script, err := all.ScriptOfPieces(t.Context(), []views.Piece{{Dataset: d.Dataset}}, nil)
	if err == nil {
		err = d.WriteViews(t.Context(), script)
	}
	if err != nil {
		t.Fatal(err)
	}
	var views []viewsAnswer
	python.Run(t, "views.py", []map[string]string{{"folder": root, "sql": "views.sql"}}, &views)
	var rows []string
	for name, columns := range views[0].Columns {
		isEvent := slices.ContainsFunc(columns, func(c [2]string) bool { return c[0] == schema.RestColumn })
		if _, own := schema.LookupTable(name); isEvent && !own {
			rows = append(rows, fmt.Sprintf(`SELECT '%[1]s' AS name, trace, event_ref FROM "%[1]s"`, name))
		}
	}
	wanted := "SELECT provider_id, event_id, sum(events) AS events FROM event_types WHERE header_table = 'event_header' AND decoder <> 'tracelogging' AND payload_table IS NOT NULL GROUP BY ALL"
	found := "SELECT v.name, provider_id, event_id, count(*) AS events FROM (" + strings.Join(rows, " UNION ALL ") + ") v JOIN event_header USING (trace, event_ref) WHERE tracelogging_schema IS NULL GROUP BY ALL"
	sql := filepath.Join(root, "views.sql")
	questions := []map[string]string{
		{"sql": sql, "query": "SELECT * FROM (" + wanted + ") w FULL JOIN (" + found + ") f USING (provider_id, event_id) WHERE w.events IS DISTINCT FROM f.events"},
		{"sql": sql, "query": "SELECT count(*), sum(events) FROM (" + wanted + ")"},
		{"sql": sql, "query": "SELECT count(*) FROM (SELECT provider_id, event_id FROM event_types WHERE payload_table IS NOT NULL GROUP BY ALL HAVING count(DISTINCT payload_table) > 1 AND event_id > 0)"},
	}
	var answers [][][]any
	python.Run(t, "query.py", questions, &answers)
	for _, row := range answers[0] {
		t.Errorf("provider, id, events, view, events in the view: %v", row)
	}
	t.Logf("SCORE views of events: %v kinds and events, %v of several tables, %d in several views", answers[1], answers[2], len(answers[0]))
}
