package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

// TestStopsWithStdin closes the standard input of a run that waits for a server.
func TestStopsWithStdin(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	cmd := exec.Command("etl2parquet", "info", server.URL+"/boot.etl")
	cmd.Env = append(os.Environ(), stopVariable+"=stdin")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	stdin.Close()
	if cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("the run ends with %v, want exit status %d", cmd.ProcessState, exitInterrupted)
	}
}

// TestReadsStdin ends standard input at once: without the variable the program does not stop.
func TestReadsStdin(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("etl2parquet", "info", sampleTrace)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
