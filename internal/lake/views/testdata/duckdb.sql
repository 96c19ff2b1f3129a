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
  nullif(k.modules[0 + 1], '') AS module, nullif(k.functions[0 + 1], '') AS function,
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
    nullif(replace(array_to_string(list_reverse(list_transform(k.addresses, lambda address, i: replace(replace(
      CASE WHEN k.functions[i] <> '' AND k.modules[i] <> '' THEN k.modules[i] || '!' || k.functions[i]
        WHEN k.functions[i] <> '' THEN k.functions[i]
        WHEN k.modules[i] <> '' THEN k.modules[i] || '+0x' || lower(hex(k.offsets[i]))
        ELSE '0x' || lower(hex(address))
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

-- packets
WITH fragments AS (
  SELECT 'NDIS' AS source, miniport_if_index AS interface_index, CAST(NULL AS BIGINT) AS component_id, lower_if_index AS edge_id, CAST(NULL AS STRING) AS place, trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1001
  UNION ALL SELECT 'VMSwitch', CAST(NULL AS BIGINT), source_port_id, CAST(NULL AS BIGINT), NULLIF(source_nic_name, ''), trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1003
),
marked AS (
  SELECT *, row_number() OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY time_ns, event_ref) AS n
  FROM (
    SELECT *, CASE WHEN (keys & 1073741824) <> 0 THEN 1 ELSE 0 END AS starts, CASE WHEN (keys & 2147483648) <> 0 THEN 1 ELSE 0 END AS ends,
      CASE WHEN (keys & 8589934592) <> 0 THEN 'received' WHEN (keys & 4294967296) <> 0 THEN 'sent' END AS direction
    FROM fragments
  ) AS f
),
-- A packet is open if the last fragment with a mark starts one and does not end it.
opened AS (
  SELECT *, COALESCE(max(CASE WHEN starts + ends > 0 THEN 4 * n + starts + 2 * ends END) OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) % 4, 0) = 1 AS is_open
  FROM marked
),
counted AS (
  SELECT *, sum(CASE WHEN starts = 1 OR NOT is_open THEN 1 ELSE 0 END) OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS packet
  FROM opened
),
joined AS (
  SELECT *, substr(concat(h, COALESCE(lead(h, 1) OVER following, ''), COALESCE(lead(h, 2) OVER following, ''), COALESCE(lead(h, 3) OVER following, ''),
      COALESCE(lead(h, 4) OVER following, ''), COALESCE(lead(h, 5) OVER following, ''), COALESCE(lead(h, 6) OVER following, ''), COALESCE(lead(h, 7) OVER following, '')), 1, 320) AS digits,
    CAST(sum(bytes) OVER whole AS BIGINT) AS captured, max(CASE WHEN (keys & 33554432) <> 0 THEN 1 ELSE 0 END) OVER whole = 1 AS is_cut
  FROM counted
  WINDOW following AS (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet ORDER BY n), whole AS (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END, packet)
),
captured AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_160
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_170
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_240
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_200
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_210
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_220
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_230
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, source, component_id, edge_id, interface_index, place, direction,
    CASE WHEN source = 'VMSwitch' THEN 'Ethernet' WHEN (keys & 65536) <> 0 THEN '802.11' WHEN (keys & 33280) <> 0 THEN 'IP' WHEN (keys & 1) <> 0 THEN 'Ethernet' ELSE '' END,
    digits, captured, NULL, is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM joined WHERE starts = 1 OR NOT is_open AND ends = 0
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id, CAST(NULL AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, NULLIF(rras_user_name, '') AS place, 'sent', '', hex(array_slice(fragment, 1, 160)), CAST(COALESCE(octet_length(fragment), 0) AS BIGINT), NULL, false, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM microsoft_windows_ras_ndiswanpacketcapture_5001
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id, CAST(NULL AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, NULLIF(rras_user_name, '') AS place, 'received', '', hex(array_slice(fragment, 1, 160)), CAST(COALESCE(octet_length(fragment), 0) AS BIGINT), NULL, false, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM microsoft_windows_ras_ndiswanpacketcapture_5002
),
-- at is the place of the IP header among the digits, from 1.
linked AS (
  SELECT *, CASE WHEN link <> '' OR link IS NULL THEN link
      WHEN substr(h, 1, 1) = '4' AND CASE WHEN length(h) >= 5 + 4 - 1 THEN CAST('0x' || substr(h, 5, 4) AS BIGINT) END = greatest(captured, COALESCE(original, 0)) AND length(h) >= 40 THEN 'IP'
      WHEN substr(h, 1, 1) = '6' AND CASE WHEN length(h) >= 9 + 4 - 1 THEN CAST('0x' || substr(h, 9, 4) AS BIGINT) END + 40 = greatest(captured, COALESCE(original, 0)) AND length(h) >= 80 THEN 'IP'
      WHEN CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END >= 1536 OR CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END + 14 <= greatest(captured, COALESCE(original, 0)) THEN 'Ethernet' END AS link_type
  FROM captured
),
framed AS (
  SELECT *, CASE WHEN link_type = 'IP' THEN CASE substr(h, 1, 1) WHEN '4' THEN 2048 WHEN '6' THEN 34525 END
      WHEN link_type = 'Ethernet' THEN CASE WHEN type1 NOT IN (33024, 34984) THEN type1 WHEN type2 NOT IN (33024, 34984) THEN type2 ELSE type3 END END AS type,
    CASE WHEN link_type = 'IP' THEN 1 WHEN link_type = 'Ethernet' THEN CASE WHEN type1 NOT IN (33024, 34984) THEN 29 WHEN type2 NOT IN (33024, 34984) THEN 37 ELSE 45 END END AS ip_at
  FROM (SELECT *, CASE WHEN length(h) >= 25 + 4 - 1 THEN CAST('0x' || substr(h, 25, 4) AS BIGINT) END AS type1, CASE WHEN length(h) >= 33 + 4 - 1 THEN CAST('0x' || substr(h, 33, 4) AS BIGINT) END AS type2, CASE WHEN length(h) >= 41 + 4 - 1 THEN CAST('0x' || substr(h, 41, 4) AS BIGINT) END AS type3 FROM linked) AS typed
),
addressed AS (
  SELECT *,
    CASE WHEN version = 4 THEN CASE WHEN length(h) >= ip_at + 18 + 2 - 1 THEN CAST('0x' || substr(h, ip_at + 18, 2) AS BIGINT) END WHEN version = 6 THEN CASE WHEN length(h) >= ip_at + 12 + 2 - 1 THEN CAST('0x' || substr(h, ip_at + 12, 2) AS BIGINT) END END AS next0,
    CAST(CASE WHEN version = 4 AND CASE WHEN length(h) >= ip_at + 12 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 12, 4) AS BIGINT) END % 8192 = 0 THEN ip_at + 8 * CASE WHEN length(h) >= ip_at + 1 + 1 - 1 THEN CAST('0x' || substr(h, ip_at + 1, 1) AS BIGINT) END WHEN version = 6 THEN ip_at + 80 END AS BIGINT) AS at0,
    CASE WHEN version = 4 THEN CASE WHEN length(h) >= ip_at + 4 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 4, 4) AS BIGINT) END WHEN version = 6 AND CASE WHEN length(h) >= ip_at + 8 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 8, 4) AS BIGINT) END > 0 THEN CASE WHEN length(h) >= ip_at + 8 + 4 - 1 THEN CAST('0x' || substr(h, ip_at + 8, 4) AS BIGINT) END + 40 END AS ip_length,
    CASE WHEN version = 4 THEN substr(h, ip_at + 24, 8) WHEN version = 6 THEN substr(h, ip_at + 16, 32) WHEN is_arp THEN substr(h, ip_at + 28, 8) END AS source_digits,
    CASE WHEN version = 4 THEN substr(h, ip_at + 32, 8) WHEN version = 6 THEN substr(h, ip_at + 48, 32) WHEN is_arp THEN substr(h, ip_at + 48, 8) END AS destination_digits
  FROM (
    SELECT *, CASE WHEN type = 2048 AND substr(h, ip_at, 1) = '4' AND substr(h, ip_at + 1, 1) >= '5' AND length(h) >= ip_at + 39 THEN 4
        WHEN type = 34525 AND substr(h, ip_at, 1) = '6' AND length(h) >= ip_at + 79 THEN 6 END AS version,
      type = 2054 AND substr(h, ip_at + 4, 8) = '08000604' AND length(h) >= ip_at + 55 AS is_arp
    FROM framed
  ) AS versioned
),
-- Between the header of IPv6 and the protocol's are up to four others, seldom any.
headed1 AS (SELECT *, CASE WHEN version = 6 AND next0 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at0 + 2 - 1 THEN CAST('0x' || substr(h, at0, 2) AS BIGINT) END ELSE next0 END AS next1, CAST(CASE WHEN version = 6 AND next0 IN (0, 43, 60, 135) THEN at0 + 16 * (CASE WHEN length(h) >= at0 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at0 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next0 = 44 THEN CASE WHEN CASE WHEN length(h) >= at0 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at0 + 4, 4) AS BIGINT) END < 8 THEN at0 + 16 END ELSE at0 END AS BIGINT) AS at1 FROM addressed),
headed2 AS (SELECT *, CASE WHEN version = 6 AND next1 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at1 + 2 - 1 THEN CAST('0x' || substr(h, at1, 2) AS BIGINT) END ELSE next1 END AS next2, CAST(CASE WHEN version = 6 AND next1 IN (0, 43, 60, 135) THEN at1 + 16 * (CASE WHEN length(h) >= at1 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at1 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next1 = 44 THEN CASE WHEN CASE WHEN length(h) >= at1 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at1 + 4, 4) AS BIGINT) END < 8 THEN at1 + 16 END ELSE at1 END AS BIGINT) AS at2 FROM headed1),
headed3 AS (SELECT *, CASE WHEN version = 6 AND next2 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at2 + 2 - 1 THEN CAST('0x' || substr(h, at2, 2) AS BIGINT) END ELSE next2 END AS next3, CAST(CASE WHEN version = 6 AND next2 IN (0, 43, 60, 135) THEN at2 + 16 * (CASE WHEN length(h) >= at2 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at2 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next2 = 44 THEN CASE WHEN CASE WHEN length(h) >= at2 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at2 + 4, 4) AS BIGINT) END < 8 THEN at2 + 16 END ELSE at2 END AS BIGINT) AS at3 FROM headed2),
headed AS (
  SELECT *, CASE WHEN version = 6 AND next3 IN (0, 43, 44, 60, 135) THEN CASE WHEN length(h) >= at3 + 2 - 1 THEN CAST('0x' || substr(h, at3, 2) AS BIGINT) END ELSE next3 END AS ip_protocol, CAST(CASE WHEN version = 6 AND next3 IN (0, 43, 60, 135) THEN at3 + 16 * (CASE WHEN length(h) >= at3 + 2 + 2 - 1 THEN CAST('0x' || substr(h, at3 + 2, 2) AS BIGINT) END + 1)
      WHEN version = 6 AND next3 = 44 THEN CASE WHEN CASE WHEN length(h) >= at3 + 4 + 4 - 1 THEN CAST('0x' || substr(h, at3 + 4, 4) AS BIGINT) END < 8 THEN at3 + 16 END ELSE at3 END AS BIGINT) AS data_at, CASE WHEN length(source_digits) = 32 THEN concat(':',
    regexp_replace(lower(substr(source_digits, 1, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 5, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 9, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 13, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 17, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 21, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(source_digits, 25, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(source_digits, 29, 4)), '^0{1,3}', ''), ':') END AS source_groups, CASE WHEN length(destination_digits) = 32 THEN concat(':',
    regexp_replace(lower(substr(destination_digits, 1, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 5, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 9, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 13, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 17, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 21, 4)), '^0{1,3}', ''), ':',
    regexp_replace(lower(substr(destination_digits, 25, 4)), '^0{1,3}', ''), ':', regexp_replace(lower(substr(destination_digits, 29, 4)), '^0{1,3}', ''), ':') END AS destination_groups
  FROM headed3
),
parsed AS (
  SELECT *, CASE WHEN instr(source_groups, ':0:0:0:0:0:0:0:0:') > 0 THEN 8 WHEN instr(source_groups, ':0:0:0:0:0:0:0:') > 0 THEN 7 WHEN instr(source_groups, ':0:0:0:0:0:0:') > 0 THEN 6
    WHEN instr(source_groups, ':0:0:0:0:0:') > 0 THEN 5 WHEN instr(source_groups, ':0:0:0:0:') > 0 THEN 4 WHEN instr(source_groups, ':0:0:0:') > 0 THEN 3 WHEN instr(source_groups, ':0:0:') > 0 THEN 2 END AS source_zeros, CASE WHEN instr(destination_groups, ':0:0:0:0:0:0:0:0:') > 0 THEN 8 WHEN instr(destination_groups, ':0:0:0:0:0:0:0:') > 0 THEN 7 WHEN instr(destination_groups, ':0:0:0:0:0:0:') > 0 THEN 6
    WHEN instr(destination_groups, ':0:0:0:0:0:') > 0 THEN 5 WHEN instr(destination_groups, ':0:0:0:0:') > 0 THEN 4 WHEN instr(destination_groups, ':0:0:0:') > 0 THEN 3 WHEN instr(destination_groups, ':0:0:') > 0 THEN 2 END AS destination_zeros,
    CASE WHEN ip_protocol = 6 THEN CASE WHEN length(h) >= data_at + 26 + 2 - 1 THEN CAST('0x' || substr(h, data_at + 26, 2) AS BIGINT) END END AS flags
  FROM headed
),
components AS (
  SELECT trace, id, max(NULLIF(name, 'NULL')) AS name, max(description) AS description
  FROM (SELECT trace, id, name, description FROM microsoft_windows_pktmon_20 UNION ALL SELECT trace, id, name, description FROM microsoft_windows_pktmon_270) AS both_kinds
  GROUP BY trace, id
),
edges AS (SELECT trace, component_id, edge_id, max(edge_name) AS edge FROM microsoft_windows_pktmon_90 GROUP BY trace, component_id, edge_id),
properties AS (
  SELECT trace, component_id, COALESCE(max(CASE WHEN type = 2 THEN value END), max(CASE WHEN type = 1 THEN value END)) AS interface_index
  FROM microsoft_windows_pktmon_30
  GROUP BY trace, component_id
),
adapters AS (SELECT trace, interface_index, max(alias) AS alias FROM sysconfig_netinterface GROUP BY trace, interface_index)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.seconds, p.processor, p.source,
  CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END AS interface_index, COALESCE(p.place, a.alias) AS interface_name,
  p.component_id, COALESCE(c.name, c.description) AS component_name, e.edge, p.direction, p.link_type,
  CASE WHEN link_type = 'Ethernet' AND length(h) >= 24 THEN lower(concat_ws(':', substr(h, 12 + 1, 2), substr(h, 12 + 3, 2), substr(h, 12 + 5, 2), substr(h, 12 + 7, 2), substr(h, 12 + 9, 2), substr(h, 12 + 11, 2))) END AS source_mac, CASE WHEN link_type = 'Ethernet' AND length(h) >= 24 THEN lower(concat_ws(':', substr(h, 0 + 1, 2), substr(h, 0 + 3, 2), substr(h, 0 + 5, 2), substr(h, 0 + 7, 2), substr(h, 0 + 9, 2), substr(h, 0 + 11, 2))) END AS destination_mac,
  CASE WHEN p.link_type = 'Ethernet' AND p.type1 IN (33024, 34984) THEN CASE WHEN length(h) >= 29 + 4 - 1 THEN CAST('0x' || substr(h, 29, 4) AS BIGINT) END % 4096 END AS vlan_id,
  CASE WHEN p.type >= 1536 THEN CAST(p.type AS BIGINT) END AS ether_type,
  CASE WHEN p.source_digits IS NOT NULL THEN CASE WHEN length(source_digits) = 8 THEN concat_ws('.', CAST(CASE WHEN length(source_digits) >= 1 + 2 - 1 THEN CAST('0x' || substr(source_digits, 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 3 + 2 - 1 THEN CAST('0x' || substr(source_digits, 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 5 + 2 - 1 THEN CAST('0x' || substr(source_digits, 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(source_digits) >= 7 + 2 - 1 THEN CAST('0x' || substr(source_digits, 7, 2) AS BIGINT) END AS STRING))
    WHEN substr(source_digits, 1, 24) = '00000000000000000000FFFF' THEN concat('::ffff:', concat_ws('.', CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(source_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST('0x' || substr(substr(source_digits, 25, 8), 7, 2) AS BIGINT) END AS STRING)))
    WHEN source_zeros IS NULL THEN substr(source_groups, 2, length(source_groups) - 2)
    ELSE concat(substr(source_groups, 2, greatest(instr(source_groups, concat(repeat(':0', source_zeros), ':')) - 2, 0)), '::',
      substr(source_groups, instr(source_groups, concat(repeat(':0', source_zeros), ':')) + 2 * source_zeros + 1,
        greatest(length(source_groups) - instr(source_groups, concat(repeat(':0', source_zeros), ':')) - 2 * source_zeros - 1, 0)))
  END END AS source_address,
  CASE WHEN p.destination_digits IS NOT NULL THEN CASE WHEN length(destination_digits) = 8 THEN concat_ws('.', CAST(CASE WHEN length(destination_digits) >= 1 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 3 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 5 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(destination_digits) >= 7 + 2 - 1 THEN CAST('0x' || substr(destination_digits, 7, 2) AS BIGINT) END AS STRING))
    WHEN substr(destination_digits, 1, 24) = '00000000000000000000FFFF' THEN concat('::ffff:', concat_ws('.', CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 1 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 1, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 3 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 3, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 5 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 5, 2) AS BIGINT) END AS STRING), CAST(CASE WHEN length(substr(destination_digits, 25, 8)) >= 7 + 2 - 1 THEN CAST('0x' || substr(substr(destination_digits, 25, 8), 7, 2) AS BIGINT) END AS STRING)))
    WHEN destination_zeros IS NULL THEN substr(destination_groups, 2, length(destination_groups) - 2)
    ELSE concat(substr(destination_groups, 2, greatest(instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) - 2, 0)), '::',
      substr(destination_groups, instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) + 2 * destination_zeros + 1,
        greatest(length(destination_groups) - instr(destination_groups, concat(repeat(':0', destination_zeros), ':')) - 2 * destination_zeros - 1, 0)))
  END END AS destination_address,
  p.ip_protocol,
  CASE WHEN p.type = 2054 THEN 'ARP' ELSE CASE p.ip_protocol WHEN 1 THEN 'ICMP' WHEN 2 THEN 'IGMP' WHEN 6 THEN 'TCP' WHEN 17 THEN 'UDP' WHEN 41 THEN 'IPv6' WHEN 47 THEN 'GRE'
    WHEN 50 THEN 'ESP' WHEN 51 THEN 'AH' WHEN 58 THEN 'ICMPv6' WHEN 89 THEN 'OSPF' WHEN 103 THEN 'PIM' WHEN 112 THEN 'VRRP' WHEN 132 THEN 'SCTP' END END AS protocol,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN length(h) >= data_at + 4 - 1 THEN CAST('0x' || substr(h, data_at, 4) AS BIGINT) END END AS source_port,
  CASE WHEN p.ip_protocol IN (6, 17, 132) THEN CASE WHEN length(h) >= data_at + 4 + 4 - 1 THEN CAST('0x' || substr(h, data_at + 4, 4) AS BIGINT) END END AS destination_port,
  CASE WHEN p.flags IS NOT NULL THEN concat_ws('|', CASE WHEN (p.flags & 1) <> 0 THEN 'FIN' END, CASE WHEN (p.flags & 2) <> 0 THEN 'SYN' END, CASE WHEN (p.flags & 4) <> 0 THEN 'RST' END,
    CASE WHEN (p.flags & 8) <> 0 THEN 'PSH' END, CASE WHEN (p.flags & 16) <> 0 THEN 'ACK' END, CASE WHEN (p.flags & 32) <> 0 THEN 'URG' END,
    CASE WHEN (p.flags & 64) <> 0 THEN 'ECE' END, CASE WHEN (p.flags & 128) <> 0 THEN 'CWR' END) END AS tcp_flags,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN length(h) >= data_at + 2 - 1 THEN CAST('0x' || substr(h, data_at, 2) AS BIGINT) END END AS icmp_type,
  CASE WHEN p.ip_protocol IN (1, 58) THEN CASE WHEN length(h) >= data_at + 2 + 2 - 1 THEN CAST('0x' || substr(h, data_at + 2, 2) AS BIGINT) END END AS icmp_code,
  CASE WHEN p.original IS NOT NULL THEN greatest(p.original, p.captured) WHEN NOT p.is_cut THEN p.captured
    WHEN p.ip_length IS NOT NULL THEN greatest(p.captured, p.ip_length + CAST((p.ip_at - 1) / 2 AS BIGINT)) END AS wire_length,
  p.captured AS captured_length, p.process_id, p.process_name, p.thread_id, p.drop_reason, p.drop_location, p.packet_group, p.packet_number, p.appearance
FROM parsed AS p
LEFT JOIN components AS c ON p.source = 'PktMon' AND c.trace = p.trace AND c.id = p.component_id
LEFT JOIN edges AS e ON p.source = 'PktMon' AND e.trace = p.trace AND e.component_id = p.component_id AND e.edge_id = p.edge_id
LEFT JOIN properties AS i ON p.source = 'PktMon' AND i.trace = p.trace AND i.component_id = p.component_id
LEFT JOIN adapters AS a ON a.trace = p.trace AND a.interface_index = CASE WHEN p.source = 'PktMon' THEN i.interface_index ELSE p.interface_index END;

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

