package export

import (
	"context"
	"maps"
	"slices"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// switches are context switches of a processor that are not written yet.
type switches struct {
	events message
	count  int
}

// fullBundle is the number of switches in a packet.
const fullBundle = 512

// switchRow is a row of a context switch.
type switchRow struct {
	Time        int64  `column:"time_ns" null:"-1"`
	Processor   int64  `column:"processor" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
	NewThread   int64  `column:"new_thread_id" null:"-1"`
	OldThread   int64  `column:"old_thread_id" null:"-1"`
	NewPriority int64  `column:"new_thread_priority"`
	OldPriority int64  `column:"old_thread_priority"`
	OldState    int64  `column:"old_thread_state" null:"-1"`
}

// readSwitches writes the context switches. They name threads by their ids alone: the process of a
// thread that is switched out is the one that it had when it was switched in or, the first time, the one
// of the table of threads.
func (f *perfettoFile) readSwitches(ctx context.Context) error {
	for i, t := range f.traces.All() {
		err := func() error {
			owners, err := f.threadOwners(ctx, t)
			if err != nil {
				return err
			}
			running := make(map[int64]int32) // numbers of threads by id
			return eachRow(ctx, t, f.o.Scan, schema.EventsFolder+"Thread/CSwitch", func(row *switchRow) error {
				old, known := running[row.OldThread]
				if owner, ok := owners[row.OldThread]; ok && !known {
					old, known = f.thread(f.machines[i], owner.id, owner.name, row.OldThread), true
				}
				running[row.NewThread] = f.thread(f.machines[i], row.ProcessID, row.ProcessName, row.NewThread)
				f.addSwitch(row, running[row.NewThread], old, known)
				return nil
			})
		}()
		for _, processor := range slices.Sorted(maps.Keys(f.switches)) {
			f.bundle(processor)
		}
		if err := f.traceEnded(ctx, t, nil, err); err != nil {
			return err
		}
	}
	return nil
}

// threadOwners returns the processes of threads by the ids of the threads.
func (f *perfettoFile) threadOwners(ctx context.Context, t *etl2parquet.Trace) (map[int64]process, error) {
	owners := make(map[int64]process)
	err := eachRow(ctx, t, etl2parquet.Scan{}, "threads", func(row *threadRow) error {
		if _, ok := owners[row.ThreadID]; !ok {
			owners[row.ThreadID] = process{id: row.ProcessID, name: f.text(row.ProcessName)}
		}
		return nil
	})
	return owners, err
}

// linuxState returns the state of a thread that was switched out, as the kernel of Linux spells it. The
// states of Windows: https://learn.microsoft.com/windows/win32/etw/cswitch.
func linuxState(state int64) int64 {
	const runnable, sleeping, dead = 0, 1, 16
	switch state {
	case 1, 2, 3, 7: // Ready, Running, Standby, DeferredReady
		return runnable
	case 4: // Terminated
		return dead
	}
	return sleeping
}

// addSwitch adds a switch to those of its processor.
func (f *perfettoFile) addSwitch(row *switchRow, in, old int32, known bool) {
	f.written++
	f.first = min(f.first, row.Time)
	oldID, oldName := f.ids.fit(row.OldThread), ""
	if known {
		oldID, oldName = f.ids.thread(f.profile, old), f.processes.list[f.threads.list[old].process].name
	}
	inName := f.processes.list[f.threads.list[in].process].name
	s := new(message).text(1, validText(oldName)).int(2, oldID).int(3, max(row.OldPriority, 0)).int(4, linuxState(row.OldState))
	s.text(5, validText(inName)).int(6, f.ids.thread(f.profile, in)).int(7, max(row.NewPriority, 0))
	processor := int32(row.Processor)
	list := f.switches[processor]
	if list == nil {
		list = new(switches)
		f.switches[processor] = list
	}
	const sched = 4
	list.events.message(2, new(message).int(1, row.Time).int(2, oldID).message(sched, s))
	if list.count++; list.count >= fullBundle {
		f.bundle(processor)
	}
}

// bundle writes the switches of a processor.
func (f *perfettoFile) bundle(processor int32) {
	list := f.switches[processor]
	if list.count == 0 {
		return
	}
	f.add(sequenceSwitches, -1, packetFtrace, &message{append(new(message).int(1, int64(processor)).b, list.events.b...)})
	list.events.reset()
	list.count = 0
}
