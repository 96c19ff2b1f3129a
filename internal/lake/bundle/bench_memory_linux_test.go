package bundle

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// residentPeak runs a command and returns its peak of resident memory. It reads the
// peak while the command runs: the system's figure for an ended process includes the
// time before exec, when the process was a copy of this one.
func residentPeak(command *exec.Cmd) (string, error) {
	if err := command.Start(); err != nil {
		return "", err
	}
	peak := 0
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	for {
		select {
		case err := <-done:
			return fmt.Sprintf("%d MiB", peak/1024), err
		case <-time.After(10 * time.Millisecond):
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid)) // missing after the process ends
			if m := highWater.FindSubmatch(status); m != nil {
				kib, _ := strconv.Atoi(string(m[1])) // digits
				peak = max(peak, kib)
			}
		}
	}
}
