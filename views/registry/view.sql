-- rows of registry_open, registry_create, registry_delete, registry_query, registry_setvalue, registry_deletevalue, registry_queryvalue, registry_enumeratekey, registry_enumeratevaluekey, registry_querymultiplevalue, registry_setinformation, registry_flush, registry_virtualize, registry_close, registry_setsecurity, registry_querysecurity
--   event_ref
--   timestamp TIMESTAMP not null: When it was done, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   operation STRING not null: open, create, delete, query, set value, delete value, query value, enumerate keys, enumerate values, query values, set information, flush, virtualize, close, set security or query security.
--   process_id
--   process_name
--   thread_id
--   key_path STRING nullable: Full path of the key. It begins with ? where the trace does not name the key that a relative path belongs to.
--   value_name STRING nullable: Name of the value; empty for the default value. NULL for operations on keys.
--   status INT64 nullable: NTSTATUS of the result.
--   status_text STRING nullable: Name of status. NULL if no name is known.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL before Windows Vista.
--   duration_ns INT64 nullable: How long it took, in ns. NULL like start_ns.
--   stack_id INT64 nullable: Stack of the thread: joins stacks and folded_stacks, with trace. NULL if there is none.
WITH steps AS (
  SELECT 'open' AS operation, trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_open
  UNION ALL SELECT 'create', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_create
  UNION ALL SELECT 'delete', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_delete
  UNION ALL SELECT 'query', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_query
  UNION ALL SELECT 'set value', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_setvalue
  UNION ALL SELECT 'delete value', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_deletevalue
  UNION ALL SELECT 'query value', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_queryvalue
  UNION ALL SELECT 'enumerate keys', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_enumeratekey
  UNION ALL SELECT 'enumerate values', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_enumeratevaluekey
  UNION ALL SELECT 'query values', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_querymultiplevalue
  UNION ALL SELECT 'set information', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_setinformation
  UNION ALL SELECT 'flush', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_flush
  UNION ALL SELECT 'virtualize', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_virtualize
  UNION ALL SELECT 'close', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_close
  UNION ALL SELECT 'set security', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_setsecurity
  UNION ALL SELECT 'query security', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM registry_querysecurity
  UNION ALL SELECT 'name born', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM registry_kcbcreate
  UNION ALL SELECT 'name', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM registry_kcbdelete
  UNION ALL SELECT 'name', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM registry_kcbrundownbegin
  UNION ALL SELECT 'name', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM registry_kcbrundownend
  UNION ALL SELECT 'name', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM registry_rundown
),
-- A key control block has one name from its creation to the next one at its address. Operations
-- without one are partitions of their own.
lives AS (
  SELECT *, CASE WHEN key_handle = 0 THEN event_ref END AS alone,
    count(CASE WHEN operation = 'name born' THEN 1 END) OVER (PARTITION BY trace, key_handle, CASE WHEN key_handle = 0 THEN event_ref END ORDER BY clock_ns) AS life
  FROM steps
),
named AS (
  SELECT *, max(CASE WHEN operation IN ('name born', 'name') THEN key_name END) OVER (PARTITION BY trace, key_handle, alone, life) AS block_name,
    operation IN ('set value', 'delete value', 'query value', 'enumerate values', 'query values') AS is_of_value
  FROM lives
)
SELECT n.trace, n.event_ref, n.timestamp, n.time_ns, n.clock_ns, n.seconds, n.processor, n.operation, n.process_id, n.process_name, n.thread_id,
  nullif(concat_ws(chr(92), CASE WHEN n.key_handle <> 0 THEN coalesce(n.block_name, '?') END, CASE WHEN NOT n.is_of_value THEN nullif(n.key_name, '') END), '') AS key_path,
  CASE WHEN n.operation IN ('enumerate values', 'query values') THEN nullif(n.key_name, '') WHEN n.is_of_value THEN n.key_name END AS value_name,
  n.status, n.status_text, n.initial_time_ns AS start_ns, CASE /* ns of n.trace */ WHEN n.time_ns >= n.initial_time_ns THEN n.time_ns - n.initial_time_ns END AS duration_ns, s.stack_id
FROM named AS n
LEFT JOIN stack_events AS s ON s.trace = n.trace AND s.event_ref = n.event_ref
WHERE n.operation NOT IN ('name born', 'name')
