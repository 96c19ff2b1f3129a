//go:build unix

package batch

import "syscall"

// openFilesLimit returns the most files the process may have open. The Go runtime
// has raised the limit to the highest that is allowed.
func openFilesLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return unlimitedFiles // this call fails on no known system
	}
	return int(min(uint64(limit.Cur), unlimitedFiles))
}
