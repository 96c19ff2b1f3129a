package export

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// sample is a weighted event with its stack.
type sample struct {
	time      int64 // ns since 1970
	processor int32
	thread    int32 // its number in the interned threads
	stack     int32 // its number in the interned stacks
	weight    int64

	threadID   int64
	leaf       string // a frame below the stack: what was waited for, or allocated; "" if there is none
	hasAddress bool   // without a stack, the address of the event is one
}

// profile reads the weighted events of traces.
type profile struct {
	*interned
	kind   *kind
	o      *Options
	traces *etl2parquet.Traces

	machines []int32 // by trace; traces of one start of a system have the same
	// intervals has the time between samples of the processor by trace, in ns; 0 if the trace does not
	// record it. timed is false if one of the traces that have samples does not: weights are then counts.
	intervals []int64
	timed     bool

	start        int64 // of the earliest session that says it, ns since 1970; 0 if none does
	events, idle int64 // read, and left out because the processor was idle
	failed       []error
}

// wait is the start of a wait.
type wait struct {
	since  int64
	reason string
}

// reader reads the events of one trace.
type reader struct {
	*profile
	interval int64
	waits    map[int64]wait
}

// newProfile prepares to read. It returns a [LackError] if the traces do not have the events.
func newProfile(ctx context.Context, traces *etl2parquet.Traces, o *Options) (*profile, error) {
	k, err := kindOf(o.Of)
	if err != nil {
		return nil, err
	}
	p := &profile{interned: newInterned(), kind: k, o: o, traces: traces, timed: true}
	if err := p.readMachines(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// readMachines reads what each trace says about its system.
func (p *profile) readMachines(ctx context.Context) error {
	boots := make(map[string]int32)
	for i, t := range p.traces.All() {
		var key string
		err := eachRow(ctx, t, etl2parquet.Scan{}, "traces", []string{"recording", "boot_time", "start_ns"}, func(c *cursor) error {
			if boot, ok := c.Int(1); ok {
				key = strconv.FormatInt(boot, 10)
			} else {
				key = strings.Clone(c.Text(0))
			}
			if start, ok := c.Int(2); ok && start > 0 && (p.start == 0 || start < p.start) {
				p.start = start
			}
			return nil
		})
		if err != nil {
			return inputError(t, err)
		}
		if key == "" {
			key = t.Name()
		}
		if _, ok := boots[key]; !ok {
			boots[key] = int32(i)
		}
		p.machines = append(p.machines, boots[key])
		interval, err := sampleInterval(ctx, t)
		if err != nil {
			return inputError(t, err)
		}
		p.intervals = append(p.intervals, interval)
		if table, err := t.Table(kinds[0].table); err == nil && table.Rows != 0 && interval == 0 {
			p.timed = false
		}
	}
	return nil
}

// sampleInterval returns the longest interval of the timer, in ns, or 0 if the trace does not record it.
func sampleInterval(ctx context.Context, t *etl2parquet.Trace) (interval int64, err error) {
	const ofTimer, tick = 0, 100
	err = eachRow(ctx, t, etl2parquet.Scan{}, "events/PerfInfo/CollectionStart", []string{"source", "new_interval"}, func(c *cursor) error {
		if c.number(0) == ofTimer {
			interval = max(interval, c.number(1)*tick)
		}
		return nil
	})
	return interval, err
}

// inputError returns the error of a trace.
func inputError(t *etl2parquet.Trace, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &facts.InputError{Input: t.Input(), Err: err}
}

// unit returns the unit of weights.
func (p *profile) unit() string {
	if p.kind.name == Samples && !p.timed {
		return "count"
	}
	return p.kind.unit
}

// weighted reports whether weights are more than counts.
func (p *profile) weighted() bool { return p.unit() != "count" }

// each calls do for each event, trace by trace, in time order. The sample is valid during the call. An
// error of do ends the reading; an error of a trace ends that trace, and is kept in failed.
func (p *profile) each(ctx context.Context, do func(s *sample) error) error {
	for i, t := range p.traces.All() {
		r := &reader{profile: p, interval: p.intervals[i], waits: make(map[int64]wait)}
		if !p.timed {
			r.interval = 1
		}
		var ended error
		err := r.read(ctx, t, p.machines[i], func(s *sample) error {
			p.events++
			ended = do(s)
			return ended
		})
		if err := p.traceEnded(ctx, t, ended, err); err != nil {
			return err
		}
	}
	return nil
}

// traceEnded keeps the error that ended a trace, and returns the one that ends all traces: of the output,
// which ended has, or of the context.
func (p *profile) traceEnded(ctx context.Context, t *etl2parquet.Trace, ended, err error) error {
	switch {
	case ended != nil:
		return ended
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.failed = append(p.failed, inputError(t, err))
	}
	return nil
}

// checkEvents returns the error for traces without events, before anything is written.
func (p *profile) checkEvents(ctx context.Context) error {
	if p.events > 0 || len(p.failed) > 0 {
		return nil
	}
	return p.lack(ctx)
}

// joined returns the errors of single traces.
func (p *profile) joined() error { return errors.Join(p.failed...) }

// read reads the events of a trace. Their stacks are read before them, and joined in time order: both
// tables are sorted by time.
func (r *reader) read(ctx context.Context, t *etl2parquet.Trace, machine int32, do func(s *sample) error) error {
	scan := r.o.Scan
	if r.kind.table != "" && len(scan.Events) == 0 {
		scan.Events = []string{strings.TrimPrefix(r.kind.table, schema.EventsFolder)} // the stacks of other events are not needed
	}
	stacks, err := r.readStacks(ctx, t, scan)
	if err != nil {
		return err
	}
	if r.kind.table == "" {
		return r.readEvents(ctx, t, scan, machine, stacks, do)
	}
	of, err := scanTable(ctx, t, scan, "stack_events", "event_ref", "time_ns", "stack_id")
	if err != nil {
		return err
	}
	defer of.Release()
	now := make(map[int64]int32) // stacks of the events at one time
	more := of.Next()
	err = eachRow(ctx, t, r.o.Scan, r.kind.table, append(eventColumns[:len(eventColumns):len(eventColumns)], r.kind.columns...), func(c *cursor) error {
		s := &sample{time: c.number(1), processor: int32(c.number(2)), threadID: c.number(5)}
		for more && of.number(1) <= s.time {
			if of.number(1) == s.time {
				now[of.number(0)] = stacks[of.number(2)]
			}
			more = of.Next()
		}
		stack, found := now[c.number(0)]
		if len(now) > 0 && found {
			delete(now, c.number(0))
		}
		if !r.kind.fill(r, c, s) {
			return nil
		}
		s.thread = r.thread(machine, c.number(3), c.Text(4), s.threadID)
		if s.stack = stack; !found && s.hasAddress {
			s.stack = r.addressStack(c)
		}
		if s.leaf != "" {
			s.stack = r.call(s.stack, r.frame(frame{function: s.leaf}))
		}
		return do(s)
	})
	if err != nil {
		return err
	}
	return of.Err()
}

// readEvents reads all events with stacks.
func (r *reader) readEvents(ctx context.Context, t *etl2parquet.Trace, scan etl2parquet.Scan, machine int32, stacks map[int64]int32, do func(s *sample) error) error {
	columns := append(eventColumns[:len(eventColumns):len(eventColumns)], "stack_id")
	return eachRow(ctx, t, scan, "stack_events", columns, func(c *cursor) error {
		s := &sample{time: c.number(1), processor: int32(c.number(2)), threadID: c.number(5), stack: stacks[c.number(len64)]}
		if !r.kind.fill(r, c, s) {
			return nil
		}
		s.thread = r.thread(machine, c.number(3), c.Text(4), s.threadID)
		return do(s)
	})
}

// readStacks reads the distinct stacks of the selected events: the numbers of the interned ones by id.
func (r *reader) readStacks(ctx context.Context, t *etl2parquet.Trace, scan etl2parquet.Scan) (map[int64]int32, error) {
	ids := make(map[int64]int32)
	columns := []string{"stack_id", "kernel_frames", "addresses", "modules", "functions", "offsets"}
	err := eachRow(ctx, t, scan, "stacks", columns, func(c *cursor) error {
		kernel := int(c.number(1))
		_, from, to := c.List(2)
		modules, modulesFrom, _ := c.List(3)
		functions, functionsFrom, _ := c.List(4)
		offsets, offsetsFrom, _ := c.List(5)
		stack := int32(noStack)
		for i := to - from - 1; i >= 0; i-- {
			stack = r.call(stack, r.frame(frame{
				module: modules.(*array.String).Value(modulesFrom + i), function: functions.(*array.String).Value(functionsFrom + i),
				offset: offsets.(*array.Uint64).Value(offsetsFrom + i), kernel: i < kernel,
			}))
		}
		ids[c.number(0)] = stack
		return nil
	})
	return ids, err
}

// addressStack returns the stack of the instruction of a sample that has no stack.
func (r *reader) addressStack(c *cursor) int32 {
	const first = len64
	address, ok := c.Int(first)
	if !ok {
		return noStack
	}
	f := frame{module: c.Text(first + 1), function: c.Text(first + 2), offset: uint64(address), kernel: address < 0}
	if f.module != "" {
		f.offset = uint64(c.number(first + 3))
	}
	return r.call(noStack, r.frame(f))
}
