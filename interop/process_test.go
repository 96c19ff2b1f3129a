package interop

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestProcessFolder checks that a process does not work in the folder of the test that starts it, which is removed
// before the process ends.
func TestProcessFolder(t *testing.T) {
	begin := testenv.Begin()
	if begin == "" {
		t.Fatal("the tests began in no folder")
	}
	t.Chdir(t.TempDir())
	p, err := startProcess(exec.Command(os.Args[0], "-test.run=^$"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, p.out); err != nil {
		t.Error(err)
	}
	if err := p.end(); err != nil {
		t.Error(err)
	}
	if p.program.Dir != begin {
		t.Errorf("the process works in %q, the tests began in %q", p.program.Dir, begin)
	}
}

// TestProcessLimit checks that a process that says nothing ends after its time.
func TestProcessLimit(t *testing.T) {
	const variable = "ETL2PARQUET_TEST_HANGS"
	if os.Getenv(variable) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test kills this process
		return
	}
	t.Setenv(variable, "1")
	p, err := startProcess(exec.Command(os.Args[0], "-test.run=^TestProcessLimit$"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.endAfter(time.Millisecond)()
	if _, err := p.out.ReadBytes('\n'); err == nil {
		t.Error("it answers")
	}
	if err := p.end(); err == nil {
		t.Error("it ends by itself")
	}
}
