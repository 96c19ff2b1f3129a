package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestDamagedTimes takes traces in which the time of one event is damaged through the commands: each
// has all events, or states an error.
func TestDamagedTimes(t *testing.T) {
	originals := []string{"../../testdata/sample.etl"}
	if testenv.Running(t) > testenv.TierQuick {
		t.Setenv(answers.Variable, interop.NewDuckDB(t))
		originals = append(originals, testenv.Shared(t, "traces/HTTP_Server.etl"), testenv.Shared(t, "traces/gcevents.etl"))
	}
	if testenv.Running(t) >= testenv.TierAll {
		for _, pattern := range []string{"traces/*.etl", "cases/*.etl"} {
			originals = append(originals, testenv.SharedFiles(t, pattern)...)
		}
	}
	random := testenv.Seeded(t.Name())
	for i := 0; i < testenv.Times(t, 2, 2, 60, 300); {
		path := originals[random.IntN(len(originals))]
		trace := testenv.ReadFile(t, path)
		if len(trace) > 2<<20 && random.IntN(8) > 0 { // each takes seconds
			continue
		}
		if trace = decodetest.DamageTime(random, trace); trace == nil {
			continue
		}
		i++
		t.Run(fmt.Sprintf("%s %d", filepath.Base(path), i), func(t *testing.T) { damagedTime(t, trace, i%10 == 1) })
	}
}

// damagedTime takes a trace through the commands, with pages if that is wanted: they run all views, which
// takes seconds, and other tests make pages of many mutants.
func damagedTime(t *testing.T, trace []byte, pages bool) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	testenv.WriteFile(t, at("t.etl"), trace)
	ask := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		switch status := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); {
		case status != exitDone && (args[0] != "export" || stderr.Len() == 0): // a trace may lack what is exported
			t.Errorf("%q: exit status %d: %s", args, status, &stderr)
		case strings.Contains(stdout.String()+stderr.String(), "1677-") || strings.Contains(stdout.String(), "2262-"):
			t.Errorf("%q: a time that saturates:\n%s", args, &stdout)
		}
		return stdout.String()
	}
	var info struct{ Events int64 }
	if err := json.Unmarshal([]byte(ask("info", "--json", at("t.etl"))), &info); err != nil {
		t.Fatal(err)
	}
	ask("info", at("t.etl"))
	for _, format := range []string{"ndjson", "csv", "json", "table", "text", "otlp", "ecs", "arrow", "parquet"} {
		out := ask("cat", "--format", format, at("t.etl"))
		if n := int64(strings.Count(out, "\n")); format == "ndjson" && n != info.Events {
			t.Errorf("%d lines of %d events", n, info.Events)
		}
	}
	for _, format := range []string{"pftrace", "firefox.json", "speedscope.json", "pb.gz", "folded"} {
		ask("export", at("t.etl"), "-o", at("t."+format))
	}
	ask("convert", at("t.etl"), "-o", at("out"))
	written := []string{"out/views.sql"}
	if pages {
		ask("report", at("t.etl"), "-o", at("t.html"))
		ask("report", at("t.etl"), "--against", "../../testdata/sample.etl", "-o", at("against.html"))
		written = append(written, "t.html", "against.html")
	}
	for _, name := range written {
		if info, err := os.Stat(at(name)); err != nil || info.Size() == 0 {
			t.Error(err)
		}
	}
	if testenv.Running(t) == testenv.TierQuick {
		return
	}
	for _, input := range []string{at("t.etl"), at("out")} {
		got := ask("query", "--format", "csv", input, "SELECT count(*) AS n, max(seconds) < 1e10 AS fits,"+
			" count(*) FILTER (time_ns IS NULL) = coalesce((SELECT sum(count) FROM problems WHERE code = 'time_damaged'), 0) AS said,"+
			" (SELECT count(*) >= 0 FROM what_stands_out) AS found FROM events")
		if want := fmt.Sprintf("n,fits,said,found\n%d,true,true,true\n", info.Events); got != want {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
}
