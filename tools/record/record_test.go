package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestCommandLines checks the order of commands: each session is started, stopped and handed to both
// oracles, and nothing is run by -print.
func TestCommandLines(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-print", "-o", "dir"}, &out, execute); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(out.String(), `\`, "/")
	for _, want := range []string{
		"-f dir/kernel.raw.etl\nxperf -d dir/kernel.etl\ntracerpt dir/kernel.etl -o dir/kernel.xml -of XML -summary dir/kernel.txt -y\nxperf -i dir/kernel.etl -o dir/kernel.csv -a dumper\n",
		"wpr -start docs/etl2parquet.wprp!etl2parquet.verbose -filemode\nwpr -stop dir/profile.etl\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in:\n%s", want, got)
		}
	}
	if _, err := os.Stat("dir"); !errors.Is(err, os.ErrNotExist) {
		t.Error("-print makes the folder")
	}
}

// TestFailures checks that a session that cannot be saved is ended.
func TestFailures(t *testing.T) {
	var lines []string
	err := run([]string{"-o", t.TempDir(), "-for", "0s"}, nil, func(args []string) error {
		lines = append(lines, strings.Join(args, " "))
		if strings.HasPrefix(lines[len(lines)-1], "xperf -d ") {
			return errors.New("disk full")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "kernel: disk full") || lines[len(lines)-1] != "xperf -stop" {
		t.Errorf("%v, %q", err, lines)
	}
}

// TestWork checks that each part of the work can be done on any system.
func TestWork(t *testing.T) {
	for name, part := range map[string]func() error{"files": files, "network": network, "threads": handOver, "processes": processes, "compute": compute} {
		if err := part(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
