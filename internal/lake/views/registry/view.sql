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
{{- define "calls of" -}}
trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, status, status_text, initial_time_ns FROM {{.}}
{{- end -}}
{{- define "names of" -}}
trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, key_handle, key_name, NULL, NULL, NULL FROM {{.}}
{{- end -}}
WITH steps AS (
  SELECT 'open' AS operation, {{template "calls of" "registry_open"}}
  UNION ALL SELECT 'create', {{template "calls of" "registry_create"}}
  UNION ALL SELECT 'delete', {{template "calls of" "registry_delete"}}
  UNION ALL SELECT 'query', {{template "calls of" "registry_query"}}
  UNION ALL SELECT 'set value', {{template "calls of" "registry_setvalue"}}
  UNION ALL SELECT 'delete value', {{template "calls of" "registry_deletevalue"}}
  UNION ALL SELECT 'query value', {{template "calls of" "registry_queryvalue"}}
  UNION ALL SELECT 'enumerate keys', {{template "calls of" "registry_enumeratekey"}}
  UNION ALL SELECT 'enumerate values', {{template "calls of" "registry_enumeratevaluekey"}}
  UNION ALL SELECT 'query values', {{template "calls of" "registry_querymultiplevalue"}}
  UNION ALL SELECT 'set information', {{template "calls of" "registry_setinformation"}}
  UNION ALL SELECT 'flush', {{template "calls of" "registry_flush"}}
  UNION ALL SELECT 'virtualize', {{template "calls of" "registry_virtualize"}}
  UNION ALL SELECT 'close', {{template "calls of" "registry_close"}}
  UNION ALL SELECT 'set security', {{template "calls of" "registry_setsecurity"}}
  UNION ALL SELECT 'query security', {{template "calls of" "registry_querysecurity"}}
  UNION ALL SELECT 'name born', {{template "names of" "registry_kcbcreate"}}
  UNION ALL SELECT 'name', {{template "names of" "registry_kcbdelete"}}
  UNION ALL SELECT 'name', {{template "names of" "registry_kcbrundownbegin"}}
  UNION ALL SELECT 'name', {{template "names of" "registry_kcbrundownend"}}
  UNION ALL SELECT 'name', {{template "names of" "registry_rundown"}}
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
  n.status, n.status_text, n.initial_time_ns AS start_ns, {{elapsed "n.trace" "n.initial_time_ns" "n.time_ns"}} AS duration_ns, s.stack_id
FROM named AS n
LEFT JOIN stack_events AS s ON s.trace = n.trace AND s.event_ref = n.event_ref
WHERE n.operation NOT IN ('name born', 'name')
