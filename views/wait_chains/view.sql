-- rows of waits
--   root_ref INT64 not null: The wait that the chain explains: event_ref in waits.
--   step INT32 not null: 0 for this wait; 1 for the wait of the thread that ended it, and so on to 8.
--   event_ref INT64 not null: The wait of the step, as in waits.
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that waited.
--   start_ns INT64 not null: When it began to wait, in ns since 1970-01-01 UTC.
--   end_ns INT64 not null: When it ran again, in the same way.
--   reason STRING nullable: Why it waited.
--   wait_ns INT64 not null: How long, in ns.
--   readied_by_process_id INT64 nullable: Process of the thread that made it ready. NULL if the trace does not record it.
--   readied_by_process_name STRING nullable: Image name of that process.
--   readied_by_thread_id INT64 nullable: Thread that made it ready, or was interrupted when that happened. NULL in the same way.
--   ends_with STRING nullable: Why the chain ends here: dpc, a device or timer ended the wait; idle, the idle thread did; running, the thread that did had not waited in between; unknown, the trace does not record what did; steps, after 8 steps. NULL if it goes on.
--   stack_id INT64 nullable: Stack of the wait: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, thread_id, end_ns AS at_ns, 0 AS is_question, max(event_ref) AS event_ref, end_ns, CAST(NULL AS BIGINT) AS start_ns
  FROM waits
  GROUP BY trace, thread_id, end_ns -- so that max_by has one to choose
  UNION ALL
  SELECT trace, readied_by_thread_id, end_ns - ready_ns, 1, event_ref, NULL, start_ns
  FROM waits
  WHERE NOT readied_from_dpc AND readied_by_thread_id <> 0
),
answers AS (
  SELECT trace, event_ref, is_question, start_ns,
    max(end_ns) OVER before AS last_end_ns, max_by(CASE WHEN is_question = 0 THEN event_ref END, end_ns) OVER before AS last_ref
  FROM steps
  WINDOW before AS (PARTITION BY trace, thread_id ORDER BY at_ns, is_question, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
links AS (
  SELECT trace, event_ref, last_ref AS next_ref FROM answers WHERE is_question = 1 AND last_end_ns > start_ns
),
chains AS (
  SELECT w.trace, w.event_ref AS ref0, a.next_ref AS ref1, b.next_ref AS ref2, c.next_ref AS ref3, d.next_ref AS ref4,
    e.next_ref AS ref5, f.next_ref AS ref6, g.next_ref AS ref7, h.next_ref AS ref8
  FROM waits AS w
  LEFT JOIN links AS a ON a.trace = w.trace AND a.event_ref = w.event_ref
  LEFT JOIN links AS b ON b.trace = a.trace AND b.event_ref = a.next_ref
  LEFT JOIN links AS c ON c.trace = b.trace AND c.event_ref = b.next_ref
  LEFT JOIN links AS d ON d.trace = c.trace AND d.event_ref = c.next_ref
  LEFT JOIN links AS e ON e.trace = d.trace AND e.event_ref = d.next_ref
  LEFT JOIN links AS f ON f.trace = e.trace AND f.event_ref = e.next_ref
  LEFT JOIN links AS g ON g.trace = f.trace AND g.event_ref = f.next_ref
  LEFT JOIN links AS h ON h.trace = g.trace AND h.event_ref = g.next_ref
),
numbered AS (SELECT *, unnest(range(9)) AS step FROM chains),
members AS (
  SELECT trace, ref0 AS root_ref, step, CASE step WHEN 0 THEN ref0 WHEN 1 THEN ref1 WHEN 2 THEN ref2 WHEN 3 THEN ref3 WHEN 4 THEN ref4
    WHEN 5 THEN ref5 WHEN 6 THEN ref6 WHEN 7 THEN ref7 ELSE ref8 END AS event_ref
  FROM numbered
)
SELECT m.trace, m.root_ref, CAST(m.step AS INT) AS step, w.event_ref, w.timestamp, w.time_ns, w.clock_ns, w.seconds, w.process_id, w.process_name, w.thread_id,
  w.start_ns, w.end_ns, w.reason, w.wait_ns, w.readied_by_process_id, w.readied_by_process_name, w.readied_by_thread_id,
  CASE WHEN w.readied_from_dpc THEN 'dpc' WHEN w.readied_by_thread_id = 0 THEN 'idle' WHEN w.readied_by_thread_id IS NULL THEN 'unknown'
    WHEN l.next_ref IS NULL THEN 'running' WHEN m.step = 8 THEN 'steps' END AS ends_with,
  w.stack_id
FROM members AS m
JOIN waits AS w ON w.trace = m.trace AND w.event_ref = m.event_ref
LEFT JOIN links AS l ON l.trace = m.trace AND l.event_ref = m.event_ref
