package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// summary prints the events of go test, and records skipped tests.
type summary struct {
	out    io.Writer
	output map[[2]string][]string // of a package's test that still runs, or of a package ("")
	// reasons has the tests of each package, by the reason for which they were
	// skipped or went on without a part.
	reasons                 map[string]map[string][]string
	passed, failed, skipped int // tests and their subtests
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, output: make(map[[2]string][]string), reasons: make(map[string]map[string][]string)}
}

// read prints events until their end.
func (s *summary) read(events io.Reader) error {
	for lines := bufio.NewReader(events); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil {
				s.event(&e)
			} else {
				s.out.Write(line) // go's own output
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ofPackage matches the beginning of go test's last line for a package.
var ofPackage = regexp.MustCompile(`^(ok  |FAIL|\?   )\t`)

func (s *summary) event(e *event) {
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		if e.Test == "" && ofPackage.MatchString(e.Output) {
			s.failRest(e)
			fmt.Fprint(s.out, e.Output)
			return
		}
		s.output[key] = append(s.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			s.end(e, s.output[key])
		}
		delete(s.output, key)
	}
}

// end counts a test, prints its output if it failed, and records the parts that it
// lacked.
func (s *summary) end(e *event, output []string) {
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		s.print(output)
		return
	case "skip":
		s.skipped++
	}
	reason, lacks := "", false
	for _, line := range output {
		_, logged, _ := strings.Cut(line, ".go:")
		_, message, ok := strings.Cut(logged, ": ")
		if !ok {
			continue
		}
		message = strings.TrimSpace(message)
		if strings.HasPrefix(message, testenv.Mark) {
			message, _, _ = strings.Cut(message, " (") // the error differs between tests
			s.remember(message, e)
			lacks = true
			continue
		}
		reason = message // the last message is the reason of the skip
	}
	if e.Action == "skip" && !lacks {
		s.remember(cmp.Or(reason, "for no reason given"), e)
	}
}

func (s *summary) remember(reason string, e *event) {
	if s.reasons[reason] == nil {
		s.reasons[reason] = make(map[string][]string)
	}
	tests := s.reasons[reason]
	name, _, _ := strings.Cut(e.Test, "/")
	if !slices.Contains(tests[e.Package], name) {
		tests[e.Package] = append(tests[e.Package], name)
	}
}

// failRest prints, before the line of a package that fails, the output of the package
// and of tests that did not end because of a panic or an exit.
func (s *summary) failRest(e *event) {
	for _, key := range slices.SortedFunc(maps.Keys(s.output), func(a, b [2]string) int { return strings.Compare(a[1], b[1]) }) {
		if key[0] != e.Package {
			continue
		}
		if strings.HasPrefix(e.Output, "FAIL") {
			s.print(s.output[key])
		}
		delete(s.output, key)
	}
}

// print prints output without the lines that only go test -v prints.
func (s *summary) print(output []string) {
	for _, line := range output {
		if !strings.HasPrefix(line, "=== ") && line != "PASS\n" && line != "FAIL\n" {
			fmt.Fprint(s.out, line)
		}
	}
}

// module begins the paths of this module's packages.
const module = "github.com/etl2parquet/etl2parquet/"

// list prints the tests that were skipped, or went on without a part, by reason.
func (s *summary) list() {
	if len(s.reasons) == 0 {
		return
	}
	fmt.Fprint(s.out, "\nSkipped, or tested with less:\n")
	for _, reason := range slices.Sorted(maps.Keys(s.reasons)) {
		fmt.Fprintf(s.out, "%s\n", reason)
		tests := s.reasons[reason]
		for _, p := range slices.Sorted(maps.Keys(tests)) {
			fmt.Fprintf(s.out, "\t%s: %s\n", strings.TrimPrefix(p, module), strings.Join(tests[p], " "))
		}
	}
}
