-- events
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.seconds, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.id AS event_id, e.version AS event_version,
  -- A message has its level in event_types only.
  CASE WHEN e.header_table = 'message_trace_header' THEN k.level ELSE e.level END AS level,
  -- event_types has the level, opcode and task of the first event of a kind.
  CASE WHEN e.level IS NULL OR e.level = k.level THEN k.level_name END AS level_name,
  e.task, CASE WHEN e.task IS NULL OR e.task = k.task THEN k.task_name END AS task_name,
  e.opcode, CASE WHEN e.opcode IS NULL OR e.opcode = k.opcode THEN k.opcode_name END AS opcode_name,
  e.keyword, e.channel, e.activity_id, e.related_activity_id,
  -- With these columns, the view joins the tables of events and of stacks.
  CAST(NULL AS BIGINT) AS stack_id, e.fields, e.message
FROM (
  SELECT trace, 'system_trace_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM system_trace_header
  UNION ALL SELECT trace, 'perfinfo_trace_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM perfinfo_trace_header
  UNION ALL SELECT trace, 'event_trace_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_trace_header
  UNION ALL SELECT trace, 'event_instance_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_instance_header
  UNION ALL SELECT trace, 'event_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, event_id AS id, event_version AS version, level, opcode, task, keyword, channel, activity_id, related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_header
  UNION ALL SELECT trace, 'message_trace_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, message_number AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, message
    FROM message_trace_header
  UNION ALL SELECT trace, 'other_header' AS header_table, event_ref, timestamp, time_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, header_type AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, CAST(NULL AS STRING) AS fields, CAST(NULL AS STRING) AS message
    FROM other_header
) AS e
LEFT JOIN event_types AS k ON k.trace = e.trace AND k.event_kind = e.event_kind;

-- context_switches
WITH steps AS (
  SELECT trace, old_thread_id AS thread_id, time_ns, event_ref, 'out' AS step, old_thread_state_text AS state,
    CASE WHEN old_thread_state = 5 THEN old_thread_wait_reason_text END AS reason
  FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, time_ns, event_ref, 'ready', NULL, NULL FROM thread_readythread
  UNION ALL SELECT trace, new_thread_id, time_ns, event_ref, 'in', NULL, NULL FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, time_ns, event_ref, 'start', NULL, NULL FROM thread_start
),
away AS (
  SELECT trace, min_by(event_ref, time_ns) FILTER (WHERE step = 'in') AS event_ref,
    min(CASE WHEN step = 'out' THEN time_ns END) AS out_ns, max(state) AS state, max(reason) AS reason,
    min(CASE WHEN step = 'ready' THEN time_ns END) AS ready_ns, min_by(event_ref, time_ns) FILTER (WHERE step = 'ready') AS ready_ref
  FROM (
    SELECT *, count(CASE WHEN step IN ('out', 'start') THEN 1 END) OVER (PARTITION BY trace, thread_id ORDER BY time_ns) AS turn
    FROM steps WHERE thread_id <> 0
  ) AS numbered
  WHERE turn > 0
  GROUP BY trace, thread_id, turn
),
runs AS (
  SELECT *, lead(time_ns) OVER turns AS next_ns, lead(old_thread_id) OVER turns AS next_old_id,
    lead(old_thread_state_text) OVER turns AS next_state, lead(old_thread_state) OVER turns AS next_state_number,
    lead(old_thread_wait_reason_text) OVER turns AS next_reason,
    lag(new_thread_id) OVER turns AS last_id, lag(process_id) OVER turns AS last_process_id, lag(process_name) OVER turns AS last_process_name
  FROM thread_cswitch
  WINDOW turns AS (PARTITION BY trace, processor ORDER BY time_ns, event_ref)
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.seconds, s.processor, s.process_id, s.process_name, s.new_thread_id AS thread_id,
  s.new_thread_priority AS priority,
  CASE WHEN s.next_old_id = s.new_thread_id THEN s.next_ns - s.time_ns END AS ran_ns,
  CASE WHEN s.next_old_id = s.new_thread_id THEN s.next_state END AS left_as,
  CASE WHEN s.next_old_id = s.new_thread_id AND s.next_state_number = 5 THEN s.next_reason END AS left_to_wait_for,
  s.time_ns - a.out_ns AS away_ns, CASE WHEN a.out_ns IS NOT NULL THEN a.state END AS away_as, a.reason AS waited_for,
  CASE WHEN a.ready_ns <= s.time_ns THEN s.time_ns - a.ready_ns END AS ready_ns,
  r.process_id AS readied_by_process_id, r.process_name AS readied_by_process_name, r.thread_id AS readied_by_thread_id, (r.flag & 1) <> 0 AS readied_from_dpc,
  s.old_thread_id,
  CASE WHEN s.old_thread_id = 0 THEN 0 WHEN s.last_id = s.old_thread_id THEN s.last_process_id END AS old_process_id,
  CASE WHEN s.last_id = s.old_thread_id THEN s.last_process_name END AS old_process_name,
  e.stack_id,
  nullif(get(k.modules, CAST(0 AS INT)), '') AS module, nullif(get(k.functions, CAST(0 AS INT)), '') AS function,
  k.functions
FROM runs AS s
LEFT JOIN away AS a ON a.trace = s.trace AND a.event_ref = s.event_ref
LEFT JOIN thread_readythread AS r ON r.trace = a.trace AND r.event_ref = a.ready_ref AND a.ready_ns <= s.time_ns
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;

-- cpu_samples
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.seconds, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, s.instruction_pointer_module AS module, s.instruction_pointer_function AS function, s.instruction_pointer_offset AS function_offset,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, s.thread_id = 0 AND coalesce(s.flags & 3, 0) = 0 AS is_idle, v.interval_ns,
  e.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v ON v.trace = s.trace
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;

-- disk_io
WITH transfers AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'read' AS operation, process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_flushbuffers
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'optical read', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalread
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'optical write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalwrite
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'optical flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalflushbuffers
)
SELECT d.trace, d.event_ref, d.timestamp, d.time_ns, d.seconds, d.processor, d.operation, d.process_id, d.process_name, d.thread_id,
  d.disk_number, d.file_name, d.byte_offset, d.transfer_size,
  TRY_CAST(round(CAST(d.high_res_response_time AS DOUBLE) * 1000000000 / h.perf_freq) AS BIGINT) AS disk_ns,
  d.irp_flags_text AS irp_flags, d.irp_priority_text AS irp_priority
