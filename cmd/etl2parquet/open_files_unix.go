//go:build unix

package main

import "syscall"

// openFilesLimit returns how many files the process may have open. The Go
// runtime has raised it as far as it can be.
func openFilesLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return unlimitedFiles // no system does that
	}
	return int(min(uint64(limit.Cur), unlimitedFiles))
}
