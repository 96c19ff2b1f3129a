package answers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/cputime"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Variable names the environment variable with the path of the DuckDB program, if it is not on the
// path.
const Variable = "ETL2PARQUET_DUCKDB"

// The oldest supported version: earlier ones lack features that the views need.
const (
	leastMajor = 1
	leastMinor = 4
)

// ErrUnavailable means that there is no DuckDB, or a version that is too old, or another program.
var ErrUnavailable = errors.New("DuckDB is needed to run SQL")

const howToGet = `"pip install duckdb-cli" installs it, and https://duckdb.org/install has it too; or set ` + Variable + ` to its path`

// DuckDB is a DuckDB program. It answers one question at a time: Statements, Ask and Run use one process.
// Close ends that if Run was not called.
type DuckDB struct {
	program    string
	views      *views.Set
	own        map[string]*Statement // the SELECTs of users' views, by name; Statements parses them
	isOld      bool                  // before safeMajor.safeMinor; Statements sets it
	optimizers []string              // their names; Statements finds them
	bound      memoryBound
	time       Time
	process    *process // waits for statements; nil if there is none
}

// Time is the time that DuckDB and the writing of its results took.
type Time struct {
	Wall      time.Duration
	Processor time.Duration
	Own       time.Duration // that part of Processor which this process used
}

// Time returns the time that all programs took that d has started for statements, plans and results.
func (d *DuckDB) Time() Time { return d.time }

// clock begins to measure; the function that it returns ends that.
func (d *DuckDB) clock() (stop func()) {
	start, used := time.Now(), cputime.Used()
	return func() {
		d.time.Wall += time.Since(start)
		processor := cputime.Used() - used
		d.time.Own += processor
		d.time.Processor += processor
	}
}

// The first version whose shell locks the configuration in its safe mode.
const (
	safeMajor = 1
	safeMinor = 5
)

// Find finds the program, which will know these views; nil means the program's. Statements checks its version.
func Find(set *views.Set) (*DuckDB, error) {
	name := os.Getenv(Variable)
	if name == "" {
		name = "duckdb"
	}
	program, err := exec.LookPath(name)
	switch {
	case err == nil:
		return &DuckDB{program: program, views: cmp.Or(set, views.BuiltIn())}, nil
	case name == "duckdb" && errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w, and there is no duckdb on the path: %s", ErrUnavailable, howToGet)
	case os.Getenv(Variable) != "":
		return nil, fmt.Errorf("%w, and %s names %s, which cannot be run: %s", ErrUnavailable, Variable, name, howToGet)
	}
	return nil, fmt.Errorf("%w, and %w: %s", ErrUnavailable, err, howToGet)
}

// checkVersion checks the version that the program reports, such as v1.5.6. message is its standard
// error, for a program that reports no version.
func (d *DuckDB) checkVersion(version, message string) error {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	major, err := strconv.Atoi(parts[0])
	if err != nil || len(parts) < 2 {
		if message != "" {
			message = " (" + message[strings.LastIndexByte(message, '\n')+1:] + ")"
		}
		return fmt.Errorf("%w, and %s does not answer like it%s: %s", ErrUnavailable, d.program, message, howToGet)
	}
	minor, err := strconv.Atoi(parts[1])
	d.isOld = err == nil && (major < safeMajor || major == safeMajor && minor < safeMinor)
	if err != nil || major > leastMajor || major == leastMajor && minor >= leastMinor {
		return nil
	}
	return fmt.Errorf("%w, version %d.%d or later, and %s is %s: %s", ErrUnavailable, leastMajor, leastMinor, d.program, version, howToGet)
}

// command returns a command of the program.
func (d *DuckDB) command(ctx context.Context, args ...string) *exec.Cmd {
	inheritOpenFiles()
	return exec.CommandContext(ctx, d.program, args...)
}

// childTime bounds the wait for the output of a stopped program.
const childTime = 5 * time.Second

// run makes the program run a script, whose results go to out. It returns the program's standard
// error, and an error if the program failed.
func (d *DuckDB) run(ctx context.Context, script string, out io.Writer, args ...string) (message string, err error) {
	// The user's own start file could change what is printed.
	cmd := d.command(ctx, append([]string{"-init", os.DevNull, "-batch", "-bail"}, args...)...)
	cmd.Stdin = strings.NewReader(forShell(script))
	cmd.Stdout = out
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.WaitDelay = childTime
	ownGroup(cmd)
	if err = cmd.Start(); err == nil {
		release := endWithUs(cmd, d.bound)
		memory := watchMemory(cmd, d.bound)
		err = cmd.Wait()
		memory.stop()
		release()
		err = memory.errorOf(errs.String(), err)
		d.time.Processor += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return strings.TrimSpace(errs.String()), err
}
