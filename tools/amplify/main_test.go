package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "4096": 4096, "2KB": 2 << 10, "3MB": 3 << 20, "1GB": 1 << 30, "1gb": 1 << 30, "1 GB": 1 << 30,
		"": 0, "GB": 0, "0": 0, "-1": 0, "1.5GB": 0, "1TB": 0, "1KKB": 0, "9000000000GB": 0,
	} {
		got, err := parseSize(text)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	in, out, text := filepath.Join(dir, "in.etl"), filepath.Join(dir, "out.etl"), filepath.Join(dir, "text")
	trace := etltest.MustParse(t, "trace buffersize=1024\nbuffer\nevent64 t=+1ms\n")
	for name, data := range map[string][]byte{in: trace, text: []byte("not a trace")} {
		testenv.WriteFile(t, name, data)
	}
	for _, c := range []struct {
		args   []string
		exit   int
		stdout string
		stderr string
	}{
		{[]string{"-size", "10KB", in, out}, 0, ": 10240 bytes, 9 repeats, 10 buffers, 10 events", ""},
		{[]string{"-size", "10KB", "-compressed", in, out}, 0, " repeats, ", ""},
		{[]string{"-h"}, 0, "", "usage: amplify -size"},
		{[]string{in, out}, exitUsage, "", "usage: amplify -size"},
		{[]string{"-size", "1KB", in}, exitUsage, "", "usage: amplify -size"},
		{[]string{"-size", "big", in, out}, exitUsage, "", "want a whole number"},
		{[]string{"-size", "1KB", in, in}, exitFailure, "", "the output is the input"},
		{[]string{"-size", "1KB", text, out}, exitFailure, "", "not an ETL trace"},
		{[]string{"-size", "1KB", filepath.Join(dir, "none"), out}, exitFailure, "", "none"},
	} {
		os.Remove(out)
		var stdout, stderr bytes.Buffer
		if exit := run(c.args, &stdout, &stderr); exit != c.exit {
			t.Errorf("%v: exit code %d, want %d", c.args, exit, c.exit)
		}
		if !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: printed %q and %q, want %q and %q", c.args, &stdout, &stderr, c.stdout, c.stderr)
		}
		if _, err := os.Stat(out); (err == nil) != (c.stdout != "") || err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: output file: %v", c.args, err)
		}
	}
	if data, err := os.ReadFile(in); err != nil || !bytes.Equal(data, trace) {
		t.Errorf("the input changed: %v", err)
	}
}
