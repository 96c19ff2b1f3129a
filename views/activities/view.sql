-- rows of event_header
--   event_ref INT64 not null: The event of the start, or of the end where the start is not in the trace.
--   timestamp TIMESTAMP not null: Time of that event, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id
--   provider_name STRING nullable: Name of its provider. NULL if unknown.
--   activity STRING nullable: Its name: of the event, without Start, Stop, Begin or End. NULL if the event has no name.
--   state STRING not null: complete, no stop or no start.
--   duration_ns INT64 nullable: How long it took, in ns. NULL unless it is complete.
--   end_ns INT64 nullable: When it ended, in ns since 1970-01-01 UTC. NULL if that is not in the trace.
--   paired_by STRING nullable: activity, if start and stop have the same activity id; thread, if they are on the same thread. NULL unless it is complete.
--   depth INT64 not null: Activities of the same name that are open at its start by the same rule, with it: from 1. 0 of a stop without a start.
--   activity_id STRING nullable: Its activity id. NULL if it has none.
--   activity_path STRING nullable: Path of the activity of an EventSource, as in event_header. NULL if it has none.
--   parent_activity_id STRING nullable: The activity that caused it, as the start says. NULL if the start does not say it.
--   parent_ref INT64 nullable: Start of that activity: its event_ref. NULL if the process has none with that id.
--   parent STRING nullable: Name of that activity. NULL like parent_ref.
--   stop_ref INT64 nullable: The event of the stop. NULL if that is not in the trace.
--   stop_thread_id INT64 nullable: Thread that logged the stop. NULL like stop_ref.
--   stack_id INT64 nullable: Stack of the event: joins stacks and folded_stacks, with trace. NULL if there is none.
--   ambiguous BOOLEAN not null: True if several starts with the same activity id, name and process were open together, so that each may have another's stop.
WITH ends AS (
  SELECT h.trace, h.event_ref, h.timestamp, h.time_ns, h.clock_ns, h.seconds, h.processor, h.process_id, h.process_name, h.thread_id, h.provider_id, h.provider_name, h.opcode,
    h.activity_id, h.related_activity_id, h.activity_path,
    coalesce(nullif(regexp_replace(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', ''), ''), h.event_name) AS activity,
    -- The numbers that an EventSource makes up for its tasks differ between start and stop.
    CASE WHEN h.task BETWEEN 1 AND 64999 THEN CAST(h.task AS STRING)
      ELSE coalesce(nullif(regexp_replace(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', ''), ''), h.event_name) END AS task,
    -- One name for both, and neither task nor activity: nothing tells what a stop belongs to.
    CASE WHEN h.activity_id IS NOT NULL THEN h.activity_id
      WHEN h.task BETWEEN 1 AND 64999 OR regexp_replace(h.event_name, '([/_]?(Start|Stop|Begin|End))+$', '') <> h.event_name THEN 't' || CAST(h.thread_id AS STRING)
    END AS pair
  FROM event_header AS h
  WHERE h.opcode IN (1, 2) AND h.provider_id NOT IN (
    -- The .NET runtime, which has views of its own, and Kernel-Process, whose starts and stops are on different threads.
    'e13c0d23-ccbc-4e12-931b-d9cc2eee27e4', '763fd754-7086-4dfe-95eb-c01a46faf4ca', 'a669021c-c450-4609-a035-5af59af4df18', '22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716')
),
steps AS (
  SELECT *, CASE opcode WHEN 1 THEN 1 ELSE -1 END AS step, CASE WHEN pair IS NULL THEN event_ref END AS alone FROM ends
),
found AS (/* pairs of steps by process_id, provider_id, task, pair, alone: nested, with thread_id */),
starts AS (
  SELECT trace, process_id, activity_id, event_ref, activity
  FROM (
    SELECT *, row_number() OVER (PARTITION BY trace, process_id, activity_id ORDER BY clock_ns, event_ref) AS place
    FROM ends WHERE opcode = 1 AND activity_id IS NOT NULL
  ) AS numbered
  WHERE place = 1
)
SELECT a.trace, a.event_ref, a.timestamp, a.time_ns, a.clock_ns, a.seconds, a.process_id, a.process_name, a.thread_id, a.provider_name, a.activity, a.state,
  CASE WHEN a.state = 'complete' THEN CASE /* ns of a.trace */ WHEN a.end_ns >= a.clock_ns THEN a.end_ns - a.clock_ns END END AS duration_ns, a.end_ns,
  CASE WHEN a.state = 'complete' THEN CASE WHEN a.activity_id IS NOT NULL THEN 'activity' ELSE 'thread' END END AS paired_by,
  CAST(greatest(a.pair_level, 0) AS BIGINT) AS depth, a.activity_id, a.activity_path,
  CASE WHEN a.state <> 'no start' THEN a.related_activity_id END AS parent_activity_id, p.event_ref AS parent_ref, p.activity AS parent,
  a.stop_ref, a.stop_thread_id, e.stack_id, a.ambiguous AND a.activity_id IS NOT NULL AS ambiguous
FROM found AS a
LEFT JOIN starts AS p ON p.trace = a.trace AND p.process_id = a.process_id AND p.activity_id = a.related_activity_id AND a.opcode = 1
LEFT JOIN stack_events AS e ON e.trace = a.trace AND e.event_ref = a.event_ref
