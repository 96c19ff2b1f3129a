--   event_ref
--   timestamp
--   time_ns
--   processor
--   process_id
--   process_name
--   thread_id
--   instruction_pointer UINT64 nullable: Address of the instruction.
--   module STRING nullable: Name of the image that has this address, or that its method is from. NULL where the trace does not say it.
--   function STRING nullable: Name of the function that has this address. NULL where nothing at hand names it.
--   function_offset INT64 nullable: The address less that of the function's first byte or, where that is not known, of the image's. NULL where neither is known.
--   in_dpc BOOLEAN nullable: Whether a deferred procedure call was interrupted, which the thread only lends its time. NULL if the event does not say it.
--   in_isr BOOLEAN nullable: Whether an interrupt service routine was, in the same way.
--   interval_ns INT64 nullable: Time from one sample to the next, in ns. NULL if the trace does not say it.
--   stack_id INT64 nullable: The stack: joins stacks and folded_stacks, with trace. NULL if there is none.
--   stack_addresses LIST<UINT64> nullable: The stack's frames, as in stacks: innermost first, the kernel's before those of the process. NULL if there is no stack.
--   stack_modules LIST<STRING> nullable: Per frame the name of the image; empty where the trace does not say it. NULL if there is no stack.
--   stack_functions LIST<STRING> nullable: Per frame the name of the function; empty where nothing at hand names it. NULL if there is no stack.
--   stack_offsets LIST<UINT64> nullable: Per frame the address less that of the function's first byte, or else of the image's. NULL if there is no stack.
--   kernel_frames INT32 nullable: How many of the frames are of the kernel. NULL if there is no stack.
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, s.instruction_pointer_module AS module, s.instruction_pointer_function AS function, s.instruction_pointer_offset AS function_offset,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, v.interval_ns,
  e.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v ON v.trace = s.trace
{{template "stack of" "s"}}
