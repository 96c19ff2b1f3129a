-- rows of microsoft_windows_dotnetruntime_contention_start
--   event_ref
--   timestamp TIMESTAMP not null: When the thread began to wait, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that waited. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   kind STRING nullable: Managed, a lock of the program, or Native, one of the runtime. NULL before .NET 4.
--   wait_ns INT64 nullable: How long it waited, in ns: as the event of its end says or, in older runtimes, from the start to the end. NULL if the end is not in the trace.
--   end_ns INT64 nullable: When it got the lock, in ns since 1970-01-01 UTC. NULL like wait_ns.
--   lock_id UINT64 nullable: Address of the lock. NULL in older runtimes.
--   object_id UINT64 nullable: Address of the object that is locked. NULL like lock_id.
--   owner_thread_id UINT64 nullable: Thread that had the lock, as the runtime names it. NULL like lock_id.
--   stack_id INT64 nullable: Stack of the thread: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step,
    contention_flags_text, lock_id, associated_object_id, lock_owner_thread_id, NULL AS duration_ns
  FROM microsoft_windows_dotnetruntime_contention_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end',
    NULL, NULL, NULL, NULL, duration_ns
  FROM microsoft_windows_dotnetruntime_contention_stop
),
pairs AS (
  SELECT *, lead(step) OVER one AS next_step, lead(clock_ns) OVER one AS next_ns, lead(duration_ns) OVER one AS next_duration_ns
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id ORDER BY clock_ns, event_ref)
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.process_id, c.process_name, c.thread_id, c.clr_instance_id, c.contention_flags_text AS kind,
  CASE WHEN c.next_step = 'end' THEN coalesce(TRY_CAST(c.next_duration_ns AS BIGINT), CASE /* ns of c.trace */ WHEN c.next_ns >= c.clock_ns THEN c.next_ns - c.clock_ns END) END AS wait_ns,
  CASE WHEN c.next_step = 'end' THEN c.next_ns END AS end_ns,
  c.lock_id, c.associated_object_id AS object_id, c.lock_owner_thread_id AS owner_thread_id, e.stack_id
FROM pairs AS c
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.event_ref
WHERE c.step = 'start'
