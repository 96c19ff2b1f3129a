//go:build unix

package bundle

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// BenchmarkMethods prints what the methods of runtimes cost: the processor time of a whole
// conversion divided by that of one that does not read the events about methods, has no table
// of methods, and names no frames by them. Each pair is measured side by side, in alternating
// order; the ratio is the median of the pairs.
//
//	go test ./internal/lake/bundle -run '^$' -bench Methods -benchtime 1x
func BenchmarkMethods(b *testing.B) {
	const pairs = 21
	fmt.Print("\n| trace | ms without methods | ms with methods | median ratio of pairs | quartiles |\n|---|---|---|---|---|\n")
	for _, source := range []string{benchSource, benchManifest} {
		path := testenv.Shared(b, source)
		run := func(noMethods bool) float64 { return processorSeconds(b, path, noMethods) }
		run(true)
		run(false)
		var with, without, ratios []float64
		for i := range pairs {
			order := [2]bool{i%2 == 0, i%2 != 0}
			var times [2]float64
			for k, noMethods := range order {
				times[k] = run(noMethods)
			}
			if order[0] {
				times[0], times[1] = times[1], times[0]
			}
			with, without, ratios = append(with, times[0]), append(without, times[1]), append(ratios, times[0]/times[1])
		}
		slices.Sort(ratios)
		fmt.Printf("| %s | %.1f | %.1f | %.3f | %.3f to %.3f |\n", filepath.Base(path), 1000*middle(without), 1000*middle(with), middle(ratios),
			ratios[pairs/4], ratios[pairs*3/4])
	}
}

func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// processorSeconds returns the processor time of a conversion by one worker, with that of
// the garbage collector.
func processorSeconds(b *testing.B, path string, noMethods bool) float64 {
	d := openDataset(b, filepath.Join(b.TempDir(), "out"))
	runtime.GC()
	before := processorTime(b)
	o := Options{Options: pipeline.Options{Workers: 1, Memory: pipeline.DefaultMemory}, Force: true}
	if noMethods {
		o.Limits.Without = index.MethodFacts
	}
	if _, err := convertFile(context.Background(), d, path, "trace", o); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	return (processorTime(b) - before).Seconds()
}

// processorTime returns the processor time of this process so far, in its code and in the system's.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
