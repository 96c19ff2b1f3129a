-- rows of perfinfo_dpc, perfinfo_threadeddpc, perfinfo_timerdpc, perfinfo_isr, perfinfo_isr_msi
--   event_ref
--   timestamp TIMESTAMP not null: When the routine returned, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   kind STRING not null: DPC, threaded DPC, timer DPC or ISR.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL if the event does not record it, or a time after its own or before the session.
--   duration_ns INT64 nullable: How long it took, in ns. NULL like start_ns.
--   routine UINT64 nullable: Address of the routine.
--   module STRING nullable: Name of the image that has it: the driver. NULL if the trace does not record it.
--   function STRING nullable: Name of the function. NULL if unknown.
--   vector INT32 nullable: Vector of the interrupt. NULL for a DPC.
--   claimed BOOLEAN nullable: True if the routine claimed the interrupt as that of its device. NULL for a DPC.
WITH routines AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'DPC' AS kind, initial_time_ns, routine, routine_module, routine_function,
    CAST(NULL AS INT) AS vector, CAST(NULL AS INT) AS return_value FROM perfinfo_dpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'threaded DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_threadeddpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'timer DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_timerdpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr_msi
)
SELECT r.trace, r.event_ref, r.timestamp, r.time_ns, r.clock_ns, r.seconds, r.processor, r.kind, CASE WHEN r.initial_time_ns BETWEEN t.start_ns AND r.time_ns THEN r.initial_time_ns END AS start_ns,
  CASE WHEN r.initial_time_ns >= t.start_ns THEN CASE /* ns of r.trace */ WHEN r.time_ns >= r.initial_time_ns THEN r.time_ns - r.initial_time_ns END END AS duration_ns,
  r.routine, r.routine_module AS module, r.routine_function AS function, r.vector, r.return_value <> 0 AS claimed
FROM routines AS r
LEFT JOIN traces AS t ON t.trace = r.trace
