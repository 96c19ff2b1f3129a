package bench

import "time"

// Stage is a part of a conversion that is measured.
type Stage string

// The stages, as the package documentation explains them.
const (
	Read    Stage = "read"
	Hash    Stage = "hash"
	Unpack  Stage = "unpack"
	Walk    Stage = "walk"
	Index   Stage = "index"
	Columns Stage = "columns"
	Scatter Stage = "scatter"
	Encode  Stage = "encode"
	Write   Stage = "write"
	Convert Stage = "convert"
)

// Stages are all stages, in the order in which they are printed.
var Stages = []Stage{Read, Hash, Unpack, Walk, Index, Columns, Scatter, Encode, Write, Convert}

// run is a stage with a number of workers.
type run struct {
	stage   Stage
	workers int
}

// ledger collects the costs of all rounds.
type ledger struct {
	round map[run]Cost // of the round that runs
	past  map[run][]Cost
}

func newLedger() *ledger {
	return &ledger{make(map[run]Cost), make(map[run][]Cost)}
}

// add adds to the cost of a stage in this round.
func (l *ledger) add(s Stage, workers int, c Cost) {
	sum := l.round[run{s, workers}]
	sum.add(c)
	l.round[run{s, workers}] = sum
}

// endRound keeps the costs of a round, or forgets those of a warm-up.
func (l *ledger) endRound(keep bool) {
	for r, c := range l.round {
		if keep {
			l.past[r] = append(l.past[r], c)
		}
	}
	clear(l.round)
}

// totals returns the stages that were measured.
func (l *ledger) totals(workers []int, events int64, bytes map[Stage]int64) (list []StageTotal) {
	for _, stage := range Stages {
		for _, n := range workers {
			costs := l.past[run{stage, n}]
			if len(costs) == 0 {
				continue
			}
			var cpu, wall []time.Duration
			for _, c := range costs {
				cpu, wall = append(cpu, c.CPU), append(wall, c.Wall)
			}
			t := StageTotal{Stage: string(stage), Workers: n, Events: events, Bytes: bytes[stage], CPU: spreadOf(cpu), Wall: spreadOf(wall)}
			t.EventsPerCore, t.BytesPerCore = rate(events, t.CPU.Median), rate(t.Bytes, t.CPU.Median)
			t.EventsPerSecond, t.BytesPerSecond = rate(events, t.Wall.Median), rate(t.Bytes, t.Wall.Median)
			list = append(list, t)
		}
	}
	return list
}
