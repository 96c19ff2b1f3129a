package schema

import "slices"

func kernelUms() eventClass {
	return eventClass{
		ref:       refWindows10MOF,
		certainty: Documented,
		enabledBy: "PERF_UMS",
		events: []Event{
			{Name: "DSwitchStart", Type: 0x20, Since: 2,
				Doc: "A directed switch to a user-mode scheduled (UMS) thread began.",
				Fields: slices.Concat(umsThreadFields, []Field{
					{Name: "switch_flags", Kind: U32, Values: "ums_switch_start_flags", Doc: "Flags of the directed switch."},
				})},
			{Name: "DSwitchEnd", Type: 0x21, Since: 2,
				Doc: "A directed switch to a user-mode scheduled (UMS) thread ended.",
				Fields: slices.Concat(umsThreadFields, []Field{
					{Name: "switch_flags", Kind: U32, Values: "ums_switch_end_flags", Doc: "Flags of the directed switch."},
				})},
			{Name: "ScheduledPark", Type: 0x22, Since: 2,
				Doc: "A user-mode scheduled (UMS) thread was parked.",
				Fields: []Field{
					{Name: "process_id", Kind: U32, Doc: "Process of the threads."},
					{Name: "scheduled_thread_id", Kind: U32, Doc: "User-mode scheduled thread."},
					{Name: "park_flags", Kind: U32, Values: "ums_park_flags", Doc: "1 volatile, 2 primary thread present, 4 primary thread got the context."},
				}},
			{Name: "Disassociate", Type: 0x23, Since: 2,
				Doc: "A UMS thread was parted from its primary (scheduler) thread, with the status.",
				Fields: slices.Concat(umsThreadFields, []Field{
					{Name: "ums_apc_control_flags", Kind: U32, Doc: "Flags of the UMS APC; bits not documented."},
					powerStatus,
				})},
			{Name: "CSwitch", Type: 0x24, Since: 2,
				Doc: "User-mode context switch counts of UMS thread ScheduledThreadId.",
				Fields: []Field{
					{Name: "scheduled_thread_id", Kind: U32, Doc: "User-mode scheduled thread."},
					{Name: "switch_count", Kind: U32, Doc: "Number of user-mode switches."},
					{Name: "kernel_yield_count", Kind: U32, Doc: "Number of yields in the kernel."},
					{Name: "mixed_yield_count", Kind: U32, Doc: "Number of mixed yields."},
					{Name: "yield_count", Kind: U32, Doc: "Number of yields in user mode."},
				}},
		},
	}
}

var umsThreadFields = []Field{
	{Name: "process_id", Kind: U32, Doc: "Process of the threads."},
	{Name: "scheduled_thread_id", Kind: U32, Doc: "User-mode scheduled thread."},
	{Name: "primary_thread_id", Kind: U32, Doc: "Thread whose kernel side runs it (primary thread)."},
}
