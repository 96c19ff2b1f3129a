-- DuckDB views over this dataset: start it in this folder, duckdb -init views.sql; from elsewhere, if it was moved or copied, first SET VARIABLE dataset = 'its path', then .read views.sql.
SET VARIABLE dataset_root = CASE
  WHEN getvariable('dataset') IS NOT NULL THEN replace(replace(replace(getvariable('dataset')::VARCHAR, '[', '[[]'), '*', '[*]'), '?', '[?]')
  WHEN EXISTS (SELECT * FROM glob('_traces/*.json')) THEN '.'
  ELSE 'ROOT/it''s a [[]new] folder' END;
SET VARIABLE views_loading = true;
SET VARIABLE trace_starts = MAP {
  'a': 1714564800000000000,
  'b': 1714564800000000000};
SET VARIABLE clock_steps = NULL;
SET VARIABLE clock_breaks = NULL;

CREATE OR REPLACE VIEW traces AS SELECT * FROM read_parquet(getvariable('dataset_root') || '/traces/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW traces IS 'One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.';

CREATE OR REPLACE VIEW buffers AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "buffer", NULL::BIGINT AS "file_offset", NULL::BIGINT AS "buffer_size", NULL::BIGINT AS "saved_offset", NULL::BIGINT AS "data_end", NULL::BIGINT AS "uncompressed_size", NULL::BIGINT AS "time_stamp", NULL::BIGINT AS "sequence_number", NULL::INTEGER AS "processor", NULL::INTEGER AS "logger_id", NULL::BIGINT AS "state", NULL::INTEGER AS "buffer_flag", NULL::VARCHAR[] AS "buffer_flag_text", NULL::INTEGER AS "buffer_type", NULL::VARCHAR AS "buffer_type_text", NULL::BIGINT AS "events", NULL::BIGINT AS "first_event_ns", NULL::BIGINT AS "last_event_ns", NULL::BOOLEAN AS "damaged" WHERE false;
COMMENT ON VIEW buffers IS 'One row per buffer of the file (WMI_BUFFER_HEADER), in file order.';

CREATE OR REPLACE VIEW providers AS SELECT NULL::VARCHAR AS "trace", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "provider_group", NULL::VARCHAR AS "name_source", NULL::BIGINT AS "event_types", NULL::BIGINT AS "events", NULL::BIGINT AS "events_not_decoded", NULL::TIMESTAMPTZ AS "first_event", NULL::TIMESTAMPTZ AS "last_event", NULL::BIGINT AS "payloads_whole", NULL::BIGINT AS "payloads_in_part", NULL::BIGINT AS "payloads_raw", NULL::BIGINT AS "payload_bytes_whole", NULL::BIGINT AS "payload_bytes_in_part", NULL::BIGINT AS "payload_bytes_rest", NULL::BIGINT AS "payload_bytes_raw" WHERE false;
COMMENT ON VIEW providers IS 'One row per provider or event class that wrote events.';

CREATE OR REPLACE VIEW event_types AS SELECT NULL::VARCHAR AS "trace", NULL::INTEGER AS "event_kind", NULL::VARCHAR AS "header_table", NULL::VARCHAR AS "header_type_name", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_id", NULL::VARCHAR AS "hook_symbol", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::VARCHAR AS "level_name", NULL::INTEGER AS "opcode", NULL::VARCHAR AS "opcode_name", NULL::INTEGER AS "task", NULL::VARCHAR AS "task_name", NULL::INTEGER AS "channel", NULL::VARCHAR AS "channel_name", NULL::UBIGINT AS "keyword", NULL::VARCHAR[] AS "keyword_names", NULL::INTEGER AS "event_tags", NULL::VARCHAR AS "function_name", NULL::VARCHAR AS "source", NULL::VARCHAR AS "message_template", NULL::BIGINT AS "events", NULL::TIMESTAMPTZ AS "first_event", NULL::TIMESTAMPTZ AS "last_event", NULL::VARCHAR AS "decoder", NULL::VARCHAR AS "known_from", NULL::INTEGER[] AS "layout_builds", NULL::VARCHAR AS "payload_table", NULL::STRUCT("name" VARCHAR, "column_name" VARCHAR, "in_type" VARCHAR, "out_type" VARCHAR, "is_array" BOOLEAN, "depth" INTEGER, "tags" INTEGER)[] AS "field_list", NULL::BIGINT AS "payloads_whole", NULL::BIGINT AS "payloads_in_part", NULL::BIGINT AS "payloads_raw", NULL::BIGINT AS "payload_bytes_whole", NULL::BIGINT AS "payload_bytes_in_part", NULL::BIGINT AS "payload_bytes_rest", NULL::BIGINT AS "payload_bytes_raw" WHERE false;
COMMENT ON VIEW event_types IS 'One row per kind of event in the trace, with the number of its events.';

CREATE OR REPLACE VIEW processes AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "process_id", NULL::BIGINT AS "process_ref", NULL::BIGINT AS "parent_process_id", NULL::BIGINT AS "parent_process_ref", NULL::VARCHAR AS "parent_process_name", NULL::VARCHAR AS "unique_process_key", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "image_path", NULL::VARCHAR AS "command_line", NULL::VARCHAR AS "package_full_name", NULL::VARCHAR AS "application_id", NULL::VARCHAR AS "user_sid", NULL::BIGINT AS "session_id", NULL::BIGINT AS "exit_code", NULL::BOOLEAN AS "is_32_bit", NULL::BIGINT AS "first_seen_ns", NULL::TIMESTAMPTZ AS "start_time", NULL::BIGINT AS "start_ns", NULL::TIMESTAMPTZ AS "end_time", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "valid_from_ns", NULL::BIGINT AS "valid_to_ns", NULL::VARCHAR[] AS "known_from" WHERE false;
COMMENT ON VIEW processes IS 'One row per process recorded in the trace, by id and time. A reused id has several rows.';

CREATE OR REPLACE VIEW threads AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "thread_id", NULL::BIGINT AS "process_id", NULL::BIGINT AS "process_ref", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "thread_name", NULL::UBIGINT AS "start_address", NULL::INTEGER AS "base_priority", NULL::TIMESTAMPTZ AS "start_time", NULL::BIGINT AS "start_ns", NULL::TIMESTAMPTZ AS "end_time", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "valid_from_ns", NULL::BIGINT AS "valid_to_ns", NULL::VARCHAR[] AS "known_from" WHERE false;
COMMENT ON VIEW threads IS 'One row per thread recorded in the trace, by id and time. A reused id has several rows.';

CREATE OR REPLACE VIEW images AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "process_id", NULL::BIGINT AS "process_ref", NULL::VARCHAR AS "process_name", NULL::UBIGINT AS "image_base", NULL::UBIGINT AS "image_size", NULL::VARCHAR AS "image_name", NULL::VARCHAR AS "image_path", NULL::BIGINT AS "checksum", NULL::BIGINT AS "time_date_stamp", NULL::VARCHAR AS "pdb_name", NULL::VARCHAR AS "pdb_guid", NULL::BIGINT AS "pdb_age", NULL::VARCHAR AS "file_version", NULL::VARCHAR AS "product_name", NULL::VARCHAR AS "company_name", NULL::TIMESTAMPTZ AS "load_time", NULL::BIGINT AS "load_ns", NULL::TIMESTAMPTZ AS "unload_time", NULL::BIGINT AS "unload_ns", NULL::BIGINT AS "valid_from_ns", NULL::BIGINT AS "valid_to_ns", NULL::VARCHAR[] AS "known_from" WHERE false;
COMMENT ON VIEW images IS 'One row per image in a process, by process, base and time. The kernel''s images are in process 0.';

CREATE OR REPLACE VIEW methods AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::UBIGINT AS "address", NULL::BIGINT AS "size", NULL::VARCHAR AS "namespace", NULL::VARCHAR AS "method_name", NULL::VARCHAR AS "signature", NULL::VARCHAR AS "module", NULL::VARCHAR AS "module_path", NULL::VARCHAR AS "native_path", NULL::VARCHAR AS "runtime", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "tier", NULL::BIGINT AS "flags", NULL::VARCHAR[] AS "flags_text", NULL::UBIGINT AS "method_id", NULL::UBIGINT AS "rejit_id", NULL::INTEGER AS "clr_instance_id", NULL::BIGINT AS "source_line", NULL::BIGINT AS "source_column", NULL::TIMESTAMPTZ AS "load_time", NULL::BIGINT AS "load_ns", NULL::TIMESTAMPTZ AS "unload_time", NULL::BIGINT AS "unload_ns", NULL::BIGINT AS "valid_from_ns", NULL::BIGINT AS "valid_to_ns", NULL::VARCHAR[] AS "known_from" WHERE false;
COMMENT ON VIEW methods IS 'One row per code of a method of a runtime (.NET, JavaScript), by process, address and time. A method that is compiled again has several rows.';

CREATE OR REPLACE VIEW files AS SELECT NULL::VARCHAR AS "trace", NULL::UBIGINT AS "file_object", NULL::VARCHAR AS "file_name", NULL::BIGINT AS "first_seen_ns", NULL::BIGINT AS "last_seen_ns", NULL::TIMESTAMPTZ AS "open_time", NULL::BIGINT AS "open_ns", NULL::TIMESTAMPTZ AS "close_time", NULL::BIGINT AS "close_ns", NULL::BIGINT AS "valid_from_ns", NULL::BIGINT AS "valid_to_ns", NULL::VARCHAR[] AS "known_from" WHERE false;
COMMENT ON VIEW files IS 'One row per file object or file key with a name, by address and time. A reused address has several rows.';

CREATE OR REPLACE VIEW stack_events AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "provider_id", NULL::INTEGER AS "event_id", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::VARCHAR[] AS "sources", NULL::INTEGER AS "unresolved_keys", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW stack_events IS 'One row per event with a call stack, in time order; stack_id joins stacks, with trace. A stack whose event is not in the trace has a row too.';

CREATE OR REPLACE VIEW stacks AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "stack_id", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "kernel_frames", NULL::UBIGINT[] AS "addresses", NULL::VARCHAR[] AS "modules", NULL::VARCHAR[] AS "functions", NULL::VARCHAR[] AS "symbols", NULL::UBIGINT[] AS "offsets" WHERE false;
COMMENT ON VIEW stacks IS 'One row per distinct call stack of a process, in the order in which stack_events first has them.';

CREATE OR REPLACE VIEW compact_switches AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "batch_ref", NULL::INTEGER AS "position", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::INTEGER AS "processor", NULL::BIGINT AS "old_thread_id", NULL::INTEGER AS "old_thread_priority", NULL::INTEGER AS "old_thread_state_wr", NULL::BIGINT AS "new_thread_id", NULL::BIGINT AS "new_thread_wait_time" WHERE false;
COMMENT ON VIEW compact_switches IS 'One row per context switch in compact form (PERF_COMPACT_CSWITCH), in the order of batches: buffers of type 2, and events of hook 0x0525, which are rows of header tables too. Such a switch records the thread that was switched out. Made from public type information; not tested with a real trace.';

CREATE OR REPLACE VIEW problems AS SELECT NULL::VARCHAR AS "trace", NULL::VARCHAR AS "severity", NULL::VARCHAR AS "code", NULL::BIGINT AS "count", NULL::BIGINT AS "buffer", NULL::BIGINT AS "file_offset", NULL::BIGINT AS "position", NULL::VARCHAR AS "field", NULL::VARCHAR AS "message" WHERE false;
COMMENT ON VIEW problems IS 'Damage in the trace, and losses before it was written, in file order.';

CREATE OR REPLACE VIEW system_trace_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::BIGINT AS "header_process_id", NULL::BIGINT AS "header_thread_id", NULL::INTEGER AS "hook_id", NULL::INTEGER AS "event_group", NULL::INTEGER AS "event_type", NULL::INTEGER AS "event_version", NULL::BIGINT AS "kernel_time", NULL::BIGINT AS "user_time", NULL::UBIGINT[] AS "pmc_counters", NULL::VARCHAR[] AS "pmc_names", NULL::UBIGINT AS "pebs_index", NULL::INTEGER AS "header_size", NULL::VARCHAR AS "fields" WHERE false;
COMMENT ON VIEW system_trace_header IS 'Events with a SYSTEM_TRACE_HEADER or its COMPACT form (header types 1 to 4): kernel events that carry process and thread.';

CREATE OR REPLACE VIEW perfinfo_trace_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::INTEGER AS "hook_id", NULL::INTEGER AS "event_group", NULL::INTEGER AS "event_type", NULL::INTEGER AS "event_version", NULL::UBIGINT[] AS "pmc_counters", NULL::VARCHAR[] AS "pmc_names", NULL::UBIGINT AS "pebs_index", NULL::INTEGER AS "header_size", NULL::VARCHAR AS "fields" WHERE false;
COMMENT ON VIEW perfinfo_trace_header IS 'Events with a PERFINFO_TRACE_HEADER (0x10, 0x11): frequent kernel events, without process and thread.';

CREATE OR REPLACE VIEW event_trace_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::BIGINT AS "header_process_id", NULL::BIGINT AS "header_thread_id", NULL::INTEGER AS "class_type", NULL::INTEGER AS "class_level", NULL::INTEGER AS "class_version", NULL::BIGINT AS "kernel_time", NULL::BIGINT AS "user_time", NULL::UBIGINT AS "processor_time", NULL::INTEGER AS "header_size", NULL::VARCHAR AS "fields" WHERE false;
COMMENT ON VIEW event_trace_header IS 'Events with an EVENT_TRACE_HEADER (FULL_HEADER, 0x0A and 0x14): classic events, described by MOF classes.';

CREATE OR REPLACE VIEW event_instance_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::BIGINT AS "header_process_id", NULL::BIGINT AS "header_thread_id", NULL::INTEGER AS "class_type", NULL::INTEGER AS "class_level", NULL::INTEGER AS "class_version", NULL::BIGINT AS "kernel_time", NULL::BIGINT AS "user_time", NULL::UBIGINT AS "processor_time", NULL::BIGINT AS "instance_id", NULL::BIGINT AS "parent_instance_id", NULL::VARCHAR AS "parent_guid", NULL::UBIGINT AS "reg_handle", NULL::UBIGINT AS "parent_reg_handle", NULL::INTEGER AS "header_size", NULL::VARCHAR AS "fields" WHERE false;
COMMENT ON VIEW event_instance_header IS 'Events with an EVENT_INSTANCE_HEADER or EVENT_INSTANCE_GUID_HEADER (INSTANCE, 0x0B and 0x15): classic events that name a transaction.';

CREATE OR REPLACE VIEW event_header AS SELECT trace, event_ref, timestamp, time_ns, time_ns AS clock_ns, (time_ns - CAST(getvariable('trace_starts') AS MAP(VARCHAR, BIGINT))[trace]) / 1e9 AS seconds, * EXCLUDE (trace, event_ref, timestamp, time_ns) FROM read_parquet(getvariable('dataset_root') || '/event_header/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW event_header IS 'Events with an EVENT_HEADER (0x12, 0x13): those of manifest-based providers, TraceLogging and EventSource.';

CREATE OR REPLACE VIEW message_trace_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::INTEGER AS "message_number", NULL::INTEGER AS "message_flags", NULL::VARCHAR AS "message_flags_text", NULL::BIGINT AS "sequence_number", NULL::VARCHAR AS "message_guid", NULL::BIGINT AS "component_id", NULL::BIGINT AS "performance_timestamp", NULL::BOOLEAN AS "has_time", NULL::VARCHAR AS "level_name", NULL::VARCHAR AS "function_name", NULL::VARCHAR AS "source", NULL::VARCHAR AS "message", NULL::INTEGER AS "header_size", NULL::VARCHAR AS "fields" WHERE false;
COMMENT ON VIEW message_trace_header IS 'WPP messages, with a MESSAGE_TRACE_HEADER (0x90).';

CREATE OR REPLACE VIEW other_header AS SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::BIGINT AS "marker", NULL::BOOLEAN AS "has_time", NULL::BLOB AS "raw" WHERE false;
COMMENT ON VIEW other_header IS 'What is known to be an event by its marker and size only: ERROR, WNODE and TIMED headers, types of no public source, and buffers that hold something else than events.';

CREATE OR REPLACE VIEW events AS
SELECT * EXCLUDE (fields, message, stack_id) FROM (
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.clock_ns, e.seconds, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.id AS event_id, e.version AS event_version,
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
  SELECT trace, 'system_trace_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM system_trace_header
  UNION ALL SELECT trace, 'perfinfo_trace_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM perfinfo_trace_header
  UNION ALL SELECT trace, 'event_trace_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_trace_header
  UNION ALL SELECT trace, 'event_instance_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_instance_header
  UNION ALL SELECT trace, 'event_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, event_id AS id, event_version AS version, level, opcode, task, keyword, channel, activity_id, related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_header
  UNION ALL SELECT trace, 'message_trace_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, message_number AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, message
    FROM message_trace_header
  UNION ALL SELECT trace, 'other_header' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, header_type AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, CAST(NULL AS STRING) AS fields, CAST(NULL AS STRING) AS message
    FROM other_header
) AS e
LEFT JOIN event_types AS k ON k.trace = e.trace AND k.event_kind = e.event_kind
);
COMMENT ON VIEW events IS 'Every event of every trace, once.';

CREATE OR REPLACE VIEW activities AS
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
found AS (SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous,
  CASE WHEN step = -1 THEN thread_id WHEN pair_next = -1 THEN pair_thread_id END AS stop_thread_id
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref, lead(thread_id) OVER one AS pair_thread_id
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM steps AS pair_steps
WINDOW tick AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, process_id, provider_id, task, pair, alone ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1),
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
LEFT JOIN stack_events AS e ON e.trace = a.trace AND e.event_ref = a.event_ref;
COMMENT ON VIEW activities IS 'One row per activity of any provider: a start and its stop, the time between them, and the activity that caused it. Starts and stops without the other one are rows of their own: see state.';

CREATE OR REPLACE VIEW allocations AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "source", NULL::VARCHAR AS "type_name", NULL::UBIGINT AS "type_id", NULL::VARCHAR AS "heap", NULL::BIGINT AS "bytes", NULL::BIGINT AS "objects", NULL::BIGINT AS "object_bytes", NULL::UBIGINT AS "object_address", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW allocations IS 'Samples of the memory that .NET processes allocated, one row per sample: the type, how many bytes it stands for, and the stack. Grouped by type or stack, `sum(bytes)` of ticks shows who allocates.';

CREATE OR REPLACE VIEW boot AS
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, CAST(CASE provider_name WHEN 'Microsoft-Windows-Winlogon' THEN 'winlogon' WHEN 'Microsoft-Windows-Services' THEN 'services' WHEN 'Microsoft-Windows-Shell-Core' THEN 'shell' ELSE 'power' END AS VARCHAR) AS component, CAST(event_name AS VARCHAR) AS phase, CAST(NULL AS VARCHAR) AS detail, CAST(clock_ns AS BIGINT) AS start_ns, CAST(clock_ns AS BIGINT) AS end_ns, CAST(0 AS BIGINT) AS duration_ns, CAST('complete' AS VARCHAR) AS state, CAST(false AS BOOLEAN) AS ambiguous, CAST(provider_name AS VARCHAR) AS source
FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, provider_name, seconds, time_ns, timestamp FROM event_header WHERE provider_name IN ('Microsoft-Windows-Winlogon', 'Microsoft-Windows-Services', 'Microsoft-Windows-Kernel-Power', 'Microsoft-Windows-Shell-Core')
  AND event_name IN ('UserShellLaunch', 'UserBoot', 'Explorer_KickedOffDelayedBootWork')) AS e
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, CAST('power' AS VARCHAR) AS component, CAST(split_part(event_name, '/', 1) AS VARCHAR) AS phase, CAST(NULL AS VARCHAR) AS detail, (CASE WHEN step = 1 THEN clock_ns END) AS start_ns, end_ns, (CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END) AS duration_ns, state, ambiguous, 'Microsoft-Windows-Kernel-Power' AS source
FROM (
SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM (
SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, 1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Kernel-Power' AND (event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%')
  AND split_part(event_name, '/', 1) IN ('PowerTransition', 'QueryApps', 'QueryServices', 'SuspendApps', 'SuspendServices', 'SuspendDevices', 'WakeDevices', 'ResumeApps', 'ResumeServices',
    'GracefulShutdown', 'FlushVolumes', 'WaitForProcesses', 'IoShutdownSystem', 'IoShutdownFileSystems', 'CmShutdownSystem', 'ZeroPageFile', 'ZeroHiberFile', 'Winlogon', 'PrepareSleep')) AS e
