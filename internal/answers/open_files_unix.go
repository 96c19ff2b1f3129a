//go:build unix

package answers

import "syscall"

// inheritOpenFiles makes the programs that this process starts from now on have its limit on open files. The Go
// runtime has raised the limit of this process, and would start programs with the earlier one, for programs that use
// select: 256 on macOS, and DuckDB opens a file for each table. Setting the limit, even to what it is, ends that.
func inheritOpenFiles() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit) // a failure leaves the earlier limit
	}
}

// openFilesLimit returns the number of files that a program may have open; 0: the system does not say.
func openFilesLimit() uint64 {
	var limit syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	return uint64(limit.Cur)
}
