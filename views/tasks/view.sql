-- rows of system_threading_tasks_tpleventsource_taskscheduled_send, system_threading_tasks_tpleventsource_taskstarted, system_threading_tasks_tpleventsource_taskexecute_start, system_threading_tasks_tpleventsource_taskcompleted, system_threading_tasks_tpleventsource_taskexecute_stop
--   event_ref INT64 not null: The first event of the task.
--   timestamp TIMESTAMP not null: Time of that event, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that scheduled it, or logged its first event. NULL if the trace does not record it.
--   task_id INT32 not null: Id of the task in its process.
--   creating_task_id INT32 nullable: Task that created it; 0 if none did. NULL if the trace does not record it.
--   scheduled_ns INT64 nullable: When it was scheduled, in ns since 1970-01-01 UTC. NULL if that is not in the trace.
--   started_ns INT64 nullable: When it began to run. NULL like scheduled_ns.
--   completed_ns INT64 nullable: When it was complete. NULL like scheduled_ns.
--   queued_ns INT64 nullable: Time from scheduled to started, in ns. NULL if one of them is not in the trace.
--   run_ns INT64 nullable: Time from started to completed, in ns. NULL like queued_ns.
--   run_thread_id INT64 nullable: Thread that ran it. NULL if started_ns is NULL.
--   is_exceptional BOOLEAN nullable: True if it ended with an exception. NULL if completed_ns is NULL.
--   waits INT64 not null: Number of waits for it that began.
--   wait_ns INT64 nullable: How long those with an end took together, in ns. NULL if there is none.
--   stack_id INT64 nullable: Stack of the first event: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'scheduled' AS step, creating_task_id, NULL AS is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskscheduled_send
  -- Versions of .NET have two names for the same events. Where one table has all of them, both names have the same rows.
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'started', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskstarted
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'started', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskexecute_start
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'completed', NULL, is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskcompleted
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'completed', NULL, is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskexecute_stop
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'wait', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwait_send
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'waited', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwaitend
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, task_id, 'waited', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwait_stop
),
turns AS (
  SELECT *, count(CASE WHEN step = 'scheduled' THEN 1 END) OVER one AS turn, row_number() OVER one AS place
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, task_id ORDER BY clock_ns, event_ref)
),
wait_steps AS (
  SELECT trace, event_ref, clock_ns, processor, process_id, task_id, turn, originating_task_id, CASE step WHEN 'wait' THEN 1 ELSE -1 END AS step
  FROM turns
  WHERE step IN ('wait', 'waited')
),
paired AS (/* pairs of wait_steps by process_id, task_id, turn, originating_task_id: single */),
waits AS (
  SELECT t.*, CASE WHEN p.state = 'complete' THEN CASE /* ns of p.trace */ WHEN p.end_ns >= p.clock_ns THEN p.end_ns - p.clock_ns END END AS wait_ns
  FROM turns AS t
  LEFT JOIN paired AS p ON p.trace = t.trace AND p.event_ref = t.event_ref
),
whole AS (
  SELECT trace, min_by(event_ref, place) FILTER (WHERE step NOT IN ('wait', 'waited')) AS event_ref, task_id,
    max(creating_task_id) AS creating_task_id, min(CASE WHEN step = 'scheduled' THEN clock_ns END) AS scheduled_ns,
    min(CASE WHEN step = 'started' THEN clock_ns END) AS started_ns, min(CASE WHEN step = 'completed' THEN clock_ns END) AS completed_ns,
    min_by(thread_id, place) FILTER (WHERE step = 'started') AS run_thread_id, min_by(is_exceptional, place) FILTER (WHERE step = 'completed') AS is_exceptional,
    count(CASE WHEN step = 'wait' THEN 1 END) AS waits, CAST(sum(wait_ns) AS BIGINT) AS wait_ns
  FROM waits
  GROUP BY trace, process_id, task_id, turn
)
SELECT t.trace, t.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.process_id, s.process_name, s.thread_id, t.task_id, t.creating_task_id,
  t.scheduled_ns, t.started_ns, t.completed_ns, CASE /* ns of t.trace */ WHEN t.started_ns >= t.scheduled_ns THEN t.started_ns - t.scheduled_ns END AS queued_ns, CASE /* ns of t.trace */ WHEN t.completed_ns >= t.started_ns THEN t.completed_ns - t.started_ns END AS run_ns,
  t.run_thread_id, t.is_exceptional, t.waits, t.wait_ns, e.stack_id
FROM whole AS t
JOIN steps AS s ON s.trace = t.trace AND s.event_ref = t.event_ref
LEFT JOIN stack_events AS e ON e.trace = t.trace AND e.event_ref = t.event_ref
