-- rows of microsoft_windows_dotnetruntime_gc_start
--   event_ref
--   timestamp TIMESTAMP not null: When it began, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that logged the start. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   number INT64 nullable: Number of the collection in its runtime, from 1. NULL if the event does not record it.
--   generation INT64 nullable: Oldest generation that it collected: 0 to 2. NULL if neither start nor end record it.
--   reason STRING nullable: Why, by name. NULL if no name is known.
--   type STRING nullable: NonConcurrentGC (blocking), BackgroundGC, or ForegroundGC (blocking, during a background collection). NULL if the event does not record it.
--   end_ns INT64 nullable: When it ended, in ns since 1970-01-01 UTC. NULL if the end is not in the trace.
--   duration_ns INT64 nullable: How long it took, in ns; threads can run during a background collection. NULL like end_ns.
--   pauses INT64 not null: Pauses that are counted for it, as in gc_pauses.
--   pause_ns INT64 nullable: How long they stopped the threads, in ns. NULL if no pause with an end is counted for it.
--   suspending_ns INT64 nullable: How much of that was spent to stop the threads, in ns. NULL like pause_ns.
--   heap_before_bytes INT64 nullable: Size of all heaps and generations before it, in bytes. NULL if the trace does not record it.
--   heap_after_bytes INT64 nullable: Size of all generations after it, in bytes. NULL if the trace does not record it.
--   promoted_bytes INT64 nullable: Bytes that survived in the generations that it collected. NULL like heap_after_bytes.
--   pinned_objects INT64 nullable: Pinned objects that it saw. NULL like heap_after_bytes.
--   gc_handles INT64 nullable: Handles of the runtime. NULL like heap_after_bytes.
--   finalization_promoted_bytes INT64 nullable: Bytes that survived only because they wait for their finalizers. NULL like heap_after_bytes.
--   stack_id INT64 nullable: Stack of the start: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, event_version, 'start' AS step,
    count AS number, depth, reason_text, type, type_text
  FROM microsoft_windows_dotnetruntime_gc_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, event_version, 'stop',
    count, depth, NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_stop
),
firsts AS (
  -- A start right after one of another version repeats it.
  SELECT *, CASE WHEN step <> 'start' OR lag(step) OVER one = 'start' AND lag(event_version) OVER one <> event_version THEN 0 ELSE 1 END AS is_first
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns, event_ref)
),
turns AS (
  SELECT *, sum(is_first) OVER (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns, event_ref) AS turn
  FROM firsts
),
pairs AS (
  SELECT *, min(CASE WHEN step = 'stop' THEN clock_ns END) OVER one AS end_ns, min(CASE WHEN step = 'stop' THEN event_ref END) OVER one AS stop_ref,
    max(depth) OVER one AS generation, max(type) OVER one AS any_type, max(type_text) OVER one AS any_type_text
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number, turn)
),
collections AS (SELECT * FROM pairs WHERE is_first = 1),
-- The history of a collection's heaps is logged right before its end, the statistics right after it.
histories AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, sum(CAST(v.size_before AS DECIMAL(20,0))) AS before_bytes
  FROM (
    SELECT h.trace, h.event_ref, h.clock_ns, h.process_id, h.clr_instance_id, unnest(h.values) AS v FROM microsoft_windows_dotnetruntime_gc_perheaphistory AS h
    UNION ALL SELECT h.trace, h.event_ref, h.clock_ns, h.process_id, h.clr_instance_id, unnest(h.values) AS v FROM microsoft_windows_dotnetruntimeprivate_gc_perheaphistory AS h
  ) AS generations
  GROUP BY trace, event_ref, clock_ns, process_id, clr_instance_id
),
statistics AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, pinned_object_count, gc_handle_count, finalization_promoted_size,
    CAST(generation_size0 AS DECIMAL(20,0)) + generation_size1 + generation_size2 + generation_size3 + coalesce(generation_size4, 0) AS after_bytes,
    CAST(total_promoted_size0 AS DECIMAL(20,0)) + total_promoted_size1 + total_promoted_size2 + total_promoted_size3 + coalesce(total_promoted_size4, 0) AS promoted
  FROM microsoft_windows_dotnetruntime_gc_heapstats
),
marks AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, step, NULL AS before_bytes, NULL AS after_bytes, NULL AS promoted,
    NULL AS pinned_object_count, NULL AS gc_handle_count, NULL AS finalization_promoted_size
  FROM steps
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, 'history', before_bytes, NULL, NULL, NULL, NULL, NULL FROM histories
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, 'statistics', NULL, after_bytes, promoted,
    pinned_object_count, gc_handle_count, finalization_promoted_size FROM statistics
),
counted AS (
  SELECT *, count(CASE WHEN step IN ('start', 'stop') THEN 1 END) OVER one AS mark, row_number() OVER one AS place
  FROM marks
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns, event_ref)
),
heaps AS (
  SELECT trace, max(CASE WHEN step = 'stop' THEN event_ref END) AS stop_ref,
    sum(before_bytes) AS before_bytes, min_by(after_bytes, place) FILTER (WHERE step = 'statistics') AS after_bytes,
    min_by(promoted, place) FILTER (WHERE step = 'statistics') AS promoted, min_by(pinned_object_count, place) FILTER (WHERE step = 'statistics') AS pinned,
    min_by(gc_handle_count, place) FILTER (WHERE step = 'statistics') AS handles,
    min_by(finalization_promoted_size, place) FILTER (WHERE step = 'statistics') AS finalization
  FROM (SELECT *, CASE WHEN step = 'history' THEN mark + 1 ELSE mark END AS stop_mark FROM counted) AS at_stop
  GROUP BY trace, process_id, clr_instance_id, stop_mark
),
-- A pause counts for the first collection that starts in it, else for the background collection that runs.
times AS (
  SELECT trace, event_ref, clock_ns, end_ns, process_id, clr_instance_id, 'pause' AS step, is_background, pause_ns, suspending_ns FROM gc_pauses WHERE is_gc
  UNION ALL SELECT trace, event_ref, clock_ns, end_ns, process_id, clr_instance_id, CASE WHEN any_type = 1 THEN 'background' ELSE 'blocking' END, NULL, NULL, NULL
  FROM collections
),
near AS (
  SELECT *, count(CASE WHEN step = 'pause' THEN 1 END) OVER one AS pause_turn, count(CASE WHEN step = 'background' THEN 1 END) OVER one AS background_turn
  FROM times
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns, event_ref)
),
owners AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, step, is_background, pause_ns, suspending_ns,
    coalesce(end_ns, 9223372036854775807) AS pause_end_ns,
    lead(event_ref) OVER paused AS next_ref, lead(clock_ns) OVER paused AS next_ns,
    first_value(event_ref) OVER background AS background_ref, first_value(step) OVER background AS background_step,
    coalesce(first_value(end_ns) OVER background, 9223372036854775807) AS background_end_ns
  FROM near
  WINDOW paused AS (PARTITION BY trace, process_id, clr_instance_id, pause_turn ORDER BY clock_ns, event_ref),
    background AS (PARTITION BY trace, process_id, clr_instance_id, background_turn ORDER BY clock_ns, event_ref)
),
stops AS (
  SELECT trace, owner_ref, count(*) AS pauses, sum(pause_ns) AS pause_ns, sum(CASE WHEN pause_ns IS NOT NULL THEN suspending_ns END) AS suspending_ns
  FROM (
    SELECT trace, pause_ns, suspending_ns, CASE WHEN next_ns < pause_end_ns THEN next_ref
      WHEN is_background AND background_step = 'background' AND clock_ns < background_end_ns THEN background_ref END AS owner_ref
    FROM owners
    WHERE step = 'pause'
  ) AS owned
  WHERE owner_ref IS NOT NULL
  GROUP BY trace, owner_ref
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.process_id, c.process_name, c.thread_id, c.clr_instance_id, c.number, c.generation,
  c.reason_text AS reason, c.any_type_text AS type, c.end_ns, CASE /* ns of c.trace */ WHEN c.end_ns >= c.clock_ns THEN c.end_ns - c.clock_ns END AS duration_ns,
  coalesce(s.pauses, 0) AS pauses, CAST(s.pause_ns AS BIGINT) AS pause_ns, CAST(s.suspending_ns AS BIGINT) AS suspending_ns,
  TRY_CAST(h.before_bytes AS BIGINT) AS heap_before_bytes, TRY_CAST(h.after_bytes AS BIGINT) AS heap_after_bytes, TRY_CAST(h.promoted AS BIGINT) AS promoted_bytes,
  h.pinned AS pinned_objects, h.handles AS gc_handles, TRY_CAST(h.finalization AS BIGINT) AS finalization_promoted_bytes, e.stack_id
FROM collections AS c
LEFT JOIN heaps AS h ON h.trace = c.trace AND h.stop_ref = c.stop_ref
LEFT JOIN stops AS s ON s.trace = c.trace AND s.owner_ref = c.event_ref
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.event_ref