UNION ALL SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, -1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Kernel-Power' AND (event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%')
  AND split_part(event_name, '/', 1) IN ('PowerTransition', 'QueryApps', 'QueryServices', 'SuspendApps', 'SuspendServices', 'SuspendDevices', 'WakeDevices', 'ResumeApps', 'ResumeServices',
    'GracefulShutdown', 'FlushVolumes', 'WaitForProcesses', 'IoShutdownSystem', 'IoShutdownFileSystems', 'CmShutdownSystem', 'ZeroPageFile', 'ZeroHiberFile', 'Winlogon', 'PrepareSleep')) AS e
) AS pair_steps
WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, CAST('services' AS VARCHAR) AS component, CAST(split_part(event_name, '/', 1) AS VARCHAR) AS phase, CAST(NULL AS VARCHAR) AS detail, (CASE WHEN step = 1 THEN clock_ns END) AS start_ns, end_ns, (CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END) AS duration_ns, state, ambiguous, 'Microsoft-Windows-Services' AS source
FROM (
SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM (
SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, 1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Services' AND (event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%') AND event_name NOT LIKE 'StartingGroup/%') AS e
UNION ALL SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, -1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Services' AND (event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%') AND event_name NOT LIKE 'StartingGroup/%') AS e
) AS pair_steps
WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, CAST('shell' AS VARCHAR) AS component, CAST(split_part(event_name, '/', 1) AS VARCHAR) AS phase, CAST(NULL AS VARCHAR) AS detail, (CASE WHEN step = 1 THEN clock_ns END) AS start_ns, end_ns, (CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END) AS duration_ns, state, ambiguous, 'Microsoft-Windows-Shell-Core' AS source
FROM (
SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM (
SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, 1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Shell-Core' AND (event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%')
  AND split_part(event_name, '/', 1) IN ('Explorer_InitializingExplorer', 'Explorer_CreateTray', 'Explorer_CreateTrayWindow', 'Explorer_InitStartButton', 'Explorer_CreateDesktop',
    'Explorer_LoadingIconCache')) AS e
