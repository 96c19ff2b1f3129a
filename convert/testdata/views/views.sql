-- Views over this dataset for DuckDB. The paths are as the folder was named when it was written:
--   duckdb -init 'ROOT/it''s a [new] folder/views.sql'

-- One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.
CREATE OR REPLACE VIEW traces AS SELECT * FROM read_parquet('ROOT/it''s a [[]new] folder/traces/*/*.parquet', hive_partitioning = true, hive_types = {'trace': VARCHAR}, union_by_name = true);

-- One row per buffer of the file (WMI_BUFFER_HEADER), in file order.
CREATE OR REPLACE VIEW buffers AS SELECT NULL::BIGINT AS buffer, NULL::BIGINT AS file_offset, NULL::BIGINT AS buffer_size, NULL::BIGINT AS saved_offset, NULL::BIGINT AS data_end, NULL::BIGINT AS uncompressed_size, NULL::BIGINT AS time_stamp, NULL::BIGINT AS sequence_number, NULL::INTEGER AS processor, NULL::INTEGER AS logger_id, NULL::BIGINT AS state, NULL::INTEGER AS buffer_flag, NULL::VARCHAR[] AS buffer_flag_text, NULL::INTEGER AS buffer_type, NULL::VARCHAR AS buffer_type_text, NULL::BIGINT AS events, NULL::BIGINT AS first_event_ns, NULL::BIGINT AS last_event_ns, NULL::BOOLEAN AS damaged, NULL::VARCHAR AS trace WHERE false;

-- One row per provider or event class that wrote events.
CREATE OR REPLACE VIEW providers AS SELECT NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS provider_group, NULL::VARCHAR AS name_source, NULL::BIGINT AS event_types, NULL::BIGINT AS events, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::VARCHAR AS trace WHERE false;

-- One row per kind of event in the trace, with how often it occurs.
CREATE OR REPLACE VIEW event_types AS SELECT NULL::VARCHAR AS header_table, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_id, NULL::INTEGER AS event_version, NULL::BIGINT AS events, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::VARCHAR AS decoder, NULL::VARCHAR AS trace WHERE false;

-- What was wrong with the trace or lost before it was written, in file order.
CREATE OR REPLACE VIEW problems AS SELECT NULL::VARCHAR AS severity, NULL::VARCHAR AS code, NULL::BIGINT AS count, NULL::BIGINT AS buffer, NULL::BIGINT AS file_offset, NULL::BIGINT AS position, NULL::VARCHAR AS field, NULL::VARCHAR AS message, NULL::VARCHAR AS trace WHERE false;

-- Events with a SYSTEM_TRACE_HEADER or its COMPACT form (header types 1 to 4): kernel events that carry process and thread.
CREATE OR REPLACE VIEW system_trace_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT[] AS pmc_counters, NULL::UBIGINT AS pebs_index, NULL::VARCHAR AS trace WHERE false;

-- Events with a PERFINFO_TRACE_HEADER (0x10, 0x11): frequent kernel events, without process and thread.
CREATE OR REPLACE VIEW perfinfo_trace_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::UBIGINT[] AS pmc_counters, NULL::UBIGINT AS pebs_index, NULL::VARCHAR AS trace WHERE false;

-- Events with an EVENT_TRACE_HEADER (FULL_HEADER, 0x0A and 0x14): classic events, described by MOF classes.
CREATE OR REPLACE VIEW event_trace_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::VARCHAR AS trace WHERE false;

-- Events with an EVENT_INSTANCE_HEADER or EVENT_INSTANCE_GUID_HEADER (INSTANCE, 0x0B and 0x15): classic events that name a transaction.
CREATE OR REPLACE VIEW event_instance_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::BIGINT AS instance_id, NULL::BIGINT AS parent_instance_id, NULL::VARCHAR AS parent_guid, NULL::UBIGINT AS reg_handle, NULL::UBIGINT AS parent_reg_handle, NULL::VARCHAR AS trace WHERE false;

-- Events with an EVENT_HEADER (0x12, 0x13): those of manifest-based providers, TraceLogging and EventSource.
CREATE OR REPLACE VIEW event_header AS SELECT * FROM read_parquet('ROOT/it''s a [[]new] folder/event_header/*/*.parquet', hive_partitioning = true, hive_types = {'trace': VARCHAR}, union_by_name = true);

-- WPP messages, with a MESSAGE_TRACE_HEADER (0x90).
CREATE OR REPLACE VIEW message_trace_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS message_number, NULL::INTEGER AS message_flags, NULL::BIGINT AS sequence_number, NULL::VARCHAR AS message_guid, NULL::BIGINT AS component_id, NULL::BIGINT AS performance_timestamp, NULL::BOOLEAN AS has_time, NULL::VARCHAR AS trace WHERE false;

-- What is known to be an event by its marker and size only: ERROR, WNODE and TIMED headers, types of no public source, and buffers that hold something else than events.
CREATE OR REPLACE VIEW other_header AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS marker, NULL::BOOLEAN AS has_time, NULL::BLOB AS raw, NULL::VARCHAR AS trace WHERE false;

-- Thread TThreadId was made ready to run. The one that readied it is whatever ran on the event's processor.
CREATE OR REPLACE VIEW thread_readythread AS SELECT NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS payload_size, NULL::BIGINT AS t_thread_id, NULL::INTEGER AS adjust_reason, NULL::VARCHAR AS adjust_reason_text, NULL::INTEGER AS adjust_increment, NULL::INTEGER AS flag, NULL::VARCHAR AS flag_text, NULL::INTEGER AS reserved, NULL::BLOB AS payload_rest, NULL::VARCHAR AS trace WHERE false;

-- Every event of every trace, once.
CREATE OR REPLACE VIEW events AS
SELECT 'system_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM system_trace_header
UNION ALL BY NAME
SELECT 'perfinfo_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM perfinfo_trace_header
UNION ALL BY NAME
SELECT 'event_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM event_trace_header
UNION ALL BY NAME
SELECT 'event_instance_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM event_instance_header
UNION ALL BY NAME
SELECT 'event_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM event_header
UNION ALL BY NAME
SELECT 'message_trace_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM message_trace_header
UNION ALL BY NAME
SELECT 'other_header' AS header_table, event_ref, timestamp, time_ns, processor, process_id, thread_id, id_source, process_name, header_type, pointer_size, provider_id, provider_name, event_name, payload_size, payload, trace FROM other_header;
