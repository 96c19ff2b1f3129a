package convert

import (
	"fmt"
	"os"
	"syscall"
)

// residentPeak returns the most memory that a process held.
func residentPeak(p *os.ProcessState) string {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d MiB", usage.Maxrss/1024)
}