UNION ALL SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, -1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Shell-Core' AND (event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%')
  AND split_part(event_name, '/', 1) IN ('Explorer_InitializingExplorer', 'Explorer_CreateTray', 'Explorer_CreateTrayWindow', 'Explorer_InitStartButton', 'Explorer_CreateDesktop',
    'Explorer_LoadingIconCache')) AS e
) AS pair_steps
WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1
) AS e
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, CAST('winlogon' AS VARCHAR) AS component, CAST(split_part(event_name, '/', 1) AS VARCHAR) AS phase, CAST(NULL AS VARCHAR) AS detail, (CASE WHEN step = 1 THEN clock_ns END) AS start_ns, end_ns, (CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END) AS duration_ns, state, ambiguous, 'Microsoft-Windows-Winlogon' AS source
FROM (
SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM (
SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, 1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Winlogon' AND (event_name LIKE '%/Start%' OR event_name LIKE '%/PhaseStart%') AND event_name NOT LIKE 'NotifySubscriber/%') AS e
UNION ALL SELECT trace, event_ref, clock_ns, processor, event_name, process_id, process_name, seconds, time_ns, timestamp, -1 AS step, process_id AS key_0, split_part(event_name, '/', 1) AS key_1, CASE WHEN (process_id) IS NULL OR (split_part(event_name, '/', 1)) IS NULL THEN event_ref END AS key_null FROM (SELECT trace, clock_ns, event_name, event_ref, process_id, process_name, processor, seconds, time_ns, timestamp FROM event_header WHERE provider_name = 'Microsoft-Windows-Winlogon' AND (event_name LIKE '%/Stop%' OR event_name LIKE '%/PhaseStop%') AND event_name NOT LIKE 'NotifySubscriber/%') AS e
) AS pair_steps
WINDOW tick AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, key_0, key_1, key_null ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1
) AS e;
COMMENT ON VIEW boot IS 'One row per phase of a start, logon, logoff, sleep or shutdown: of winlogon, services, the shell and power, with its length; moments, such as the start of the user''s shell, have the length 0. Rows of the component measured are what Windows itself measured of the last start.';

