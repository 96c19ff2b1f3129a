-- rows of pagefault_virtualalloc, heap_alloc, heap_realloc, pool_poolallocation, pool_sessionpoolallocation
--   kind STRING not null: virtual (a range that VirtualAlloc reserved, and perhaps committed), commit (a part of a range that it committed later), heap or pool.
--   process_id INT64 nullable: Process whose memory it is; for pool, the process that allocated it. NULL if the trace does not record it.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   pool_type STRING nullable: Type of the pool by name. NULL for other kinds.
--   pool_tag STRING nullable: Four characters of the allocation, with . for those that cannot be printed. NULL for other kinds.
--   stack_id INT64 nullable: Stack of the allocations: joins stacks and folded_stacks, with trace. NULL if they have none.
--   allocations INT64 not null: Number of allocations that are not freed in the trace.
--   bytes INT64 nullable: Sum of their sizes, in bytes. NULL if it is more than a column can hold.
--   first_ns INT64 not null: When the first of them was made, in ns since 1970-01-01 UTC.
--   last_ns INT64 not null: When the last of them was made.
WITH virtual AS (
  -- The flags are MEM_COMMIT, MEM_RESERVE, MEM_DECOMMIT and MEM_RELEASE.
  SELECT trace, event_ref, clock_ns, process_id, process_name, base_address, region_size,
    CASE WHEN (flags & 8192) <> 0 THEN 'reserve' WHEN (flags & 4096) <> 0 THEN 'commit' END AS step FROM pagefault_virtualalloc
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, process_name, base_address, region_size,
    CASE WHEN (flags & 32768) <> 0 THEN 'release' WHEN (flags & 16384) <> 0 THEN 'decommit' END FROM pagefault_virtualfree
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, process_name, base_address, region_size, 'existing' FROM pagefault_virtualallocdcstart
),
ranges AS (
  -- A part belongs to the range that begins at the nearest address below.
  SELECT *, step IN ('reserve', 'release', 'existing') AS is_range,
    max(CASE WHEN step IN ('reserve', 'release', 'existing') THEN base_address END) OVER (PARTITION BY trace, process_id ORDER BY base_address) AS range_base
  FROM virtual WHERE step IS NOT NULL
),
uses AS (
  SELECT *, row_number() OVER (PARTITION BY trace, process_id, base_address, is_range ORDER BY clock_ns DESC, event_ref DESC) AS place,
    max(CASE WHEN step = 'release' THEN clock_ns END) OVER (PARTITION BY trace, process_id, range_base) AS released_ns,
    max(CASE WHEN is_range THEN region_size END) OVER (PARTITION BY trace, process_id, range_base) AS range_size
  FROM ranges
),
steps AS (
  SELECT 'heap' AS kind, trace, event_ref, clock_ns, process_id, process_name, process_id AS owner, heap_handle AS heap, alloc_address AS address, alloc_size AS size,
    CAST(NULL AS STRING) AS pool_type, CAST(NULL AS BIGINT) AS tag, 'allocate' AS step FROM heap_alloc
  UNION ALL SELECT 'heap', trace, event_ref, clock_ns, process_id, process_name, process_id, heap_handle, new_alloc_address, new_alloc_size, NULL, NULL, 'allocate' FROM heap_realloc
  UNION ALL SELECT 'heap', trace, event_ref, clock_ns, process_id, process_name, process_id, heap_handle, old_alloc_address, NULL, NULL, NULL, 'free' FROM heap_realloc
  UNION ALL SELECT 'heap', trace, event_ref, clock_ns, process_id, process_name, process_id, heap_handle, free_address, NULL, NULL, NULL, 'free' FROM heap_free
  UNION ALL SELECT 'heap', trace, event_ref, clock_ns, process_id, process_name, process_id, heap_handle, NULL, NULL, NULL, NULL, 'destroy' FROM heap_destroy
  UNION ALL SELECT 'pool', trace, event_ref, clock_ns, process_id, process_name, NULL, NULL, entry, number_of_bytes, pool_type_text, tag, 'allocate' FROM pool_poolallocation
  UNION ALL SELECT 'pool', trace, event_ref, clock_ns, process_id, process_name, NULL, NULL, entry, NULL, NULL, NULL, 'free' FROM pool_poolfree
  UNION ALL SELECT 'pool', trace, event_ref, clock_ns, process_id, process_name, session_id, NULL, entry, number_of_bytes, pool_type_text, tag, 'allocate' FROM pool_sessionpoolallocation
  UNION ALL SELECT 'pool', trace, event_ref, clock_ns, process_id, process_name, session_id, NULL, entry, NULL, NULL, NULL, 'free' FROM pool_sessionpoolfree
),
blocks AS (
  -- A block that is allocated again in place is freed and allocated by one event.
  SELECT *, row_number() OVER (PARTITION BY trace, kind, owner, address ORDER BY clock_ns DESC, event_ref DESC, step) AS place,
    max(CASE WHEN step = 'destroy' THEN clock_ns END) OVER (PARTITION BY trace, kind, owner, heap) AS destroyed_ns
  FROM steps
),
outstanding AS (
  SELECT CASE step WHEN 'reserve' THEN 'virtual' ELSE 'commit' END AS kind, trace, event_ref, clock_ns, process_id, process_name, region_size AS size,
    CAST(NULL AS STRING) AS pool_type, CAST(NULL AS STRING) AS pool_tag
  FROM uses
  WHERE place = 1 AND (step = 'reserve' OR step = 'commit' AND NOT coalesce(released_ns >= clock_ns
    AND CAST(base_address AS DECIMAL(20, 0)) < CAST(range_base AS DECIMAL(20, 0)) + CAST(range_size AS DECIMAL(20, 0)), false))
  UNION ALL SELECT kind, trace, event_ref, clock_ns, process_id, process_name, size, pool_type,
    CASE WHEN kind = 'pool' THEN concat(CASE WHEN tag % 256 BETWEEN 32 AND 126 THEN chr(CAST(tag % 256 AS INT)) ELSE '.' END, CASE WHEN ((tag - tag % 256) / 256) % 256 BETWEEN 32 AND 126 THEN chr(CAST(((tag - tag % 256) / 256) % 256 AS INT)) ELSE '.' END,
      CASE WHEN ((tag - tag % 65536) / 65536) % 256 BETWEEN 32 AND 126 THEN chr(CAST(((tag - tag % 65536) / 65536) % 256 AS INT)) ELSE '.' END, CASE WHEN ((tag - tag % 16777216) / 16777216 % 128) % 256 BETWEEN 32 AND 126 THEN chr(CAST(((tag - tag % 16777216) / 16777216 % 128) % 256 AS INT)) ELSE '.' END) END
  FROM blocks
  WHERE place = 1 AND step = 'allocate' AND NOT coalesce(destroyed_ns >= clock_ns, false)
)
SELECT o.trace, o.kind, o.process_id, max(o.process_name) AS process_name, o.pool_type, o.pool_tag, s.stack_id,
  count(*) AS allocations, TRY_CAST(sum(CAST(o.size AS DECIMAL(20, 0))) AS BIGINT) AS bytes, min(o.clock_ns) AS first_ns, max(o.clock_ns) AS last_ns
FROM outstanding AS o
LEFT JOIN stack_events AS s ON s.trace = o.trace AND s.event_ref = o.event_ref
GROUP BY o.trace, o.kind, o.process_id, o.pool_type, o.pool_tag, s.stack_id
