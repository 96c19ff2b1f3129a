package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/bench"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	traceFlags      // the workers of its resources are the largest number of the list
	options         bench.Options
	workers         commaList
	part            texts.Size
	against, python string
}

// defaultWorkers returns powers of two below a number of processors, and the number.
func defaultWorkers(processors int) (list []string) {
	for n := 1; n < processors; n *= 2 {
		list = append(list, strconv.Itoa(n))
	}
	return append(list, strconv.Itoa(processors))
}

const maxRounds = 1000

// check checks the flags, finds the peer, and completes the options.
func (f *benchFlags) check(ctx context.Context) (err error) {
	o := &f.options
	o.Part = int64(f.part)
	if f.against != "" && !slices.Contains(bench.Peers, f.against) {
		return usagef("--against %s: there are %s", f.against, strings.Join(bench.Peers, " and "))
	}
	for _, text := range f.workers {
		n, err := strconv.Atoi(text)
		if err != nil {
			return usagef("--workers %s: a list of numbers is wanted, as in 1,2,4", text)
		}
		if err := checkWorkers(n); err != nil {
			return err
		}
		if !slices.Contains(o.Workers, n) {
			o.Workers = append(o.Workers, n)
		}
	}
	if len(o.Workers) == 0 {
		return usagef("--workers: name at least one number")
	}
	if f.against != "" && !slices.Contains(o.Workers, 1) {
		o.Workers = append(o.Workers, 1) // for the comparison: a peer has one worker
	}
	slices.Sort(o.Workers)
	f.resources.workers = slices.Max(o.Workers)
	if o.Profiles != "" {
		if err := os.MkdirAll(o.Profiles, 0o777); err != nil {
			return err
		}
	}
	if f.against != "" {
		o.Peer, err = bench.FindPeer(ctx, f.against, f.python)
	}
	return err
}