CREATE OR REPLACE VIEW connections AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "end_ns", NULL::VARCHAR AS "protocol", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "local_address", NULL::INTEGER AS "local_port", NULL::VARCHAR AS "remote_address", NULL::INTEGER AS "remote_port", NULL::BIGINT AS "bytes_sent", NULL::BIGINT AS "bytes_received", NULL::BIGINT AS "sends", NULL::BIGINT AS "receives", NULL::BIGINT AS "retransmits", NULL::BIGINT AS "reconnects", NULL::VARCHAR AS "opened_as", NULL::BOOLEAN AS "is_closed" WHERE false;
COMMENT ON VIEW connections IS 'One row per TCP connection, and per pair of UDP endpoints that exchanged datagrams: the process, both addresses and ports, the bytes sent and received, and how it began and ended. The events are those of the kernel''s classes TcpIp and UdpIp, or of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW contention AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "kind", NULL::BIGINT AS "wait_ns", NULL::BIGINT AS "end_ns", NULL::UBIGINT AS "lock_id", NULL::UBIGINT AS "object_id", NULL::UBIGINT AS "owner_thread_id", NULL::BIGINT AS "stack_id", NULL::VARCHAR AS "state", NULL::BOOLEAN AS "ambiguous", NULL::VARCHAR AS "source" WHERE false;
COMMENT ON VIEW contention IS 'One row per wait of a thread of a .NET process for a lock: how long, and in newer runtimes which lock, of which object, and who had it.';

CREATE OR REPLACE VIEW context_switches AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "priority", NULL::BIGINT AS "ran_ns", NULL::VARCHAR AS "left_as", NULL::VARCHAR AS "left_to_wait_for", NULL::BIGINT AS "away_ns", NULL::VARCHAR AS "away_as", NULL::VARCHAR AS "waited_for", NULL::BIGINT AS "ready_ns", NULL::BIGINT AS "readied_by_process_id", NULL::VARCHAR AS "readied_by_process_name", NULL::BIGINT AS "readied_by_thread_id", NULL::BOOLEAN AS "readied_from_dpc", NULL::BIGINT AS "ready_ref", NULL::BIGINT AS "old_thread_id", NULL::BIGINT AS "old_process_id", NULL::VARCHAR AS "old_process_name", NULL::BIGINT AS "stack_id", NULL::VARCHAR AS "module", NULL::VARCHAR AS "function", NULL::VARCHAR[] AS "functions" WHERE false;
COMMENT ON VIEW context_switches IS 'One row per context switch, for the thread switched in: how long it ran and how it left (ran_ns, left_as, left_to_wait_for), and how long it had been away and why (away_ns, away_as, waited_for). It was ready during the last ready_ns of that time, since the thread readied_by_... made it ready; if readied_from_dpc is true, that thread was only interrupted. Columns are NULL if the switch before or after is not in the trace.';

CREATE OR REPLACE VIEW cpu_samples AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::UBIGINT AS "instruction_pointer", NULL::VARCHAR AS "module", NULL::VARCHAR AS "function", NULL::BIGINT AS "function_offset", NULL::BOOLEAN AS "in_dpc", NULL::BOOLEAN AS "in_isr", NULL::BOOLEAN AS "is_idle", NULL::BIGINT AS "interval_ns", NULL::BIGINT AS "stack_id", NULL::UBIGINT[] AS "stack_addresses", NULL::VARCHAR[] AS "stack_modules", NULL::VARCHAR[] AS "stack_functions", NULL::UBIGINT[] AS "stack_offsets", NULL::INTEGER AS "kernel_frames" WHERE false;
COMMENT ON VIEW cpu_samples IS 'One row per sample of a processor: the process and thread, the module and function of the instruction, and the call stack if there is one. interval_ns is the trace''s interval between samples. is_idle marks the samples of an idle processor: WHERE NOT is_idle leaves them out.';

CREATE OR REPLACE VIEW cpu_usage AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "second", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "kind", NULL::BIGINT AS "samples", NULL::BIGINT AS "cpu_ns" WHERE false;
COMMENT ON VIEW cpu_usage IS 'One row per second of the trace, process and kind: the samples of the processors, and the time that they stand for. The kinds dpc and isr are work of devices: the process was merely interrupted. The sum of a second over all kinds is one second for each processor that was sampled.';

CREATE OR REPLACE VIEW cpu_usage_precise AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "second", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "kind", NULL::BIGINT AS "runs", NULL::BIGINT AS "threads", NULL::BIGINT AS "cpu_ns" WHERE false;
COMMENT ON VIEW cpu_usage_precise IS 'One row per second of the trace, process and kind: how long its threads ran, from context switches, each cut at full seconds. Work of devices (DPC, ISR) counts for the thread that it interrupted.';

CREATE OR REPLACE VIEW disk_io AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "operation", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::BIGINT AS "disk_number", NULL::VARCHAR AS "file_name", NULL::UBIGINT AS "byte_offset", NULL::BIGINT AS "transfer_size", NULL::BIGINT AS "disk_ns", NULL::VARCHAR AS "irp_flags", NULL::VARCHAR AS "irp_priority" WHERE false;
COMMENT ON VIEW disk_io IS 'One row per completed transfer that reached a disk: the operation and its size, the process and thread that requested it, the file, and how long the disk took.';

CREATE OR REPLACE VIEW dns_queries AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "query_name", NULL::BIGINT AS "query_type", NULL::VARCHAR AS "query_type_name", NULL::UBIGINT AS "query_options", NULL::BOOLEAN AS "is_network_query", NULL::VARCHAR AS "server_list", NULL::BIGINT AS "status", NULL::VARCHAR AS "results", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "duration_ns", NULL::VARCHAR AS "state", NULL::BOOLEAN AS "ambiguous", NULL::VARCHAR AS "source" WHERE false;
COMMENT ON VIEW dns_queries IS 'One row per name that a process asked Windows'' DNS client for: the name and the type of record, the result, the records of the answer, and how long it took. Beginnings and ends without the other one are rows of their own: see state.';

CREATE OR REPLACE VIEW dpc_isr AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "kind", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "duration_ns", NULL::UBIGINT AS "routine", NULL::VARCHAR AS "module", NULL::VARCHAR AS "function", NULL::INTEGER AS "vector", NULL::BOOLEAN AS "claimed" WHERE false;
COMMENT ON VIEW dpc_isr IS 'One row per run of a deferred procedure call (DPC) or an interrupt service routine (ISR): when it began, how long it took, and the driver that it belongs to. While it ran, no thread could run on the processor.';

