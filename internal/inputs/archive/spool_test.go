package archive_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// spoolHere makes a process of the test binary keep a temporary file in the given
// folder, report it, and wait to be killed.
const spoolHere = "ETL2PARQUET_TEST_SPOOL"

func TestMain(m *testing.M) {
	if dir := os.Getenv(spoolHere); dir != "" {
		spoolAndWait(dir)
	}
	os.Exit(m.Run())
}

func spoolAndWait(dir string) {
	in := at("x.zip", zipped(named{"a.etl", "0123456789"}))
	err := archive.Walk(context.Background(), in, archive.Options{TempDir: dir}, func(e *archive.Entry, err error) error {
		if err != nil {
			return err
		}
		if _, err := e.File(); err != nil {
			return err
		}
		os.Stdout.WriteString("kept\n")
		_, err = io.Copy(io.Discard, os.Stdin) // until the test ends at the latest; Go reports select {} as a deadlock
		return err
	})
	panic(err)
}

// TestCrash kills a process that keeps a temporary file. A sweep removes the file.
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	c := exec.Command(must(os.Executable()))
	c.Env = append(os.Environ(), spoolHere+"="+dir)
	out := must(c.StdoutPipe())
	must(c.StdinPipe())
	must(0, c.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "kept\n" {
		t.Errorf("%q, %v", line, err)
	}
	must(0, c.Process.Kill())
	if err := c.Wait(); err == nil {
		t.Error("the process was not killed")
	}
	if _, err := temporary.SweepFiles(dir); err != nil {
		t.Error(err)
	}
	if left := must(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestNoTempDir checks the error for a missing temporary folder.
func TestNoTempDir(t *testing.T) {
	dir := t.TempDir()
	in := at("x.zip", zipped(named{"a.etl", "0123456789"}))
	err := archive.Walk(t.Context(), in, archive.Options{TempDir: filepath.Join(dir, "none")}, func(e *archive.Entry, err error) error {
		if err == nil {
			_, err = e.File()
		}
		return err
	})
	if !os.IsNotExist(err) {
		t.Errorf("a missing folder: %v", err)
	}
}
