// Gotest runs go test with its arguments and prints the output of go test: a line for
// each package and the output of failed tests. At the end it lists the skipped tests by
// reason, which go test prints only with -v.
//
//	go run ./tools/gotest -memory=2 -short ./...
//
// With -memory as the first argument, temporary files of tests are in memory, if Linux
// has room there for that many GiB. Conversions sync each file to the disk, which takes
// half of the time of the tests.
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

// inMemory removes -memory from the arguments of gotest and returns the arguments for
// go test.
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
	if folder := memoryFolder(gib << 30); folder != "" { // only for the tests: go builds on the disk
		return append(within(folder), args[1:]...), nil
	}
	return args[1:], nil
}

// within returns the arguments with which tests put temporary files into a folder,
// also those of testing.T.TempDir. The path must not contain a space.
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
