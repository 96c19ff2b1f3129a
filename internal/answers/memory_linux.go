package answers

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// slowness is 1: looking at the memory of a process takes microseconds.
const slowness = 1

// limitData limits the memory that a process may ask the system for. Its child processes inherit the limit. It fails if
// the process has ended.
func limitData(pid int, bytes int64) {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &limit) != nil {
		return
	}
	limit.Max = min(limit.Max, uint64(bytes))
	limit.Cur = min(limit.Cur, limit.Max)
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil)
}

// residentSize returns the bytes that a process and its child processes have in the machine's memory: the duckdb of
// PyPI is a script that starts the program. It is 0 if the process has ended.
func residentSize(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := bytes.Fields(statm)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	size := pages * int64(os.Getpagesize())
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // a kernel without it has no list
	for _, field := range bytes.Fields(children) {
		if child, err := strconv.Atoi(string(field)); err == nil {
			size += residentSize(child)
		}
	}
	return size
}