FROM transfers AS d
LEFT JOIN traces AS h ON h.trace = d.trace;

-- file_io
WITH operations AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'create' AS operation, process_id, process_name, thread_id, file_name, NULL AS file_offset, NULL AS io_size, irp_ptr FROM fileio_create
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'cleanup', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_cleanup
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'close', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_close
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'read', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'write', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'set info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_setinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'delete', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_delete
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'rename', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_rename
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'list folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_direnum
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'watch folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_dirnotify
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'flush', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_flush
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'query info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_queryinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'control', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_fscontrol
),
steps AS (
  SELECT *, lead(nt_status) OVER requests AS end_status, lead(nt_status_text) OVER requests AS end_status_text,
    lead(extra_info) OVER requests AS end_info, lead(time_ns) OVER requests AS next_ns, lead(is_end) OVER requests AS next_is_end
  FROM (
    SELECT *, 0 AS is_end, NULL AS nt_status, NULL AS nt_status_text, NULL AS extra_info FROM operations
    UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, NULL, NULL, NULL, NULL, NULL, NULL, NULL, irp_ptr,
      1, nt_status, nt_status_text, extra_info FROM fileio_operationend
  ) AS seen
  WINDOW requests AS (PARTITION BY trace, irp_ptr ORDER BY time_ns, is_end, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, seconds, processor, operation, process_id, process_name, thread_id, file_name, file_offset, io_size,
  CASE WHEN next_is_end = 1 THEN next_ns - time_ns END AS duration_ns,
  CASE WHEN next_is_end = 1 THEN end_status END AS status,
  CASE WHEN next_is_end = 1 THEN end_status_text END AS status_text,
  CASE WHEN next_is_end = 1 AND operation IN ('read', 'write') THEN TRY_CAST(end_info AS BIGINT) END AS bytes_done
FROM steps
WHERE is_end = 0;

-- folded_stacks
SELECT k.trace, k.stack_id, k.process_id, k.process_name,
  concat_ws(chr(59), replace(coalesce(k.process_name, 'process ' || CAST(k.process_id AS STRING), '?'), chr(59), ':'),
    -- No frame has a line feed, so a line feed stands in for the semicolon.
    nullif(replace(array_join(reverse(transform(k.addresses, (address, i) -> replace(replace(
      CASE WHEN k.functions[i] <> '' AND k.modules[i] <> '' THEN k.modules[i] || '!' || k.functions[i]
        WHEN k.functions[i] <> '' THEN k.functions[i]
        WHEN k.modules[i] <> '' THEN k.modules[i] || '+0x' || lower(hex(CAST(k.offsets[i] - CASE WHEN k.offsets[i] >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))
        ELSE '0x' || lower(hex(CAST(address - CASE WHEN address >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))
      END, chr(59), ':'), chr(10), ' '))), '
'), chr(10), chr(59)), '')) AS stack
FROM stacks AS k;

-- image_loads
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, e.seconds, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref, min(seconds) AS seconds FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL;

-- process_tree
WITH RECURSIVE steps AS (
  SELECT *, '/' || lpad(CAST(first_seen_ns AS STRING), 20, '0') || '-' || lpad(CAST(process_id AS STRING), 10, '0') AS step
  FROM processes
),
levels AS (
  SELECT trace, process_ref, 0 AS depth, step AS place FROM steps WHERE parent_process_ref IS NULL
  UNION ALL
  SELECT c.trace, c.process_ref, t.depth + 1, t.place || c.step
  FROM levels AS t JOIN steps AS c ON c.trace = t.trace AND c.parent_process_ref = t.process_ref
)
SELECT t.trace, t.depth, repeat('  ', t.depth) || coalesce(c.process_name, '?') AS tree, c.process_id, c.process_name, c.parent_process_id, c.parent_process_name,
  c.start_time, c.end_time, c.exit_code, c.command_line, c.user_sid, c.session_id, c.image_path, t.process_ref, c.parent_process_ref, t.place
FROM levels AS t
JOIN processes AS c ON c.trace = t.trace AND c.process_ref = t.process_ref
ORDER BY t.trace, t.place;

