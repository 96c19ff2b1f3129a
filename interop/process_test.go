package interop

import (
	"io"
	"os"
	"os/exec"
	"testing"
)

// TestProcessFolder checks that a process does not work in the folder of the test that starts it, which is removed
// before the process ends.
func TestProcessFolder(t *testing.T) {
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
