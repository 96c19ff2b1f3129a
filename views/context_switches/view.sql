-- rows of thread_cswitch
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   processor
--   process_id INT64 nullable: Process of the thread switched in. NULL if the trace does not record it.
--   process_name
--   thread_id INT64 nullable: Thread switched in; 0 is the idle thread.
--   priority INT32 nullable: Its priority, 0 to 31.
--   ran_ns INT64 nullable: How long it then ran, in ns. NULL if the processor's next switch is not from it, or not in the trace.
--   left_as STRING nullable: State in which it left: Ready if it was preempted, Waiting, Terminated, ... NULL like ran_ns.
--   left_to_wait_for STRING nullable: Why it then waited. NULL if it left in another state, and like ran_ns.
--   away_ns INT64 nullable: How long it had been off the processors, in ns. NULL if the switch from it is not in the trace.
--   away_as STRING nullable: State in which it had left. NULL like away_ns.
--   waited_for STRING nullable: Why it had waited. NULL if it had left in another state, and like away_ns.
--   ready_ns INT64 nullable: How long of that time it was ready to run, in ns. NULL if the trace does not record what made it ready.
--   readied_by_process_id INT64 nullable: Process of the thread that made it ready. NULL like ready_ns, and if the trace does not record it.
--   readied_by_process_name STRING nullable: Image name of that process.
--   readied_by_thread_id INT64 nullable: Thread that made it ready, or was interrupted when that happened.
--   readied_from_dpc BOOLEAN nullable: True if that thread was only interrupted: a device or timer was the cause. NULL like ready_ns.
--   ready_ref INT64 nullable: The event that made it ready: joins thread_readythread and stack_events. NULL like ready_ns.
--   old_thread_id INT64 nullable: Thread switched out; 0 is the idle thread.
--   old_process_id INT64 nullable: Process of that thread; 0 for the idle thread. NULL if the trace does not have the switch to it.
--   old_process_name STRING nullable: Image name of that process.
--   stack_id INT64 nullable: Stack of the thread switched in: joins stacks and folded_stacks, with trace. NULL if there is none.
--   module STRING nullable: Name of the module of its innermost frame. NULL if the trace does not record it.
--   function STRING nullable: Name of the function of that frame. NULL if unknown.
--   functions LIST<STRING> nullable: Per frame the name of the function; empty if unknown. NULL if there is no stack.
WITH steps AS (
  SELECT trace, old_thread_id AS thread_id, clock_ns, event_ref, 'out' AS step, old_thread_state_text AS state,
    CASE WHEN old_thread_state = 5 THEN old_thread_wait_reason_text END AS reason
  FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, clock_ns, event_ref, 'ready', NULL, NULL FROM thread_readythread
  UNION ALL SELECT trace, new_thread_id, clock_ns, event_ref, 'in', NULL, NULL FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, clock_ns, event_ref, 'start', NULL, NULL FROM thread_start
),
away AS (
  SELECT trace, min_by(event_ref, clock_ns) FILTER (WHERE step = 'in') AS event_ref,
    min(CASE WHEN step = 'out' THEN clock_ns END) AS out_ns, max(state) AS state, max(reason) AS reason,
    min(CASE WHEN step = 'ready' THEN clock_ns END) AS ready_ns, min_by(event_ref, clock_ns) FILTER (WHERE step = 'ready') AS ready_ref
  FROM (
    SELECT *, count(CASE WHEN step IN ('out', 'start') THEN 1 END) OVER (PARTITION BY trace, thread_id ORDER BY clock_ns) AS turn
    FROM steps WHERE thread_id <> 0
  ) AS numbered
  WHERE turn > 0
  GROUP BY trace, thread_id, turn
),
runs AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(old_thread_id) OVER turns AS next_old_id,
    lead(old_thread_state_text) OVER turns AS next_state, lead(old_thread_state) OVER turns AS next_state_number,
    lead(old_thread_wait_reason_text) OVER turns AS next_reason,
    lag(new_thread_id) OVER turns AS last_id, lag(process_id) OVER turns AS last_process_id, lag(process_name) OVER turns AS last_process_name
  FROM thread_cswitch
  WINDOW turns AS (PARTITION BY trace, processor ORDER BY clock_ns, event_ref)
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.processor, s.process_id, s.process_name, s.new_thread_id AS thread_id,
  s.new_thread_priority AS priority,
  CASE WHEN s.next_old_id = s.new_thread_id THEN CASE /* ns of s.trace */ WHEN s.next_ns >= s.clock_ns THEN s.next_ns - s.clock_ns END END AS ran_ns,
  CASE WHEN s.next_old_id = s.new_thread_id THEN s.next_state END AS left_as,
  CASE WHEN s.next_old_id = s.new_thread_id AND s.next_state_number = 5 THEN s.next_reason END AS left_to_wait_for,
  CASE /* ns of s.trace */ WHEN s.clock_ns >= a.out_ns THEN s.clock_ns - a.out_ns END AS away_ns, CASE WHEN a.out_ns IS NOT NULL THEN a.state END AS away_as, a.reason AS waited_for,
  CASE /* ns of s.trace */ WHEN s.clock_ns >= a.ready_ns THEN s.clock_ns - a.ready_ns END AS ready_ns,
  r.process_id AS readied_by_process_id, r.process_name AS readied_by_process_name, r.thread_id AS readied_by_thread_id, (r.flag & 1) <> 0 AS readied_from_dpc, r.event_ref AS ready_ref,
  s.old_thread_id,
  CASE WHEN s.old_thread_id = 0 THEN 0 WHEN s.last_id = s.old_thread_id THEN s.last_process_id END AS old_process_id,
  CASE WHEN s.last_id = s.old_thread_id THEN s.last_process_name END AS old_process_name,
  e.stack_id,
  nullif(k.modules[1], '') AS module, nullif(k.functions[1], '') AS function,
  k.functions
FROM runs AS s
LEFT JOIN away AS a ON a.trace = s.trace AND a.event_ref = s.event_ref
-- As a condition of its own, the time makes DuckDB 1.5 compare all pairs.
LEFT JOIN thread_readythread AS r ON r.trace = a.trace AND r.event_ref = CASE WHEN a.ready_ns <= s.clock_ns THEN a.ready_ref END
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id
