package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestCost counts the buffers that a query of a short time range reads. It prints the processor time of
// a query over a trace of 200 MB beside the time of converting the trace, and passes whatever they are:
//
//	go test -run TestCost -v .
func TestCost(t *testing.T) {
	for _, name := range []string{"net.4.5.2.x86.etl", "KernelNetwork.etl"} {
		t.Run(name, func(t *testing.T) {
			trace := amplified(t, name, "200MB")
			info, err := os.Stat(trace)
			if err != nil {
				t.Fatal(err)
			}
			convert := exec.CommandContext(t.Context(), must(t, program), "convert", trace, "-o", filepath.Join(t.TempDir(), "out"), "--progress", "none")
			if out, err := convert.CombinedOutput(); err != nil {
				t.Fatalf("%v: %.2000s", err, out)
			}
			converting := (convert.ProcessState.UserTime() + convert.ProcessState.SystemTime()).Seconds()
			point := fmt.Sprintf("SELECT count(*), max(time_ns) FROM read_etl(%s, \"from\" := 1.0, \"to\" := 1.1)", quoted(trace))
			a := session(t, versions[0],
				step{Do: "cost", Statement: "SELECT provider_name, count(*) FROM " + quoted(trace) + " GROUP BY ALL"},
				step{Do: "cost", Statement: "SELECT count(*), max(time_ns) FROM " + quoted(trace)},
				step{Do: "cost", Statement: point})
			query, whole, short := a[0], a[1], a[2]
			t.Logf("%d MB: converting %.2f s of processor time, the query %.2f s, %.2f of that", info.Size()>>20, converting, query.Seconds, query.Seconds/converting)
			t.Logf("file reads: all times %d, a tenth of a second %d (%.3f s of processor time)", whole.Reads, short.Reads, short.Seconds)
			for _, answer := range a {
				if answer.Error != "" {
					t.Fatal(answer.Error)
				}
			}
			if short.Reads == 0 || short.Reads*20 > whole.Reads {
				t.Errorf("a tenth of a second reads %d of %d buffers", short.Reads, whole.Reads)
			}
		})
	}
}

// TestMemory measures the resident memory of a first reading of large traces, the index included.
func TestMemory(t *testing.T) {
	for _, name := range []string{"net.4.5.2.x86.etl", "diaghub.etl"} {
		t.Run(name, func(t *testing.T) {
			trace := amplified(t, name, "250MB")
			a := session(t, versions[0], step{Do: "peak"}, step{SQL: "SELECT provider_name, count(*) FROM " + quoted(trace) + " GROUP BY ALL"}, step{Do: "peak"})
			if a[1].Error != "" {
				t.Fatal(a[1].Error)
			}
			const perProcessor, index = 128 << 20, 48 << 20
			took, most := a[2].Bytes-a[0].Bytes, int64(runtime.GOMAXPROCS(0))*perProcessor+index
			t.Logf("%d MiB, of at most %d", took>>20, most>>20)
			if took > most {
				t.Errorf("the query takes %d MiB of memory, more than %d", took>>20, most>>20)
			}
		})
	}
}
