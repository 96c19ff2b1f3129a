// Profile prints where the processor time of conversions goes: by stage, in ns an event.
//
//	go run ./bench/profile [-rounds 5] [-workers 1] [-o FOLDER] TRACE...
//
// Traces with fewer than some 100,000 events give few samples; bench/amplify makes more of them.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const (
	exitFailure = 1
	exitUsage   = 2
)

const usage = `usage: profile [-rounds 5] [-workers 1] [-o FOLDER] TRACE...

Converts each trace, and prints the processor time of each stage in ns an event.

`

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 5, "conversions of each trace")
	workers := flags.Int("workers", 1, "workers, and processors that Go uses")
	keep := flags.String("o", "", "existing folder for the profiles, which go tool pprof reads; empty: they are not kept")
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 || *rounds < 1 || *workers < 1 {
		flags.Usage()
		return exitUsage
	}
	runtime.GOMAXPROCS(*workers)
	var traces []measured
	for _, path := range flags.Args() {
		m, err := measure(path, *keep, *rounds, *workers)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", path, err)
			return exitFailure
		}
		traces = append(traces, m)
	}
	printTable(stdout, traces)
	return 0
}

// measured is the processor time of a trace's conversions.
type measured struct {
	name   string
	events int64 // of all rounds
	ns     map[string]int64
	total  int64
}

// measure converts a trace some times, and keeps the profile in a folder if there is one.
func measure(path, keep string, rounds, workers int) (m measured, err error) {
	m = measured{name: strings.TrimSuffix(filepath.Base(path), ".etl"), ns: make(map[string]int64)}
	folder, err := os.MkdirTemp("", "etl2parquet-profile")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if _, err := convertOnce(path, folder, workers); err != nil { // a warm-up
		return m, err
	}
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return m, err
	}
	for range rounds {
		events, err := convertOnce(path, folder, workers)
		if err != nil {
			pprof.StopCPUProfile()
			return m, err
		}
		m.events += events
	}
	pprof.StopCPUProfile()
	if keep != "" {
		if err := os.WriteFile(filepath.Join(keep, m.name+".pprof"), raw.Bytes(), 0o666); err != nil {
			return m, err
		}
	}
	p, err := profile.Parse(&raw)
	if err != nil {
		return m, err
	}
	for _, s := range p.Sample {
		ns := s.Value[1]
		m.ns[stageOf(s)] += ns
		m.total += ns
	}
	if m.events == 0 {
		return m, errors.New("it has no events")
	}
	return m, nil
}

func convertOnce(path, folder string, workers int) (events int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	d, err := bundle.OpenDataset(filepath.Join(folder, "out"))
	if err != nil {
		return 0, err
	}
	r, err := d.Convert(context.Background(), pipeline.Input{Name: path, Size: info.Size(), Trace: file}, "trace",
		bundle.Options{Options: pipeline.Options{Workers: workers, Memory: pipeline.DefaultMemory}, Force: true})
	if err != nil {
		return 0, err
	}
	return r.Events, nil
}
