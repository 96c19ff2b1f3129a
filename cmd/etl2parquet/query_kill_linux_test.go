package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// process returns the parent of a process, and whether it runs.
func process(pid int) (parent int, runs bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // the name can have spaces
	parent, err = strconv.Atoi(fields[1])
	return parent, err == nil && fields[0] != "Z"
}

// descendants returns the processes that a process has started, and those that they have.
func descendants(t *testing.T, of int) (list []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parent, runs := process(pid); runs && parent == of {
			list = append(append(list, pid), descendants(t, pid)...)
		}
	}
	return list
}

// TestQueryKill kills a query while DuckDB runs. DuckDB ends, too, and the next query removes the folder,
// but not that of a query that still runs.
func TestQueryKill(t *testing.T) {
	testenv.All(t, "kills of the program")
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP) // programs that tests start do not ignore it, as under nohup they would
	defer signal.Stop(handled)
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	sample := absoluteSample(t)
	temp := t.TempDir()
	until := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("waited a minute: %s", what)
			}
		}
	}
	start := func(nth int) (*exec.Cmd, []int) {
		cmd := exec.Command("etl2parquet", "query", sample, "SELECT count(*) FROM range(100000000000) a, range(1000000) b", "--temp-dir", temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill() // it may have been killed
			_ = cmd.Wait()
		})
		var children []int
		until("DuckDB runs the statement", func() bool {
			found, _ := filepath.Glob(filepath.Join(temp, "etl2parquet-query-*", "result_0"))
			children = descendants(t, cmd.Process.Pid)
			return len(found) == nth && len(children) > 1
		})
		return cmd, children
	}
	killed, children := start(1)
	live, _ := start(2)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	until("DuckDB ends with the killed query", func() bool {
		return !slices.ContainsFunc(children, func(pid int) bool { _, runs := process(pid); return runs })
	})
	folders := func() int {
		found, err := filepath.Glob(filepath.Join(temp, "etl2parquet-query-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := folders(); n != 2 {
		t.Errorf("%d folders, want that of the killed query and that of the live one", n)
	}
	if out, err := exec.Command("etl2parquet", "query", sample, "SELECT 1 AS n", "--temp-dir", temp).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := folders(); n != 1 {
		t.Errorf("%d folders after the next query, want that of the live one", n)
	}
	if _, runs := process(live.Process.Pid); !runs {
		t.Fatal("the other query has ended")
	}
	if err := live.Process.Signal(syscall.SIGHUP); err != nil { // as when its terminal is closed
		t.Fatal(err)
	}
	if _ = live.Wait(); live.ProcessState.ExitCode() != exitInterrupted || folders() != 0 {
		t.Errorf("after SIGHUP: %v, %d folders", live.ProcessState, folders())
	}
}
