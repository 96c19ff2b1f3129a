package bench

import (
	"errors"
	"runtime"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/cputime"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/schema"
)

// stages are the stages of a conversion. Each is measured by runs that stop after it, so its cost is that of
// its runs less that of the runs that stop before.
var stages = []string{"index", "decode", "encode"}

// through runs a conversion up to the end of a stage.
func (m *measurement) through(stage, workers int) (err error) {
	if stage == len(stages)-1 {
		_, err = m.convert(workers)
		return err
	}
	o := m.o.Convert.Options
	o.Workers = workers
	source, err := pipeline.OpenSource(m.ctx, m.in, &o)
	if err != nil {
		return err
	}
	if stage > 0 {
		_, err = source.Rows(m.ctx, &o, noSink{})
	}
	return errors.Join(err, source.Close())
}

// noSink drops rows.
type noSink struct{}

func (noSink) Table(*schema.Table) (pipeline.Writer, error)     { return noSink{}, nil }
func (noSink) Encode(*pipeline.Group) (pipeline.Encoded, error) { return noSink{}, nil }
func (noSink) Commit() error                                    { return nil }

// Cost is the cost of some work.
type Cost struct {
	Wall time.Duration
	CPU  time.Duration // of all threads of the process, in user and system mode
}

func (c *Cost) add(d Cost) { c.Wall, c.CPU = c.Wall+d.Wall, c.CPU+d.CPU }

// measure returns the cost of f with a number of processors.
func measure(processors int, f func() error) (c Cost, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	start, used := time.Now(), cputime.Used()
	err = f()
	return Cost{time.Since(start), cputime.Used() - used}, err
}

// run has the costs with one number of workers: of the runs up to each stage, by round.
type run [][]Cost

// conversion sums up the rounds of whole conversions.
func (r run) conversion(workers int, s *Shape) Conversion {
	c := Conversion{Workers: workers}
	c.CPU, c.Wall = r.spreads(len(stages) - 1)
	c.EventsPerCore, c.BytesPerCore = rate(s.Events, c.CPU.Median), rate(s.Uncompressed, c.CPU.Median)
	c.EventsPerSecond, c.BytesPerSecond = rate(s.Events, c.Wall.Median), rate(s.Uncompressed, c.Wall.Median)
	return c
}

// spreads sums up the rounds of the runs up to a stage.
func (r run) spreads(stage int) (cpu, wall Spread) {
	var cpus, walls []time.Duration
	for _, cost := range r[stage] {
		cpus, walls = append(cpus, cost.CPU), append(walls, cost.Wall)
	}
	return spreadOf(cpus), spreadOf(walls)
}

// stages divides the processor time of a conversion among its stages. A stage that takes less than the spread of the
// rounds can seem to take nothing.
func (r run) stages(c *Conversion, s *Shape) (list []Stage) {
	before := 0.0
	for i, name := range stages {
		cpu, _ := r.spreads(i)
		t := Stage{Stage: name, Workers: c.Workers, CPU: max(cpu.Median-before, 0)}
		before = max(cpu.Median, before)
		t.NSPerEvent = ratio(t.CPU*1e9, float64(s.Events))
		t.EventsPerCore, t.BytesPerCore = rate(s.Events, t.CPU), rate(s.Uncompressed, t.CPU)
		list = append(list, t)
	}
	for i := range list {
		list[i].Share = ratio(list[i].CPU, before)
	}
	return list
}