CREATE OR REPLACE VIEW event_fields AS
FROM query(CASE WHEN getvariable('views_loading') THEN 'SELECT NULL::VARCHAR AS "trace", NULL::VARCHAR AS "header_table", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BLOB AS "payload", NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::VARCHAR AS "level_name", NULL::INTEGER AS "task", NULL::VARCHAR AS "task_name", NULL::INTEGER AS "opcode", NULL::VARCHAR AS "opcode_name", NULL::UBIGINT AS "keyword", NULL::INTEGER AS "channel", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "stack_id", NULL::VARCHAR AS "fields", NULL::VARCHAR AS "message" WHERE false' ELSE 'SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.clock_ns, e.seconds, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.event_id, e.event_version, e.level, e.level_name, e.task, e.task_name, e.opcode, e.opcode_name, e.keyword, e.channel, e.activity_id, e.related_activity_id, s.stack_id AS stack_id, e.fields, e.message
FROM (
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.clock_ns, e.seconds, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.id AS event_id, e.version AS event_version,
  -- A message has its level in event_types only.
  CASE WHEN e.header_table = ''message_trace_header'' THEN k.level ELSE e.level END AS level,
  -- event_types has the level, opcode and task of the first event of a kind.
  CASE WHEN e.level IS NULL OR e.level = k.level THEN k.level_name END AS level_name,
  e.task, CASE WHEN e.task IS NULL OR e.task = k.task THEN k.task_name END AS task_name,
  e.opcode, CASE WHEN e.opcode IS NULL OR e.opcode = k.opcode THEN k.opcode_name END AS opcode_name,
  e.keyword, e.channel, e.activity_id, e.related_activity_id,
  -- With these columns, the view joins the tables of events and of stacks.
  CAST(NULL AS BIGINT) AS stack_id, e.fields, e.message
FROM (
  SELECT trace, ''system_trace_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM system_trace_header
  UNION ALL SELECT trace, ''perfinfo_trace_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, hook_id AS id, event_version AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM perfinfo_trace_header
  UNION ALL SELECT trace, ''event_trace_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_trace_header
  UNION ALL SELECT trace, ''event_instance_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, class_type AS id, class_version AS version, CAST(class_level AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_instance_header
  UNION ALL SELECT trace, ''event_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, event_id AS id, event_version AS version, level, opcode, task, keyword, channel, activity_id, related_activity_id, fields, CAST(NULL AS STRING) AS message
    FROM event_header
  UNION ALL SELECT trace, ''message_trace_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, message_number AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, fields, message
    FROM message_trace_header
  UNION ALL SELECT trace, ''other_header'' AS header_table, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, event_kind, payload_size, payload, header_type AS id, CAST(NULL AS INT) AS version, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id, CAST(NULL AS STRING) AS fields, CAST(NULL AS STRING) AS message
    FROM other_header
) AS e
LEFT JOIN event_types AS k ON k.trace = e.trace AND k.event_kind = e.event_kind
) AS e
LEFT JOIN stack_events AS s ON s.trace = e.trace AND s.event_ref = e.event_ref' END);
COMMENT ON VIEW event_fields IS 'All events with their decoded payloads, one row per event.';

CREATE OR REPLACE VIEW exceptions AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "exception_type", NULL::VARCHAR AS "exception_message", NULL::VARCHAR AS "hresult", NULL::VARCHAR AS "flags", NULL::BIGINT AS "stack_id", NULL::VARCHAR[] AS "functions" WHERE false;
COMMENT ON VIEW exceptions IS 'Exceptions of .NET processes, one row per throw: type, message, HRESULT and stack. A program can catch an exception, so that a row is no failure.';

CREATE OR REPLACE VIEW file_io AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "operation", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "file_name", NULL::UBIGINT AS "file_offset", NULL::BIGINT AS "io_size", NULL::BIGINT AS "duration_ns", NULL::BIGINT AS "status", NULL::VARCHAR AS "status_text", NULL::BIGINT AS "bytes_done", NULL::VARCHAR AS "state", NULL::BOOLEAN AS "ambiguous" WHERE false;
COMMENT ON VIEW file_io IS 'One row per operation on a file, cached or not, at its start: the operation, the process and thread, the file, and for reads and writes the offset and size. duration_ns, status and bytes_done come from the OperationEnd of its request; they are NULL if the next event of the request is another one: see state.';

CREATE OR REPLACE VIEW folded_stacks AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "stack_id", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "stack" WHERE false;
COMMENT ON VIEW folded_stacks IS 'One row per distinct call stack, as a line of text for programs that draw flame graphs: its process, then the frames, outermost first, joined by semicolons. A frame is module!function, module+0xoffset without a function, or 0xaddress without either; semicolons in it become colons.';

CREATE OR REPLACE VIEW gc_pauses AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "reason", NULL::BOOLEAN AS "is_gc", NULL::BOOLEAN AS "is_background", NULL::BIGINT AS "suspending_ns", NULL::BIGINT AS "pause_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW gc_pauses IS 'Stops of all threads of a .NET process, one row per suspension: why the runtime stopped them, how long it took until they stood, and how long until they ran again.';

CREATE OR REPLACE VIEW gc AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::BIGINT AS "number", NULL::BIGINT AS "generation", NULL::VARCHAR AS "reason", NULL::VARCHAR AS "type", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns", NULL::BIGINT AS "pauses", NULL::BIGINT AS "pause_ns", NULL::BIGINT AS "suspending_ns", NULL::BIGINT AS "heap_before_bytes", NULL::BIGINT AS "heap_after_bytes", NULL::BIGINT AS "promoted_bytes", NULL::BIGINT AS "pinned_objects", NULL::BIGINT AS "gc_handles", NULL::BIGINT AS "finalization_promoted_bytes", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW gc IS 'Garbage collections of .NET processes, one row per collection: generation, reason and type, how long it took and stopped the threads, and the heap before and after it.';

CREATE OR REPLACE VIEW handles AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::BIGINT AS "handle", NULL::UBIGINT AS "object", NULL::VARCHAR AS "object_type", NULL::VARCHAR AS "object_name", NULL::VARCHAR AS "opened_as", NULL::BIGINT AS "source_handle", NULL::BIGINT AS "source_process_id", NULL::BIGINT AS "opened_ns", NULL::BIGINT AS "closed_ns", NULL::BOOLEAN AS "is_outstanding", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW handles IS 'One row per handle that was open in the trace: the process, the object with its type and name, how and when it was opened and closed, and whether it was still open at the end.';

CREATE OR REPLACE VIEW hot_functions AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "module", NULL::VARCHAR AS "function", NULL::BIGINT AS "exclusive_samples", NULL::BIGINT AS "inclusive_samples", NULL::BIGINT AS "exclusive_ns", NULL::BIGINT AS "inclusive_ns" WHERE false;
COMMENT ON VIEW hot_functions IS 'One row per process, kind and function: the samples that hit the function itself (exclusive), and those with the function anywhere in their stack (inclusive). Samples of an idle processor are left out. Functions without names are one row per module.';

CREATE OR REPLACE VIEW http_requests AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::VARCHAR AS "source", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "method", NULL::VARCHAR AS "url", NULL::VARCHAR AS "path", NULL::VARCHAR AS "query", NULL::BIGINT AS "status", NULL::BIGINT AS "substatus", NULL::BIGINT AS "win32_status", NULL::VARCHAR AS "remote_address", NULL::VARCHAR AS "queue", NULL::VARCHAR AS "site", NULL::VARCHAR AS "user_name", NULL::VARCHAR AS "user_agent", NULL::VARCHAR AS "referer", NULL::BIGINT AS "bytes_sent", NULL::BIGINT AS "bytes_received", NULL::VARCHAR AS "ended_as", NULL::VARCHAR AS "reason", NULL::BIGINT AS "delivered_ns", NULL::BIGINT AS "response_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns" WHERE false;
COMMENT ON VIEW http_requests IS 'One row per HTTP request that this computer served or made: URL, method and status, the process, the client, when it was delivered and answered, and how long it took.';

CREATE OR REPLACE VIEW image_loads AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "image_name", NULL::VARCHAR AS "image_path", NULL::UBIGINT AS "image_base", NULL::UBIGINT AS "image_size", NULL::TIMESTAMPTZ AS "unload_time", NULL::BIGINT AS "unload_ns", NULL::VARCHAR AS "file_version", NULL::VARCHAR AS "pdb_name", NULL::VARCHAR AS "pdb_guid", NULL::BIGINT AS "pdb_age" WHERE false;
COMMENT ON VIEW image_loads IS 'One row per image that was loaded while the trace was recorded: the time, the process (0 is the kernel), the path, and the name of its symbols. The table images also has images loaded before. event_ref is the event of the load, and joins stack_events.';

CREATE OR REPLACE VIEW jit AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "method", NULL::VARCHAR AS "signature", NULL::BIGINT AS "jit_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "il_bytes", NULL::BIGINT AS "native_bytes", NULL::VARCHAR AS "tier", NULL::BIGINT AS "stack_id", NULL::VARCHAR AS "state", NULL::BOOLEAN AS "ambiguous", NULL::VARCHAR AS "source" WHERE false;
COMMENT ON VIEW jit IS 'One row per compilation of a method by a .NET process while it ran: the method, how long its compilation took, the sizes of its intermediate language and of the machine code, and the tier.';

CREATE OR REPLACE VIEW lost_time AS
WITH perfinfo_collectionstart AS (SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::BIGINT AS "source", NULL::VARCHAR AS "source_text", NULL::BIGINT AS "new_interval", NULL::BIGINT AS "old_interval", NULL::VARCHAR AS "source_name", NULL::BLOB AS "payload_rest" WHERE false),
perfinfo_sampleprof AS (SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size", NULL::UBIGINT AS "instruction_pointer", NULL::VARCHAR AS "instruction_pointer_module", NULL::VARCHAR AS "instruction_pointer_function", NULL::VARCHAR AS "instruction_pointer_symbol", NULL::BIGINT AS "instruction_pointer_offset", NULL::BIGINT AS "payload_thread_id", NULL::INTEGER AS "count", NULL::INTEGER AS "reserved", NULL::INTEGER AS "flags", NULL::VARCHAR AS "sampled_profile_flags_text", NULL::INTEGER AS "rank", NULL::BLOB AS "payload_rest" WHERE false)
SELECT * FROM (
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
),
samples AS (
  SELECT trace, processor, clock_ns, lag(clock_ns) OVER (PARTITION BY trace, processor ORDER BY clock_ns) AS last_ns
  FROM perfinfo_sampleprof
)
SELECT s.trace, 'samples' AS kind, s.processor, s.last_ns AS start_ns, s.clock_ns AS end_ns, CASE /* ns of s.trace */ WHEN s.clock_ns >= s.last_ns THEN s.clock_ns - s.last_ns END AS duration_ns,
  CAST(round(CAST(s.clock_ns - s.last_ns AS DOUBLE) / v.interval_ns) AS BIGINT) - 1 AS lost
FROM samples AS s
JOIN intervals AS v ON v.trace = s.trace
WHERE v.interval_ns > 0 AND s.clock_ns - s.last_ns > 3 * v.interval_ns
UNION ALL SELECT trace, 'events', NULL, NULL, NULL, NULL, events_lost FROM traces WHERE events_lost > 0
UNION ALL SELECT trace, 'buffers', NULL, NULL, NULL, NULL, buffers_lost FROM traces WHERE buffers_lost > 0
UNION ALL SELECT trace, 'session events', NULL, NULL, NULL, NULL, session_events_lost FROM traces WHERE events_lost IS NULL AND session_events_lost > 0
UNION ALL SELECT trace, 'session buffers', NULL, NULL, NULL, NULL, session_buffers_lost FROM traces WHERE buffers_lost IS NULL AND session_buffers_lost > 0
UNION ALL SELECT trace, 'overwritten buffers', NULL, NULL, NULL, NULL, overwritten_buffers FROM traces WHERE overwritten_buffers > 0
);
COMMENT ON VIEW lost_time IS 'One row per stretch that the trace lacks: a gap in the samples of a processor, and what the session says that it lost. Figures over such a stretch are too small.';

CREATE OR REPLACE VIEW marks AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "message" WHERE false;
COMMENT ON VIEW marks IS 'One row per mark: a text that a person, a tool or a program put into the trace, to find a moment again.';

CREATE OR REPLACE VIEW memory_outstanding AS
SELECT NULL::VARCHAR AS "trace", NULL::VARCHAR AS "kind", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "pool_type", NULL::VARCHAR AS "pool_tag", NULL::BIGINT AS "stack_id", NULL::BIGINT AS "allocations", NULL::BIGINT AS "bytes", NULL::BIGINT AS "first_ns", NULL::BIGINT AS "last_ns" WHERE false;
COMMENT ON VIEW memory_outstanding IS 'One row per process, kind of memory and stack with allocations that are not freed in the trace: their number, bytes and times. Kernel pool has a row per tag, too.';

CREATE OR REPLACE VIEW packets AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "source", NULL::BIGINT AS "interface_index", NULL::VARCHAR AS "interface_name", NULL::BIGINT AS "component_id", NULL::VARCHAR AS "component_name", NULL::VARCHAR AS "edge", NULL::VARCHAR AS "direction", NULL::VARCHAR AS "link_type", NULL::VARCHAR AS "source_mac", NULL::VARCHAR AS "destination_mac", NULL::BIGINT AS "vlan_id", NULL::BIGINT AS "ether_type", NULL::VARCHAR AS "source_address", NULL::VARCHAR AS "destination_address", NULL::BIGINT AS "ip_protocol", NULL::VARCHAR AS "protocol", NULL::BIGINT AS "source_port", NULL::BIGINT AS "destination_port", NULL::VARCHAR AS "tcp_flags", NULL::BIGINT AS "icmp_type", NULL::BIGINT AS "icmp_code", NULL::BIGINT AS "wire_length", NULL::BIGINT AS "captured_length", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "drop_reason", NULL::VARCHAR AS "drop_location", NULL::UBIGINT AS "packet_group", NULL::BIGINT AS "packet_number", NULL::BIGINT AS "appearance" WHERE false;
COMMENT ON VIEW packets IS 'One row per packet that PktMon, `netsh trace capture=yes` (NDIS), a virtual switch or a remote access server captured, each time it was seen: the adapter and component, the direction, addresses, ports and protocol, the length on the wire, and why it was dropped. PktMon shows a packet at every component that it passes: `appearance = 1` has each packet once.';

CREATE OR REPLACE VIEW page_faults AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "kind", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::UBIGINT AS "virtual_address", NULL::VARCHAR AS "file_name", NULL::UBIGINT AS "file_offset", NULL::BIGINT AS "byte_count", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "duration_ns", NULL::VARCHAR AS "module", NULL::VARCHAR AS "function", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW page_faults IS 'One row per page fault: its kind, the process and thread, the address, and for a hard fault the file, the bytes that were read, and how long the thread waited for them.';

CREATE OR REPLACE VIEW power AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::VARCHAR AS "kind", NULL::INTEGER AS "processor_group", NULL::INTEGER AS "processor", NULL::BIGINT AS "state", NULL::BIGINT AS "speed", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns" WHERE false;
COMMENT ON VIEW power IS 'One row per state that a processor or the system was in: an idle state (C-state), a performance state (P-state), a parked core, or a transition such as sleep. The sum of duration_ns by state is the residency.';

CREATE OR REPLACE VIEW process_start_images AS
SELECT NULL::VARCHAR AS "trace", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "process_id", NULL::BIGINT AS "process_ref", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "image_path", NULL::BIGINT AS "parent_process_id", NULL::VARCHAR AS "parent_process_name", NULL::BIGINT AS "to_first_image_ns", NULL::BIGINT AS "images", NULL::BIGINT AS "images_10s", NULL::BIGINT AS "largest_gap_ns", NULL::BIGINT AS "gap_start_ns", NULL::VARCHAR AS "gap_after", NULL::VARCHAR AS "gap_before", NULL::BIGINT AS "lived_ns" WHERE false;
COMMENT ON VIEW process_start_images IS 'How a start went, one row per process that began while the trace was recorded: how soon its first image was there, and the longest time in which it loaded none.';

CREATE OR REPLACE VIEW process_starts AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::VARCHAR AS "source", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "image_path", NULL::VARCHAR AS "command_line", NULL::BIGINT AS "parent_process_id", NULL::VARCHAR AS "parent_image_path", NULL::VARCHAR AS "parent_command_line", NULL::VARCHAR AS "user_sid", NULL::VARCHAR AS "user_name", NULL::BIGINT AS "session_id", NULL::VARCHAR AS "integrity_level", NULL::VARCHAR AS "current_directory", NULL::VARCHAR AS "original_file_name", NULL::VARCHAR AS "product_name", NULL::VARCHAR AS "company_name", NULL::VARCHAR AS "description", NULL::VARCHAR AS "hashes" WHERE false;
COMMENT ON VIEW process_starts IS 'One row per process start that a provider reports: the program, its command line, its parent and its user, each by the best source that has it.';

CREATE OR REPLACE VIEW process_tree AS
SELECT NULL::VARCHAR AS "trace", NULL::INTEGER AS "depth", NULL::VARCHAR AS "tree", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "parent_process_id", NULL::VARCHAR AS "parent_process_name", NULL::TIMESTAMPTZ AS "start_time", NULL::TIMESTAMPTZ AS "end_time", NULL::BIGINT AS "exit_code", NULL::VARCHAR AS "command_line", NULL::VARCHAR AS "user_sid", NULL::BIGINT AS "session_id", NULL::VARCHAR AS "image_path", NULL::BIGINT AS "process_ref", NULL::BIGINT AS "parent_process_ref", NULL::VARCHAR AS "place" WHERE false;
COMMENT ON VIEW process_tree IS 'Who started whom, one row per process: each below the process that started it, and tree has its name indented by two spaces per level. A process is at the left, with depth 0, if the trace does not have the one that started it. The rows are in this order; place restores it in a query with a condition, a join or a limit of its own.';

CREATE OR REPLACE VIEW regions AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "region", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns", NULL::BIGINT AS "end_ref", NULL::VARCHAR AS "state", NULL::BOOLEAN AS "ambiguous" WHERE false;
COMMENT ON VIEW regions IS 'One row per stretch between two marks of the same name, one that starts it and one that stops it. A region that the trace cuts has no start or no end: see state.';

CREATE OR REPLACE VIEW registry AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::VARCHAR AS "operation", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "key_path", NULL::VARCHAR AS "value_name", NULL::BIGINT AS "status", NULL::VARCHAR AS "status_text", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "duration_ns", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW registry IS 'One row per operation on the registry: its kind, the process and thread, the full path of the key, the name of the value, the result and the time it took.';

CREATE OR REPLACE VIEW script_blocks AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "level", NULL::VARCHAR AS "script_block_id", NULL::VARCHAR AS "path", NULL::VARCHAR AS "script", NULL::BIGINT AS "parts", NULL::BIGINT AS "parts_total", NULL::VARCHAR AS "missing_parts" WHERE false;
COMMENT ON VIEW script_blocks IS 'One row per script block that PowerShell compiled: its text, put together from the parts of all events, its path and id, the process, and the parts that the trace lacks.';

CREATE OR REPLACE VIEW scripts AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::VARCHAR AS "source", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "script", NULL::VARCHAR AS "path", NULL::VARCHAR AS "user_name", NULL::VARCHAR AS "host", NULL::VARCHAR AS "context", NULL::VARCHAR AS "block_id", NULL::VARCHAR AS "verdict" WHERE false;
COMMENT ON VIEW scripts IS 'One row per script text or command that a host ran or let scan: PowerShell''s blocks and commands, and what AMSI was given.';

CREATE OR REPLACE VIEW service_states AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "source", NULL::VARCHAR AS "service_name", NULL::VARCHAR AS "state", NULL::VARCHAR AS "last_state", NULL::BIGINT AS "last_ns", NULL::VARCHAR AS "image_name", NULL::BIGINT AS "service_process_id", NULL::BIGINT AS "start_type", NULL::BIGINT AS "start_reason", NULL::VARCHAR AS "service_group" WHERE false;
COMMENT ON VIEW service_states IS 'One row per report that a Windows service entered a state: which, which it left, and what the report says of the service.';

CREATE OR REPLACE VIEW services AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "service_name", NULL::VARCHAR AS "image_name", NULL::BIGINT AS "service_process_id", NULL::BIGINT AS "start_type", NULL::BIGINT AS "start_reason", NULL::VARCHAR AS "service_group", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns", NULL::VARCHAR AS "ended_as", NULL::VARCHAR AS "state" WHERE false;
COMMENT ON VIEW services IS 'One row per start, stop, pause or continue of a Windows service, and one per load order group that was started: when, how long, the program, and how it ended.';

CREATE OR REPLACE VIEW spans AS
WITH split AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, provider_id, provider_name, activity_id, event_name,
    regexp_extract(event_name, '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$', 1) AS last_word,
    regexp_extract(event_name, '^(Begin|Start|Enter|End|Stop|Leave)[A-Z]', 1) AS first_word
  FROM event_header
  WHERE coalesce(opcode, 0) NOT IN (1, 2)
    AND regexp_matches(event_name, '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$|^(Begin|Start|Enter|End|Stop|Leave)[A-Z]')
),
named AS (
  SELECT *, CASE WHEN last_word <> '' THEN last_word ELSE first_word END AS word,
    CASE WHEN last_word <> '' THEN regexp_replace(event_name, '[_ ./]?(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$', '')
      ELSE regexp_replace(event_name, '^(Begin|Start|Enter|End|Stop|Leave)', '') END AS span
  FROM split
),
counted AS (
  SELECT trace, provider_id, span, word, count(*) AS n FROM named GROUP BY trace, provider_id, span, word
),
words AS (
  SELECT 'Begin' AS begins, 'End' AS ends UNION ALL SELECT 'Start', 'Stop' UNION ALL SELECT 'Start', 'End' UNION ALL SELECT 'Starting', 'Completed' UNION ALL SELECT 'Starting', 'Complete'
  UNION ALL SELECT 'Started', 'Finished' UNION ALL SELECT 'Started', 'Completed' UNION ALL SELECT 'Start', 'Complete' UNION ALL SELECT 'Start', 'Completed' UNION ALL SELECT 'Start', 'Finished'
  UNION ALL SELECT 'Enter', 'Leave' UNION ALL SELECT 'Enter', 'Exit' UNION ALL SELECT 'Open', 'Close'
),
-- Of a name count the two words of which both are there, and of several pairs the most frequent one.
used AS (
  SELECT trace, provider_id, span, begins, ends
  FROM (
    SELECT a.trace, a.provider_id, a.span, w.begins, w.ends, row_number() OVER (PARTITION BY a.trace, a.provider_id, a.span ORDER BY least(a.n, b.n) DESC, w.begins, w.ends) AS place
    FROM counted AS a
    JOIN words AS w ON w.begins = a.word
    JOIN counted AS b ON b.trace = a.trace AND b.provider_id = a.provider_id AND b.span = a.span AND b.word = w.ends
  ) AS found
  WHERE place = 1
),
marked AS (
  SELECT n.*, CASE WHEN n.word = u.begins THEN 1 ELSE -1 END AS step
  FROM named AS n
  JOIN used AS u ON u.trace = n.trace AND u.provider_id = n.provider_id AND u.span = n.span AND (n.word = u.begins OR n.word = u.ends)
),
-- By activity where both a start and a stop have it, else by thread.
lines AS (
  SELECT *, activity_id IS NOT NULL AND min(step) OVER one <> max(step) OVER one AS by_activity
  FROM marked
  WINDOW one AS (PARTITION BY trace, process_id, provider_id, span, activity_id)
),
steps AS (
  SELECT *, CASE WHEN by_activity THEN activity_id END AS line, CASE WHEN NOT by_activity THEN thread_id END AS own_thread FROM lines
),
pairs AS (
SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' ELSE 'no stop' END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous,
  CASE WHEN step = -1 THEN thread_id WHEN pair_next = -1 THEN pair_thread_id END AS stop_thread_id
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref, lead(thread_id) OVER one AS pair_thread_id
FROM (
SELECT *, CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END AS pair_level, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low, lead(step) OVER turns AS pair_following
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_starts, count(*) OVER tick - count(CASE step WHEN 1 THEN 1 END) OVER tick AS pair_tick_stops, count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_starts, count(*) OVER past - count(CASE step WHEN 1 THEN 1 END) OVER past AS pair_past_stops, count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_starts, count(*) OVER places - count(CASE step WHEN 1 THEN 1 END) OVER places AS pair_row_stops
FROM steps AS pair_steps
WINDOW tick AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), past AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY trace, process_id, provider_id, span, line, own_thread ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens
) AS pair_levels
WINDOW one AS (PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref)
) AS pair_ends
WHERE step = 1 OR pair_level = -1
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, provider_name, span, state,
  CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns, end_ns,
  CASE WHEN by_activity THEN 'activity' ELSE 'thread' END AS paired_by, by_activity AND ambiguous AS ambiguous, activity_id, stop_ref
