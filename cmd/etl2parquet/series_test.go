package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSeriesCase reads the case series of ../shared/cases, four files of a private session, whole and
// without its first file: by cat, which opens traces, and by info.
func TestSeriesCase(t *testing.T) {
	folder := filepath.Dir(testenv.Shared(t, "cases/series/series.1.etl"))
	all := testenv.SharedFiles(t, "cases/series/*.etl")
	for name, test := range map[string]struct {
		args []string
		want string // lost, lost by the session, place; the start of what is covered, and how long it is
	}{
		"folder":              {[]string{folder}, "2/2 #1 from null for 60 s, 1/3 #2 from 11:01:00 for 60 s, 1/4 #3 from 11:02:00 for 60 s, 1/5 #4 from 11:03:00 for 60 s"},
		"without the first":   {all[1:], "null/3 #2 from 11:01:30 for 30 s, 1/4 #3 from 11:02:00 for 60 s, 1/5 #4 from 11:03:00 for 60 s"},
		"with one in between": {[]string{all[0], all[3], all[2]}, "2/2 #1 from null for 60 s, 1/5 #4 from 11:03:00 for 60 s, null/4 #3 from 11:02:30 for 30 s"},
	} {
		t.Run(name, func(t *testing.T) {
			type row struct {
				Lost    *int64  `json:"events_lost"`
				Session *int64  `json:"session_events_lost"`
				File    *int64  `json:"session_file"`
				From    *string `json:"covered_from"`
				ID      string  `json:"session"`
				Group   string  `json:"recording"`
				Length  *int64  `json:"duration_ns"`
			}
			for _, command := range [][]string{{"info", "--json"}, {"cat", "--table", "traces", "--format", "ndjson"}} {
				var stdout, stderr bytes.Buffer
				if status := run(t.Context(), append(command, test.args...), nil, &stdout, &stderr); status != exitDone {
					t.Fatalf("exit status %d: %s", status, &stderr)
				}
				var got []string
				var first row
				for d := json.NewDecoder(&stdout); d.More(); {
					var r row
					if err := d.Decode(&r); err != nil {
						t.Fatal(err)
					}
					if r.ID == "" {
						continue // the files left out
					}
					if first.ID == "" {
						first = r
					}
					if r.ID != first.ID || r.Group != first.Group {
						t.Errorf("%v: session %s of recording %s, and %s of %s", command, first.ID, first.Group, r.ID, r.Group)
					}
					got = append(got, seriesText(r.Lost, r.Session, r.File, r.From, r.Length))
				}
				want := test.want
				if command[0] == "cat" { // the table has no durations
					for _, length := range []string{" for 60 s", " for 30 s"} {
						want = strings.ReplaceAll(want, length, "")
					}
				}
				if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
					t.Errorf("%v: %s", command, diff)
				}
			}
		})
	}
}

func seriesText(lost, session, file *int64, from *string, length *int64) string {
	number := func(n *int64) string {
		text, err := json.Marshal(n)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	text := number(lost) + "/" + number(session) + " #" + number(file) + " from "
	if from == nil {
		text += "null"
	} else {
		text += (*from)[len("2026-03-01T"):][:len("11:00:00")]
	}
	if length != nil {
		seconds := *length / 1e9
		text += " for " + number(&seconds) + " s"
	}
	return text
}

// TestOtherNames reads a folder with traces of any name: what is no trace is left out and named, and what is
// called .etl and is none fails.
func TestOtherNames(t *testing.T) {
	folder := t.TempDir()
	trace := testenv.ReadFile(t, sampleTrace)
	for name, data := range map[string]string{
		"SCM.EVM": string(trace), "MpWppTracing-20260101-00000003-ff.bin": string(trace[:len(trace)-1]), "EtwRTx": string(trace),
		"notes.txt": "a note", "picture.png": "\x89PNG", "data": "\x00\x01\x02\x03", "none": "",
	} {
		testenv.WriteFile(t, filepath.Join(folder, name), data)
	}
	info := func(want int) (lines []string, stderr string) {
		t.Helper()
		var stdout, errors bytes.Buffer
		if status := run(t.Context(), []string{"info", "--json", folder}, nil, &stdout, &errors); status != want {
			t.Errorf("exit status %d, want %d: %s", status, want, &errors)
		}
		return strings.Split(strings.TrimSpace(stdout.String()), "\n"), errors.String()
	}
	lines, stderr := info(exitDone)
	var last struct {
		LeftOut []struct{ File, Kind string } `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(lines) != 4 || len(last.LeftOut) != 4 {
		t.Errorf("%d lines, the last %s: %v", len(lines), lines[len(lines)-1], err)
	}
	if !strings.Contains(stderr, "4 files left out: ") || !strings.Contains(stderr, " and 1 more") {
		t.Error(stderr)
	}
	for _, text := range []string{"", "a text"} {
		testenv.WriteFile(t, filepath.Join(folder, "x.etl"), text)
		if lines, _ = info(exitSomeFailed); len(lines) != 4 {
			t.Errorf("%d lines with x.etl of %q", len(lines), text)
		}
	}
}
