-- rows of microsoft_windows_dotnetruntime_gc_suspendeestart
--   event_ref
--   timestamp TIMESTAMP not null: When the runtime began to suspend its threads, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that suspended the others. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   reason STRING nullable: Why, by name. NULL if no name is known.
--   is_gc BOOLEAN nullable: True if it was for a garbage collection. NULL if the event has no reason.
--   is_background BOOLEAN nullable: True if it was a later pause of a background collection. NULL like is_gc.
--   suspending_ns INT64 nullable: How long it took until all threads had stopped, in ns. NULL if that is not in the trace.
--   pause_ns INT64 nullable: Time from the start to the end of the pause, in ns. NULL if the end is not in the trace.
--   end_ns INT64 nullable: When the threads ran again, in ns since 1970-01-01 UTC. NULL like pause_ns.
--   stack_id INT64 nullable: Stack of the event: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step, reason, reason_text
  FROM microsoft_windows_dotnetruntime_gc_suspendeestart
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'stopped', NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_suspendeestop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end', NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_restarteestop
),
turns AS (
  SELECT *, count(CASE WHEN step = 'start' THEN 1 END) OVER (PARTITION BY trace, process_id, clr_instance_id, thread_id ORDER BY clock_ns, event_ref) AS turn
  FROM steps
),
pauses AS (
  SELECT *, min(CASE WHEN step = 'stopped' THEN clock_ns END) OVER one AS stopped_ns, min(CASE WHEN step = 'end' THEN clock_ns END) OVER one AS end_ns
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id, turn)
)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.process_id, p.process_name, p.thread_id, p.clr_instance_id,
  p.reason_text AS reason, p.reason IN (1, 6) AS is_gc, p.reason = 6 AS is_background,
  CASE /* ns of p.trace */ WHEN p.stopped_ns >= p.clock_ns THEN p.stopped_ns - p.clock_ns END AS suspending_ns, CASE /* ns of p.trace */ WHEN p.end_ns >= p.clock_ns THEN p.end_ns - p.clock_ns END AS pause_ns, p.end_ns, e.stack_id
FROM pauses AS p
LEFT JOIN stack_events AS e ON e.trace = p.trace AND e.event_ref = p.event_ref
WHERE p.step = 'start'