FROM pairs;
COMMENT ON VIEW spans IS 'Stretches that a provider marks by the names of its events, one row per stretch: LoadBegin and LoadEnd, EnterKey and LeaveKey, ..., whatever their opcode.';

CREATE OR REPLACE VIEW tasks AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "task_id", NULL::INTEGER AS "creating_task_id", NULL::BIGINT AS "scheduled_ns", NULL::BIGINT AS "started_ns", NULL::BIGINT AS "completed_ns", NULL::BIGINT AS "queued_ns", NULL::BIGINT AS "run_ns", NULL::BIGINT AS "run_thread_id", NULL::BOOLEAN AS "is_exceptional", NULL::BIGINT AS "waits", NULL::BIGINT AS "wait_ns", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW tasks IS 'Tasks of .NET''s Task Parallel Library, one row per task: when it was scheduled, began and was complete, how long it was queued and ran, and the waits for it.';

CREATE OR REPLACE VIEW thread_pool AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::INTEGER AS "clr_instance_id", NULL::VARCHAR AS "what", NULL::BIGINT AS "worker_threads", NULL::BIGINT AS "retired_threads", NULL::VARCHAR AS "reason", NULL::DOUBLE AS "throughput", NULL::BIGINT AS "work_id", NULL::BIGINT AS "wait_ns", NULL::BIGINT AS "run_thread_id", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW thread_pool IS 'The thread pool of .NET processes, one row per event: workers that start and stop, how the runtime adjusts their number and why, and work items with the time that they waited in the queue.';

