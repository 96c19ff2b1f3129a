package schema

import (
	"slices"
	"sync"
)

func kernelPerfInfo() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Mark", Type: 0x22, Certainty: Documented, Ref: refWindows10MOF,
				Doc: "A text mark put into the trace by a tool or test.",
				Fields: []Field{
					{Name: "message", Kind: Text8, Doc: "Text of the mark."},
				}},
			{Name: "SampleProf", Type: 0x2e, Since: 1, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_PROFILE", Owner: Owner{Thread: "thread_id"}, Ref: refVistaMOF,
				Doc: "One CPU profile sample: where thread ThreadId was executing when the profile interrupt came (every 1 ms by default, per processor).",
				Fields: slices.Concat(sampleFields, []Field{
					{Name: "reserved", Kind: U16, Before: 2, Optional: true, Doc: "Upper half of Count, which has 32 bits on Microsoft's page and 16 in the MOF class; no bytes of version 1 were seen."},
					{Name: "flags", Kind: U8, Parts: []Part{{"sampled_profile_flags", 0, 0x3}}, Since: 2, Doc: "Bit 0 in a DPC, bit 1 in an interrupt routine, bits 3-7 priority of the thread."},
					{Name: "rank", Kind: U8, Since: 2, Doc: "Rank of the thread among ready threads; not documented."},
				})},
			{Name: "PmcCounterProf", Type: 0x2f, Since: 2, Certainty: Documented, EnabledBy: "PERF_PMC_PROFILE", Owner: Owner{Thread: "thread_id"}, Ref: refWindows10MOF,
				Doc: "One hardware counter sample: where ThreadId was executing when counter ProfileSource overflowed.",
				Fields: []Field{
					{Name: "instruction_pointer", Kind: Pointer, Code: true, Doc: "Address of the instruction that was running."},
					{Name: "thread_id", Kind: U32, Doc: "Thread that was running."},
					{Name: "profile_source", Kind: U16, Values: "profile_source", Doc: "Profile source that fired: timer, cycles, cache misses and so on."},
					{Name: "reserved", Kind: U16, Doc: "Reserved."},
				}},
			{Name: "PmcCtrConfig", Type: 0x30, Since: 2, Certainty: Documented, EnabledBy: "PERF_PMC_PROFILE", Ref: refWindows10MOF,
				Doc: "Names of the hardware counters the session collects, in counter order.",
				Fields: []Field{
					{Name: "counter_count", Kind: U32, Doc: "Number of counters."},
					{Name: "counter_name", Kind: Text16, CountField: "counter_count", Doc: "Names of the performance counters recorded, in order."},
				}},
			{Name: "ISR-MSI", Type: 0x32, Since: 2, Certainty: Verified, EnabledBy: "PERF_INTERRUPT", Ref: refWindows10MOF,
				Doc: "A message-signaled interrupt's service routine returned; InitialTime is when it began.",
				Fields: []Field{
					{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the interrupt routine was entered; the event is logged when it returns."},
					{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the interrupt service routine."},
					{Name: "return_value", Kind: U8, Doc: "1 if the routine claimed the interrupt, 0 if not."},
					{Name: "vector", Kind: U16, Doc: "Interrupt vector."},
					{Name: "reserved", Kind: U8, Doc: "Reserved."},
					{Name: "message_number", Kind: U32, Doc: "Number of the message of a message-signaled interrupt."},
				}},
			{Name: "SysClEnter", Type: 0x33, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_SYSTEMCALL", Ref: refVistaMOF,
				Doc: "A system call began; SysCallAddress is the kernel service. The thread is the one running on the event's processor.",
				Fields: []Field{
					{Name: "sys_call_address", Kind: Pointer, Code: true, Doc: "Address of the system service's function."},
				}},
			{Name: "SysClExit", Type: 0x34, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_SYSTEMCALL", Ref: refVistaMOF,
				Doc: "A system call returned, with its status. The thread is the one running on the event's processor.",
				Fields: []Field{
					{Name: "sys_call_nt_status", Kind: U32, Values: "ntstatus", Doc: "Value the system service returned."},
				}},
			{Name: "SampledProfileCache", Type: 0x37, Certainty: Uncertain, Natural: true, Ref: refStruct,
				Doc: "Several profile samples logged in one event (up to 20), each as in sampled_profile.",
				Fields: []Field{
					{Name: "entries", Kind: U32, Doc: "Number of samples that follow."},
					{Name: "sample", CountField: "entries", Struct: []Field{{Name: "instruction_pointer", Kind: Pointer, Doc: "Address of the instruction that was running."}, {Name: "thread_id", Kind: U32, Doc: "Thread that was running."}, {Name: "count", Kind: U16, Doc: "Number of elements."}, {Name: "flags", Kind: U8, Doc: "Flag bits; their meaning depends on the event."}, {Name: "rank", Kind: U8, Doc: "Rank of the thread among ready threads; not documented."}}, Doc: "Samples: InstructionPointer, ThreadId, Count, Flags and Rank of each."},
				}},
			{Name: "DebuggerEnabled", Type: 0x3a, Since: 2, Certainty: Verified, EnabledBy: "PERF_DEBUGGER", Ref: refVistaMOF,
				Doc: "The kernel debugger was enabled. Not documented beyond its name.",
				Fields: []Field{
					{Name: "reserved", Kind: U8, Optional: true, Doc: "Not documented; 0 in the payload that was seen, and missing in the MOF class."},
				}},
			{Name: "ThreadedDPC", Type: 0x42, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DPC", Ref: refVistaMOF,
				Doc:    "A threaded DPC routine finished; InitialTime is when it began.",
				Fields: dpcFields},
			{Name: "ISR", Type: 0x43, Since: 1, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_INTERRUPT", Ref: refVistaMOF,
				Doc:    "An interrupt service routine returned; InitialTime is when it began, ReturnValue whether it claimed the interrupt.",
				Fields: isrFields},
			{Name: "DPC", Type: 0x44, Since: 1, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DPC", Ref: refVistaMOF,
				Doc:    "A deferred procedure call routine finished; InitialTime is when it began.",
				Fields: dpcFields},
			{Name: "TimerDPC", Type: 0x45, Since: 1, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DPC", Ref: refVistaMOF,
				Doc:    "A DPC queued by a timer finished; InitialTime is when it began.",
				Fields: dpcFields},
			{Name: "IOTimer", Type: 0x46, Since: 2, Certainty: Documented, EnabledBy: "PERF_IO_TIMER", Ref: refWindows10MOF,
				Doc: "An I/O timer routine of a device expired and ran; InitialTime is when it began.",
				Fields: []Field{
					{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the timer routine was entered; the event is logged when it returns."},
					{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the I/O timer routine."},
				}},
			{Name: "SampledProfileNmi", Type: 0x47, Certainty: Uncertain, Natural: true, Owner: Owner{Thread: "thread_id"},
				Doc: "A profile sample taken by a non-maskable interrupt; fields as in sampled_profile.",
				Ref: refStruct + "PERFINFO_SAMPLED_PROFILE_INFORMATION",
				Fields: slices.Concat(sampleFields, []Field{
					{Name: "flags", Kind: U8, Parts: []Part{{"sampled_profile_flags", 0, 0x3}}, Doc: "Bit 0 in a DPC, bit 1 in an interrupt routine, bits 3-7 priority of the thread."},
					{Name: "rank", Kind: U8, Doc: "Rank of the thread among ready threads; not documented."},
				})},
			{Name: "SetInterval", Type: 0x48, Since: 2, Certainty: Documented, EnabledBy: "PERF_PROFILE", Ref: refVistaMOF,
				Doc:    "The sampling interval of a profile source changed.",
				Fields: sampleIntervalFields},
			{Name: "CollectionStart", Type: 0x49, Since: 2, Certainty: Verified, EnabledBy: "PERF_PROFILE", Ref: refVistaMOF,
				Doc:    "Sampling interval of a profile source when the trace starts.",
				Fields: sampleSourceFields()},
			{Name: "CollectionEnd", Type: 0x4a, Since: 2, Certainty: Verified, EnabledBy: "PERF_PROFILE", Ref: refVistaMOF,
				Doc:    "Sampling interval of a profile source when the trace ends.",
				Fields: sampleSourceFields()},
			{Name: "CollectionStart", Table: "CollectionStart_0F4B", Type: 0x4b, Since: 2, Certainty: Verified, EnabledBy: "PERF_SPINLOCK", Ref: refWindows10MOF,
				Doc:    "Spin lock tracing thresholds and sampling rates when the trace starts.",
				Fields: spinLockSamplingFields},
			{Name: "CollectionEnd", Table: "CollectionEnd_0F4C", Type: 0x4c, Since: 2, Certainty: Verified, EnabledBy: "PERF_SPINLOCK", Ref: refWindows10MOF,
				Doc:    "Spin lock tracing thresholds and sampling rates when the trace ends.",
				Fields: spinLockSamplingFields},
			{Name: "EResourceDCStart", Type: 0x4d, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_SYNC_OBJECTS",
				Doc:    "Executive resource (ERESOURCE) sampling settings when the trace starts; the timeout counts units of 4 seconds.",
				Ref:    refStruct + "PERFINFO_EXECUTIVE_RESOURCE_CONFIG",
				Fields: eresourceFields},
			{Name: "EResourceDCEnd", Type: 0x4e, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_SYNC_OBJECTS",
				Doc:    "Executive resource (ERESOURCE) sampling settings when the trace ends; the timeout counts units of 4 seconds.",
				Ref:    refStruct + "PERFINFO_EXECUTIVE_RESOURCE_CONFIG",
				Fields: eresourceFields},
			{Name: "ClockInterrupt", Type: 0x4f, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_CLOCK_INTERRUPT",
				Doc: "A clock interrupt; Flags bit 0 means the processor owns the clock, bit 3 that a timer is pending.",
				Ref: refStruct + "PERFINFO_CLOCK_INTERRUPT_INFORMATION",
				Fields: []Field{
					{Name: "interrupt_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time: time since boot."},
					{Name: "flags", Kind: I16, Values: "clock_interrupt_flags", Doc: "1 the processor owns the clock, 8 a timer is pending."},
				}},
			{Name: "TimerExpirationStart", Type: 0x50, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc: "The kernel began expiring due timers at InterruptTime.",
				Ref: refStruct + "ETW_TIMER_EXPIRATION_START_EVENT",
				Fields: []Field{
					{Name: "interrupt_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time: time since boot."},
				}},
			{Name: "TimerExpiration", Type: 0x51, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc: "One kernel timer expired; DeferredRoutine is its DPC, if any.",
				Ref: refStruct + "ETW_TIMER_EXPIRATION_EVENT",
				Fields: []Field{
					{Name: "expected_due_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time at which the timer is due."},
					{Name: "timer_address", Kind: Pointer, Doc: "Address of the timer."},
					{Name: "deferred_routine", Kind: Pointer, Code: true, Doc: "Address of the timer's DPC routine; 0 if none."},
					{Name: "encoded_delay", Kind: U8, Doc: "Delay the timer tolerates, encoded; encoding not documented."},
				}},
			{Name: "TimerSetPeriodic", Type: 0x52, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc:    "A periodic kernel timer was set.",
				Ref:    refStruct + "ETW_SET_TIMER_EVENT",
				Fields: timerSetFields},
			{Name: "TimerSetOneShot", Type: 0x53, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc:    "A one-shot kernel timer was set.",
				Ref:    refStruct + "ETW_SET_TIMER_EVENT",
				Fields: timerSetFields},
			{Name: "TimerSetThread", Type: 0x54, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc:    "A thread's own timer was set, as for a timed wait. Not documented beyond its name.",
				Ref:    refStruct + "ETW_SET_TIMER_EVENT",
				Fields: timerSetFields},
			{Name: "TimerCancel", Type: 0x55, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_TIMER",
				Doc: "A kernel timer was cancelled.",
				Ref: refStruct + "ETW_CANCEL_TIMER_EVENT",
				Fields: []Field{
					{Name: "timer_address", Kind: Pointer, Doc: "Address of the timer."},
				}},
			{Name: "ClockModeSwitch", Type: 0x57, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_CLOCK_TIMER", Ref: refStruct,
				Doc: "The clock changed state (NewState, PrevState) with its increments. Not documented beyond its name.",
				Fields: []Field{
					{Name: "new_state", Kind: U8, Doc: "Mode of the clock after the switch; values not documented."},
					{Name: "prev_state", Kind: U8, Doc: "Mode of the clock before the switch; values not documented."},
					{Name: "reserved", Kind: Bytes, Length: 6, Doc: "Reserved."},
					{Name: "delivered_increment", Kind: U64, Unit: In100Ns, Doc: "Clock interval now in force; in some modes the time of the next clock update instead."},
					{Name: "requested_increment", Kind: U64, Unit: In100Ns, Optional: true, Doc: "Clock interval asked for. Null if absent."},
				}},
			{Name: "ClockTimeUpdate", Type: 0x58, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_CLOCK_TIMER",
				Doc: "The system time was updated by processor ClockOwner. Not documented beyond its name.",
				Ref: refStruct + "ETW_CLOCK_TIME_UPDATE",
				Fields: []Field{
					{Name: "interrupt_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time: time since boot."},
					{Name: "clock_owner", Kind: U32, Doc: "Processor that owns the clock."},
				}},
			{Name: "ClockConfiguration", Type: 0x5a, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_CLOCK_TIMER",
				Doc: "Which clock source is used and why dynamic tick is off, if it is (1 boot setting, 2 no hardware support, 3 EM override).",
				Ref: refStruct + "ETW_CLOCK_CONFIGURATION_EVENT",
				Fields: []Field{
					{Name: "known_type", Kind: U32, Doc: "Kind of clock hardware; values not documented."},
					{Name: "capabilities", Kind: U32, Doc: "Capabilities of the clock hardware; bits not documented."},
					{Name: "disable_reason", Kind: U32, Values: "dynamic_tick_disable_reason", Doc: "Why dynamic tick is off: 0 it is on, 1 boot option, 2 no hardware support, 3 forced off for this machine."},
				}},
			{Name: "Ipi", Type: 0x5b, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_IPI",
				Doc: "A processor asked another, TargetProcessor, to run APCs (type 1) or DPCs (type 2).",
				Ref: refStruct + "PERFINFO_IPI_INFORMATION",
				Fields: []Field{
					{Name: "request_type", Kind: U32, Values: "ipi_request_type", Doc: "What is asked of the processor: 1 APC, 2 DPC."},
					{Name: "target_processor", Kind: U32, Doc: "Processor that is interrupted."},
				}},
			{Name: "ISR-Unexpected", Type: 0x5c, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc: "An interrupt came on a vector without a handler. Not documented beyond its name.",
				Fields: []Field{
					{Name: "vector", Kind: U16, Doc: "Vector of an interrupt that no driver handles."},
				}},
			{Name: "IoStartTimer", Type: 0x5d, Since: 2, Certainty: Documented, EnabledBy: "PERF_IO_TIMER", Ref: refWindows10MOF,
				Doc:    "A device's I/O timer was started.",
				Fields: ioTimerFields},
			{Name: "IoStopTimer", Type: 0x5e, Since: 2, Certainty: Documented, EnabledBy: "PERF_IO_TIMER", Ref: refWindows10MOF,
				Doc:    "A device's I/O timer was stopped.",
				Fields: ioTimerFields},
			{Name: "ISR-PASS", Type: 0x5f, Since: 1, Certainty: Documented, EnabledBy: "PERF_INTERRUPT", Ref: refWindows10MOF,
				Doc:    "A passive-level interrupt service routine returned; InitialTime is when it began.",
				Fields: isrFields},
			{Name: "WdfISR", Type: 0x60, Since: 2, Certainty: Documented, EnabledBy: "PERF_WDF_INTERRUPT", Ref: refWindows10MOF,
				Doc:    "A WDF driver's interrupt routine was called.",
				Fields: []Field{wdfRoutine}},
			{Name: "WdfPassiveISR", Type: 0x61, Since: 2, Certainty: Documented, EnabledBy: "PERF_WDF_INTERRUPT", Ref: refWindows10MOF,
				Doc:    "A WDF driver's passive-level interrupt routine was called.",
				Fields: []Field{wdfRoutine}},
			{Name: "WdfDPC", Type: 0x62, Since: 2, Certainty: Documented, EnabledBy: "PERF_WDF_DPC", Ref: refWindows10MOF,
				Doc:    "A WDF driver's DPC routine was called.",
				Fields: []Field{wdfRoutine}},
			{Name: "CpuCacheFlush", Type: 0x63, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_CACHE_FLUSH",
				Doc: "A CPU cache flush: start address, size and whether it was a full flush.",
				Ref: refStruct + "ETW_CPU_CACHE_FLUSH_EVENT",
				Fields: []Field{
					{Name: "address", Kind: Pointer, Doc: "First address flushed."},
					{Name: "bytes", Kind: Size, Unit: InBytes, Doc: "Number of bytes flushed."},
					{Name: "clean", Kind: U8, Doc: "1 if the cache is only written back, not invalidated; by its name, not documented."},
					{Name: "full_flush", Kind: U8, Doc: "1 if the whole cache is flushed."},
					{Name: "rectangle", Kind: U8, Doc: "1 if a rectangle of memory is flushed; by its name, not documented."},
					{Name: "reserved0", Kind: U8, Doc: "Reserved."},
					{Name: "reserved1", Kind: U32, Doc: "Reserved."},
				}},
			{Name: "DpcEnqueue", Type: 0x64, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_DPC_QUEUE",
				Doc: "A DPC was queued to processor TargetProcessorIndex, with queue depth and importance.",
				Ref: refStruct + "PERFINFO_DPC_ENQUEUE_INFORMATION",
				Fields: []Field{
					{Name: "key", Kind: Pointer, Doc: "Key that joins the events of one DPC."},
					{Name: "dpc_queue_depth", Kind: I32, Doc: "Number of DPCs on the queue."},
					{Name: "dpc_count", Kind: U32, Doc: "Number of DPCs so far."},
					{Name: "target_processor_index", Kind: U32, Doc: "Processor whose queue gets the DPC."},
					{Name: "importance", Kind: U8, Values: "dpc_importance", Doc: "Importance of the DPC."},
					{Name: "reserved", Kind: Bytes, Length: 3, Doc: "Reserved."},
				}},
			{Name: "DpcExecution", Type: 0x65, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_DPC_QUEUE",
				Doc: "A queued DPC began to run; joins to dpc_enqueue by Key.",
				Ref: refStruct + "PERFINFO_DPC_EXECUTION_INFORMATION",
				Fields: []Field{
					{Name: "dpc_routine", Kind: Pointer, Code: true, Doc: "Address of the DPC routine."},
					{Name: "key", Kind: Pointer, Doc: "Key that joins the events of one DPC."},
				}},
			{Name: "WdfWorkItem", Type: 0x67, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A WDF driver's work item routine was called.",
				Fields: []Field{wdfRoutine}},
			{Name: "SetKTimer2", Type: 0x68, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A KTIMER2 timer was set: due time, latest due time, period, callback.",
				Fields: ktimer2Fields},
			{Name: "ExpireKTimer2", Type: 0x69, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A KTIMER2 timer expired; fields as in set_ktimer2.",
				Fields: ktimer2Fields},
			{Name: "CancelKTimer2", Type: 0x6a, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc: "A KTIMER2 timer was cancelled.",
				Fields: []Field{
					{Name: "timer", Kind: Pointer, Doc: "Key of the timer; joins its events."},
				}},
			{Name: "DisableKTimer2", Type: 0x6b, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc: "A KTIMER2 timer was disabled, as a step of its deletion; TimerFlags: 1 cancel, 2 wait, 4 delayed, 8 has callback.",
				Fields: slices.Concat(ktimer2DisableFields, []Field{
					{Name: "timer_flags", Kind: U8, Values: "disable_ktimer2_flags", Doc: "How the timer is disabled: 1 cancel, 2 wait, 4 delayed, 8 has a disable callback."},
				})},
			{Name: "FinalizeKTimer2", Type: 0x6c, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "Deletion of a KTIMER2 timer was completed.",
				Fields: ktimer2DisableFields},
			{Name: "ShouldYieldProcessor", Type: 0x6d, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_SHOULD_YIELD",
				Doc: "A long-running DPC was asked to yield the processor, with the reason and watchdog counts.",
				Ref: refStruct + "PERFINFO_YIELD_PROCESSOR_INFORMATION",
				Fields: []Field{
					{Name: "yield_reason", Kind: U32, Doc: "Why the processor should yield, as bits; not documented."},
					{Name: "dpc_watchdog_count", Kind: U32, Doc: "Count of the DPC watchdog: clock ticks spent in DPCs in a row, by its name."},
					{Name: "dpc_time_count", Kind: U32, Doc: "Clock ticks spent in the present DPC, by its name."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	wdfRoutine = Field{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the framework driver's callback."}

	sampleFields = []Field{
		{Name: "instruction_pointer", Kind: Pointer, Code: true, Doc: "Address of the instruction that was running."},
		{Name: "thread_id", Kind: U32, Doc: "Thread that was running."},
		{Name: "count", Kind: U16, Doc: "Number of samples the record stands for, by its name; not used according to Microsoft's page."},
	}
	isrFields = []Field{
		{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the interrupt routine was entered; the event is logged when it returns."},
		{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the interrupt service routine."},
		{Name: "return_value", Kind: U8, Since: 2, Doc: "1 if the routine claimed the interrupt, 0 if not."},
		{Name: "vector", Kind: U16, Since: 2, Doc: "Interrupt vector."},
		{Name: "reserved", Kind: U8, Since: 2, Doc: "Reserved."},
		{Name: "return_value_u32", Original: "ReturnValue", Kind: U32, Before: 2, Doc: "1 if the routine claimed the interrupt, 0 if not."},
	}
	dpcFields = []Field{
		{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the DPC was entered; the event is logged when it returns."},
		{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the DPC routine."},
	}
	timerSetFields = []Field{
		{Name: "expected_due_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time at which the timer is due."},
		{Name: "timer_address", Kind: Pointer, Doc: "Address of the timer."},
		{Name: "target_processor_group", Kind: U16, Doc: "Processor group on which the timer's DPC runs."},
		{Name: "target_processor_index", Kind: U8, Doc: "Processor on which the timer's DPC runs."},
		{Name: "flags", Kind: U8, Values: "timer_flags", Doc: "1 may be coalesced, 2 has a DPC, 4 idle resilient, 8 high resolution, 16 does not wake."},
		{Name: "period", Kind: U32, Unit: InMillis, Doc: "Interval of a periodic timer; 0 or absent for a timer that fires once."},
		{Name: "encoded_delay", Kind: U8, Doc: "Delay the timer tolerates, encoded; encoding not documented."},
		{Name: "reserved0", Kind: U8, Doc: "Reserved."},
		{Name: "reserved1", Kind: U16, Doc: "Reserved."},
	}
	ktimer2Fields = []Field{
		{Name: "due_time", Kind: U64, Unit: In100Ns, Doc: "Interrupt time at which the timer is due."},
		{Name: "maximum_due_time", Kind: U64, Unit: In100Ns, Doc: "Latest time at which the timer may fire."},
		{Name: "period", Kind: U64, Unit: In100Ns, Doc: "Interval of a periodic timer; 0 for a timer that fires once."},
		{Name: "timer", Kind: Pointer, Doc: "Key of the timer; joins its events."},
		{Name: "callback", Kind: Pointer, Doc: "Address of the timer's callback; 0 if none."},
		{Name: "callback_context", Kind: Pointer, Doc: "Key of the context passed to the callback."},
		{Name: "timer_flags", Kind: U8, Values: "ktimer2_flags", Doc: "Flags of the timer: 1 callback, 2 periodic, 4 idle resilient, 8 high resolution, 16 does not wake, 32 wakes within a limit."},
	}
	ktimer2DisableFields = []Field{
		{Name: "timer", Kind: Pointer, Doc: "Key of the timer; joins its events."},
		{Name: "disable_callback", Kind: Pointer, Doc: "Address of the callback called when the timer is gone; 0 if none."},
		{Name: "disable_context", Kind: Pointer, Doc: "Key of the context passed to the disable callback."},
	}
	ioTimerFields = []Field{
		{Name: "device_object", Kind: Pointer, Doc: "Address of the device object."},
		{Name: "timer_routine", Kind: Pointer, Code: true, Doc: "Address of the I/O timer routine."},
	}
	sampleIntervalFields = []Field{
		{Name: "source", Kind: U32, Values: "profile_source", Doc: "Profile source the interval belongs to."},
		{Name: "new_interval", Kind: U32, Doc: "Sampling interval from now on: units of 100 ns for the timer, a number of events for counters."},
		{Name: "old_interval", Kind: U32, Doc: "Sampling interval before: units of 100 ns for the timer, a number of events for counters."},
	}
	spinLockSamplingFields = []Field{
		{Name: "spin_lock_spin_threshold", Kind: U32, Doc: "Number of spins from which an acquire counts as contention."},
		{Name: "spin_lock_contention_sample_rate", Kind: U32, Doc: "One of this many contended acquires is logged."},
		{Name: "spin_lock_acquire_sample_rate", Kind: U32, Doc: "One of this many acquires is logged."},
		{Name: "spin_lock_hold_threshold", Kind: U32, Since: 3, Doc: "Hold time from which a lock is logged; unit not documented."},
	}
	eresourceFields = []Field{
		{Name: "release_sampling_rate", Kind: U32, Doc: "One of this many releases of a resource is logged."},
		{Name: "contention_sampling_rate", Kind: U32, Doc: "One of this many contentions of a resource is logged."},
		{Name: "number_of_excessive_timeouts", Kind: U32, Doc: "Length of a wait that counts as excessive, in units of four seconds."},
	}
)

var sampleSourceFields = sync.OnceValue(func() []Field {
	return slices.Concat(sampleIntervalFields, []Field{
		{Name: "source_name", Kind: Text16, Since: 3, Doc: "Name of the profile source."},
	})
})
