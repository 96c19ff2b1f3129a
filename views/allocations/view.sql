-- rows of microsoft_windows_dotnetruntime_gc_allocationtick, microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_20, microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_32, microsoft_windows_dotnetruntime_allocationsampling
--   event_ref
--   timestamp
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that allocated the object. NULL if the trace does not record it.
--   clr_instance_id INT32 nullable: The runtime within the process. NULL before .NET 4.
--   source STRING not null: tick, about every 100 KB; sampled objects, a sample of a type; or sampled bytes, one byte in about 100 KB.
--   type_name STRING nullable: Type of the object. NULL if the trace does not record it.
--   type_id UINT64 nullable: Address of the runtime's description of the type. NULL like type_name.
--   heap STRING nullable: Small, Large or Pinned. NULL if the event does not record it.
--   bytes INT64 nullable: What the row stands for, in bytes: all since the last tick; all objects of the sample; for sampled bytes the object. NULL if the event does not record it, or an amount below zero, as old runtimes do.
--   objects INT64 nullable: Number of objects in the sample. NULL for ticks.
--   object_bytes INT64 nullable: Size of the object, in bytes. NULL for sampled objects, and if the event does not record it.
--   object_address UINT64 nullable: Address of the object. NULL if the event does not record it.
--   stack_id INT64 nullable: Stack of the thread: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH types AS (
  SELECT trace, process_id, v.type_id AS type_id, max(v.name) AS name
  FROM (SELECT t.trace, t.process_id, unnest(t.values) AS v FROM microsoft_windows_dotnetruntime_type_bulktype AS t) AS logged
  WHERE v.name <> ''
  GROUP BY trace, process_id, v.type_id
),
allocated AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'tick' AS source, type_name, type_id,
    allocation_kind_text AS heap, -- Old runtimes log amounts below zero.
    CASE WHEN allocation_amount64 IS NOT NULL THEN TRY_CAST(allocation_amount64 AS BIGINT) WHEN allocation_amount < 2147483648 THEN allocation_amount END AS bytes, CAST(NULL AS BIGINT) AS objects,
    TRY_CAST(object_size AS BIGINT) AS object_bytes, address
  FROM microsoft_windows_dotnetruntime_gc_allocationtick
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'sampled objects', NULL, type_id,
    NULL, TRY_CAST(total_size_for_type_sample AS BIGINT), object_count_for_type_sample, NULL, address
  FROM microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_20
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'sampled objects', NULL, type_id,
    NULL, TRY_CAST(total_size_for_type_sample AS BIGINT), object_count_for_type_sample, NULL, address
  FROM microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_32
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'sampled bytes', type_name, type_id,
    allocation_kind_text, TRY_CAST(object_size AS BIGINT), 1, TRY_CAST(object_size AS BIGINT), address
  FROM microsoft_windows_dotnetruntime_allocationsampling
)
SELECT a.trace, a.event_ref, a.timestamp, a.time_ns, a.clock_ns, a.seconds, a.process_id, a.process_name, a.thread_id, a.clr_instance_id, a.source,
  coalesce(nullif(a.type_name, ''), t.name) AS type_name, a.type_id, a.heap, a.bytes, a.objects, a.object_bytes, a.address AS object_address, e.stack_id
FROM allocated AS a
LEFT JOIN types AS t ON t.trace = a.trace AND t.process_id = a.process_id AND t.type_id = a.type_id
LEFT JOIN stack_events AS e ON e.trace = a.trace AND e.event_ref = a.event_ref
