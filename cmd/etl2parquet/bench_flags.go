package main

import (
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/bench"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	traceFlags // the workers of its resources are the largest number of the list
	options    bench.Options
	workers    commaList
	part       texts.Size
}

// defaultWorkers returns powers of two below a number of processors, and the number.
func defaultWorkers(processors int) (list []string) {
	for n := 1; n < processors; n *= 2 {
		list = append(list, strconv.Itoa(n))
	}
	return append(list, strconv.Itoa(processors))
}

const maxRounds = 1000

// check checks the flags, and completes the options.
func (f *benchFlags) check() error {
	o := &f.options
	o.Part = int64(f.part)
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
	slices.Sort(o.Workers)
	f.resources.workers = slices.Max(o.Workers)
	return nil
}
