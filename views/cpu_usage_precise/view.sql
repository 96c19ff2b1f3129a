-- rows of context_switches
--   second INT64 nullable: Second of the session: seconds since the start of the session, rounded down. NULL if that is unknown.
--   process_id
--   process_name
--   kind STRING not null: thread, or idle for the idle thread.
--   runs INT64 not null: Number of times that a thread of it ran in this second.
--   threads INT64 not null: Number of its threads that ran.
--   cpu_ns INT64 not null: How long they ran within this second, in ns, on all processors.
WITH starts AS (
  SELECT trace, process_id, process_name, thread_id, ran_ns, CAST(round(seconds * 1e9) AS BIGINT) AS from_ns
  FROM context_switches
  WHERE ran_ns > 0
),
runs AS (
  SELECT *, from_ns + ran_ns AS until_ns, CAST(floor(from_ns / 1e9) AS BIGINT) AS first_second,
    CAST(floor((from_ns + ran_ns - 1) / 1e9) AS BIGINT) - CAST(floor(from_ns / 1e9) AS BIGINT) + 1 AS in_seconds
  FROM starts
),
parts AS (
  SELECT trace, process_id, process_name, thread_id, from_ns, until_ns, first_second, unnest(range(in_seconds)) AS n
  FROM runs
  WHERE in_seconds <= 86400
)
SELECT trace, first_second + n AS second, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS runs, count(DISTINCT thread_id) AS threads,
  CAST(sum(least(until_ns, (first_second + n + 1) * 1000000000) - greatest(from_ns, (first_second + n) * 1000000000)) AS BIGINT) AS cpu_ns
FROM parts
GROUP BY trace, first_second + n, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END
