-- DuckDB views over this dataset: start it in this folder, duckdb -init views.sql; from elsewhere, if it was moved or copied, first SET VARIABLE dataset = 'its path', then .read views.sql.
SET VARIABLE dataset_root = CASE
  WHEN getvariable('dataset') IS NOT NULL THEN replace(replace(replace(getvariable('dataset')::VARCHAR, '[', '[[]'), '*', '[*]'), '?', '[?]')
  WHEN EXISTS (SELECT * FROM glob('_traces/*.json')) THEN '.'
  ELSE 'ROOT/it''s a [[]new] folder' END;

CREATE OR REPLACE VIEW traces AS SELECT * FROM read_parquet(getvariable('dataset_root') || '/traces/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW traces IS 'One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.';

CREATE OR REPLACE VIEW buffers AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS buffer, NULL::BIGINT AS file_offset, NULL::BIGINT AS buffer_size, NULL::BIGINT AS saved_offset, NULL::BIGINT AS data_end, NULL::BIGINT AS uncompressed_size, NULL::BIGINT AS time_stamp, NULL::BIGINT AS sequence_number, NULL::INTEGER AS processor, NULL::INTEGER AS logger_id, NULL::BIGINT AS state, NULL::INTEGER AS buffer_flag, NULL::VARCHAR[] AS buffer_flag_text, NULL::INTEGER AS buffer_type, NULL::VARCHAR AS buffer_type_text, NULL::BIGINT AS events, NULL::BIGINT AS first_event_ns, NULL::BIGINT AS last_event_ns, NULL::BOOLEAN AS damaged WHERE false;
COMMENT ON VIEW buffers IS 'One row per buffer of the file (WMI_BUFFER_HEADER), in file order.';

CREATE OR REPLACE VIEW providers AS SELECT NULL::VARCHAR AS trace, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS provider_group, NULL::VARCHAR AS name_source, NULL::BIGINT AS event_types, NULL::BIGINT AS events, NULL::BIGINT AS events_not_decoded, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::BIGINT AS payloads_whole, NULL::BIGINT AS payloads_in_part, NULL::BIGINT AS payloads_raw, NULL::BIGINT AS payload_bytes_whole, NULL::BIGINT AS payload_bytes_in_part, NULL::BIGINT AS payload_bytes_rest, NULL::BIGINT AS payload_bytes_raw WHERE false;
COMMENT ON VIEW providers IS 'One row per provider or event class that wrote events.';

CREATE OR REPLACE VIEW event_types AS SELECT NULL::VARCHAR AS trace, NULL::INTEGER AS event_kind, NULL::VARCHAR AS header_table, NULL::VARCHAR AS header_type_name, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_id, NULL::VARCHAR AS hook_symbol, NULL::INTEGER AS event_version, NULL::INTEGER AS level, NULL::VARCHAR AS level_name, NULL::INTEGER AS opcode, NULL::VARCHAR AS opcode_name, NULL::INTEGER AS task, NULL::VARCHAR AS task_name, NULL::INTEGER AS channel, NULL::VARCHAR AS channel_name, NULL::UBIGINT AS keyword, NULL::VARCHAR[] AS keyword_names, NULL::INTEGER AS event_tags, NULL::VARCHAR AS function_name, NULL::VARCHAR AS source, NULL::VARCHAR AS message_template, NULL::BIGINT AS events, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::VARCHAR AS decoder, NULL::INTEGER[] AS layout_builds, NULL::VARCHAR AS payload_table, NULL::STRUCT(name VARCHAR, column_name VARCHAR, in_type VARCHAR, out_type VARCHAR, is_array BOOLEAN, depth INTEGER, tags INTEGER)[] AS field_list, NULL::BIGINT AS payloads_whole, NULL::BIGINT AS payloads_in_part, NULL::BIGINT AS payloads_raw, NULL::BIGINT AS payload_bytes_whole, NULL::BIGINT AS payload_bytes_in_part, NULL::BIGINT AS payload_bytes_rest, NULL::BIGINT AS payload_bytes_raw WHERE false;
COMMENT ON VIEW event_types IS 'One row per kind of event in the trace, with the number of its events.';

CREATE OR REPLACE VIEW processes AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS process_id, NULL::BIGINT AS process_ref, NULL::BIGINT AS parent_process_id, NULL::BIGINT AS parent_process_ref, NULL::VARCHAR AS parent_process_name, NULL::UBIGINT AS unique_process_key, NULL::VARCHAR AS process_name, NULL::VARCHAR AS image_path, NULL::VARCHAR AS command_line, NULL::VARCHAR AS package_full_name, NULL::VARCHAR AS application_id, NULL::VARCHAR AS user_sid, NULL::BIGINT AS session_id, NULL::BIGINT AS exit_code, NULL::BOOLEAN AS is_32_bit, NULL::BIGINT AS first_seen_ns, NULL::TIMESTAMPTZ AS start_time, NULL::BIGINT AS start_ns, NULL::TIMESTAMPTZ AS end_time, NULL::BIGINT AS end_ns, NULL::BIGINT AS valid_from_ns, NULL::BIGINT AS valid_to_ns, NULL::VARCHAR[] AS known_from WHERE false;
COMMENT ON VIEW processes IS 'One row per process recorded in the trace, by id and time. A reused id has several rows.';

CREATE OR REPLACE VIEW threads AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS thread_id, NULL::BIGINT AS process_id, NULL::BIGINT AS process_ref, NULL::VARCHAR AS process_name, NULL::VARCHAR AS thread_name, NULL::UBIGINT AS start_address, NULL::INTEGER AS base_priority, NULL::TIMESTAMPTZ AS start_time, NULL::BIGINT AS start_ns, NULL::TIMESTAMPTZ AS end_time, NULL::BIGINT AS end_ns, NULL::BIGINT AS valid_from_ns, NULL::BIGINT AS valid_to_ns, NULL::VARCHAR[] AS known_from WHERE false;
COMMENT ON VIEW threads IS 'One row per thread recorded in the trace, by id and time. A reused id has several rows.';

CREATE OR REPLACE VIEW images AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS process_id, NULL::BIGINT AS process_ref, NULL::VARCHAR AS process_name, NULL::UBIGINT AS image_base, NULL::UBIGINT AS image_size, NULL::VARCHAR AS image_name, NULL::VARCHAR AS image_path, NULL::BIGINT AS checksum, NULL::BIGINT AS time_date_stamp, NULL::VARCHAR AS pdb_name, NULL::VARCHAR AS pdb_guid, NULL::BIGINT AS pdb_age, NULL::VARCHAR AS file_version, NULL::VARCHAR AS product_name, NULL::VARCHAR AS company_name, NULL::TIMESTAMPTZ AS load_time, NULL::BIGINT AS load_ns, NULL::TIMESTAMPTZ AS unload_time, NULL::BIGINT AS unload_ns, NULL::BIGINT AS valid_from_ns, NULL::BIGINT AS valid_to_ns, NULL::VARCHAR[] AS known_from WHERE false;
COMMENT ON VIEW images IS 'One row per image in a process, by process, base and time. The kernel''s images are in process 0.';

CREATE OR REPLACE VIEW methods AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS process_id, NULL::VARCHAR AS process_name, NULL::UBIGINT AS address, NULL::BIGINT AS size, NULL::VARCHAR AS namespace, NULL::VARCHAR AS method_name, NULL::VARCHAR AS signature, NULL::VARCHAR AS module, NULL::VARCHAR AS module_path, NULL::VARCHAR AS native_path, NULL::VARCHAR AS runtime, NULL::VARCHAR AS kind, NULL::VARCHAR AS tier, NULL::BIGINT AS flags, NULL::VARCHAR[] AS flags_text, NULL::UBIGINT AS method_id, NULL::UBIGINT AS rejit_id, NULL::INTEGER AS clr_instance_id, NULL::BIGINT AS source_line, NULL::BIGINT AS source_column, NULL::TIMESTAMPTZ AS load_time, NULL::BIGINT AS load_ns, NULL::TIMESTAMPTZ AS unload_time, NULL::BIGINT AS unload_ns, NULL::BIGINT AS valid_from_ns, NULL::BIGINT AS valid_to_ns, NULL::VARCHAR[] AS known_from WHERE false;
COMMENT ON VIEW methods IS 'One row per code of a method of a runtime (.NET, JavaScript), by process, address and time. A method that is compiled again has several rows.';

CREATE OR REPLACE VIEW files AS SELECT NULL::VARCHAR AS trace, NULL::UBIGINT AS file_object, NULL::VARCHAR AS file_name, NULL::BIGINT AS first_seen_ns, NULL::BIGINT AS last_seen_ns, NULL::TIMESTAMPTZ AS open_time, NULL::BIGINT AS open_ns, NULL::TIMESTAMPTZ AS close_time, NULL::BIGINT AS close_ns, NULL::BIGINT AS valid_from_ns, NULL::BIGINT AS valid_to_ns, NULL::VARCHAR[] AS known_from WHERE false;
COMMENT ON VIEW files IS 'One row per file object or file key with a name, by address and time. A reused address has several rows.';

CREATE OR REPLACE VIEW stack_events AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS process_name, NULL::VARCHAR AS provider_id, NULL::INTEGER AS event_id, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::VARCHAR[] AS sources, NULL::INTEGER AS unresolved_keys, NULL::BIGINT AS stack_id WHERE false;
COMMENT ON VIEW stack_events IS 'One row per event with a call stack, in time order; stack_id joins stacks, with trace. A stack whose event is not in the trace has a row too.';

CREATE OR REPLACE VIEW stacks AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS stack_id, NULL::BIGINT AS process_id, NULL::VARCHAR AS process_name, NULL::INTEGER AS kernel_frames, NULL::UBIGINT[] AS addresses, NULL::VARCHAR[] AS modules, NULL::VARCHAR[] AS functions, NULL::VARCHAR[] AS symbols, NULL::UBIGINT[] AS offsets WHERE false;
COMMENT ON VIEW stacks IS 'One row per distinct call stack of a process, in the order in which stack_events first has them.';

CREATE OR REPLACE VIEW compact_switches AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS batch_ref, NULL::INTEGER AS position, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS old_thread_id, NULL::INTEGER AS old_thread_priority, NULL::INTEGER AS old_thread_state_wr, NULL::BIGINT AS new_thread_id, NULL::BIGINT AS new_thread_wait_time WHERE false;
COMMENT ON VIEW compact_switches IS 'One row per context switch in compact form (PERF_COMPACT_CSWITCH), in the order of batches: buffers of type 2, and events of hook 0x0525, which are rows of header tables too. Such a switch records the thread that was switched out. Made from public type information; not tested with a real trace.';

CREATE OR REPLACE VIEW problems AS SELECT NULL::VARCHAR AS trace, NULL::VARCHAR AS severity, NULL::VARCHAR AS code, NULL::BIGINT AS count, NULL::BIGINT AS buffer, NULL::BIGINT AS file_offset, NULL::BIGINT AS position, NULL::VARCHAR AS field, NULL::VARCHAR AS message WHERE false;
COMMENT ON VIEW problems IS 'Damage in the trace, and losses before it was written, in file order.';

CREATE OR REPLACE VIEW system_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT[] AS pmc_counters, NULL::VARCHAR[] AS pmc_names, NULL::UBIGINT AS pebs_index, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW system_trace_header IS 'Events with a SYSTEM_TRACE_HEADER or its COMPACT form (header types 1 to 4): kernel events that carry process and thread.';

CREATE OR REPLACE VIEW perfinfo_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::UBIGINT[] AS pmc_counters, NULL::VARCHAR[] AS pmc_names, NULL::UBIGINT AS pebs_index, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW perfinfo_trace_header IS 'Events with a PERFINFO_TRACE_HEADER (0x10, 0x11): frequent kernel events, without process and thread.';

CREATE OR REPLACE VIEW event_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW event_trace_header IS 'Events with an EVENT_TRACE_HEADER (FULL_HEADER, 0x0A and 0x14): classic events, described by MOF classes.';

CREATE OR REPLACE VIEW event_instance_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::BIGINT AS instance_id, NULL::BIGINT AS parent_instance_id, NULL::VARCHAR AS parent_guid, NULL::UBIGINT AS reg_handle, NULL::UBIGINT AS parent_reg_handle, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW event_instance_header IS 'Events with an EVENT_INSTANCE_HEADER or EVENT_INSTANCE_GUID_HEADER (INSTANCE, 0x0B and 0x15): classic events that name a transaction.';

CREATE OR REPLACE VIEW event_header AS SELECT * FROM read_parquet(getvariable('dataset_root') || '/event_header/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW event_header IS 'Events with an EVENT_HEADER (0x12, 0x13): those of manifest-based providers, TraceLogging and EventSource.';

CREATE OR REPLACE VIEW message_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS message_number, NULL::INTEGER AS message_flags, NULL::VARCHAR AS message_flags_text, NULL::BIGINT AS sequence_number, NULL::VARCHAR AS message_guid, NULL::BIGINT AS component_id, NULL::BIGINT AS performance_timestamp, NULL::BOOLEAN AS has_time, NULL::VARCHAR AS level_name, NULL::VARCHAR AS function_name, NULL::VARCHAR AS source, NULL::VARCHAR AS message, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW message_trace_header IS 'WPP messages, with a MESSAGE_TRACE_HEADER (0x90).';

CREATE OR REPLACE VIEW other_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS marker, NULL::BOOLEAN AS has_time, NULL::BLOB AS raw WHERE false;
COMMENT ON VIEW other_header IS 'What is known to be an event by its marker and size only: ERROR, WNODE and TIMED headers, types of no public source, and buffers that hold something else than events.';

CREATE OR REPLACE VIEW thread_readythread AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BIGINT AS t_thread_id, NULL::INTEGER AS adjust_reason, NULL::VARCHAR AS adjust_reason_text, NULL::INTEGER AS adjust_increment, NULL::INTEGER AS flag, NULL::VARCHAR AS flag_text, NULL::INTEGER AS reserved, NULL::BLOB AS payload_rest WHERE false;
COMMENT ON VIEW thread_readythread IS 'Thread TThreadId was made ready to run. The one that readied it is whatever ran on the event''s processor.';

CREATE OR REPLACE VIEW events AS
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.event_id, e.event_version, e.level, e.level_name, e.task, e.task_name, e.opcode, e.opcode_name, e.keyword, e.channel, e.activity_id, e.related_activity_id, e.seconds, s.stack_id AS stack_id, e.fields, e.message
FROM (
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.id AS event_id, e.version AS event_version,
  -- A message has its level in event_types only.
  CASE WHEN e.header_table = 'message_trace_header' THEN k.level ELSE e.level END AS level,
  -- event_types has the level, opcode and task of the first event of a kind.
  CASE WHEN e.level IS NULL OR e.level = k.level THEN k.level_name END AS level_name,
  e.task, CASE WHEN e.task IS NULL OR e.task = k.task THEN k.task_name END AS task_name,
  e.opcode, CASE WHEN e.opcode IS NULL OR e.opcode = k.opcode THEN k.opcode_name END AS opcode_name,
  e.keyword, e.channel, e.activity_id, e.related_activity_id,
  (e.time_ns - s.start_ns) / 1e9 AS seconds,
  -- With these columns, the view joins the tables of events and of stacks.
  CAST(NULL AS BIGINT) AS stack_id, e.fields, e.message
FROM (
  SELECT trace, 'system_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM system_trace_header
  UNION ALL SELECT trace, 'perfinfo_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM perfinfo_trace_header
  UNION ALL SELECT trace, 'event_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_trace_header
  UNION ALL SELECT trace, 'event_instance_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_instance_header
  UNION ALL SELECT trace, 'event_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, event_id AS id, event_version AS version, level, opcode, task, keyword, channel, activity_id, related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_header
  UNION ALL SELECT trace, 'message_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, message_number AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, message
    FROM message_trace_header
  UNION ALL SELECT trace, 'other_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, header_type AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, CAST(NULL AS STRING) AS fields, CAST(NULL AS STRING) AS message
    FROM other_header
) AS e
LEFT JOIN event_types AS k ON k.trace = e.trace AND k.event_kind = e.event_kind
LEFT JOIN (SELECT trace, min(first_event_ns) AS start_ns FROM buffers GROUP BY trace) AS s ON s.trace = e.trace
) AS e
LEFT JOIN stack_events AS s ON s.trace = e.trace AND s.event_ref = e.event_ref;
COMMENT ON VIEW events IS 'Every event of every trace, once.';

CREATE OR REPLACE VIEW context_switches AS
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
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.processor, s.process_id, s.process_name, s.new_thread_id AS thread_id,
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
COMMENT ON VIEW context_switches IS 'One row per context switch, for the thread switched in: how long it ran and how it left (ran_ns, left_as, left_to_wait_for), and how long it had been away and why (away_ns, away_as, waited_for). It was ready during the last ready_ns of that time, since the thread readied_by_... made it ready; if readied_from_dpc is true, that thread was only interrupted. Columns are NULL if the switch before or after is not in the trace.';

CREATE OR REPLACE VIEW cpu_samples AS
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, s.instruction_pointer_module AS module, s.instruction_pointer_function AS function, s.instruction_pointer_offset AS function_offset,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, s.thread_id = 0 AND coalesce(s.flags & 3, 0) = 0 AS is_idle, v.interval_ns,
  e.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v ON v.trace = s.trace
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;
COMMENT ON VIEW cpu_samples IS 'One row per sample of a processor: the process and thread, the module and function of the instruction, and the call stack if there is one. interval_ns is the trace''s interval between samples. is_idle marks the samples of an idle processor: WHERE NOT is_idle leaves them out.';

CREATE OR REPLACE VIEW disk_io AS
WITH transfers AS (
  SELECT trace, event_ref, timestamp, time_ns, processor, 'read' AS operation, process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_flushbuffers
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'optical read', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalread
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'optical write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalwrite
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'optical flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalflushbuffers
)
SELECT d.trace, d.event_ref, d.timestamp, d.time_ns, d.processor, d.operation, d.process_id, d.process_name, d.thread_id,
  d.disk_number, d.file_name, d.byte_offset, d.transfer_size,
  TRY_CAST(round(CAST(d.high_res_response_time AS DOUBLE) * 1000000000 / h.perf_freq) AS BIGINT) AS disk_ns,
  d.irp_flags_text AS irp_flags, d.irp_priority_text AS irp_priority
FROM transfers AS d
LEFT JOIN traces AS h ON h.trace = d.trace;
COMMENT ON VIEW disk_io IS 'One row per completed transfer that reached a disk: the operation and its size, the process and thread that requested it, the file, and how long the disk took.';

CREATE OR REPLACE VIEW file_io AS
WITH operations AS (
  SELECT trace, event_ref, timestamp, time_ns, processor, 'create' AS operation, process_id, process_name, thread_id, file_name, NULL AS file_offset, NULL AS io_size, irp_ptr FROM fileio_create
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'cleanup', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_cleanup
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'close', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_close
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'read', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'write', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'set info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_setinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'delete', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_delete
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'rename', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_rename
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'list folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_direnum
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'watch folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_dirnotify
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'flush', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_flush
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'query info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_queryinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, 'control', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_fscontrol
),
steps AS (
  SELECT *, lead(nt_status) OVER requests AS end_status, lead(nt_status_text) OVER requests AS end_status_text,
    lead(extra_info) OVER requests AS end_info, lead(time_ns) OVER requests AS next_ns, lead(is_end) OVER requests AS next_is_end
  FROM (
    SELECT *, 0 AS is_end, NULL AS nt_status, NULL AS nt_status_text, NULL AS extra_info FROM operations
    UNION ALL SELECT trace, event_ref, timestamp, time_ns, processor, NULL, NULL, NULL, NULL, NULL, NULL, NULL, irp_ptr,
      1, nt_status, nt_status_text, extra_info FROM fileio_operationend
  ) AS seen
  WINDOW requests AS (PARTITION BY trace, irp_ptr ORDER BY time_ns, is_end, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, processor, operation, process_id, process_name, thread_id, file_name, file_offset, io_size,
  CASE WHEN next_is_end = 1 THEN next_ns - time_ns END AS duration_ns,
  CASE WHEN next_is_end = 1 THEN end_status END AS status,
  CASE WHEN next_is_end = 1 THEN end_status_text END AS status_text,
  CASE WHEN next_is_end = 1 AND operation IN ('read', 'write') THEN TRY_CAST(end_info AS BIGINT) END AS bytes_done
FROM steps
WHERE is_end = 0;
COMMENT ON VIEW file_io IS 'One row per operation on a file, cached or not, at its start: the operation, the process and thread, the file, and for reads and writes the offset and size. duration_ns, status and bytes_done come from the OperationEnd of its request; they are NULL if the next event of the request is another one.';

CREATE OR REPLACE VIEW folded_stacks AS
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
COMMENT ON VIEW folded_stacks IS 'One row per distinct call stack, as a line of text for programs that draw flame graphs: its process, then the frames, outermost first, joined by semicolons. A frame is module!function, module+0xoffset without a function, or 0xaddress without either; semicolons in it become colons.';

CREATE OR REPLACE VIEW image_loads AS
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL;
COMMENT ON VIEW image_loads IS 'One row per image that was loaded while the trace was recorded: the time, the process (0 is the kernel), the path, and the name of its symbols. The table images also has images loaded before. event_ref is the event of the load, and joins stack_events.';

CREATE OR REPLACE VIEW process_tree AS
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
COMMENT ON VIEW process_tree IS 'Who started whom, one row per process: each below the process that started it, and tree has its name indented by two spaces per level. A process is at the left, with depth 0, if the trace does not have the one that started it. The rows are in this order; place restores it in a query with a condition, a join or a limit of its own.';
