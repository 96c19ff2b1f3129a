//go:build unix && !linux

package answers

import (
	"bytes"
	"os/exec"
	"strconv"
)

// slowness is greater where ps has to be run.
const slowness = 25

// limitData does nothing: no limit of these systems is for all the memory of another process.
func limitData(int, int64) {}

// residentSize returns the bytes that a process and its child processes have in the machine's memory: the duckdb of
// PyPI is a script that starts the program. It is 0 if the process has ended.
func residentSize(pid int) (size int64) {
	list, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,rss=").Output()
	if err != nil {
		return 0
	}
	sizes, children := make(map[int]int64), make(map[int][]int)
	for line := range bytes.Lines(list) {
		var numbers []int
		for _, field := range bytes.Fields(line) {
			if n, err := strconv.Atoi(string(field)); err == nil {
				numbers = append(numbers, n)
			}
		}
		if len(numbers) == 3 {
			sizes[numbers[0]] = int64(numbers[2]) << 10
			children[numbers[1]] = append(children[numbers[1]], numbers[0])
		}
	}
	for rest := []int{pid}; len(rest) > 0; rest = rest[1:] {
		size += sizes[rest[0]]
		rest = append(rest, children[rest[0]]...)
	}
	return size
}
