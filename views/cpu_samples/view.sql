-- rows of perfinfo_sampleprof
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   processor
--   process_id
--   process_name
--   thread_id
--   instruction_pointer UINT64 nullable: Address of the instruction.
--   module STRING nullable: Name of the image that has this address or its method. NULL if the trace does not record it.
--   function STRING nullable: Name of the function that has this address. NULL if unknown.
--   function_offset INT64 nullable: Offset of the address from the start of the function or, if the function is unknown, of the image. NULL if both are unknown.
--   in_dpc BOOLEAN nullable: True if the sample hit a deferred procedure call; the thread merely ran underneath. NULL if the event does not record it.
--   in_isr BOOLEAN nullable: True if the sample hit an interrupt service routine; the thread merely ran underneath. NULL if the event does not record it.
--   is_idle BOOLEAN nullable: True if the processor was idle: the sample hit the idle thread, outside of deferred procedure calls and interrupt service routines. NULL if the event does not record the thread.
--   interval_ns INT64 nullable: Interval between samples, in ns. NULL if the trace does not record it.
--   stack_id INT64 nullable: The stack: joins stacks and folded_stacks, with trace. NULL if there is none.
--   stack_addresses LIST<UINT64> nullable: The stack's frames, as in stacks: innermost first, the kernel's before those of the process. NULL if there is no stack.
--   stack_modules LIST<STRING> nullable: Per frame the name of the image; empty if unknown. NULL if there is no stack.
--   stack_functions LIST<STRING> nullable: Per frame the name of the function; empty if unknown. NULL if there is no stack.
--   stack_offsets LIST<UINT64> nullable: Per frame the offset of the address from the start of the function, or else of the image. NULL if there is no stack.
--   kernel_frames INT32 nullable: Number of frames in the kernel. NULL if there is no stack.
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, s.instruction_pointer_module AS module, s.instruction_pointer_function AS function, s.instruction_pointer_offset AS function_offset,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, s.thread_id = 0 AND coalesce(s.flags & 3, 0) = 0 AS is_idle, v.interval_ns,
  e.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v ON v.trace = s.trace
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id
