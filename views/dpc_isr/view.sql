-- rows of perfinfo_dpc, perfinfo_threadeddpc, perfinfo_timerdpc, perfinfo_isr, perfinfo_isr_msi
--   event_ref
--   timestamp TIMESTAMP not null: When the routine returned, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   kind STRING not null: DPC, threaded DPC, timer DPC or ISR.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL if the event does not record it.
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
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, kind, initial_time_ns AS start_ns, CASE /* ns of trace */ WHEN time_ns >= initial_time_ns THEN time_ns - initial_time_ns END AS duration_ns,
  routine, routine_module AS module, routine_function AS function, vector, return_value <> 0 AS claimed
FROM routines
