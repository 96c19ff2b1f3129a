package batch

import (
	"strings"
	"testing"
)

// TestOpenFilesShared checks, for limits of any size, that each part gets its
// least number of files and that the sum stays within the limit.
func TestOpenFilesShared(t *testing.T) {
	const open = 5
	var before OpenFiles
	for _, limit := range []int{open + minFiles, 64, 128, 256, 1024, 4096, unlimitedFiles} {
		f, err := newOpenFiles(limit, open)
		if err != nil {
			t.Fatalf("%d: %v", limit, err)
		}
		if sum := open + filesOfRun + f.Traces*filesPerTrace + f.Connections*filesPerConnection + f.Output; sum > limit || f.Output < minOutput || f.Connections < minConnections || f.Traces < 1 {
			t.Errorf("%d open files are divided into %+v, %d together", limit, f, sum)
		}
		if f.Output < before.Output || f.Traces < before.Traces || f.Connections < before.Connections {
			t.Errorf("%d: %+v, which is less than %+v", limit, f, before)
		}
		before = f
	}
	if _, err := newOpenFiles(open+minFiles-1, open); err == nil || !strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("error %v", err)
	}
}