CREATE OR REPLACE VIEW waits AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "end_ns", NULL::VARCHAR AS "reason", NULL::BIGINT AS "wait_ns", NULL::BIGINT AS "blocked_ns", NULL::BIGINT AS "ready_ns", NULL::BIGINT AS "readied_by_process_id", NULL::VARCHAR AS "readied_by_process_name", NULL::BIGINT AS "readied_by_thread_id", NULL::BOOLEAN AS "readied_from_dpc", NULL::BIGINT AS "ready_ref", NULL::BIGINT AS "stack_id", NULL::BIGINT AS "readied_by_stack_id" WHERE false;
COMMENT ON VIEW waits IS 'One row per wait of a thread: how long it waited and why, and the thread that ended the wait. stack_id is the stack of the wait, readied_by_stack_id that of the thread that ended it.';

CREATE OR REPLACE VIEW wait_chains AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "root_ref", NULL::INTEGER AS "step", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::BIGINT AS "start_ns", NULL::BIGINT AS "end_ns", NULL::VARCHAR AS "reason", NULL::BIGINT AS "wait_ns", NULL::BIGINT AS "readied_by_process_id", NULL::VARCHAR AS "readied_by_process_name", NULL::BIGINT AS "readied_by_thread_id", NULL::VARCHAR AS "ends_with", NULL::BIGINT AS "stack_id" WHERE false;
COMMENT ON VIEW wait_chains IS 'One row per step of the chain behind a wait: step 0 is the wait, step 1 what the thread that ended it had itself waited for, and so on. Filter by root_ref, the event_ref of a wait in waits, and order by step. ends_with says why a chain ends.';

