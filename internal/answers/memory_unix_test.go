//go:build unix

package answers

import (
	"errors"
	"os/exec"
	"testing"
)

// TestWatch starts a program whose child process alone has too much memory: both are ended, and the error says why. A
// program within its bound ends by itself.
func TestWatch(t *testing.T) {
	for _, test := range []struct {
		script   string
		resident int64
		isOver   bool
	}{
		{"sleep 60 & wait", 1 << 16, true},
		{"sleep 0.1", 1 << 30, false},
	} {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", test.script)
		ownGroup(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w := watchMemory(cmd, memoryBound{blocks: 1, resident: test.resident, data: 1 << 30})
		err := cmd.Wait()
		w.stop()
		if over := new(MemoryError); errors.As(w.errorOf("", err), &over) != test.isOver {
			t.Errorf("%s: %v", test.script, w.errorOf("", err))
		}
	}
}
