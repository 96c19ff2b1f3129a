// Gotest runs go test with its own arguments and prints what go test prints: a
// line for each package and the output of what fails. At the end it lists what
// was skipped, by reason, which go test keeps to itself without -v.
//
//	go run ./internal/gotest -memory=2 -short ./...
//
// With -memory, its own and first argument, the temporary files of the tests
// are in memory, where Linux has room for so many GiB of them: datasets bring each
// file to the disk, which is half of the time of the tests.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

func main() {
	args, err := inMemory(os.Args[1:])
	status := 1
	if err == nil {
		status, err = run(".", args, os.Environ(), os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		status = 1
	}
	os.Exit(status)
}

// inMemory takes -memory out of the arguments of gotest and returns those for go
// test.
func inMemory(args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, nil
	}
	text, ok := strings.CutPrefix(args[0], "-memory=")
	if !ok {
		return args, nil
	}
	gib, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("-memory=%s: it must be a number of GiB", text)
	}
	if folder := memoryFolder(gib << 30); folder != "" { // for the tests: go itself builds on the disk
		return append(within(folder), args[1:]...), nil
	}
	return args[1:], nil
}

// within returns the arguments by which tests have their temporary files in a
// folder, those of testing.T.TempDir too. The path has no space.
func within(folder string) []string {
	return []string{"-exec", "env TMPDIR=" + folder + " GOTMPDIR=" + folder}
}

// run runs go test in a folder and returns its exit status.
func run(folder string, args, env []string, stdout, stderr io.Writer) (status int, err error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = folder, env, stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	s := newSummary(stdout)
	read := s.read(events)
	if read != nil {
		io.Copy(io.Discard, events) // go test must not wait for a reader
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, err = exit.ExitCode(), nil
	}
	s.list()
	state := cmd.ProcessState
	fmt.Fprintf(stdout, "\n%d tests passed, %d failed, %d skipped; %v, of processors %v\n", s.passed, s.failed, s.skipped,
		time.Since(begin).Round(time.Second), (state.UserTime() + state.SystemTime()).Round(time.Second))
	return status, errors.Join(read, err)
}
