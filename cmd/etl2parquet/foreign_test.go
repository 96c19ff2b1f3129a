package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestForeign gives the program files that are not traces. It reports the kind of each and
// a program that reads it, for any file name, and writes nothing.
func TestForeign(t *testing.T) {
	rest := strings.Repeat("\x00\x01\x02", 2000)
	type file struct{ name, contents, want string }
	files := []file{
		{"app.evtx", "ElfFile\x00" + rest, "a Windows event log (.evtx): Get-WinEvent -Path or evtx_dump reads it"},
		{"evtx.etl", "ElfFile\x00" + rest, "a Windows event log (.evtx): Get-WinEvent -Path or evtx_dump reads it"},
		{"old.evt", "\x30\x00\x00\x00LfLe" + rest, "an event log of Windows XP (.evt): wevtutil epl /lf:true converts it to .evtx"},
		{"cpu.BLG", "not a trace" + rest, "a log of performance counters (.blg): relog -f csv converts it"},
		{"procmon.pml", "PML_\x09\x00\x00\x00" + rest, "a log of Process Monitor (.pml): Process Monitor reads it, and saves it as CSV or XML"},
		{"app.nettrace", "Nettrace\x14\x00\x00\x00!FastSerialization.1" + rest, "a trace of .NET's EventPipe (.nettrace): PerfView reads it, and dotnet-trace convert converts it"},
		{"lan.pcapng", "\x0a\x0d\x0d\x0a\x1c\x00\x00\x00\x4d\x3c\x2b\x1a" + rest, "a capture of network packets (.pcapng): Wireshark reads it"},
		{"lan.pcap", "\xd4\xc3\xb2\xa1\x02\x00\x04\x00" + rest, "a capture of network packets (.pcap): Wireshark reads it"},
		{"perf.data", "PERFILE2" + rest, "a profile of Linux perf (perf.data): perf script reads it"},
		{"MEMORY.DMP", "PAGEDU64" + rest, "a crash dump (.dmp): WinDbg reads it, and its !wmitrace.logsave saves the traces in it as .etl"},
		{"page.etl", "<!DOCTYPE html><html>", "a web page: the server sent a page instead of the file: download the file again"},
	}
	for _, f := range files {
		dir := t.TempDir()
		path, out := filepath.Join(dir, f.name), filepath.Join(dir, "out")
		testenv.WriteFile(t, path, f.contents)
		want := "etl2parquet: " + path + ": not an ETL trace but " + f.want + "\n"
		for _, args := range [][]string{{"convert", path, "-o", out, "--quiet"}, {"info", path}, {"plan", path, "--shards", "2", "-o", out}} {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), args, nil, &stdout, &stderr)
			got := stderr.String()
			if args[0] == "plan" { // it also reports that it wrote no plan
				got, _, _ = strings.Cut(got, "etl2parquet: no trace")
			}
			if status != exitFailed || got != want || stdout.Len() > 0 {
				t.Errorf("%s %q: status %d, %q\nwant %q", args[0], f.contents[:20], status, got, want)
			}
		}
		if _, err := os.Lstat(out); err == nil {
			t.Errorf("%s: it wrote output", f.name)
		}
	}
}

// TestForeignTraces reads a trace with the name *.blg.
func TestForeignTraces(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	path := filepath.Join(t.TempDir(), "counters.blg")
	testenv.WriteFile(t, path, sample)
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"info", path}, nil, &stdout, &stderr); status != exitDone || !strings.Contains(stdout.String(), "NT Kernel Logger") {
		t.Errorf("status %d, %s", status, &stderr)
	}
}
