-- rows of object_createhandle, object_duplicatehandle, object_closehandle, object_handledcstart, object_handledcend
--   event_ref INT64 not null: Its first event.
--   timestamp TIMESTAMP not null: When that was logged, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session.
--   process_id INT64 nullable: Process whose handle it is. NULL if the trace does not record it. For a handle of the kernel, the process that opened it.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   thread_id INT64 nullable: Thread that logged its first event. NULL if the trace does not record it.
--   handle INT64 nullable: The handle. The high bit of 32 marks a handle of the kernel.
--   object UINT64 nullable: Address of the object.
--   object_type STRING nullable: Name of the object's type; its number if the trace does not name it.
--   object_name STRING nullable: Name of the object. NULL if it has none.
--   opened_as STRING nullable: create, or duplicate if it is a copy of another handle. NULL if it was opened before the trace.
--   source_handle INT64 nullable: The handle that was duplicated. NULL for other handles.
--   source_process_id INT64 nullable: Process that logged the duplication. NULL for other handles.
--   opened_ns INT64 nullable: When it was opened, in ns since 1970-01-01 UTC. NULL like opened_as.
--   closed_ns INT64 nullable: When it was closed, in ns since 1970-01-01 UTC. NULL if the trace does not have that.
--   is_outstanding BOOLEAN not null: True if it was not closed in the trace.
--   stack_id INT64 nullable: Stack of its first event: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH types AS (
  SELECT trace, object_type, max(type_name) AS type_name
  FROM (SELECT trace, object_type, type_name FROM object_typedcstart UNION ALL SELECT trace, object_type, type_name FROM object_typedcend) AS named
  GROUP BY trace, object_type
),
steps AS (
  SELECT 'create' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, thread_id, handle, object, object_type, object_name,
    CAST(NULL AS BIGINT) AS source_handle, CAST(NULL AS BIGINT) AS source_process_id FROM object_createhandle
  UNION ALL SELECT 'duplicate', trace, event_ref, timestamp, time_ns, clock_ns, seconds, target_process_id, thread_id, target_handle, object, object_type, NULL, source_handle, process_id FROM object_duplicatehandle
  UNION ALL SELECT 'close', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, thread_id, handle, object, object_type, object_name, NULL, NULL FROM object_closehandle
  UNION ALL SELECT 'open', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, NULL, handle, object, object_type, object_name, NULL, NULL FROM object_handledcstart
  UNION ALL SELECT 'open', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, NULL, handle, object, object_type, object_name, NULL, NULL FROM object_handledcend
),
tables AS (
  -- All processes share the handles of the kernel.
  SELECT *, CASE WHEN handle < 2147483648 THEN process_id END AS of_process FROM steps
),
following AS (
  SELECT *, coalesce(lag(step) OVER (PARTITION BY trace, of_process, handle ORDER BY clock_ns, event_ref), 'close') AS last_step FROM tables
),
lives AS (
  SELECT *, count(CASE WHEN step IN ('create', 'duplicate') OR last_step = 'close' THEN 1 END) OVER life AS life, row_number() OVER life AS place
  FROM following
  WINDOW life AS (PARTITION BY trace, of_process, handle ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
),
opened AS (
  SELECT trace, handle, min_by(event_ref, place) AS event_ref, min_by(timestamp, place) AS timestamp, min_by(time_ns, place) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds,
    min_by(process_id, place) AS process_id, min_by(thread_id, place) AS thread_id, min_by(object, place) AS object, min_by(object_type, place) AS object_type,
    max(nullif(object_name, '')) AS object_name, max(CASE WHEN step IN ('create', 'duplicate') THEN step END) AS opened_as,
    max(source_handle) AS source_handle, max(source_process_id) AS source_process_id,
    min(CASE WHEN step IN ('create', 'duplicate') THEN clock_ns END) AS opened_ns, max(CASE WHEN step = 'close' THEN clock_ns END) AS closed_ns
  FROM lives
  GROUP BY trace, of_process, handle, life
)
SELECT o.trace, o.event_ref, o.timestamp, o.time_ns, o.clock_ns, o.seconds, o.process_id, p.process_name, o.thread_id, o.handle, o.object,
  coalesce(t.type_name, CAST(o.object_type AS STRING)) AS object_type, o.object_name, o.opened_as, o.source_handle, o.source_process_id,
  o.opened_ns, o.closed_ns, o.closed_ns IS NULL AS is_outstanding, s.stack_id
FROM opened AS o
LEFT JOIN types AS t ON t.trace = o.trace AND t.object_type = o.object_type
LEFT JOIN processes AS p ON p.trace = o.trace AND p.process_id = o.process_id
  AND o.time_ns >= coalesce(p.valid_from_ns, o.time_ns) AND o.time_ns <= coalesce(p.valid_to_ns, o.time_ns)
LEFT JOIN stack_events AS s ON s.trace = o.trace AND s.event_ref = o.event_ref
