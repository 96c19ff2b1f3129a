-- rows of pagefault_hardfault, pagefault_hardpagefault, pagefault_transitionfault, pagefault_demandzerofault, pagefault_copyonwrite, pagefault_guardpagefault, pagefault_accessviolation
--   event_ref
--   timestamp TIMESTAMP not null: When it was resolved, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   kind STRING not null: hard (pages were read from a disk), hard access (the access that needed such a read), transition, demand zero, copy on write, guard or access violation.
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that made the access. NULL if the trace does not record it.
--   virtual_address UINT64 nullable: Address of the access.
--   file_name STRING nullable: Path of the file that a hard fault read, with a drive letter if the trace maps the volume. NULL for other faults, and if the trace does not record it.
--   file_offset UINT64 nullable: Offset in the file of a hard fault's read, in bytes. NULL for other faults.
--   byte_count INT64 nullable: Bytes that a hard fault read. NULL for other faults.
--   start_ns INT64 nullable: When a hard fault began, in ns since 1970-01-01 UTC. NULL for other faults.
--   duration_ns INT64 nullable: How long a hard fault took, in ns. NULL for other faults.
--   module STRING nullable: Name of the image with the instruction that made the access. NULL for hard faults, and if the trace does not record it.
--   function STRING nullable: Name of the function with that instruction. NULL if unknown.
--   stack_id INT64 nullable: Stack of the thread: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH faults AS (
  SELECT 'hard' AS kind, trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    file_name, read_offset, byte_count, initial_time_ns, CAST(NULL AS STRING) AS module, CAST(NULL AS STRING) AS function FROM pagefault_hardfault
  UNION ALL SELECT 'hard access', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_hardpagefault
  UNION ALL SELECT 'transition', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_transitionfault
  UNION ALL SELECT 'demand zero', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_demandzerofault
  UNION ALL SELECT 'copy on write', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_copyonwrite
  UNION ALL SELECT 'guard', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_guardpagefault
  UNION ALL SELECT 'access violation', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_accessviolation
)
SELECT f.trace, f.event_ref, f.timestamp, f.time_ns, f.clock_ns, f.seconds, f.processor, f.kind, f.process_id, f.process_name, f.thread_id, f.virtual_address,
  f.file_name, f.read_offset AS file_offset, f.byte_count, f.initial_time_ns AS start_ns, CASE /* ns of f.trace */ WHEN f.time_ns >= f.initial_time_ns THEN f.time_ns - f.initial_time_ns END AS duration_ns,
  f.module, f.function, s.stack_id
FROM faults AS f
LEFT JOIN stack_events AS s ON s.trace = f.trace AND s.event_ref = f.event_ref
