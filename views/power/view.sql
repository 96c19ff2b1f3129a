-- rows of power_ppmidlestateenter, microsoft_windows_kernel_processor_power_processorperfstatechange_10, microsoft_windows_kernel_processor_power_parkcore, microsoft_windows_kernel_power_powertransition_start
--   event_ref
--   timestamp TIMESTAMP not null: When the state began, UTC.
--   time_ns
--   clock_ns
--   seconds
--   kind STRING not null: idle for a C-state of a processor, performance for a P-state, parked for a core that the system leaves out, or transition for a sleep, hibernation or shutdown of the system.
--   processor_group INT32 nullable: Group of the processor. NULL for idle, whose processor counts through all groups, and for a transition.
--   processor INT32 nullable: Number of the processor, in its group if there is one. NULL for a transition.
--   state INT64 nullable: Index of the C-state or P-state; of a transition the reason, as a number. NULL for a parked core.
--   speed INT64 nullable: Speed of the P-state, as the event has it: the manifest states no unit. NULL for other kinds.
--   start_ns INT64 not null: When the state began, in ns since 1970-01-01 UTC.
--   end_ns INT64 nullable: When it ended, in the same way. NULL if that is not in the trace.
--   duration_ns INT64 nullable: How long it lasted, in ns. NULL like end_ns.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'idle' AS kind, CAST(NULL AS INT) AS processor_group, processor, state, CAST(NULL AS BIGINT) AS speed, true AS begins
    FROM power_ppmidlestateenter
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'idle', NULL, processor, NULL, NULL, false FROM power_ppmidlestateexit
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'performance', p.group, p.number, p.state, p.speed, true
    FROM microsoft_windows_kernel_processor_power_processorperfstatechange_10 AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, true
    FROM microsoft_windows_kernel_processor_power_parkcore AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, false
    FROM microsoft_windows_kernel_processor_power_unparkcore AS p
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'transition', NULL, NULL, reason, NULL, true FROM microsoft_windows_kernel_power_powertransition_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'transition', NULL, NULL, NULL, NULL, false FROM microsoft_windows_kernel_power_powertransition_stop
),
turns AS (
  SELECT *, lead(clock_ns) OVER (PARTITION BY trace, kind, processor_group, processor ORDER BY clock_ns, event_ref) AS next_ns
  FROM steps
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, kind, processor_group, processor, state, speed, clock_ns AS start_ns, next_ns AS end_ns, CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END AS duration_ns
FROM turns
WHERE begins
