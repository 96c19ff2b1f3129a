-- What the processors were doing, a row per sample: the process and thread, the module, offset and function of the instruction, and the call stack where there is one.
-- interval_ns is the time from one sample to the next, as the trace says it. Samples of the idle process count time without work unless in_dpc or in_isr.
--   event_ref
--   timestamp
--   time_ns
--   processor
--   process_id
--   process_name
--   thread_id
--   instruction_pointer UINT64 nullable: Address of the instruction.
--   module STRING nullable: Name of the image that has this address, or that its method is from. NULL where the trace does not say it.
--   module_offset INT64 nullable: The address less that of the image's first byte. NULL where no image has it.
--   function STRING nullable: Name of the function that has this address, if there is a stack. NULL where nothing at hand names it.
--   in_dpc BOOLEAN nullable: Whether a deferred procedure call was interrupted, which the thread only lends its time. NULL if the event does not say it.
--   in_isr BOOLEAN nullable: Whether an interrupt service routine was, in the same way.
--   interval_ns INT64 nullable: Time from one sample to the next, in ns. NULL if the trace does not say it.
--   stack_id INT64 nullable: The stack: joins stacks and folded_stacks, with trace. NULL if there is none.
--   stack_addresses LIST<UINT64> nullable: The stack's frames, as in stacks: innermost first, the kernel's before those of the process. NULL if there is no stack.
--   stack_modules LIST<STRING> nullable: Per frame the name of the image; empty where the trace does not say it. NULL if there is no stack.
--   stack_functions LIST<STRING> nullable: Per frame the name of the function; empty where nothing at hand names it. NULL if there is no stack.
--   stack_offsets LIST<UINT64> nullable: Per frame the address less that of the function's first byte, or else of the image's. NULL if there is no stack.
--   kernel_frames INT32 nullable: How many of the frames are of the kernel. NULL if there is no stack.
WITH located AS (
  SELECT s.trace, s.event_ref, max(i.image_base) AS image_base, max_by(i.image_name, i.image_base) AS module
  FROM perfinfo_sampleprof AS s
  JOIN (SELECT *, CAST(image_base AS DECIMAL(20,0)) + image_size AS image_end FROM images) AS i
    ON i.trace = s.trace AND s.instruction_pointer >= i.image_base AND s.instruction_pointer < i.image_end
    AND i.process_id = CASE WHEN s.instruction_pointer >= CASE s.pointer_size WHEN 4 THEN 2147483648 ELSE 9223372036854775808 END THEN 0 ELSE s.process_id END
    AND s.time_ns >= coalesce(i.valid_from_ns, s.time_ns) AND s.time_ns <= coalesce(i.valid_to_ns, s.time_ns)
  GROUP BY s.trace, s.event_ref
),
-- Lists begin with 0 in Spark and with 1 in DuckDB.
found AS (
  SELECT e.trace, e.event_ref, k.*, CASE WHEN cardinality(k.addresses) > 0 THEN k.addresses[CAST(split('1,0', ',')[1] AS INT)] END AS top,
    CASE WHEN cardinality(k.addresses) > 0 THEN nullif(k.modules[CAST(split('1,0', ',')[1] AS INT)], '') END AS top_module,
    CASE WHEN cardinality(k.addresses) > 0 THEN nullif(k.functions[CAST(split('1,0', ',')[1] AS INT)], '') END AS top_function
  FROM stack_events AS e
  JOIN (SELECT trace AS of_trace, stack_id, addresses, modules, functions, offsets, kernel_frames FROM stacks) AS k ON k.of_trace = e.trace AND k.stack_id = e.stack_id
),
intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, coalesce(l.module, CASE WHEN k.top = s.instruction_pointer THEN k.top_module END) AS module,
  TRY_CAST(CAST(s.instruction_pointer AS DECIMAL(20,0)) - l.image_base AS BIGINT) AS module_offset,
  CASE WHEN k.top = s.instruction_pointer THEN k.top_function END AS function,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, v.interval_ns,
  k.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN located AS l ON l.trace = s.trace AND l.event_ref = s.event_ref
LEFT JOIN intervals AS v ON v.trace = s.trace
LEFT JOIN found AS k ON k.trace = s.trace AND k.event_ref = s.event_ref