CREATE OR REPLACE VIEW web_requests AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "source", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "what", NULL::VARCHAR AS "target", NULL::BIGINT AS "status", NULL::BIGINT AS "rows", NULL::VARCHAR AS "state", NULL::BIGINT AS "end_ns", NULL::BIGINT AS "duration_ns", NULL::BOOLEAN AS "ambiguous", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "parent_activity_id" WHERE false;
COMMENT ON VIEW web_requests IS 'One row per request or command of a .NET program: served, made, or sent to a database, from the events of its EventSources.';

CREATE OR REPLACE VIEW what_stands_out AS
SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "rank", NULL::VARCHAR AS "kind", NULL::VARCHAR AS "severity", NULL::VARCHAR AS "finding", NULL::BIGINT AS "value", NULL::VARCHAR AS "unit", NULL::DOUBLE AS "share", NULL::BIGINT AS "process_id", NULL::VARCHAR AS "process_name", NULL::BIGINT AS "start_ns", NULL::VARCHAR AS "sql" WHERE false;
COMMENT ON VIEW what_stands_out IS 'Findings to begin with, one row per finding: a sentence, its number, and the statement that shows more. `SELECT finding, sql FROM what_stands_out ORDER BY trace, rank` is a summary of a trace.';

CREATE OR REPLACE MACRO search(text) AS TABLE
WITH found AS (
  SELECT * FROM event_fields AS m WHERE CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN m.fields IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower(m.fields), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower(m.fields), lower(text)) END OR CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN 'message ' || m.message IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower('message ' || m.message), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower('message ' || m.message), lower(text)) END
),
named AS (
  -- Elements of lists have no name.
  SELECT e.*, substr(f.fullkey, 3) AS field, f.value ->> '$' AS value, CASE WHEN NOT ends_with(f.fullkey, ']') THEN f.key END AS name
  FROM found AS e, json_tree(e.fields) AS f
  WHERE f.atom IS NOT NULL
  UNION ALL SELECT e.*, 'message', e.message, 'message' FROM found AS e WHERE e.message IS NOT NULL
)
SELECT n.trace, n.event_ref, n.timestamp, n.time_ns, n.clock_ns, n.seconds, n.process_id, n.process_name, n.thread_id, n.provider_name, n.event_name, n.field, n.value
FROM named AS n
WHERE contains(lower(concat_ws(' ', n.name, n.value)), lower(text));
COMMENT ON MACRO TABLE search IS '`search(''text'')` finds a text in the payloads of all events: one row per field that has it, with the event, the name of the field and the value.';
RESET VARIABLE views_loading;
