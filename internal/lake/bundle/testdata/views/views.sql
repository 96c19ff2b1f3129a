-- DuckDB views over this dataset: start it in this folder, duckdb -init views.sql; from elsewhere, if it was moved or copied, first SET VARIABLE dataset = 'its path', then .read views.sql.
SET VARIABLE dataset_root = CASE
  WHEN getvariable('dataset') IS NOT NULL THEN replace(replace(replace(getvariable('dataset')::VARCHAR, '[', '[[]'), '*', '[*]'), '?', '[?]')
  WHEN EXISTS (SELECT * FROM glob('_traces/*.json')) THEN '.'
  ELSE 'ROOT/it''s a [[]new] folder' END;
SET VARIABLE trace_starts = MAP {
  'a': 1714564800000000000,
  'b': 1714564800000000000};
SET VARIABLE clock_steps = NULL;
SET VARIABLE clock_breaks = NULL;
CREATE OR REPLACE MACRO no_event() AS TABLE SELECT NULL::VARCHAR AS "trace", NULL::BIGINT AS "event_ref", NULL::TIMESTAMPTZ AS "timestamp", NULL::BIGINT AS "time_ns", NULL::BIGINT AS "clock_ns", NULL::DOUBLE AS "seconds", NULL::INTEGER AS "processor", NULL::BIGINT AS "process_id", NULL::BIGINT AS "thread_id", NULL::VARCHAR AS "id_source", NULL::VARCHAR AS "process_name", NULL::INTEGER AS "header_type", NULL::INTEGER AS "pointer_size", NULL::VARCHAR AS "provider_id", NULL::VARCHAR AS "provider_name", NULL::VARCHAR AS "event_name", NULL::INTEGER AS "event_kind", NULL::INTEGER AS "payload_size" WHERE false;

CREATE OR REPLACE VIEW traces AS SELECT * FROM read_parquet(getvariable('dataset_root') || '/traces/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW traces IS 'One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.';

CREATE OR REPLACE VIEW buffers AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS buffer, NULL::BIGINT AS file_offset, NULL::BIGINT AS buffer_size, NULL::BIGINT AS saved_offset, NULL::BIGINT AS data_end, NULL::BIGINT AS uncompressed_size, NULL::BIGINT AS time_stamp, NULL::BIGINT AS sequence_number, NULL::INTEGER AS processor, NULL::INTEGER AS logger_id, NULL::BIGINT AS state, NULL::INTEGER AS buffer_flag, NULL::VARCHAR[] AS buffer_flag_text, NULL::INTEGER AS buffer_type, NULL::VARCHAR AS buffer_type_text, NULL::BIGINT AS events, NULL::BIGINT AS first_event_ns, NULL::BIGINT AS last_event_ns, NULL::BOOLEAN AS damaged WHERE false;
COMMENT ON VIEW buffers IS 'One row per buffer of the file (WMI_BUFFER_HEADER), in file order.';

CREATE OR REPLACE VIEW providers AS SELECT NULL::VARCHAR AS trace, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS provider_group, NULL::VARCHAR AS name_source, NULL::BIGINT AS event_types, NULL::BIGINT AS events, NULL::BIGINT AS events_not_decoded, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::BIGINT AS payloads_whole, NULL::BIGINT AS payloads_in_part, NULL::BIGINT AS payloads_raw, NULL::BIGINT AS payload_bytes_whole, NULL::BIGINT AS payload_bytes_in_part, NULL::BIGINT AS payload_bytes_rest, NULL::BIGINT AS payload_bytes_raw WHERE false;
COMMENT ON VIEW providers IS 'One row per provider or event class that wrote events.';

CREATE OR REPLACE VIEW event_types AS SELECT NULL::VARCHAR AS trace, NULL::INTEGER AS event_kind, NULL::VARCHAR AS header_table, NULL::VARCHAR AS header_type_name, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_id, NULL::VARCHAR AS hook_symbol, NULL::INTEGER AS event_version, NULL::INTEGER AS level, NULL::VARCHAR AS level_name, NULL::INTEGER AS opcode, NULL::VARCHAR AS opcode_name, NULL::INTEGER AS task, NULL::VARCHAR AS task_name, NULL::INTEGER AS channel, NULL::VARCHAR AS channel_name, NULL::UBIGINT AS keyword, NULL::VARCHAR[] AS keyword_names, NULL::INTEGER AS event_tags, NULL::VARCHAR AS function_name, NULL::VARCHAR AS source, NULL::VARCHAR AS message_template, NULL::BIGINT AS events, NULL::TIMESTAMPTZ AS first_event, NULL::TIMESTAMPTZ AS last_event, NULL::VARCHAR AS decoder, NULL::VARCHAR AS known_from, NULL::INTEGER[] AS layout_builds, NULL::VARCHAR AS payload_table, NULL::STRUCT(name VARCHAR, column_name VARCHAR, in_type VARCHAR, out_type VARCHAR, is_array BOOLEAN, depth INTEGER, tags INTEGER)[] AS field_list, NULL::BIGINT AS payloads_whole, NULL::BIGINT AS payloads_in_part, NULL::BIGINT AS payloads_raw, NULL::BIGINT AS payload_bytes_whole, NULL::BIGINT AS payload_bytes_in_part, NULL::BIGINT AS payload_bytes_rest, NULL::BIGINT AS payload_bytes_raw WHERE false;
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

CREATE OR REPLACE VIEW system_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT[] AS pmc_counters, NULL::VARCHAR[] AS pmc_names, NULL::UBIGINT AS pebs_index, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW system_trace_header IS 'Events with a SYSTEM_TRACE_HEADER or its COMPACT form (header types 1 to 4): kernel events that carry process and thread.';

CREATE OR REPLACE VIEW perfinfo_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS hook_id, NULL::INTEGER AS event_group, NULL::INTEGER AS event_type, NULL::INTEGER AS event_version, NULL::UBIGINT[] AS pmc_counters, NULL::VARCHAR[] AS pmc_names, NULL::UBIGINT AS pebs_index, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW perfinfo_trace_header IS 'Events with a PERFINFO_TRACE_HEADER (0x10, 0x11): frequent kernel events, without process and thread.';

CREATE OR REPLACE VIEW event_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW event_trace_header IS 'Events with an EVENT_TRACE_HEADER (FULL_HEADER, 0x0A and 0x14): classic events, described by MOF classes.';

CREATE OR REPLACE VIEW event_instance_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS header_process_id, NULL::BIGINT AS header_thread_id, NULL::INTEGER AS class_type, NULL::INTEGER AS class_level, NULL::INTEGER AS class_version, NULL::BIGINT AS kernel_time, NULL::BIGINT AS user_time, NULL::UBIGINT AS processor_time, NULL::BIGINT AS instance_id, NULL::BIGINT AS parent_instance_id, NULL::VARCHAR AS parent_guid, NULL::UBIGINT AS reg_handle, NULL::UBIGINT AS parent_reg_handle, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW event_instance_header IS 'Events with an EVENT_INSTANCE_HEADER or EVENT_INSTANCE_GUID_HEADER (INSTANCE, 0x0B and 0x15): classic events that name a transaction.';

CREATE OR REPLACE VIEW event_header AS SELECT trace, event_ref, timestamp, time_ns, time_ns AS clock_ns, (time_ns - CAST(getvariable('trace_starts') AS MAP(VARCHAR, BIGINT))[trace]) / 1e9 AS seconds, * EXCLUDE (trace, event_ref, timestamp, time_ns) FROM read_parquet(getvariable('dataset_root') || '/event_header/*.parquet', hive_partitioning = false, union_by_name = true);
COMMENT ON VIEW event_header IS 'Events with an EVENT_HEADER (0x12, 0x13): those of manifest-based providers, TraceLogging and EventSource.';

CREATE OR REPLACE VIEW message_trace_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::INTEGER AS message_number, NULL::INTEGER AS message_flags, NULL::VARCHAR AS message_flags_text, NULL::BIGINT AS sequence_number, NULL::VARCHAR AS message_guid, NULL::BIGINT AS component_id, NULL::BIGINT AS performance_timestamp, NULL::BOOLEAN AS has_time, NULL::VARCHAR AS level_name, NULL::VARCHAR AS function_name, NULL::VARCHAR AS source, NULL::VARCHAR AS message, NULL::INTEGER AS header_size, NULL::VARCHAR AS fields WHERE false;
COMMENT ON VIEW message_trace_header IS 'WPP messages, with a MESSAGE_TRACE_HEADER (0x90).';

CREATE OR REPLACE VIEW other_header AS SELECT NULL::VARCHAR AS trace, NULL::BIGINT AS event_ref, NULL::TIMESTAMPTZ AS timestamp, NULL::BIGINT AS time_ns, NULL::BIGINT AS clock_ns, NULL::DOUBLE AS seconds, NULL::INTEGER AS processor, NULL::BIGINT AS process_id, NULL::BIGINT AS thread_id, NULL::VARCHAR AS id_source, NULL::VARCHAR AS process_name, NULL::INTEGER AS header_type, NULL::INTEGER AS pointer_size, NULL::VARCHAR AS provider_id, NULL::VARCHAR AS provider_name, NULL::VARCHAR AS event_name, NULL::INTEGER AS event_kind, NULL::INTEGER AS payload_size, NULL::BLOB AS payload, NULL::BIGINT AS marker, NULL::BOOLEAN AS has_time, NULL::BLOB AS raw WHERE false;
COMMENT ON VIEW other_header IS 'What is known to be an event by its marker and size only: ERROR, WNODE and TIMED headers, types of no public source, and buffers that hold something else than events.';

CREATE OR REPLACE VIEW thread_readythread AS SELECT *, NULL::BIGINT AS "t_thread_id", NULL::INTEGER AS "adjust_reason", NULL::VARCHAR AS "adjust_reason_text", NULL::INTEGER AS "adjust_increment", NULL::INTEGER AS "flag", NULL::VARCHAR AS "flag_text", NULL::INTEGER AS "reserved", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW thread_readythread IS 'Thread TThreadId was made ready to run. The one that readied it is whatever ran on the event''s processor.';

CREATE OR REPLACE VIEW "microsoft_ie_mshtml_dom_customsiteevent" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "c_window", NULL::UBIGINT AS "markup", NULL::VARCHAR AS "payload_event_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_ie_mshtml_dom_customsiteevent" IS 'Payloads of Mshtml_DOM_CustomSiteEvent of Microsoft-IE.';

CREATE OR REPLACE VIEW "microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "boot_ts_version", NULL::TIMESTAMPTZ AS "boot_start_time", NULL::BIGINT AS "boot_start_time_ns", NULL::TIMESTAMPTZ AS "boot_end_time", NULL::BIGINT AS "boot_end_time_ns", NULL::BIGINT AS "system_boot_instance", NULL::BIGINT AS "user_boot_instance", NULL::BIGINT AS "boot_time", NULL::BIGINT AS "main_path_boot_time", NULL::BIGINT AS "boot_kernel_init_time", NULL::BIGINT AS "boot_driver_init_time", NULL::BIGINT AS "boot_devices_init_time", NULL::BIGINT AS "boot_prefetch_init_time", NULL::BIGINT AS "boot_prefetch_bytes", NULL::BIGINT AS "boot_auto_chk_time", NULL::BIGINT AS "boot_smss_init_time", NULL::BIGINT AS "boot_critical_services_init_time", NULL::BIGINT AS "boot_user_profile_processing_time", NULL::BIGINT AS "boot_machine_profile_processing_time", NULL::BIGINT AS "boot_explorer_init_time", NULL::BIGINT AS "boot_num_startup_apps", NULL::BIGINT AS "boot_post_boot_time", NULL::BOOLEAN AS "boot_is_reboot_after_install", NULL::BIGINT AS "boot_root_cause_step_improvement_bits", NULL::BIGINT AS "boot_root_cause_gradual_improvement_bits", NULL::BIGINT AS "boot_root_cause_step_degradation_bits", NULL::BIGINT AS "boot_root_cause_gradual_degradation_bits", NULL::BOOLEAN AS "boot_is_degradation", NULL::BOOLEAN AS "boot_is_step_degradation", NULL::BOOLEAN AS "boot_is_gradual_degradation", NULL::BIGINT AS "boot_improvement_delta", NULL::BIGINT AS "boot_degradation_delta", NULL::BOOLEAN AS "boot_is_root_cause_identified", NULL::BIGINT AS "os_loader_duration", NULL::BIGINT AS "boot_pnp_init_start_time_ms", NULL::BIGINT AS "boot_pnp_init_duration", NULL::BIGINT AS "other_kernel_init_duration", NULL::BIGINT AS "system_pnp_init_start_time_ms", NULL::BIGINT AS "system_pnp_init_duration", NULL::BIGINT AS "session_init_start_time_ms", NULL::BIGINT AS "session0_init_duration", NULL::BIGINT AS "session1_init_duration", NULL::BIGINT AS "session_init_other_duration", NULL::BIGINT AS "win_logon_start_time_ms", NULL::BIGINT AS "other_logon_init_activity_duration", NULL::BIGINT AS "user_logon_wait_duration", NULL::VARCHAR AS "boot_root_cause_gradual_improvement_bits_text", NULL::VARCHAR AS "boot_root_cause_step_improvement_bits_text", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation" IS 'Payloads of BootPerformanceMonitoring/BootInformation of Microsoft-Windows-Diagnostics-Performance.';

CREATE OR REPLACE VIEW "microsoft_windows_direct3d11_marker" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "p_id3d11_device_context", NULL::UBIGINT AS "api_sequence_number", NULL::VARCHAR AS "label", NULL::INTEGER AS "data", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_direct3d11_marker" IS 'Payloads of Marker of Microsoft-Windows-Direct3D11.';

CREATE OR REPLACE VIEW "microsoft_windows_dns_client_3006" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "query_name", NULL::BIGINT AS "query_type", NULL::UBIGINT AS "query_options", NULL::VARCHAR AS "server_list", NULL::BIGINT AS "is_network_query", NULL::BIGINT AS "network_query_index", NULL::BIGINT AS "interface_index", NULL::BIGINT AS "is_async_query", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dns_client_3006" IS 'Payloads of 3006 of Microsoft-Windows-DNS-Client.';

CREATE OR REPLACE VIEW "microsoft_windows_dns_client_3008" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "query_name", NULL::BIGINT AS "query_type", NULL::UBIGINT AS "query_options", NULL::BIGINT AS "query_status", NULL::VARCHAR AS "query_results", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dns_client_3008" IS 'Payloads of 3008 of Microsoft-Windows-DNS-Client.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_allocationsampling" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "allocation_kind", NULL::VARCHAR AS "allocation_kind_text", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "type_id", NULL::VARCHAR AS "type_name", NULL::UBIGINT AS "address", NULL::UBIGINT AS "object_size", NULL::UBIGINT AS "sampled_byte_offset", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_allocationsampling" IS 'Payloads of AllocationSampling of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_contention_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "contention_flags", NULL::VARCHAR AS "contention_flags_text", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "lock_id", NULL::UBIGINT AS "associated_object_id", NULL::UBIGINT AS "lock_owner_thread_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_contention_start" IS 'Payloads of Contention/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_contention_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "contention_flags", NULL::VARCHAR AS "contention_flags_text", NULL::INTEGER AS "clr_instance_id", NULL::DOUBLE AS "duration_ns", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_contention_stop" IS 'Payloads of Contention/Stop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_exception_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "exception_type", NULL::VARCHAR AS "exception_message", NULL::UBIGINT AS "exception_eip", NULL::BIGINT AS "exception_hresult", NULL::INTEGER AS "exception_flags", NULL::VARCHAR AS "exception_flags_text", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_exception_start" IS 'Payloads of Exception/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_allocationtick" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "allocation_amount", NULL::BIGINT AS "allocation_kind", NULL::VARCHAR AS "allocation_kind_text", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "allocation_amount64", NULL::UBIGINT AS "type_id", NULL::VARCHAR AS "type_name", NULL::BIGINT AS "heap_index", NULL::UBIGINT AS "address", NULL::UBIGINT AS "object_size", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_allocationtick" IS 'Payloads of GC/AllocationTick of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_20" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "address", NULL::UBIGINT AS "type_id", NULL::BIGINT AS "object_count_for_type_sample", NULL::UBIGINT AS "total_size_for_type_sample", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_20" IS 'Payloads of GC/GCSampledObjectAllocation_20 of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_32" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "address", NULL::UBIGINT AS "type_id", NULL::BIGINT AS "object_count_for_type_sample", NULL::UBIGINT AS "total_size_for_type_sample", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_gcsampledobjectallocation_32" IS 'Payloads of GC/GCSampledObjectAllocation_32 of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_heapstats" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "generation_size0", NULL::UBIGINT AS "total_promoted_size0", NULL::UBIGINT AS "generation_size1", NULL::UBIGINT AS "total_promoted_size1", NULL::UBIGINT AS "generation_size2", NULL::UBIGINT AS "total_promoted_size2", NULL::UBIGINT AS "generation_size3", NULL::UBIGINT AS "total_promoted_size3", NULL::UBIGINT AS "finalization_promoted_size", NULL::UBIGINT AS "finalization_promoted_count", NULL::BIGINT AS "pinned_object_count", NULL::BIGINT AS "sink_block_count", NULL::BIGINT AS "gc_handle_count", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "generation_size4", NULL::UBIGINT AS "total_promoted_size4", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_heapstats" IS 'Payloads of GC/HeapStats of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_perheaphistory" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "free_list_allocated", NULL::UBIGINT AS "free_list_rejected", NULL::UBIGINT AS "end_of_seg_allocated", NULL::UBIGINT AS "condemned_allocated", NULL::UBIGINT AS "pinned_allocated", NULL::UBIGINT AS "pinned_allocated_advance", NULL::BIGINT AS "running_free_list_efficiency", NULL::BIGINT AS "condemn_reasons0", NULL::BIGINT AS "condemn_reasons1", NULL::BIGINT AS "compact_mechanisms", NULL::BIGINT AS "expand_mechanisms", NULL::BIGINT AS "heap_index", NULL::UBIGINT AS "extra_gen0_commit", NULL::BIGINT AS "count", NULL::STRUCT("size_before" UBIGINT, "free_list_space_before" UBIGINT, "free_obj_space_before" UBIGINT, "size_after" UBIGINT, "free_list_space_after" UBIGINT, "free_obj_space_after" UBIGINT, "in" UBIGINT, "pinned_surv" UBIGINT, "non_pinned_surv" UBIGINT, "new_allocation" UBIGINT)[] AS "values", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_perheaphistory" IS 'Payloads of GC/PerHeapHistory of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_restarteestop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_restarteestop" IS 'Payloads of GC/RestartEEStop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "count", NULL::BIGINT AS "depth", NULL::BIGINT AS "reason", NULL::VARCHAR AS "reason_text", NULL::BIGINT AS "type", NULL::VARCHAR AS "type_text", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "client_sequence_number", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_start" IS 'Payloads of GC/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "count", NULL::BIGINT AS "depth", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_stop" IS 'Payloads of GC/Stop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_suspendeestart" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "reason", NULL::VARCHAR AS "reason_text", NULL::BIGINT AS "count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_suspendeestart" IS 'Payloads of GC/SuspendEEStart of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_gc_suspendeestop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_gc_suspendeestop" IS 'Payloads of GC/SuspendEEStop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_method_jittingstarted" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "method_id", NULL::UBIGINT AS "module_id", NULL::BIGINT AS "method_token", NULL::BIGINT AS "method_il_size", NULL::VARCHAR AS "method_namespace", NULL::VARCHAR AS "method_name", NULL::VARCHAR AS "method_signature", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_method_jittingstarted" IS 'Payloads of Method/JittingStarted of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_method_loadverbose" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "method_id", NULL::UBIGINT AS "module_id", NULL::UBIGINT AS "method_start_address", NULL::BIGINT AS "method_size", NULL::BIGINT AS "method_token", NULL::BIGINT AS "method_flags", NULL::VARCHAR AS "method_flags_text", NULL::VARCHAR AS "method_namespace", NULL::VARCHAR AS "method_name", NULL::VARCHAR AS "method_signature", NULL::INTEGER AS "clr_instance_id", NULL::UBIGINT AS "re_jitid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_method_loadverbose" IS 'Payloads of Method/LoadVerbose of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpool_dequeue" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "work_id", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpool_dequeue" IS 'Payloads of ThreadPool/Dequeue of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpool_enqueue" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "work_id", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpool_enqueue" IS 'Payloads of ThreadPool/Enqueue of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpool_iodequeue" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "native_overlapped", NULL::UBIGINT AS "overlapped", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpool_iodequeue" IS 'Payloads of ThreadPool/IODequeue of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpool_ioenqueue" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "native_overlapped", NULL::UBIGINT AS "overlapped", NULL::BOOLEAN AS "multi_dequeues", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpool_ioenqueue" IS 'Payloads of ThreadPool/IOEnqueue of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "active_worker_thread_count", NULL::BIGINT AS "retired_worker_thread_count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_start" IS 'Payloads of ThreadPoolWorkerThread/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "active_worker_thread_count", NULL::BIGINT AS "retired_worker_thread_count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_stop" IS 'Payloads of ThreadPoolWorkerThread/Stop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_wait" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "active_worker_thread_count", NULL::BIGINT AS "retired_worker_thread_count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthread_wait" IS 'Payloads of ThreadPoolWorkerThread/Wait of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::DOUBLE AS "average_throughput", NULL::BIGINT AS "new_worker_thread_count", NULL::BIGINT AS "reason", NULL::VARCHAR AS "reason_text", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment" IS 'Payloads of ThreadPoolWorkerThreadAdjustment/Adjustment of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::DOUBLE AS "throughput", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample" IS 'Payloads of ThreadPoolWorkerThreadAdjustment/Sample of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "active_worker_thread_count", NULL::BIGINT AS "retired_worker_thread_count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start" IS 'Payloads of ThreadPoolWorkerThreadRetirement/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "active_worker_thread_count", NULL::BIGINT AS "retired_worker_thread_count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop" IS 'Payloads of ThreadPoolWorkerThreadRetirement/Stop of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "count", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start" IS 'Payloads of ThreadPoolWorkingThreadCount/Start of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntime_type_bulktype" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "count", NULL::INTEGER AS "clr_instance_id", NULL::STRUCT("type_id" UBIGINT, "module_id" UBIGINT, "type_name_id" BIGINT, "flags" BIGINT, "flags_text" VARCHAR, "cor_element_type" INTEGER, "name" VARCHAR, "type_parameter_count" BIGINT, "type_parameters" UBIGINT[])[] AS "values", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntime_type_bulktype" IS 'Payloads of Type/BulkType of Microsoft-Windows-DotNETRuntime.';

CREATE OR REPLACE VIEW "microsoft_windows_dotnetruntimeprivate_gc_perheaphistory" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::STRUCT("size_before" UBIGINT, "free_list_space_before" UBIGINT, "free_obj_space_before" UBIGINT, "size_after" UBIGINT, "free_list_space_after" UBIGINT, "free_obj_space_after" UBIGINT, "in" UBIGINT, "out" UBIGINT, "new_allocation" UBIGINT, "surv" UBIGINT)[] AS "values", NULL::BIGINT AS "condemn_reasons0", NULL::BIGINT AS "condemn_reasons1", NULL::BIGINT AS "memory_pressure", NULL::BIGINT AS "expand_mechanisms", NULL::BIGINT AS "compact_mechanisms", NULL::BIGINT AS "heap_index", NULL::UBIGINT AS "extra_gen0_commit", NULL::INTEGER AS "clr_instance_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_dotnetruntimeprivate_gc_perheaphistory" IS 'Payloads of GC/PerHeapHistory of Microsoft-Windows-DotNETRuntimePrivate.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_cachedandsend" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::INTEGER AS "http_status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_cachedandsend" IS 'Payloads of CachedAndSend of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_deliver" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_obj", NULL::UBIGINT AS "request_id", NULL::BIGINT AS "site_id", NULL::VARCHAR AS "request_queue_name", NULL::VARCHAR AS "url", NULL::BIGINT AS "status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_deliver" IS 'Payloads of Deliver of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_fastresp" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::UBIGINT AS "connection_id", NULL::INTEGER AS "status_code", NULL::VARCHAR AS "verb", NULL::BIGINT AS "header_length", NULL::INTEGER AS "entity_chunk_count", NULL::BIGINT AS "cache_policy", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_fastresp" IS 'Payloads of FastResp of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_fastresplast" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_fastresplast" IS 'Payloads of FastRespLast of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_fastsend" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::INTEGER AS "http_status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_fastsend" IS 'Payloads of FastSend of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_httprequesttracetask_cachednotmodified" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_obj", NULL::BIGINT AS "site_id", NULL::BIGINT AS "bytes_sent", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "encoding", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_httprequesttracetask_cachednotmodified" IS 'Payloads of HTTPRequestTraceTask/CachedNotModified of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_httprequesttracetask_srvdfrmcache" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_obj", NULL::BIGINT AS "site_id", NULL::BIGINT AS "bytes_sent", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "encoding", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_httprequesttracetask_srvdfrmcache" IS 'Payloads of HTTPRequestTraceTask/SrvdFrmCache of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_lastsnderror" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::INTEGER AS "http_status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_lastsnderror" IS 'Payloads of LastSndError of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_parse" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_obj", NULL::BIGINT AS "http_verb", NULL::VARCHAR AS "url", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_parse" IS 'Payloads of Parse of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_parserequestfailed" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "status", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "reason", NULL::BIGINT AS "error_code", NULL::BIGINT AS "hint_length", NULL::BLOB AS "hint_data", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_parserequestfailed" IS 'Payloads of ParseRequestFailed of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_recvreq" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::UBIGINT AS "connection_id", NULL::BIGINT AS "remote_addr_length", NULL::VARCHAR AS "remote_addr", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_recvreq" IS 'Payloads of RecvReq of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_recvresp" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::UBIGINT AS "connection_id", NULL::INTEGER AS "status_code", NULL::VARCHAR AS "verb", NULL::BIGINT AS "header_length", NULL::INTEGER AS "entity_chunk_count", NULL::BIGINT AS "cache_policy", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_recvresp" IS 'Payloads of RecvResp of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_recvresplast" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_recvresplast" IS 'Payloads of RecvRespLast of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_requestcancelled" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "reason", NULL::VARCHAR AS "request_queue_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_requestcancelled" IS 'Payloads of RequestCancelled of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_requestrejected" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "reason", NULL::VARCHAR AS "request_queue_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_requestrejected" IS 'Payloads of RequestRejected of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_sendcomplete" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::INTEGER AS "http_status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_sendcomplete" IS 'Payloads of SendComplete of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_snderror" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::VARCHAR AS "reason", NULL::BIGINT AS "status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_snderror" IS 'Payloads of SndError of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_httpservice_zerosend" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_id", NULL::INTEGER AS "http_status", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_httpservice_zerosend" IS 'Payloads of ZeroSend of Microsoft-Windows-HttpService.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_10" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "startime", NULL::BIGINT AS "endtime", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_10" IS 'Payloads of 10 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_11" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_11" IS 'Payloads of 11 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_12" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::INTEGER AS "mss", NULL::INTEGER AS "sackopt", NULL::INTEGER AS "tsopt", NULL::INTEGER AS "wsopt", NULL::BIGINT AS "rcvwin", NULL::INTEGER AS "rcvwinscale", NULL::INTEGER AS "sndwinscale", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_12" IS 'Payloads of 12 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_13" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_13" IS 'Payloads of 13 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_14" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_14" IS 'Payloads of 14 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_15" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::INTEGER AS "mss", NULL::INTEGER AS "sackopt", NULL::INTEGER AS "tsopt", NULL::INTEGER AS "wsopt", NULL::BIGINT AS "rcvwin", NULL::INTEGER AS "rcvwinscale", NULL::INTEGER AS "sndwinscale", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_15" IS 'Payloads of 15 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_16" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_16" IS 'Payloads of 16 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_26" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "startime", NULL::BIGINT AS "endtime", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_26" IS 'Payloads of 26 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_27" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_27" IS 'Payloads of 27 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_28" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::INTEGER AS "mss", NULL::INTEGER AS "sackopt", NULL::INTEGER AS "tsopt", NULL::INTEGER AS "wsopt", NULL::BIGINT AS "rcvwin", NULL::INTEGER AS "rcvwinscale", NULL::INTEGER AS "sndwinscale", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_28" IS 'Payloads of 28 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_29" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_29" IS 'Payloads of 29 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_30" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_30" IS 'Payloads of 30 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_31" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::INTEGER AS "mss", NULL::INTEGER AS "sackopt", NULL::INTEGER AS "tsopt", NULL::INTEGER AS "wsopt", NULL::BIGINT AS "rcvwin", NULL::INTEGER AS "rcvwinscale", NULL::INTEGER AS "sndwinscale", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_31" IS 'Payloads of 31 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_32" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_32" IS 'Payloads of 32 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_42" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_42" IS 'Payloads of 42 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_43" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_43" IS 'Payloads of 43 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_58" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_58" IS 'Payloads of 58 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_network_59" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "pid", NULL::BIGINT AS "size", NULL::VARCHAR AS "daddr", NULL::VARCHAR AS "saddr", NULL::INTEGER AS "dport", NULL::INTEGER AS "sport", NULL::BIGINT AS "seqnum", NULL::UBIGINT AS "connid", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_network_59" IS 'Payloads of 59 of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_power_powertransition_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "reason", NULL::BIGINT AS "flags", NULL::TIMESTAMPTZ AS "time", NULL::BIGINT AS "time_ns_ns", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_power_powertransition_start" IS 'Payloads of PowerTransition/Start of Microsoft-Windows-Kernel-Power.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_power_powertransition_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "status", NULL::TIMESTAMPTZ AS "time", NULL::BIGINT AS "time_ns_ns", NULL::INTEGER AS "wake_source_type_length", NULL::INTEGER AS "wake_source_sub_type_length", NULL::INTEGER AS "wake_source_length", NULL::INTEGER AS "wake_source_context_length", NULL::VARCHAR AS "wake_source_type", NULL::VARCHAR AS "wake_source_sub_type", NULL::VARCHAR AS "wake_source", NULL::VARCHAR AS "wake_source_context", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_power_powertransition_stop" IS 'Payloads of PowerTransition/Stop of Microsoft-Windows-Kernel-Power.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_processor_power_parkcore" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "ppm_check_time", NULL::INTEGER AS "group", NULL::INTEGER AS "number", NULL::BOOLEAN AS "soft_parked", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_processor_power_parkcore" IS 'Payloads of ParkCore of Microsoft-Windows-Kernel-Processor-Power.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_processor_power_processorperfstatechange_10" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "state", NULL::BIGINT AS "speed", NULL::INTEGER AS "group", NULL::INTEGER AS "number", NULL::BIGINT AS "performance", NULL::BIGINT AS "tolerance_percent", NULL::BIGINT AS "min_percent", NULL::BIGINT AS "max_percent", NULL::BIGINT AS "epp_percent", NULL::BIGINT AS "activity_window", NULL::BOOLEAN AS "autonomous", NULL::BOOLEAN AS "initiated", NULL::BIGINT AS "qos_class", NULL::UBIGINT AS "resource_priority", NULL::BIGINT AS "resource_priority_percent", NULL::BOOLEAN AS "virtual_little", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_processor_power_processorperfstatechange_10" IS 'Payloads of ProcessorPerfStateChange_10 of Microsoft-Windows-Kernel-Processor-Power.';

CREATE OR REPLACE VIEW "microsoft_windows_kernel_processor_power_unparkcore" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "ppm_check_time", NULL::INTEGER AS "group", NULL::INTEGER AS "number", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_kernel_processor_power_unparkcore" IS 'Payloads of UnparkCore of Microsoft-Windows-Kernel-Processor-Power.';

CREATE OR REPLACE VIEW "microsoft_windows_ndis_packetcapture_1001" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "miniport_if_index", NULL::BIGINT AS "lower_if_index", NULL::BIGINT AS "fragment_size", NULL::BLOB AS "fragment", NULL::UBIGINT AS "gft_flow_entry_id", NULL::UBIGINT AS "gft_offload_information", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_ndis_packetcapture_1001" IS 'Payloads of 1001 of Microsoft-Windows-NDIS-PacketCapture.';

CREATE OR REPLACE VIEW "microsoft_windows_ndis_packetcapture_1003" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "miniport_if_index", NULL::BIGINT AS "lower_if_index", NULL::BIGINT AS "source_port_id", NULL::VARCHAR AS "source_port_name", NULL::VARCHAR AS "source_nic_name", NULL::VARCHAR AS "source_nic_type", NULL::BIGINT AS "destination_count", NULL::STRUCT("destination_port_id" BIGINT, "destination_port_name" VARCHAR, "destination_nic_name" VARCHAR, "destination_nic_type" VARCHAR)[] AS "destination", NULL::BIGINT AS "fragment_size", NULL::BLOB AS "fragment", NULL::BIGINT AS "oob_data_size", NULL::BLOB AS "oob_data", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_ndis_packetcapture_1003" IS 'Payloads of 1003 of Microsoft-Windows-NDIS-PacketCapture.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_160" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "pkt_group_id", NULL::INTEGER AS "pkt_number", NULL::INTEGER AS "appearance_count", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_160" IS 'Payloads of 160 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_170" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "pkt_group_id", NULL::INTEGER AS "pkt_number", NULL::INTEGER AS "appearance_count", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_170" IS 'Payloads of 170 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_20" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "id", NULL::INTEGER AS "type", NULL::VARCHAR AS "type_text", NULL::VARCHAR AS "name", NULL::VARCHAR AS "description", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_20" IS 'Payloads of 20 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_200" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::VARCHAR AS "destination_ip", NULL::VARCHAR AS "source_ip", NULL::INTEGER AS "protocol", NULL::INTEGER AS "destination_port", NULL::INTEGER AS "source_port", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_200" IS 'Payloads of 200 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_210" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::VARCHAR AS "destination_ip", NULL::VARCHAR AS "source_ip", NULL::INTEGER AS "protocol", NULL::INTEGER AS "destination_port", NULL::INTEGER AS "source_port", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_210" IS 'Payloads of 210 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_220" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::VARCHAR AS "destination_ip", NULL::VARCHAR AS "source_ip", NULL::INTEGER AS "protocol", NULL::INTEGER AS "destination_port", NULL::INTEGER AS "source_port", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_220" IS 'Payloads of 220 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_230" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::VARCHAR AS "destination_ip", NULL::VARCHAR AS "source_ip", NULL::INTEGER AS "protocol", NULL::INTEGER AS "destination_port", NULL::INTEGER AS "source_port", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_230" IS 'Payloads of 230 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_240" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "pkt_group_id", NULL::INTEGER AS "pkt_number", NULL::INTEGER AS "appearance_count", NULL::INTEGER AS "dir_tag", NULL::VARCHAR AS "dir_tag_text", NULL::INTEGER AS "packet_type", NULL::VARCHAR AS "packet_type_text", NULL::INTEGER AS "component_id", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "filter_id", NULL::BIGINT AS "drop_reason", NULL::VARCHAR AS "drop_reason_text", NULL::BIGINT AS "drop_location", NULL::INTEGER AS "original_payload_size", NULL::INTEGER AS "logged_payload_size", NULL::BLOB AS "payload_payload", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_240" IS 'Payloads of 240 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_270" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "id", NULL::INTEGER AS "type", NULL::VARCHAR AS "name", NULL::VARCHAR AS "description", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_270" IS 'Payloads of 270 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_30" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "component_id", NULL::INTEGER AS "type", NULL::BIGINT AS "value", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_30" IS 'Payloads of 30 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_pktmon_90" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "component_id", NULL::VARCHAR AS "edge_name", NULL::INTEGER AS "edge_id", NULL::INTEGER AS "dir_tag_in", NULL::VARCHAR AS "dir_tag_in_text", NULL::UBIGINT AS "packets_in", NULL::UBIGINT AS "bytes_in", NULL::INTEGER AS "dir_tag_out", NULL::VARCHAR AS "dir_tag_out_text", NULL::UBIGINT AS "packets_out", NULL::UBIGINT AS "bytes_out", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_pktmon_90" IS 'Payloads of 90 of Microsoft-Windows-PktMon.';

CREATE OR REPLACE VIEW "microsoft_windows_powershell_4104" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "message_number", NULL::INTEGER AS "message_total", NULL::VARCHAR AS "script_block_text", NULL::VARCHAR AS "script_block_id", NULL::VARCHAR AS "path", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_powershell_4104" IS 'Payloads of 4104 of Microsoft-Windows-PowerShell.';

CREATE OR REPLACE VIEW "microsoft_windows_ras_ndiswanpacketcapture_5001" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "routing_domain_id", NULL::VARCHAR AS "rras_user_name", NULL::BIGINT AS "fragment_size", NULL::BLOB AS "fragment", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_ras_ndiswanpacketcapture_5001" IS 'Payloads of 5001 of Microsoft-Windows-Ras-NdisWanPacketCapture.';

CREATE OR REPLACE VIEW "microsoft_windows_ras_ndiswanpacketcapture_5002" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "routing_domain_id", NULL::VARCHAR AS "rras_user_name", NULL::BIGINT AS "fragment_size", NULL::BLOB AS "fragment", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_ras_ndiswanpacketcapture_5002" IS 'Payloads of 5002 of Microsoft-Windows-Ras-NdisWanPacketCapture.';

CREATE OR REPLACE VIEW "microsoft_windows_services_servicestatuschange_statuschange" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "execution_phase", NULL::BIGINT AS "current_state", NULL::BIGINT AS "start_type", NULL::BIGINT AS "pid", NULL::VARCHAR AS "service_name", NULL::VARCHAR AS "image_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_services_servicestatuschange_statuschange" IS 'Payloads of ServiceStatusChange/StatusChange of Microsoft-Windows-Services.';

CREATE OR REPLACE VIEW "microsoft_windows_services_startinggroup_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "group_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_services_startinggroup_start" IS 'Payloads of StartingGroup/Start of Microsoft-Windows-Services.';

CREATE OR REPLACE VIEW "microsoft_windows_services_startinggroup_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "group_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_services_startinggroup_stop" IS 'Payloads of StartingGroup/Stop of Microsoft-Windows-Services.';

CREATE OR REPLACE VIEW "microsoft_windows_shell_core_explorer_startup_phasereached" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "psz", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_shell_core_explorer_startup_phasereached" IS 'Payloads of Explorer_Startup_PhaseReached of Microsoft-Windows-Shell-Core.';

CREATE OR REPLACE VIEW "microsoft_windows_shell_core_explorer_startup_step_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "psz", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_shell_core_explorer_startup_step_start" IS 'Payloads of Explorer_Startup_Step/Start of Microsoft-Windows-Shell-Core.';

CREATE OR REPLACE VIEW "microsoft_windows_shell_core_explorer_startup_step_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::VARCHAR AS "psz", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_shell_core_explorer_startup_step_stop" IS 'Payloads of Explorer_Startup_Step/Stop of Microsoft-Windows-Shell-Core.';

CREATE OR REPLACE VIEW "microsoft_windows_webio_requestcreate_17" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request", NULL::UBIGINT AS "request_handle", NULL::UBIGINT AS "session", NULL::UBIGINT AS "session_handle", NULL::VARCHAR AS "method", NULL::VARCHAR AS "uri", NULL::INTEGER AS "version_major", NULL::INTEGER AS "version_minor", NULL::BIGINT AS "error", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_webio_requestcreate_17" IS 'Payloads of RequestCreate_17 of Microsoft-Windows-WebIO.';

CREATE OR REPLACE VIEW "microsoft_windows_webio_requestheader_101" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request", NULL::INTEGER AS "length", NULL::VARCHAR AS "headers", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_webio_requestheader_101" IS 'Payloads of RequestHeader_101 of Microsoft-Windows-WebIO.';

CREATE OR REPLACE VIEW "microsoft_windows_webio_responserecieveentity_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request", NULL::UBIGINT AS "request_handle", NULL::BIGINT AS "flags", NULL::UBIGINT AS "data_chunks", NULL::BIGINT AS "data_chunk_count", NULL::UBIGINT AS "completion_context", NULL::BIGINT AS "error", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_webio_responserecieveentity_stop" IS 'Payloads of ResponseRecieveEntity/Stop of Microsoft-Windows-WebIO.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_http_request_fail" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "handle", NULL::BIGINT AS "error", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_http_request_fail" IS 'Payloads of WININET_HTTP_REQUEST/Fail of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_http_request_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "hinternet", NULL::UBIGINT AS "context", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_http_request_start" IS 'Payloads of WININET_HTTP_REQUEST/Start of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_http_response_body_received" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_handle", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_http_response_body_received" IS 'Payloads of WININET_HTTP_RESPONSE_BODY_RECEIVED of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_http_response_fail" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "handle", NULL::BIGINT AS "error", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_http_response_fail" IS 'Payloads of WININET_HTTP_RESPONSE/Fail of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_http_response_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "response_code", NULL::UBIGINT AS "request_handle", NULL::UBIGINT AS "socket_handle", NULL::INTEGER AS "verb_length", NULL::VARCHAR AS "verb", NULL::INTEGER AS "content_length_str_length", NULL::VARCHAR AS "content_length", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_http_response_stop" IS 'Payloads of WININET_HTTP_RESPONSE/Stop of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_wininet_wininet_request_header" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::UBIGINT AS "request_handle", NULL::INTEGER AS "length", NULL::VARCHAR AS "headers", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_wininet_wininet_request_header" IS 'Payloads of WININET_REQUEST_HEADER of Microsoft-Windows-WinINet.';

CREATE OR REPLACE VIEW "microsoft_windows_winlogon_notifysubscriber_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "event", NULL::VARCHAR AS "subscriber_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_winlogon_notifysubscriber_start" IS 'Payloads of NotifySubscriber/Start of Microsoft-Windows-Winlogon.';

CREATE OR REPLACE VIEW "microsoft_windows_winlogon_notifysubscriber_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "event", NULL::VARCHAR AS "subscriber_name", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "microsoft_windows_winlogon_notifysubscriber_stop" IS 'Payloads of NotifySubscriber/Stop of Microsoft-Windows-Winlogon.';

CREATE OR REPLACE VIEW "system_diagnostics_eventing_frameworkeventsource_threadpooldequeuework" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "work_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_diagnostics_eventing_frameworkeventsource_threadpooldequeuework" IS 'Payloads of ThreadPoolDequeueWork of System.Diagnostics.Eventing.FrameworkEventSource.';

CREATE OR REPLACE VIEW "system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::BIGINT AS "work_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework" IS 'Payloads of ThreadPoolEnqueueWork of System.Diagnostics.Eventing.FrameworkEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskcompleted" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BOOLEAN AS "is_exceptional", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskcompleted" IS 'Payloads of TaskCompleted of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskexecute_start" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskexecute_start" IS 'Payloads of TaskExecute/Start of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskexecute_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BOOLEAN AS "is_exceptional", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskexecute_stop" IS 'Payloads of TaskExecute/Stop of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskscheduled_send" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::INTEGER AS "creating_task_id", NULL::INTEGER AS "task_creation_options", NULL::INTEGER AS "app_domain", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskscheduled_send" IS 'Payloads of TaskScheduled/Send of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskstarted" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskstarted" IS 'Payloads of TaskStarted of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskwait_send" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BIGINT AS "behavior", NULL::INTEGER AS "continue_with_task_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskwait_send" IS 'Payloads of TaskWait/Send of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskwait_stop" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskwait_stop" IS 'Payloads of TaskWait/Stop of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW "system_threading_tasks_tpleventsource_taskwaitend" AS SELECT *, NULL::INTEGER AS "event_id", NULL::INTEGER AS "event_version", NULL::INTEGER AS "level", NULL::INTEGER AS "opcode", NULL::INTEGER AS "task", NULL::UBIGINT AS "keyword", NULL::VARCHAR AS "activity_id", NULL::VARCHAR AS "related_activity_id", NULL::INTEGER AS "originating_task_scheduler_id", NULL::INTEGER AS "originating_task_id", NULL::INTEGER AS "task_id", NULL::BLOB AS "payload_rest" FROM no_event();
COMMENT ON VIEW "system_threading_tasks_tpleventsource_taskwaitend" IS 'Payloads of TaskWaitEnd of System.Threading.Tasks.TplEventSource.';

CREATE OR REPLACE VIEW events AS
SELECT e.trace, e.header_table, e.event_ref, e.timestamp, e.time_ns, e.clock_ns, e.seconds, e.processor, e.process_id, e.thread_id, e.id_source, e.process_name, e.header_type, e.pointer_size, e.provider_id, e.provider_name, e.event_name, e.event_kind, e.payload_size, e.payload, e.event_id, e.event_version, e.level, e.level_name, e.task, e.task_name, e.opcode, e.opcode_name, e.keyword, e.channel, e.activity_id, e.related_activity_id, s.stack_id AS stack_id, e.fields, e.message
FROM (
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
) AS e
LEFT JOIN stack_events AS s ON s.trace = e.trace AND s.event_ref = e.event_ref;
COMMENT ON VIEW events IS 'Every event of every trace, once.';

CREATE OR REPLACE VIEW activities AS
WITH ends AS (
  SELECT h.trace, h.event_ref, h.timestamp, h.time_ns, h.clock_ns, h.seconds, h.process_id, h.process_name, h.thread_id, h.provider_id, h.provider_name, h.opcode,
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
levels AS (
  SELECT *, sum(CASE opcode WHEN 1 THEN 1 ELSE -1 END) OVER (PARTITION BY trace, process_id, provider_id, task, pair ORDER BY clock_ns, event_ref)
    + CASE opcode WHEN 2 THEN 1 ELSE 0 END AS depth
  FROM ends
),
neighbours AS (
  SELECT *, lead(opcode) OVER one AS next_opcode, lead(clock_ns) OVER one AS next_ns, lead(event_ref) OVER one AS next_ref, lead(thread_id) OVER one AS next_thread_id,
    lag(opcode) OVER one AS last_opcode
  FROM levels
  WINDOW one AS (PARTITION BY trace, process_id, provider_id, task, pair, depth ORDER BY clock_ns, event_ref)
),
found AS (
  SELECT *, CASE WHEN opcode = 2 THEN 'no start' WHEN pair IS NOT NULL AND next_opcode = 2 THEN 'complete' ELSE 'no stop' END AS state
  FROM neighbours
  WHERE opcode = 1 OR pair IS NULL OR last_opcode IS NULL OR last_opcode = 2
),
starts AS (
  SELECT trace, process_id, activity_id, event_ref, activity
  FROM (
    SELECT *, row_number() OVER (PARTITION BY trace, process_id, activity_id ORDER BY clock_ns, event_ref) AS place
    FROM ends WHERE opcode = 1 AND activity_id IS NOT NULL
  ) AS numbered
  WHERE place = 1
)
SELECT a.trace, a.event_ref, a.timestamp, a.time_ns, a.clock_ns, a.seconds, a.process_id, a.process_name, a.thread_id, a.provider_name, a.activity, a.state,
  CASE WHEN a.state = 'complete' THEN CASE /* ns of a.trace */ WHEN a.next_ns >= a.clock_ns THEN a.next_ns - a.clock_ns END END AS duration_ns,
  CASE a.state WHEN 'complete' THEN a.next_ns WHEN 'no start' THEN a.clock_ns END AS end_ns,
  CASE WHEN a.state = 'complete' THEN CASE WHEN a.activity_id IS NOT NULL THEN 'activity' ELSE 'thread' END END AS paired_by,
  CAST(a.depth AS BIGINT) AS depth, a.activity_id, a.activity_path,
  CASE WHEN a.state <> 'no start' THEN a.related_activity_id END AS parent_activity_id, p.event_ref AS parent_ref, p.activity AS parent,
  CASE a.state WHEN 'complete' THEN a.next_ref WHEN 'no start' THEN a.event_ref END AS stop_ref,
  CASE a.state WHEN 'complete' THEN a.next_thread_id WHEN 'no start' THEN a.thread_id END AS stop_thread_id, e.stack_id
FROM found AS a
LEFT JOIN starts AS p ON p.trace = a.trace AND p.process_id = a.process_id AND p.activity_id = a.related_activity_id AND a.opcode = 1
LEFT JOIN stack_events AS e ON e.trace = a.trace AND e.event_ref = a.event_ref;
COMMENT ON VIEW activities IS 'Activities of any provider, one row per activity: a start and its stop, the time between them, and the activity that caused it. Starts and stops without the other one are rows of their own: see state.';

CREATE OR REPLACE VIEW allocations AS
WITH types AS (
  SELECT trace, process_id, v.type_id AS type_id, max(v.name) AS name
  FROM (SELECT t.trace, t.process_id, unnest(t.values) AS v FROM microsoft_windows_dotnetruntime_type_bulktype AS t) AS logged
  WHERE v.name <> ''
  GROUP BY trace, process_id, v.type_id
),
allocated AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'tick' AS source, type_name, type_id,
    allocation_kind_text AS heap, coalesce(TRY_CAST(allocation_amount64 AS BIGINT), allocation_amount) AS bytes, CAST(NULL AS BIGINT) AS objects,
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
LEFT JOIN stack_events AS e ON e.trace = a.trace AND e.event_ref = a.event_ref;
COMMENT ON VIEW allocations IS 'Samples of the memory that .NET processes allocated, one row per sample: the type, how many bytes it stands for, and the stack. Grouped by type or stack, `sum(bytes)` of ticks shows who allocates.';

CREATE OR REPLACE VIEW boot AS
WITH details AS (
  SELECT trace, event_ref, group_name AS detail FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, group_name FROM microsoft_windows_services_startinggroup_stop
  UNION ALL SELECT trace, event_ref, subscriber_name FROM microsoft_windows_winlogon_notifysubscriber_start
  UNION ALL SELECT trace, event_ref, subscriber_name FROM microsoft_windows_winlogon_notifysubscriber_stop
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_step_start
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_step_stop
  UNION ALL SELECT trace, event_ref, psz FROM microsoft_windows_shell_core_explorer_startup_phasereached
),
steps AS (
  SELECT h.trace, h.event_ref, h.timestamp, h.time_ns, h.clock_ns, h.seconds, h.process_id, h.process_name, split_part(h.event_name, '/', 1) AS phase, d.detail,
    CASE h.provider_name WHEN 'Microsoft-Windows-Winlogon' THEN 'winlogon' WHEN 'Microsoft-Windows-Services' THEN 'services'
      WHEN 'Microsoft-Windows-Shell-Core' THEN 'shell' ELSE 'power' END AS component,
    CASE WHEN h.event_name LIKE '%/Start%' OR h.event_name LIKE '%/PhaseStart%' THEN 'start'
      WHEN h.event_name LIKE '%/Stop%' OR h.event_name LIKE '%/PhaseStop%' THEN 'stop' ELSE 'moment' END AS step
  FROM event_header AS h
  LEFT JOIN details AS d ON d.trace = h.trace AND d.event_ref = h.event_ref
  WHERE h.provider_name IN ('Microsoft-Windows-Winlogon', 'Microsoft-Windows-Services', 'Microsoft-Windows-Kernel-Power', 'Microsoft-Windows-Shell-Core')
    AND (h.event_name IN ('UserShellLaunch', 'UserBoot', 'Explorer_Startup_PhaseReached', 'Explorer_KickedOffDelayedBootWork')
      OR (h.event_name LIKE '%/Start%' OR h.event_name LIKE '%/Stop%' OR h.event_name LIKE '%/PhaseStart%' OR h.event_name LIKE '%/PhaseStop%')
        AND (h.provider_name <> 'Microsoft-Windows-Shell-Core' OR split_part(h.event_name, '/', 1) IN ('Explorer_InitializingExplorer', 'Explorer_CreateTray',
          'Explorer_CreateTrayWindow', 'Explorer_InitStartButton', 'Explorer_CreateDesktop', 'Explorer_LoadingIconCache', 'Explorer_Startup_Step'))
        AND (h.provider_name <> 'Microsoft-Windows-Kernel-Power' OR split_part(h.event_name, '/', 1) IN ('PowerTransition', 'QueryApps', 'QueryServices', 'SuspendApps',
          'SuspendServices', 'SuspendDevices', 'WakeDevices', 'ResumeApps', 'ResumeServices', 'GracefulShutdown', 'FlushVolumes', 'WaitForProcesses',
          'IoShutdownSystem', 'IoShutdownFileSystems', 'CmShutdownSystem', 'ZeroPageFile', 'ZeroHiberFile', 'Winlogon', 'PrepareSleep')))
),
turns AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM steps
  WINDOW turns AS (PARTITION BY trace, component, phase, detail, process_id, step = 'moment' ORDER BY clock_ns, event_ref)
),
measured AS (
  SELECT *, unnest(range(12)) AS n FROM microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation
),
durations AS (
  SELECT *, CASE n WHEN 0 THEN 'boot' WHEN 1 THEN 'main path' WHEN 2 THEN 'kernel' WHEN 3 THEN 'drivers' WHEN 4 THEN 'devices' WHEN 5 THEN 'prefetch'
    WHEN 6 THEN 'sessions' WHEN 7 THEN 'critical services' WHEN 8 THEN 'machine profile' WHEN 9 THEN 'user profile' WHEN 10 THEN 'explorer' ELSE 'after boot' END AS phase,
    CASE n WHEN 0 THEN boot_time WHEN 1 THEN main_path_boot_time WHEN 2 THEN boot_kernel_init_time WHEN 3 THEN boot_driver_init_time WHEN 4 THEN boot_devices_init_time
      WHEN 5 THEN boot_prefetch_init_time WHEN 6 THEN boot_smss_init_time WHEN 7 THEN boot_critical_services_init_time
      WHEN 8 THEN boot_machine_profile_processing_time WHEN 9 THEN boot_user_profile_processing_time WHEN 10 THEN boot_explorer_init_time ELSE boot_post_boot_time END AS ms
  FROM measured
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, component, phase, detail,
  CASE WHEN step <> 'stop' THEN clock_ns END AS start_ns, CASE WHEN step <> 'start' THEN clock_ns WHEN next_step = 'stop' THEN next_ns END AS end_ns,
  CASE WHEN step = 'moment' THEN 0 WHEN step = 'start' AND next_step = 'stop' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns
FROM turns
WHERE step <> 'stop' OR coalesce(last_step, 'stop') = 'stop'
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, 'measured', phase, NULL, NULL, NULL, ms * 1000000
FROM durations
WHERE ms IS NOT NULL;
COMMENT ON VIEW boot IS 'One row per phase of a start, logon, logoff, sleep or shutdown: of winlogon, services, the shell and power, with its length; moments, such as the start of the user''s shell, have the length 0. Rows of the component measured are what Windows itself measured of the last start.';

CREATE OR REPLACE VIEW connections AS
WITH kernel AS (
  SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_send
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_sendipv4
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_sendipv6
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recv
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recvipv4
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_recvipv6
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connect
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_connectipv6
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_accept
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_acceptipv4
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_acceptipv6
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnect
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_reconnectipv6
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmit
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmitipv4
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_retransmitipv6
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnect
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnectipv4
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM tcpip_disconnectipv6
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_send
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_sendipv4
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_sendipv6
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recv
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recvipv4
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM udpip_recvipv6
),
manifest AS (
  SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_10
  UNION ALL SELECT 'tcp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_26
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_11
  UNION ALL SELECT 'tcp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_27
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_12
  UNION ALL SELECT 'tcp' AS protocol, 'connect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_28
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_15
  UNION ALL SELECT 'tcp' AS protocol, 'accept' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_31
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_16
  UNION ALL SELECT 'tcp' AS protocol, 'reconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_32
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_14
  UNION ALL SELECT 'tcp' AS protocol, 'retransmit' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_30
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_13
  UNION ALL SELECT 'tcp' AS protocol, 'disconnect' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_29
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_42
  UNION ALL SELECT 'udp' AS protocol, 'send' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_58
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_43
  UNION ALL SELECT 'udp' AS protocol, 'receive' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, CAST(pid AS BIGINT) AS process_id, saddr, CAST(sport AS INT) AS sport, daddr, CAST(dport AS INT) AS dport, CAST(size AS BIGINT) AS bytes FROM microsoft_windows_kernel_network_59
),
seen AS (
  SELECT * FROM kernel
  UNION ALL SELECT m.* FROM manifest AS m LEFT JOIN (SELECT DISTINCT trace FROM kernel) AS k ON k.trace = m.trace WHERE k.trace IS NULL
),
ends AS (
  -- A received datagram is addressed to this computer. The addresses of a TCP event are those of the connection.
  SELECT *, CASE WHEN protocol = 'udp' AND step = 'receive' THEN daddr ELSE saddr END AS local_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN dport ELSE sport END AS local_port,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN saddr ELSE daddr END AS remote_address,
    CASE WHEN protocol = 'udp' AND step = 'receive' THEN sport ELSE dport END AS remote_port
  FROM seen
),
following AS (
  SELECT *, coalesce(lag(step) OVER uses, '') AS last_step
  FROM ends
  WINDOW uses AS (PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port ORDER BY clock_ns, event_ref)
),
numbered AS (
  SELECT *, count(CASE WHEN step IN ('connect', 'accept', 'reconnect') AND last_step <> 'reconnect' THEN 1 END) OVER uses AS turn, row_number() OVER uses AS place
  FROM following
  WINDOW uses AS (PARTITION BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
),
connected AS (
  SELECT trace, protocol, process_id, local_address, local_port, remote_address, remote_port,
    min_by(event_ref, place) AS event_ref, min_by(timestamp, place) AS timestamp, min_by(time_ns, place) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds, max(clock_ns) AS end_ns,
    coalesce(sum(CASE WHEN step = 'send' THEN bytes END), 0) AS bytes_sent, coalesce(sum(CASE WHEN step = 'receive' THEN bytes END), 0) AS bytes_received,
    count(CASE WHEN step = 'send' THEN 1 END) AS sends, count(CASE WHEN step = 'receive' THEN 1 END) AS receives,
    count(CASE WHEN step = 'retransmit' THEN 1 END) AS retransmits, count(CASE WHEN step = 'reconnect' THEN 1 END) AS reconnects,
    max(CASE WHEN step IN ('connect', 'accept') THEN step END) AS opened_as,
    CASE WHEN protocol = 'tcp' THEN count(CASE WHEN step = 'disconnect' THEN 1 END) > 0 END AS is_closed
  FROM numbered
  GROUP BY trace, protocol, process_id, local_address, local_port, remote_address, remote_port, turn
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.end_ns, c.protocol, c.process_id, p.process_name,
  c.local_address, c.local_port, c.remote_address, c.remote_port,
  CAST(c.bytes_sent AS BIGINT) AS bytes_sent, CAST(c.bytes_received AS BIGINT) AS bytes_received,
  c.sends, c.receives, c.retransmits, c.reconnects, c.opened_as, c.is_closed
FROM connected AS c
LEFT JOIN processes AS p ON p.trace = c.trace AND p.process_id = c.process_id
  AND c.time_ns >= coalesce(p.valid_from_ns, c.time_ns) AND c.time_ns <= coalesce(p.valid_to_ns, c.time_ns);
COMMENT ON VIEW connections IS 'One row per TCP connection, and per pair of UDP endpoints that exchanged datagrams: the process, both addresses and ports, the bytes sent and received, and how it began and ended. The events are those of the kernel''s classes TcpIp and UdpIp, or of Microsoft-Windows-Kernel-Network.';

CREATE OR REPLACE VIEW contention AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step,
    contention_flags_text, lock_id, associated_object_id, lock_owner_thread_id, NULL AS duration_ns
  FROM microsoft_windows_dotnetruntime_contention_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end',
    NULL, NULL, NULL, NULL, duration_ns
  FROM microsoft_windows_dotnetruntime_contention_stop
),
pairs AS (
  SELECT *, lead(step) OVER one AS next_step, lead(clock_ns) OVER one AS next_ns, lead(duration_ns) OVER one AS next_duration_ns
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id ORDER BY clock_ns, event_ref)
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.process_id, c.process_name, c.thread_id, c.clr_instance_id, c.contention_flags_text AS kind,
  CASE WHEN c.next_step = 'end' THEN coalesce(TRY_CAST(c.next_duration_ns AS BIGINT), CASE /* ns of c.trace */ WHEN c.next_ns >= c.clock_ns THEN c.next_ns - c.clock_ns END) END AS wait_ns,
  CASE WHEN c.next_step = 'end' THEN c.next_ns END AS end_ns,
  c.lock_id, c.associated_object_id AS object_id, c.lock_owner_thread_id AS owner_thread_id, e.stack_id
FROM pairs AS c
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.event_ref
WHERE c.step = 'start';
COMMENT ON VIEW contention IS 'Threads of .NET processes that waited for a lock, one row per wait: how long, and in newer runtimes which lock, of which object, and who had it.';

CREATE OR REPLACE VIEW context_switches AS
WITH steps AS (
  SELECT trace, old_thread_id AS thread_id, clock_ns, event_ref, 'out' AS step, old_thread_state_text AS state,
    CASE WHEN old_thread_state = 5 THEN old_thread_wait_reason_text END AS reason
  FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, clock_ns, event_ref, 'ready', NULL, NULL FROM thread_readythread
  UNION ALL SELECT trace, new_thread_id, clock_ns, event_ref, 'in', NULL, NULL FROM thread_cswitch
  UNION ALL SELECT trace, t_thread_id, clock_ns, event_ref, 'start', NULL, NULL FROM thread_start
),
away AS (
  SELECT trace, min_by(event_ref, clock_ns) FILTER (WHERE step = 'in') AS event_ref,
    min(CASE WHEN step = 'out' THEN clock_ns END) AS out_ns, max(state) AS state, max(reason) AS reason,
    min(CASE WHEN step = 'ready' THEN clock_ns END) AS ready_ns, min_by(event_ref, clock_ns) FILTER (WHERE step = 'ready') AS ready_ref
  FROM (
    SELECT *, count(CASE WHEN step IN ('out', 'start') THEN 1 END) OVER (PARTITION BY trace, thread_id ORDER BY clock_ns) AS turn
    FROM steps WHERE thread_id <> 0
  ) AS numbered
  WHERE turn > 0
  GROUP BY trace, thread_id, turn
),
runs AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(old_thread_id) OVER turns AS next_old_id,
    lead(old_thread_state_text) OVER turns AS next_state, lead(old_thread_state) OVER turns AS next_state_number,
    lead(old_thread_wait_reason_text) OVER turns AS next_reason,
    lag(new_thread_id) OVER turns AS last_id, lag(process_id) OVER turns AS last_process_id, lag(process_name) OVER turns AS last_process_name
  FROM thread_cswitch
  WINDOW turns AS (PARTITION BY trace, processor ORDER BY clock_ns, event_ref)
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.processor, s.process_id, s.process_name, s.new_thread_id AS thread_id,
  s.new_thread_priority AS priority,
  CASE WHEN s.next_old_id = s.new_thread_id THEN CASE /* ns of s.trace */ WHEN s.next_ns >= s.clock_ns THEN s.next_ns - s.clock_ns END END AS ran_ns,
  CASE WHEN s.next_old_id = s.new_thread_id THEN s.next_state END AS left_as,
  CASE WHEN s.next_old_id = s.new_thread_id AND s.next_state_number = 5 THEN s.next_reason END AS left_to_wait_for,
  CASE /* ns of s.trace */ WHEN s.clock_ns >= a.out_ns THEN s.clock_ns - a.out_ns END AS away_ns, CASE WHEN a.out_ns IS NOT NULL THEN a.state END AS away_as, a.reason AS waited_for,
  CASE /* ns of s.trace */ WHEN s.clock_ns >= a.ready_ns THEN s.clock_ns - a.ready_ns END AS ready_ns,
  r.process_id AS readied_by_process_id, r.process_name AS readied_by_process_name, r.thread_id AS readied_by_thread_id, (r.flag & 1) <> 0 AS readied_from_dpc, r.event_ref AS ready_ref,
  s.old_thread_id,
  CASE WHEN s.old_thread_id = 0 THEN 0 WHEN s.last_id = s.old_thread_id THEN s.last_process_id END AS old_process_id,
  CASE WHEN s.last_id = s.old_thread_id THEN s.last_process_name END AS old_process_name,
  e.stack_id,
  nullif(k.modules[0 + 1], '') AS module, nullif(k.functions[0 + 1], '') AS function,
  k.functions
FROM runs AS s
LEFT JOIN away AS a ON a.trace = s.trace AND a.event_ref = s.event_ref
-- As a condition of its own, the time makes DuckDB 1.5 compare all pairs.
LEFT JOIN thread_readythread AS r ON r.trace = a.trace AND r.event_ref = CASE WHEN a.ready_ns <= s.clock_ns THEN a.ready_ref END
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;
COMMENT ON VIEW context_switches IS 'One row per context switch, for the thread switched in: how long it ran and how it left (ran_ns, left_as, left_to_wait_for), and how long it had been away and why (away_ns, away_as, waited_for). It was ready during the last ready_ns of that time, since the thread readied_by_... made it ready; if readied_from_dpc is true, that thread was only interrupted. Columns are NULL if the switch before or after is not in the trace.';

CREATE OR REPLACE VIEW cpu_samples AS
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
)
SELECT s.trace, s.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.processor, s.process_id, s.process_name, s.thread_id,
  s.instruction_pointer, s.instruction_pointer_module AS module, s.instruction_pointer_function AS function, s.instruction_pointer_offset AS function_offset,
  (s.flags & 1) <> 0 AS in_dpc, (s.flags & 2) <> 0 AS in_isr, s.thread_id = 0 AND coalesce(s.flags & 3, 0) = 0 AS is_idle, v.interval_ns,
  e.stack_id, k.addresses AS stack_addresses, k.modules AS stack_modules, k.functions AS stack_functions, k.offsets AS stack_offsets, k.kernel_frames
FROM perfinfo_sampleprof AS s
LEFT JOIN intervals AS v ON v.trace = s.trace
LEFT JOIN stack_events AS e ON e.trace = s.trace AND e.event_ref = s.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;
COMMENT ON VIEW cpu_samples IS 'One row per sample of a processor: the process and thread, the module and function of the instruction, and the call stack if there is one. interval_ns is the trace''s interval between samples. is_idle marks the samples of an idle processor: WHERE NOT is_idle leaves them out.';

CREATE OR REPLACE VIEW cpu_usage AS
SELECT trace, CAST(floor(seconds) AS BIGINT) AS second, process_id, process_name,
  CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS samples, CAST(sum(interval_ns) AS BIGINT) AS cpu_ns
FROM cpu_samples
GROUP BY trace, CAST(floor(seconds) AS BIGINT), process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END;
COMMENT ON VIEW cpu_usage IS 'One row per second of the trace, process and kind: the samples of the processors, and the time that they stand for. The kinds dpc and isr are work of devices: the process was merely interrupted. The sum of a second over all kinds is one second for each processor that was sampled.';

CREATE OR REPLACE VIEW cpu_usage_precise AS
WITH starts AS (
  SELECT trace, process_id, process_name, thread_id, ran_ns, CAST(round(seconds * 1e9) AS BIGINT) AS from_ns
  FROM context_switches
  WHERE ran_ns > 0
),
runs AS (
  SELECT *, from_ns + ran_ns AS until_ns, CAST(floor(from_ns / 1e9) AS BIGINT) AS first_second,
    CAST(floor((from_ns + ran_ns - 1) / 1e9) AS BIGINT) - CAST(floor(from_ns / 1e9) AS BIGINT) + 1 AS in_seconds
  FROM starts
),
parts AS (
  SELECT trace, process_id, process_name, thread_id, from_ns, until_ns, first_second, unnest(range(in_seconds)) AS n
  FROM runs
  WHERE in_seconds <= 86400
)
SELECT trace, first_second + n AS second, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS runs, count(DISTINCT thread_id) AS threads,
  CAST(sum(least(until_ns, (first_second + n + 1) * 1000000000) - greatest(from_ns, (first_second + n) * 1000000000)) AS BIGINT) AS cpu_ns
FROM parts
GROUP BY trace, first_second + n, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END;
COMMENT ON VIEW cpu_usage_precise IS 'One row per second of the trace, process and kind: how long its threads ran, from context switches, each cut at full seconds. Work of devices (DPC, ISR) counts for the thread that it interrupted.';

CREATE OR REPLACE VIEW disk_io AS
WITH transfers AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'read' AS operation, process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_flushbuffers
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical read', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalread
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalwrite
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalflushbuffers
)
SELECT d.trace, d.event_ref, d.timestamp, d.time_ns, d.clock_ns, d.seconds, d.processor, d.operation, d.process_id, d.process_name, d.thread_id,
  d.disk_number, d.file_name, d.byte_offset, d.transfer_size,
  TRY_CAST(round(CAST(d.high_res_response_time AS DOUBLE) * 1000000000 / h.perf_freq) AS BIGINT) AS disk_ns,
  d.irp_flags_text AS irp_flags, d.irp_priority_text AS irp_priority
FROM transfers AS d
LEFT JOIN traces AS h ON h.trace = d.trace;
COMMENT ON VIEW disk_io IS 'One row per completed transfer that reached a disk: the operation and its size, the process and thread that requested it, the file, and how long the disk took.';

CREATE OR REPLACE VIEW dns_queries AS
WITH steps AS (
  SELECT 'start' AS step, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, CAST(query_type AS BIGINT) AS query_type, query_options,
    is_network_query <> 0 AS is_network_query, server_list, CAST(NULL AS BIGINT) AS status, CAST(NULL AS STRING) AS results FROM microsoft_windows_dns_client_3006
  UNION ALL SELECT 'end', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, CAST(query_type AS BIGINT), query_options,
    NULL, NULL, CAST(query_status AS BIGINT), query_results FROM microsoft_windows_dns_client_3008
),
following AS (
  SELECT *, lead(step) OVER queries AS next_step, lead(clock_ns) OVER queries AS next_ns, lead(status) OVER queries AS next_status, lead(results) OVER queries AS next_results,
    lag(step) OVER queries AS last_step
  FROM steps
  WINDOW queries AS (PARTITION BY trace, process_id, lower(query_name), query_type ORDER BY clock_ns, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, query_name, query_type,
  CASE query_type WHEN 1 THEN 'A' WHEN 2 THEN 'NS' WHEN 5 THEN 'CNAME' WHEN 6 THEN 'SOA' WHEN 12 THEN 'PTR' WHEN 15 THEN 'MX' WHEN 16 THEN 'TXT' WHEN 28 THEN 'AAAA'
    WHEN 33 THEN 'SRV' WHEN 35 THEN 'NAPTR' WHEN 43 THEN 'DS' WHEN 46 THEN 'RRSIG' WHEN 48 THEN 'DNSKEY' WHEN 52 THEN 'TLSA' WHEN 64 THEN 'SVCB' WHEN 65 THEN 'HTTPS'
    WHEN 252 THEN 'AXFR' WHEN 255 THEN 'ANY' END AS query_type_name,
  query_options, is_network_query, server_list,
  CASE WHEN step = 'end' THEN status WHEN next_step = 'end' THEN next_status END AS status,
  CASE WHEN step = 'end' THEN results WHEN next_step = 'end' THEN next_results END AS results,
  CASE WHEN step = 'start' THEN clock_ns END AS start_ns,
  CASE WHEN step = 'start' AND next_step = 'end' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns
FROM following
WHERE step = 'start' OR coalesce(last_step, 'end') <> 'start';
COMMENT ON VIEW dns_queries IS 'One row per name that a process asked Windows'' DNS client for: the name and the type of record, the result, the records of the answer, and how long it took.';

CREATE OR REPLACE VIEW dpc_isr AS
WITH routines AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'DPC' AS kind, initial_time_ns, routine, routine_module, routine_function,
    CAST(NULL AS INT) AS vector, CAST(NULL AS INT) AS return_value FROM perfinfo_dpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'threaded DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_threadeddpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'timer DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_timerdpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr_msi
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, kind, initial_time_ns AS start_ns, CASE /* ns of trace */ WHEN time_ns >= initial_time_ns THEN time_ns - initial_time_ns END AS duration_ns,
  routine, routine_module AS module, routine_function AS function, vector, return_value <> 0 AS claimed
FROM routines;
COMMENT ON VIEW dpc_isr IS 'One row per run of a deferred procedure call (DPC) or an interrupt service routine (ISR): when it began, how long it took, and the driver that it belongs to. While it ran, no thread could run on the processor.';

CREATE OR REPLACE VIEW exceptions AS
SELECT x.trace, x.event_ref, x.timestamp, x.time_ns, x.clock_ns, x.seconds, x.process_id, x.process_name, x.thread_id, x.clr_instance_id,
  x.exception_type, x.exception_message, '0x' || lpad(lower(hex(x.exception_hresult)), 8, '0') AS hresult, x.exception_flags_text AS flags,
  e.stack_id, k.functions
FROM microsoft_windows_dotnetruntime_exception_start AS x
LEFT JOIN stack_events AS e ON e.trace = x.trace AND e.event_ref = x.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id;
COMMENT ON VIEW exceptions IS 'Exceptions of .NET processes, one row per throw: type, message, HRESULT and stack. A program can catch an exception, so that a row is no failure.';

CREATE OR REPLACE VIEW file_io AS
WITH operations AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'create' AS operation, process_id, process_name, thread_id, file_name, NULL AS file_offset, NULL AS io_size, irp_ptr FROM fileio_create
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'cleanup', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_cleanup
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'close', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_close
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'read', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'write', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'set info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_setinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'delete', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_delete
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'rename', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_rename
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'list folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_direnum
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'watch folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_dirnotify
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'flush', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_flush
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'query info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_queryinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'control', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_fscontrol
),
steps AS (
  SELECT *, lead(nt_status) OVER requests AS end_status, lead(nt_status_text) OVER requests AS end_status_text,
    lead(extra_info) OVER requests AS end_info, lead(clock_ns) OVER requests AS next_ns, lead(is_end) OVER requests AS next_is_end
  FROM (
    SELECT *, 0 AS is_end, NULL AS nt_status, NULL AS nt_status_text, NULL AS extra_info FROM operations
    UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, NULL, NULL, NULL, NULL, NULL, NULL, NULL, irp_ptr,
      1, nt_status, nt_status_text, extra_info FROM fileio_operationend
  ) AS seen
  WINDOW requests AS (PARTITION BY trace, irp_ptr ORDER BY clock_ns, is_end, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, operation, process_id, process_name, thread_id, file_name, file_offset, io_size,
  CASE WHEN next_is_end = 1 THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
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

CREATE OR REPLACE VIEW gc_pauses AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step, reason, reason_text
  FROM microsoft_windows_dotnetruntime_gc_suspendeestart
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'stopped', NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_suspendeestop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end', NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_restarteestop
),
turns AS (
  SELECT *, count(CASE WHEN step = 'start' THEN 1 END) OVER (PARTITION BY trace, process_id, clr_instance_id, thread_id ORDER BY clock_ns, event_ref) AS turn
  FROM steps
),
pauses AS (
  SELECT *, min(CASE WHEN step = 'stopped' THEN clock_ns END) OVER one AS stopped_ns, min(CASE WHEN step = 'end' THEN clock_ns END) OVER one AS end_ns
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id, turn)
)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.process_id, p.process_name, p.thread_id, p.clr_instance_id,
  p.reason_text AS reason, p.reason IN (1, 6) AS is_gc, p.reason = 6 AS is_background,
  CASE /* ns of p.trace */ WHEN p.stopped_ns >= p.clock_ns THEN p.stopped_ns - p.clock_ns END AS suspending_ns, CASE /* ns of p.trace */ WHEN p.end_ns >= p.clock_ns THEN p.end_ns - p.clock_ns END AS pause_ns, p.end_ns, e.stack_id
FROM pauses AS p
LEFT JOIN stack_events AS e ON e.trace = p.trace AND e.event_ref = p.event_ref
WHERE p.step = 'start';
COMMENT ON VIEW gc_pauses IS 'Stops of all threads of a .NET process, one row per suspension: why the runtime stopped them, how long it took until they stood, and how long until they ran again.';

CREATE OR REPLACE VIEW gc AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, event_version, 'start' AS step,
    count AS number, depth, reason_text, type, type_text
  FROM microsoft_windows_dotnetruntime_gc_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, event_version, 'stop',
    count, depth, NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_gc_stop
),
firsts AS (
  -- A start right after one of another version repeats it.
  SELECT *, CASE WHEN step <> 'start' OR lag(step) OVER one = 'start' AND lag(event_version) OVER one <> event_version THEN 0 ELSE 1 END AS is_first
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns, event_ref)
),
turns AS (
  SELECT *, sum(is_first) OVER (PARTITION BY trace, process_id, clr_instance_id, number ORDER BY clock_ns, event_ref) AS turn
  FROM firsts
),
pairs AS (
  SELECT *, min(CASE WHEN step = 'stop' THEN clock_ns END) OVER one AS end_ns, min(CASE WHEN step = 'stop' THEN event_ref END) OVER one AS stop_ref,
    max(depth) OVER one AS generation, max(type) OVER one AS any_type, max(type_text) OVER one AS any_type_text
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, number, turn)
),
collections AS (SELECT * FROM pairs WHERE is_first = 1),
-- The history of a collection's heaps is logged right before its end, the statistics right after it.
histories AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, sum(CAST(v.size_before AS DECIMAL(20,0))) AS before_bytes
  FROM (
    SELECT h.trace, h.event_ref, h.clock_ns, h.process_id, h.clr_instance_id, unnest(h.values) AS v FROM microsoft_windows_dotnetruntime_gc_perheaphistory AS h
    UNION ALL SELECT h.trace, h.event_ref, h.clock_ns, h.process_id, h.clr_instance_id, unnest(h.values) AS v FROM microsoft_windows_dotnetruntimeprivate_gc_perheaphistory AS h
  ) AS generations
  GROUP BY trace, event_ref, clock_ns, process_id, clr_instance_id
),
statistics AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, pinned_object_count, gc_handle_count, finalization_promoted_size,
    CAST(generation_size0 AS DECIMAL(20,0)) + generation_size1 + generation_size2 + generation_size3 + coalesce(generation_size4, 0) AS after_bytes,
    CAST(total_promoted_size0 AS DECIMAL(20,0)) + total_promoted_size1 + total_promoted_size2 + total_promoted_size3 + coalesce(total_promoted_size4, 0) AS promoted
  FROM microsoft_windows_dotnetruntime_gc_heapstats
),
marks AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, step, NULL AS before_bytes, NULL AS after_bytes, NULL AS promoted,
    NULL AS pinned_object_count, NULL AS gc_handle_count, NULL AS finalization_promoted_size
  FROM steps
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, 'history', before_bytes, NULL, NULL, NULL, NULL, NULL FROM histories
  UNION ALL SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, 'statistics', NULL, after_bytes, promoted,
    pinned_object_count, gc_handle_count, finalization_promoted_size FROM statistics
),
counted AS (
  SELECT *, count(CASE WHEN step IN ('start', 'stop') THEN 1 END) OVER one AS mark, row_number() OVER one AS place
  FROM marks
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns, event_ref)
),
heaps AS (
  SELECT trace, max(CASE WHEN step = 'stop' THEN event_ref END) AS stop_ref,
    sum(before_bytes) AS before_bytes, min_by(after_bytes, place) FILTER (WHERE step = 'statistics') AS after_bytes,
    min_by(promoted, place) FILTER (WHERE step = 'statistics') AS promoted, min_by(pinned_object_count, place) FILTER (WHERE step = 'statistics') AS pinned,
    min_by(gc_handle_count, place) FILTER (WHERE step = 'statistics') AS handles,
    min_by(finalization_promoted_size, place) FILTER (WHERE step = 'statistics') AS finalization
  FROM (SELECT *, CASE WHEN step = 'history' THEN mark + 1 ELSE mark END AS stop_mark FROM counted) AS at_stop
  GROUP BY trace, process_id, clr_instance_id, stop_mark
),
-- A pause counts for the first collection that starts in it, else for the background collection that runs.
times AS (
  SELECT trace, event_ref, clock_ns, end_ns, process_id, clr_instance_id, 'pause' AS step, is_background, pause_ns, suspending_ns FROM gc_pauses WHERE is_gc
  UNION ALL SELECT trace, event_ref, clock_ns, end_ns, process_id, clr_instance_id, CASE WHEN any_type = 1 THEN 'background' ELSE 'blocking' END, NULL, NULL, NULL
  FROM collections
),
near AS (
  SELECT *, count(CASE WHEN step = 'pause' THEN 1 END) OVER one AS pause_turn, count(CASE WHEN step = 'background' THEN 1 END) OVER one AS background_turn
  FROM times
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id ORDER BY clock_ns, event_ref)
),
owners AS (
  SELECT trace, event_ref, clock_ns, process_id, clr_instance_id, step, is_background, pause_ns, suspending_ns,
    coalesce(end_ns, 9223372036854775807) AS pause_end_ns,
    lead(event_ref) OVER paused AS next_ref, lead(clock_ns) OVER paused AS next_ns,
    first_value(event_ref) OVER background AS background_ref, first_value(step) OVER background AS background_step,
    coalesce(first_value(end_ns) OVER background, 9223372036854775807) AS background_end_ns
  FROM near
  WINDOW paused AS (PARTITION BY trace, process_id, clr_instance_id, pause_turn ORDER BY clock_ns, event_ref),
    background AS (PARTITION BY trace, process_id, clr_instance_id, background_turn ORDER BY clock_ns, event_ref)
),
stops AS (
  SELECT trace, owner_ref, count(*) AS pauses, sum(pause_ns) AS pause_ns, sum(CASE WHEN pause_ns IS NOT NULL THEN suspending_ns END) AS suspending_ns
  FROM (
    SELECT trace, pause_ns, suspending_ns, CASE WHEN next_ns < pause_end_ns THEN next_ref
      WHEN is_background AND background_step = 'background' AND clock_ns < background_end_ns THEN background_ref END AS owner_ref
    FROM owners
    WHERE step = 'pause'
  ) AS owned
  WHERE owner_ref IS NOT NULL
  GROUP BY trace, owner_ref
)
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.process_id, c.process_name, c.thread_id, c.clr_instance_id, c.number, c.generation,
  c.reason_text AS reason, c.any_type_text AS type, c.end_ns, CASE /* ns of c.trace */ WHEN c.end_ns >= c.clock_ns THEN c.end_ns - c.clock_ns END AS duration_ns,
  coalesce(s.pauses, 0) AS pauses, CAST(s.pause_ns AS BIGINT) AS pause_ns, CAST(s.suspending_ns AS BIGINT) AS suspending_ns,
  TRY_CAST(h.before_bytes AS BIGINT) AS heap_before_bytes, TRY_CAST(h.after_bytes AS BIGINT) AS heap_after_bytes, TRY_CAST(h.promoted AS BIGINT) AS promoted_bytes,
  h.pinned AS pinned_objects, h.handles AS gc_handles, TRY_CAST(h.finalization AS BIGINT) AS finalization_promoted_bytes, e.stack_id
FROM collections AS c
LEFT JOIN heaps AS h ON h.trace = c.trace AND h.stop_ref = c.stop_ref
LEFT JOIN stops AS s ON s.trace = c.trace AND s.owner_ref = c.event_ref
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.event_ref;
COMMENT ON VIEW gc IS 'Garbage collections of .NET processes, one row per collection: generation, reason and type, how long it took and stopped the threads, and the heap before and after it.';

CREATE OR REPLACE VIEW handles AS
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
LEFT JOIN stack_events AS s ON s.trace = o.trace AND s.event_ref = o.event_ref;
COMMENT ON VIEW handles IS 'One row per handle that was open in the trace: the process, the object with its type and name, how and when it was opened and closed, and whether it was still open at the end.';

CREATE OR REPLACE VIEW hot_functions AS
WITH samples AS (
  SELECT trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind, stack_id, coalesce(module, '') AS module, coalesce(function, '') AS function,
    count(*) AS n, sum(interval_ns) AS ns
  FROM cpu_samples
  WHERE NOT coalesce(is_idle, false)
  GROUP BY trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END, stack_id, coalesce(module, ''), coalesce(function, '')
),
frames AS (
  SELECT trace, stack_id, modules, functions, unnest(range(len(addresses))) AS i
  FROM stacks
  WHERE len(addresses) > 0
),
functions AS (
  SELECT DISTINCT trace, stack_id, modules[i + 1] AS module, functions[i + 1] AS function
  FROM frames
),
counted AS (
  SELECT trace, process_id, process_name, kind, module, function, n AS exclusive, n AS inclusive, ns AS exclusive_ns, ns AS inclusive_ns
  FROM samples
  UNION ALL
  SELECT s.trace, s.process_id, s.process_name, s.kind, f.module, f.function, 0, s.n, CASE WHEN s.ns IS NOT NULL THEN 0 END, s.ns
  FROM samples AS s
  JOIN functions AS f ON f.trace = s.trace AND f.stack_id = s.stack_id
  WHERE f.module <> s.module OR f.function <> s.function
)
SELECT trace, process_id, process_name, kind, nullif(module, '') AS module, nullif(function, '') AS function,
  CAST(sum(exclusive) AS BIGINT) AS exclusive_samples, CAST(sum(inclusive) AS BIGINT) AS inclusive_samples,
  CAST(sum(exclusive_ns) AS BIGINT) AS exclusive_ns, CAST(sum(inclusive_ns) AS BIGINT) AS inclusive_ns
FROM counted
GROUP BY trace, process_id, process_name, kind, module, function;
COMMENT ON VIEW hot_functions IS 'One row per process, kind and function: the samples that hit the function itself (exclusive), and those with the function anywhere in their stack (inclusive). Samples of an idle processor are left out. Functions without names are one row per module.';

CREATE OR REPLACE VIEW http_requests AS
WITH received AS (
  SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'begin' AS step, request_id, CAST(NULL AS STRING) AS method, CAST(NULL AS STRING) AS url, CAST(NULL AS BIGINT) AS status,
    remote_addr AS remote_address, CAST(NULL AS STRING) AS queue, CAST(NULL AS BIGINT) AS bytes, CAST(NULL AS STRING) AS reason, related_activity_id AS request_activity_id
  FROM microsoft_windows_httpservice_recvreq
),
ids AS (
  -- These events have the activity of the request, and some no id.
  SELECT trace, request_activity_id, max(request_id) AS request_id FROM received WHERE request_activity_id IS NOT NULL GROUP BY trace, request_activity_id
),
by_activity AS (
  SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'parse' AS step, CASE http_verb WHEN 3 THEN 'OPTIONS' WHEN 4 THEN 'GET' WHEN 5 THEN 'HEAD' WHEN 6 THEN 'POST' WHEN 7 THEN 'PUT' WHEN 8 THEN 'DELETE' WHEN 9 THEN 'TRACE'
      WHEN 10 THEN 'CONNECT' WHEN 11 THEN 'TRACK' WHEN 12 THEN 'MOVE' WHEN 13 THEN 'COPY' WHEN 14 THEN 'PROPFIND' WHEN 15 THEN 'PROPPATCH' WHEN 16 THEN 'MKCOL' WHEN 17 THEN 'LOCK' WHEN 18 THEN 'UNLOCK' WHEN 19 THEN 'SEARCH' END AS method,
    url, CAST(NULL AS BIGINT) AS status, CAST(NULL AS BIGINT) AS bytes FROM microsoft_windows_httpservice_parse
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cached', NULL, NULL, NULL, CAST(bytes_sent AS BIGINT) FROM microsoft_windows_httpservice_httprequesttracetask_srvdfrmcache
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cached', NULL, NULL, 304, CAST(bytes_sent AS BIGINT) FROM microsoft_windows_httpservice_httprequesttracetask_cachednotmodified
),
steps AS (
  SELECT * FROM received
  UNION ALL SELECT b.source, b.trace, b.event_ref, b.timestamp, b.time_ns, b.clock_ns, b.seconds, b.process_id, b.process_name, b.activity_id, b.owner, b.step, i.request_id,
    b.method, b.url, b.status, NULL, NULL, b.bytes, NULL, b.activity_id FROM by_activity AS b JOIN ids AS i ON i.trace = b.trace AND i.request_activity_id = b.activity_id
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'deliver', request_id, NULL, url, NULL, NULL, request_queue_name, NULL, NULL, activity_id FROM microsoft_windows_httpservice_deliver
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, verb, NULL, CAST(status_code AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_httpservice_recvresp
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, verb, NULL, CAST(status_code AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_httpservice_fastresp
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_recvresplast
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'respond', request_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_fastresplast
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_sendcomplete
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_fastsend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_zerosend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'sent', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_cachedandsend
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'send error', request_id, NULL, NULL, CAST(http_status AS BIGINT), NULL, NULL, NULL, NULL, NULL FROM microsoft_windows_httpservice_lastsnderror
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'send error', request_id, NULL, NULL, NULL, NULL, NULL, NULL, reason, NULL FROM microsoft_windows_httpservice_snderror
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'rejected', request_id, NULL, NULL, NULL, NULL, request_queue_name, NULL, reason, NULL FROM microsoft_windows_httpservice_requestrejected
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'cancelled', request_id, NULL, NULL, NULL, NULL, request_queue_name, NULL, reason, NULL FROM microsoft_windows_httpservice_requestcancelled
  UNION ALL SELECT 'HttpService' AS source, trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, CAST(NULL AS BIGINT) AS owner, 'rejected', request_id, NULL, NULL, NULL, NULL, NULL, NULL, reason, NULL FROM microsoft_windows_httpservice_parserequestfailed
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'begin', hinternet, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_http_request_start
  -- The first line has the method and the path, and another line the host.
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'ask', request_handle, nullif(regexp_extract(headers, '^([A-Z]+) ', 1), ''),
    nullif(concat(regexp_extract(headers, '(?i)[\r\n]host: *([^\r\n]*)', 1), regexp_extract(headers, '^[A-Z]+ ([^ \r\n]*)', 1)), ''), NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_request_header
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'respond', request_handle, NULL, NULL, CAST(response_code AS BIGINT), NULL, NULL, TRY_CAST(content_length AS BIGINT), NULL, activity_id FROM microsoft_windows_wininet_wininet_http_response_stop
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'received', request_handle, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_wininet_wininet_http_response_body_received
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'failed', handle, NULL, NULL, NULL, NULL, NULL, NULL, concat('error ', error), activity_id FROM microsoft_windows_wininet_wininet_http_request_fail
  UNION ALL SELECT 'WinINet', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'failed', handle, NULL, NULL, NULL, NULL, NULL, NULL, concat('error ', error), activity_id FROM microsoft_windows_wininet_wininet_http_response_fail
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'begin', request, method, uri, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_requestcreate_17
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'respond', request, NULL, NULL, TRY_CAST(nullif(regexp_extract(headers, '^HTTP/[0-9.]+ ([0-9]+)', 1), '') AS BIGINT), NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_requestheader_101
  UNION ALL SELECT 'WebIO', trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, activity_id, process_id, 'received', request, NULL, NULL, NULL, NULL, NULL, NULL, NULL, activity_id FROM microsoft_windows_webio_responserecieveentity_stop
),
numbered AS (
  SELECT *, count(CASE WHEN step = 'begin' THEN 1 END) OVER uses AS turn, row_number() OVER uses AS place
  FROM steps
  WINDOW uses AS (PARTITION BY source, trace, owner, request_id ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
),
requests AS (
  SELECT source, trace, min_by(event_ref, place) AS event_ref, min_by(timestamp, place) AS timestamp, min_by(time_ns, place) AS time_ns, min(clock_ns) AS clock_ns, min(seconds) AS seconds,
    coalesce(min_by(process_id, place) FILTER (WHERE source <> 'HttpService' OR step = 'respond'), min_by(process_id, place) FILTER (WHERE step = 'sent')) AS process_id,
    coalesce(min_by(process_name, place) FILTER (WHERE source <> 'HttpService' OR step = 'respond'), min_by(process_name, place) FILTER (WHERE step = 'sent')) AS process_name,
    request_id, max(request_activity_id) AS activity_id, max_by(method, place) FILTER (WHERE method IS NOT NULL) AS method, min_by(url, place) FILTER (WHERE url IS NOT NULL) AS url,
    max_by(status, place) FILTER (WHERE status IS NOT NULL) AS status, max(remote_address) AS remote_address, max(queue) AS queue,
    max(CASE WHEN step = 'cached' THEN bytes END) AS bytes_sent, max(CASE WHEN step = 'respond' THEN bytes END) AS bytes_received, max(reason) AS reason,
    max_by(step, place) FILTER (WHERE step NOT IN ('begin', 'parse', 'deliver', 'ask', 'respond')) AS ended_as,
    min(CASE WHEN step = 'begin' THEN clock_ns END) AS begin_ns, min(CASE WHEN step = 'deliver' THEN clock_ns END) AS delivered_ns,
    min(CASE WHEN step = 'respond' THEN clock_ns END) AS response_ns, max(CASE WHEN step NOT IN ('begin', 'parse', 'deliver', 'ask', 'respond') THEN clock_ns END) AS end_ns
  FROM numbered
  GROUP BY source, trace, owner, request_id, turn
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, source, process_id, process_name, request_id, activity_id, method, url, status, remote_address, queue,
  bytes_sent, bytes_received, ended_as, reason, delivered_ns, response_ns, end_ns, CASE /* ns of trace */ WHEN end_ns >= begin_ns THEN end_ns - begin_ns END AS duration_ns
FROM requests;
COMMENT ON VIEW http_requests IS 'One row per HTTP request that this computer served or made: URL, method and status, the process, the client, when it was delivered and answered, and how long it took.';

CREATE OR REPLACE VIEW image_loads AS
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, e.clock_ns, e.seconds, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref, min(clock_ns) AS clock_ns, min(seconds) AS seconds FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL;
COMMENT ON VIEW image_loads IS 'One row per image that was loaded while the trace was recorded: the time, the process (0 is the kernel), the path, and the name of its symbols. The table images also has images loaded before. event_ref is the event of the load, and joins stack_events.';

CREATE OR REPLACE VIEW jit AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'start' AS step, method_id,
    method_namespace, method_name, method_signature, method_il_size, NULL AS method_size, NULL AS method_flags
  FROM microsoft_windows_dotnetruntime_method_jittingstarted
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'end', method_id,
    method_namespace, method_name, method_signature, NULL, method_size, method_flags
  FROM microsoft_windows_dotnetruntime_method_loadverbose
),
pairs AS (
  SELECT *, lead(step) OVER one AS next_step, lead(clock_ns) OVER one AS next_ns, lead(method_size) OVER one AS next_size,
    lead(method_flags) OVER one AS next_flags
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, thread_id, method_id ORDER BY clock_ns, event_ref)
),
ended AS (
  SELECT *, next_step = 'end' AS is_paired, CAST(floor(next_flags / 128) AS BIGINT) % 8 AS tier FROM pairs WHERE step = 'start'
)
SELECT j.trace, j.event_ref, j.timestamp, j.time_ns, j.clock_ns, j.seconds, j.process_id, j.process_name, j.thread_id, j.clr_instance_id,
  CASE WHEN j.method_namespace <> '' THEN j.method_namespace || '.' || j.method_name ELSE j.method_name END AS method, j.method_signature AS signature,
  CASE WHEN j.is_paired THEN CASE /* ns of j.trace */ WHEN j.next_ns >= j.clock_ns THEN j.next_ns - j.clock_ns END END AS jit_ns, CASE WHEN j.is_paired THEN j.next_ns END AS end_ns,
  j.method_il_size AS il_bytes, CASE WHEN j.is_paired THEN j.next_size END AS native_bytes,
  CASE WHEN j.is_paired THEN CASE j.tier WHEN 1 THEN 'MinOptJitted' WHEN 2 THEN 'Optimized' WHEN 3 THEN 'QuickJitted' WHEN 4 THEN 'OptimizedTier1'
    WHEN 5 THEN 'OptimizedTier1OSR' WHEN 6 THEN 'QuickJittedInstrumented' WHEN 7 THEN 'OptimizedTier1Instrumented' END END AS tier,
  e.stack_id
FROM ended AS j
LEFT JOIN stack_events AS e ON e.trace = j.trace AND e.event_ref = j.event_ref;
COMMENT ON VIEW jit IS 'Methods that a .NET process compiled while it ran, one row per compilation: the method, how long its compilation took, the sizes of its intermediate language and of the machine code, and the tier.';

CREATE OR REPLACE VIEW lost_time AS
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
UNION ALL SELECT trace, 'overwritten buffers', NULL, NULL, NULL, NULL, overwritten_buffers FROM traces WHERE overwritten_buffers > 0;
COMMENT ON VIEW lost_time IS 'One row per stretch that the trace lacks: a gap in the samples of a processor, and what the session says that it lost. Figures over such a stretch are too small.';

CREATE OR REPLACE VIEW marks AS
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'kernel' AS kind, message FROM perfinfo_mark
UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'web page', payload_event_name
  FROM microsoft_ie_mshtml_dom_customsiteevent
UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'Direct3D', label
  FROM microsoft_windows_direct3d11_marker;
COMMENT ON VIEW marks IS 'One row per mark: a text that a person, a tool or a program put into the trace, to find a moment again.';

CREATE OR REPLACE VIEW memory_outstanding AS
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
GROUP BY o.trace, o.kind, o.process_id, o.pool_type, o.pool_tag, s.stack_id;
COMMENT ON VIEW memory_outstanding IS 'One row per process, kind of memory and stack with allocations that are not freed in the trace: their number, bytes and times. Kernel pool has a row per tag, too.';

CREATE OR REPLACE VIEW packets AS
WITH fragments AS (
  SELECT 'NDIS' AS source, miniport_if_index AS interface_index, CAST(NULL AS BIGINT) AS component_id, lower_if_index AS edge_id, CAST(NULL AS STRING) AS place, trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1001
  UNION ALL SELECT 'VMSwitch', CAST(NULL AS BIGINT), source_port_id, CAST(NULL AS BIGINT), NULLIF(source_nic_name, ''), trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, CAST(keyword % 68719476736 AS BIGINT) AS keys,
    hex(array_slice(fragment, 1, 160)) AS h, CAST(COALESCE(octet_length(fragment), 0) AS BIGINT) AS bytes FROM microsoft_windows_ndis_packetcapture_1003
),
marked AS (
  SELECT *, row_number() OVER (PARTITION BY trace, source, interface_index, component_id, edge_id, direction, thread_id, CASE WHEN thread_id = 0 THEN processor END ORDER BY clock_ns, event_ref) AS n
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
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_160
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_170
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, pkt_group_id AS packet_group, CAST(pkt_number AS BIGINT) AS packet_number, CAST(appearance_count AS BIGINT) AS appearance FROM microsoft_windows_pktmon_240
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_200
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_210
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_220
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'PktMon' AS source,
    CAST(component_id AS BIGINT) AS component_id, CAST(edge_id AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, CAST(NULL AS STRING) AS place,
    CASE WHEN dir_tag IN (1, 3) THEN 'received' WHEN dir_tag IN (2, 4) THEN 'sent' END AS direction,
    CASE packet_type WHEN 0 THEN '' WHEN 1 THEN 'Ethernet' WHEN 2 THEN '802.11' WHEN 3 THEN 'IP' END AS link,
    hex(array_slice(payload_payload, 1, 160)) AS h, CAST(COALESCE(octet_length(payload_payload), 0) AS BIGINT) AS captured, CAST(original_payload_size AS BIGINT) AS original, false AS is_cut, COALESCE(drop_reason_text, concat('reason ', CAST(drop_reason AS STRING))) AS drop_reason, CASE WHEN drop_location <> 0 THEN concat('0x', lower(hex(drop_location))) END AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance FROM microsoft_windows_pktmon_230
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, source, component_id, edge_id, interface_index, place, direction,
    CASE WHEN source = 'VMSwitch' THEN 'Ethernet' WHEN (keys & 65536) <> 0 THEN '802.11' WHEN (keys & 33280) <> 0 THEN 'IP' WHEN (keys & 1) <> 0 THEN 'Ethernet' ELSE '' END,
    digits, captured, NULL, is_cut, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM joined WHERE starts = 1 OR NOT is_open AND ends = 0
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
    CAST(NULL AS BIGINT) AS component_id, CAST(NULL AS BIGINT) AS edge_id, CAST(NULL AS BIGINT) AS interface_index, NULLIF(rras_user_name, '') AS place, 'sent', '', hex(array_slice(fragment, 1, 160)), CAST(COALESCE(octet_length(fragment), 0) AS BIGINT), NULL, false, CAST(NULL AS STRING) AS drop_reason, CAST(NULL AS STRING) AS drop_location, NULL AS packet_group, CAST(NULL AS BIGINT) AS packet_number, CAST(NULL AS BIGINT) AS appearance
    FROM microsoft_windows_ras_ndiswanpacketcapture_5001
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, 'RAS' AS source,
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
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.processor, p.source,
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
COMMENT ON VIEW packets IS 'One row per packet that PktMon, `netsh trace capture=yes` (NDIS), a virtual switch or a remote access server captured, each time it was seen: the adapter and component, the direction, addresses, ports and protocol, the length on the wire, and why it was dropped. PktMon shows a packet at every component that it passes: `appearance = 1` has each packet once.';

CREATE OR REPLACE VIEW page_faults AS
WITH faults AS (
  SELECT 'hard' AS kind, trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    file_name, read_offset, byte_count, initial_time_ns, CAST(NULL AS STRING) AS module, CAST(NULL AS STRING) AS function FROM pagefault_hardfault
  UNION ALL SELECT 'hard access', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_hardpagefault
  UNION ALL SELECT 'transition', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_transitionfault
  UNION ALL SELECT 'demand zero', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_demandzerofault
  UNION ALL SELECT 'copy on write', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_copyonwrite
  UNION ALL SELECT 'guard', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_guardpagefault
  UNION ALL SELECT 'access violation', trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, virtual_address,
    NULL AS file_name, NULL AS read_offset, NULL AS byte_count, NULL AS initial_time_ns, program_counter_module AS module, program_counter_function AS function FROM pagefault_accessviolation
)
SELECT f.trace, f.event_ref, f.timestamp, f.time_ns, f.clock_ns, f.seconds, f.processor, f.kind, f.process_id, f.process_name, f.thread_id, f.virtual_address,
  f.file_name, f.read_offset AS file_offset, f.byte_count, f.initial_time_ns AS start_ns, CASE /* ns of f.trace */ WHEN f.time_ns >= f.initial_time_ns THEN f.time_ns - f.initial_time_ns END AS duration_ns,
  f.module, f.function, s.stack_id
FROM faults AS f
LEFT JOIN stack_events AS s ON s.trace = f.trace AND s.event_ref = f.event_ref;
COMMENT ON VIEW page_faults IS 'One row per page fault: its kind, the process and thread, the address, and for a hard fault the file, the bytes that were read, and how long the thread waited for them.';

CREATE OR REPLACE VIEW power AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'idle' AS kind, CAST(NULL AS INT) AS processor_group, processor, state, CAST(NULL AS BIGINT) AS speed, true AS begins
    FROM power_ppmidlestateenter
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'idle', NULL, processor, NULL, NULL, false FROM power_ppmidlestateexit
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'performance', p.group, p.number, p.state, p.speed, true
    FROM microsoft_windows_kernel_processor_power_processorperfstatechange_10 AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, true
    FROM microsoft_windows_kernel_processor_power_parkcore AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, false
    FROM microsoft_windows_kernel_processor_power_unparkcore AS p
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'transition', NULL, NULL, reason, NULL, true FROM microsoft_windows_kernel_power_powertransition_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'transition', NULL, NULL, NULL, NULL, false FROM microsoft_windows_kernel_power_powertransition_stop
),
turns AS (
  SELECT *, lead(clock_ns) OVER (PARTITION BY trace, kind, processor_group, processor ORDER BY clock_ns, event_ref) AS next_ns
  FROM steps
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, kind, processor_group, processor, state, speed, clock_ns AS start_ns, next_ns AS end_ns, CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END AS duration_ns
FROM turns
WHERE begins;
COMMENT ON VIEW power IS 'One row per state that a processor or the system was in: an idle state (C-state), a performance state (P-state), a parked core, or a transition such as sleep. The sum of duration_ns by state is the residency.';

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

CREATE OR REPLACE VIEW regions AS
WITH begun AS (
  SELECT *, regexp_replace(regexp_replace(message, '(?i)^(start|begin)[ _.:/-]+', ''), '(?i)[ _.:/-]+(start|begin)$', '') AS begins,
    regexp_replace(regexp_replace(message, '(?i)^(stop|end)[ _.:/-]+', ''), '(?i)[ _.:/-]+(stop|end)$', '') AS ends
  FROM marks
),
steps AS (
  SELECT *, CASE WHEN begins <> message THEN 'start' ELSE 'stop' END AS step, CASE WHEN begins <> message THEN begins ELSE ends END AS region,
    CASE WHEN kind <> 'kernel' THEN process_id END AS within
  FROM begun
  WHERE (begins <> message) <> (ends <> message)
),
turns AS (
  SELECT *, lead(step) OVER turns AS next_step, lead(clock_ns) OVER turns AS next_ns, lead(event_ref) OVER turns AS next_ref, lag(step) OVER turns AS last_step
  FROM steps
  WINDOW turns AS (PARTITION BY trace, kind, within, region ORDER BY clock_ns, event_ref)
)
SELECT trace, CASE WHEN step = 'start' THEN event_ref END AS event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, kind, region,
  CASE WHEN step = 'start' THEN clock_ns END AS start_ns,
  CASE WHEN step = 'stop' THEN clock_ns WHEN next_step = 'stop' THEN next_ns END AS end_ns,
  CASE WHEN step = 'start' AND next_step = 'stop' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
  CASE WHEN step = 'stop' THEN event_ref WHEN next_step = 'stop' THEN next_ref END AS end_ref
FROM turns
WHERE step = 'start' OR coalesce(last_step, 'stop') = 'stop';
COMMENT ON VIEW regions IS 'One row per stretch between two marks of the same name, one that starts it and one that stops it. A region that the trace cuts has no start or no end.';

CREATE OR REPLACE VIEW registry AS
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
WHERE n.operation NOT IN ('name born', 'name');
COMMENT ON VIEW registry IS 'One row per operation on the registry: its kind, the process and thread, the full path of the key, the name of the value, the result and the time it took.';

CREATE OR REPLACE VIEW script_blocks AS
WITH single AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY trace, process_id, script_block_id, message_number ORDER BY clock_ns, event_ref) AS copy
    FROM microsoft_windows_powershell_4104
  ) AS logged
  WHERE copy = 1
),
following AS (
  SELECT *, lead(message_number) OVER block AS next_number, lag(message_number) OVER block AS last_number
  FROM single
  WINDOW block AS (PARTITION BY trace, process_id, script_block_id ORDER BY message_number)
),
gaps AS (
  -- The parts that are missing before this part and, if it is the last one, those after it.
  SELECT *, coalesce(last_number, 0) + 1 AS from_before, message_number - 1 AS to_before,
    message_number + 1 AS from_after, CASE WHEN next_number IS NULL THEN message_total END AS to_after
  FROM following
),
texts AS (
  SELECT *, nullif(concat_ws(', ',
    CASE WHEN from_before < to_before THEN concat(from_before, '-', to_before) WHEN from_before = to_before THEN CAST(to_before AS STRING) END,
    CASE WHEN from_after < to_after THEN concat(from_after, '-', to_after) WHEN from_after = to_after THEN CAST(to_after AS STRING) END), '') AS missing
  FROM gaps
)
SELECT trace, min_by(event_ref, message_number) AS event_ref, min_by(timestamp, message_number) AS timestamp, min_by(time_ns, message_number) AS time_ns,
  min_by(clock_ns, message_number) AS clock_ns, min_by(seconds, message_number) AS seconds, process_id, max(process_name) AS process_name, min_by(thread_id, message_number) AS thread_id,
  min_by(level, message_number) AS level, script_block_id, min_by(path, message_number) AS path,
  string_agg(script_block_text, '' ORDER BY message_number) AS script, count(*) AS parts, CAST(max(message_total) AS BIGINT) AS parts_total,
  nullif(string_agg(missing, ', ' ORDER BY message_number), '') AS missing_parts
FROM texts
GROUP BY trace, process_id, script_block_id;
COMMENT ON VIEW script_blocks IS 'One row per script block that PowerShell compiled: its text, put together from the parts of all events, its path and id, the process, and the parts that the trace lacks.';

CREATE OR REPLACE VIEW services AS
WITH states AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, service_name, image_name, pid, start_type, current_state,
    CASE current_state WHEN 2 THEN 'start' WHEN 3 THEN 'stop' WHEN 5 THEN 'continue' WHEN 6 THEN 'pause' END AS pending,
    CASE current_state WHEN 1 THEN 'stopped' WHEN 4 THEN 'running' WHEN 7 THEN 'paused' END AS done,
    lag(current_state) OVER (PARTITION BY trace, service_name ORDER BY clock_ns, event_ref) AS last_state
  FROM microsoft_windows_services_servicestatuschange_statuschange
),
changes AS (
  SELECT *, lead(clock_ns) OVER changes AS next_ns, lead(done) OVER changes AS next_done, lead(pid) OVER changes AS next_pid
  FROM states
  WHERE (last_state IS NULL OR last_state <> current_state) AND current_state BETWEEN 1 AND 7
  WINDOW changes AS (PARTITION BY trace, service_name ORDER BY clock_ns, event_ref)
),
group_steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, group_name, 'start' AS step FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, group_name, 'stop' FROM microsoft_windows_services_startinggroup_stop
),
group_turns AS (
  SELECT *, lead(clock_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM group_steps
  WINDOW turns AS (PARTITION BY trace, group_name ORDER BY clock_ns, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds,
  CASE WHEN pending IS NOT NULL THEN pending WHEN current_state = 1 THEN 'stop' WHEN current_state = 7 THEN 'pause' WHEN last_state = 7 THEN 'continue' ELSE 'start' END AS kind,
  service_name, image_name, CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN next_pid ELSE pid END AS service_process_id, start_type,
  CASE WHEN pending IS NOT NULL THEN clock_ns END AS start_ns,
  CASE WHEN pending IS NULL THEN clock_ns WHEN next_done IS NOT NULL THEN next_ns END AS end_ns,
  CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END AS duration_ns,
  CASE WHEN pending IS NULL THEN done ELSE next_done END AS ended_as
FROM changes
WHERE pending IS NOT NULL OR last_state IS NULL OR last_state IN (1, 4, 7)
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, 'group', group_name, NULL, NULL, NULL,
  CASE WHEN step = 'start' THEN clock_ns END, CASE WHEN step = 'stop' THEN clock_ns WHEN next_step = 'stop' THEN next_ns END,
  CASE WHEN step = 'start' AND next_step = 'stop' THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END, NULL
FROM group_turns
WHERE step = 'start' OR coalesce(last_step, 'stop') = 'stop';
COMMENT ON VIEW services IS 'One row per start, stop, pause or continue of a Windows service, and one per load order group that was started: when, how long, the program, and how it ended.';

CREATE OR REPLACE VIEW tasks AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'scheduled' AS step, creating_task_id, NULL AS is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskscheduled_send
  -- Versions of .NET have two names for the same events. Where one table has all of them, both names have the same rows.
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'started', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskstarted
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'started', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskexecute_start
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'completed', NULL, is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskcompleted
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'completed', NULL, is_exceptional, originating_task_id FROM system_threading_tasks_tpleventsource_taskexecute_stop
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'wait', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwait_send
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'waited', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwaitend
  UNION SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, task_id, 'waited', NULL, NULL, originating_task_id FROM system_threading_tasks_tpleventsource_taskwait_stop
),
turns AS (
  SELECT *, count(CASE WHEN step = 'scheduled' THEN 1 END) OVER one AS turn, row_number() OVER one AS place
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, task_id ORDER BY clock_ns, event_ref)
),
waits AS (
  SELECT *, CASE WHEN step = 'wait' AND lead(step) OVER one = 'waited' THEN CASE /* ns of trace */ WHEN (lead(clock_ns) OVER one) >= clock_ns THEN (lead(clock_ns) OVER one) - clock_ns END END AS wait_ns
  FROM turns
  WINDOW one AS (PARTITION BY trace, process_id, task_id, turn, CASE WHEN step IN ('wait', 'waited') THEN originating_task_id ELSE -1 END, step IN ('wait', 'waited') ORDER BY clock_ns, event_ref)
),
whole AS (
  SELECT trace, min_by(event_ref, place) FILTER (WHERE step NOT IN ('wait', 'waited')) AS event_ref, task_id,
    max(creating_task_id) AS creating_task_id, min(CASE WHEN step = 'scheduled' THEN clock_ns END) AS scheduled_ns,
    min(CASE WHEN step = 'started' THEN clock_ns END) AS started_ns, min(CASE WHEN step = 'completed' THEN clock_ns END) AS completed_ns,
    min_by(thread_id, place) FILTER (WHERE step = 'started') AS run_thread_id, min_by(is_exceptional, place) FILTER (WHERE step = 'completed') AS is_exceptional,
    count(CASE WHEN step = 'wait' THEN 1 END) AS waits, CAST(sum(wait_ns) AS BIGINT) AS wait_ns
  FROM waits
  GROUP BY trace, process_id, task_id, turn
)
SELECT t.trace, t.event_ref, s.timestamp, s.time_ns, s.clock_ns, s.seconds, s.process_id, s.process_name, s.thread_id, t.task_id, t.creating_task_id,
  t.scheduled_ns, t.started_ns, t.completed_ns, CASE /* ns of t.trace */ WHEN t.started_ns >= t.scheduled_ns THEN t.started_ns - t.scheduled_ns END AS queued_ns, CASE /* ns of t.trace */ WHEN t.completed_ns >= t.started_ns THEN t.completed_ns - t.started_ns END AS run_ns,
  t.run_thread_id, t.is_exceptional, t.waits, t.wait_ns, e.stack_id
FROM whole AS t
JOIN steps AS s ON s.trace = t.trace AND s.event_ref = t.event_ref
LEFT JOIN stack_events AS e ON e.trace = t.trace AND e.event_ref = t.event_ref;
COMMENT ON VIEW tasks IS 'Tasks of .NET''s Task Parallel Library, one row per task: when it was scheduled, began and was complete, how long it was queued and ran, and the waits for it.';

CREATE OR REPLACE VIEW thread_pool AS
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id AS clr_instance_id, 'runtime' AS logged_by, 'work item' AS what, 1 AS is_start, TRY_CAST(work_id AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_enqueue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'runtime', 'work item', 0, TRY_CAST(work_id AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_dequeue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id AS clr_instance_id, 'runtime' AS logged_by, 'I/O completion' AS what, 1 AS is_start, TRY_CAST(native_overlapped AS BIGINT) AS work_id
  FROM microsoft_windows_dotnetruntime_threadpool_ioenqueue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'runtime', 'I/O completion', 0, TRY_CAST(native_overlapped AS BIGINT)
  FROM microsoft_windows_dotnetruntime_threadpool_iodequeue
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, NULL AS clr_instance_id, 'framework' AS logged_by, 'work item' AS what, 1 AS is_start, TRY_CAST(work_id AS BIGINT) AS work_id
  FROM system_diagnostics_eventing_frameworkeventsource_threadpoolenqueuework
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, NULL, 'framework', 'work item', 0, TRY_CAST(work_id AS BIGINT)
  FROM system_diagnostics_eventing_frameworkeventsource_threadpooldequeuework
),
items AS (
  SELECT *, lead(is_start) OVER one AS next_is_start, lead(clock_ns) OVER one AS next_ns, lead(thread_id) OVER one AS next_thread_id
  FROM steps
  WINDOW one AS (PARTITION BY trace, process_id, clr_instance_id, logged_by, what, work_id ORDER BY clock_ns, is_start DESC, event_ref)
),
pool AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker started' AS what, active_worker_thread_count AS worker_threads, retired_worker_thread_count AS retired_threads, NULL AS reason, NULL AS throughput,
    NULL AS work_id, NULL AS wait_ns, NULL AS run_thread_id
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker stopped', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_stop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker waits', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthread_wait
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker retired', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'worker came back', active_worker_thread_count, retired_worker_thread_count, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadretirement_stop
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'working threads', count, NULL, NULL, NULL,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkingthreadcount_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'adjustment', new_worker_thread_count, NULL, reason_text, average_throughput,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_adjustment
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, 'throughput', NULL, NULL, NULL, throughput,
    NULL, NULL, NULL
  FROM microsoft_windows_dotnetruntime_threadpoolworkerthreadadjustment_sample
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, clr_instance_id, what, NULL, NULL, NULL, NULL,
    work_id, CASE WHEN next_is_start = 0 THEN CASE /* ns of trace */ WHEN next_ns >= clock_ns THEN next_ns - clock_ns END END, CASE WHEN next_is_start = 0 THEN next_thread_id END
  FROM items
  WHERE is_start = 1
)
SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.clock_ns, p.seconds, p.process_id, p.process_name, p.thread_id, p.clr_instance_id, p.what,
  p.worker_threads, p.retired_threads, p.reason, p.throughput, p.work_id, p.wait_ns, p.run_thread_id, e.stack_id
FROM pool AS p
LEFT JOIN stack_events AS e ON e.trace = p.trace AND e.event_ref = p.event_ref;
COMMENT ON VIEW thread_pool IS 'The thread pool of .NET processes, one row per event: workers that start and stop, how the runtime adjusts their number and why, and work items with the time that they waited in the queue.';

CREATE OR REPLACE VIEW waits AS
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.clock_ns, c.seconds, c.processor, c.process_id, c.process_name, c.thread_id,
  c.clock_ns - c.away_ns AS start_ns, c.clock_ns AS end_ns, c.waited_for AS reason, c.away_ns AS wait_ns, c.away_ns - c.ready_ns AS blocked_ns, c.ready_ns,
  c.readied_by_process_id, c.readied_by_process_name, c.readied_by_thread_id, c.readied_from_dpc, c.ready_ref, c.stack_id, e.stack_id AS readied_by_stack_id
FROM context_switches AS c
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.ready_ref
WHERE c.away_as = 'Waiting';
COMMENT ON VIEW waits IS 'One row per wait of a thread: how long it waited and why, and the thread that ended the wait. stack_id is the stack of the wait, readied_by_stack_id that of the thread that ended it.';

CREATE OR REPLACE VIEW wait_chains AS
WITH steps AS (
  SELECT trace, thread_id, end_ns AS at_ns, 0 AS is_question, max(event_ref) AS event_ref, end_ns, CAST(NULL AS BIGINT) AS start_ns
  FROM waits
  GROUP BY trace, thread_id, end_ns -- so that max_by has one to choose
  UNION ALL
  SELECT trace, readied_by_thread_id, end_ns - ready_ns, 1, event_ref, NULL, start_ns
  FROM waits
  WHERE NOT readied_from_dpc AND readied_by_thread_id <> 0
),
answers AS (
  SELECT trace, event_ref, is_question, start_ns,
    max(end_ns) OVER before AS last_end_ns, max_by(CASE WHEN is_question = 0 THEN event_ref END, end_ns) OVER before AS last_ref
  FROM steps
  WINDOW before AS (PARTITION BY trace, thread_id ORDER BY at_ns, is_question, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
links AS (
  SELECT trace, event_ref, last_ref AS next_ref FROM answers WHERE is_question = 1 AND last_end_ns > start_ns
),
chains AS (
  SELECT w.trace, w.event_ref AS ref0, a.next_ref AS ref1, b.next_ref AS ref2, c.next_ref AS ref3, d.next_ref AS ref4,
    e.next_ref AS ref5, f.next_ref AS ref6, g.next_ref AS ref7, h.next_ref AS ref8
  FROM waits AS w
  LEFT JOIN links AS a ON a.trace = w.trace AND a.event_ref = w.event_ref
  LEFT JOIN links AS b ON b.trace = a.trace AND b.event_ref = a.next_ref
  LEFT JOIN links AS c ON c.trace = b.trace AND c.event_ref = b.next_ref
  LEFT JOIN links AS d ON d.trace = c.trace AND d.event_ref = c.next_ref
  LEFT JOIN links AS e ON e.trace = d.trace AND e.event_ref = d.next_ref
  LEFT JOIN links AS f ON f.trace = e.trace AND f.event_ref = e.next_ref
  LEFT JOIN links AS g ON g.trace = f.trace AND g.event_ref = f.next_ref
  LEFT JOIN links AS h ON h.trace = g.trace AND h.event_ref = g.next_ref
),
numbered AS (SELECT *, unnest(range(9)) AS step FROM chains),
members AS (
  SELECT trace, ref0 AS root_ref, step, CASE step WHEN 0 THEN ref0 WHEN 1 THEN ref1 WHEN 2 THEN ref2 WHEN 3 THEN ref3 WHEN 4 THEN ref4
    WHEN 5 THEN ref5 WHEN 6 THEN ref6 WHEN 7 THEN ref7 ELSE ref8 END AS event_ref
  FROM numbered
)
SELECT m.trace, m.root_ref, CAST(m.step AS INT) AS step, w.event_ref, w.timestamp, w.time_ns, w.clock_ns, w.seconds, w.process_id, w.process_name, w.thread_id,
  w.start_ns, w.end_ns, w.reason, w.wait_ns, w.readied_by_process_id, w.readied_by_process_name, w.readied_by_thread_id,
  CASE WHEN w.readied_from_dpc THEN 'dpc' WHEN w.readied_by_thread_id = 0 THEN 'idle' WHEN w.readied_by_thread_id IS NULL THEN 'unknown'
    WHEN l.next_ref IS NULL THEN 'running' WHEN m.step = 8 THEN 'steps' END AS ends_with,
  w.stack_id
FROM members AS m
JOIN waits AS w ON w.trace = m.trace AND w.event_ref = m.event_ref
LEFT JOIN links AS l ON l.trace = m.trace AND l.event_ref = m.event_ref;
COMMENT ON VIEW wait_chains IS 'One row per step of the chain behind a wait: step 0 is the wait, step 1 what the thread that ended it had itself waited for, and so on. Filter by root_ref, the event_ref of a wait in waits, and order by step. ends_with says why a chain ends.';

CREATE OR REPLACE VIEW what_stands_out AS
WITH spans AS (
  SELECT trace, nullif(CAST(max(end_ns) - min(start_ns) AS DOUBLE), 0) AS span_ns, max(events) AS events FROM traces GROUP BY trace
),
hits AS (
  SELECT trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind, coalesce(module, '') AS module, coalesce(function, '') AS function,
    count(*) AS samples, CAST(sum(interval_ns) AS BIGINT) AS ns
  FROM cpu_samples
  GROUP BY trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END, coalesce(module, ''), coalesce(function, '')
),
spent AS (SELECT *, coalesce(ns, samples) AS v, CASE WHEN ns IS NULL THEN 'samples' ELSE 'ns' END AS unit FROM hits),
used AS (
  SELECT trace, max(unit) AS unit, CAST(sum(v) AS BIGINT) AS whole, CAST(sum(CASE WHEN kind <> 'idle' THEN v ELSE 0 END) AS BIGINT) AS busy,
    CAST(sum(CASE WHEN kind IN ('dpc', 'isr') THEN v ELSE 0 END) AS BIGINT) AS interrupts
  FROM spent GROUP BY trace
),
busiest AS (
  SELECT trace, process_id, process_name, CAST(sum(v) AS BIGINT) AS v, row_number() OVER (PARTITION BY trace ORDER BY sum(v) DESC, coalesce(process_name, ''), process_id) AS place
  FROM spent WHERE kind = 'thread' GROUP BY trace, process_id, process_name
),
hottest AS (
  SELECT trace, process_id, process_name, module, function, CAST(sum(v) AS BIGINT) AS v,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY sum(v) DESC, module, function) AS place
  FROM spent WHERE kind = 'thread' GROUP BY trace, process_id, process_name, module, function
),
pauses AS (
  SELECT trace, process_id, process_name, count(*) AS n, CAST(sum(pause_ns) AS BIGINT) AS v, max(pause_ns) AS longest, row_number() OVER (PARTITION BY trace ORDER BY sum(pause_ns) DESC, coalesce(process_name, ''), process_id) AS place
  FROM gc_pauses WHERE is_gc AND pause_ns IS NOT NULL GROUP BY trace, process_id, process_name
),
compiled AS (
  SELECT trace, process_id, process_name, time_ns, method, jit_ns AS v, count(*) OVER (PARTITION BY trace, process_id, process_name) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY jit_ns DESC, coalesce(method, ''), event_ref) AS place
  FROM jit WHERE jit_ns IS NOT NULL
),
thrown AS (
  SELECT trace, process_id, process_name, exception_type, count(*) AS v, min(time_ns) AS start_ns,
    CAST(sum(count(*)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY count(*) DESC, coalesce(exception_type, '')) AS place
  FROM exceptions GROUP BY trace, process_id, process_name, exception_type
),
locks AS (
  SELECT trace, process_id, process_name, count(*) AS n, CAST(sum(wait_ns) AS BIGINT) AS v FROM contention WHERE wait_ns IS NOT NULL GROUP BY trace, process_id, process_name
),
allocated AS (
  SELECT trace, process_id, process_name, type_name, CAST(sum(bytes) AS BIGINT) AS v,
    CAST(sum(sum(bytes)) OVER (PARTITION BY trace, process_id, process_name) AS BIGINT) AS whole,
    row_number() OVER (PARTITION BY trace, process_id, process_name ORDER BY sum(bytes) DESC, coalesce(type_name, '')) AS place
  FROM allocations WHERE source = 'tick' AND bytes IS NOT NULL GROUP BY trace, process_id, process_name, type_name
),
longest AS (
  SELECT *, row_number() OVER (PARTITION BY trace ORDER BY wait_ns DESC, coalesce(process_name, ''), thread_id, event_ref) AS place FROM waits
),
slowest AS (
  SELECT *, count(*) OVER (PARTITION BY trace) AS n, row_number() OVER (PARTITION BY trace ORDER BY duration_ns DESC, coalesce(url, ''), event_ref) AS place
  FROM http_requests WHERE duration_ns IS NOT NULL
),
statuses AS (
  SELECT trace, status, count(*) AS v, CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY CASE WHEN status >= 400 THEN 0 ELSE 1 END, count(*) DESC, status) AS place
  FROM http_requests WHERE status IS NOT NULL GROUP BY trace, status
),
slow_activities AS (
  SELECT *, count(*) OVER (PARTITION BY trace) AS n, row_number() OVER (PARTITION BY trace ORDER BY duration_ns DESC, coalesce(activity, ''), event_ref) AS place
  FROM activities WHERE state = 'complete'
),
read_files AS (
  SELECT trace, file_name, count(*) AS n, CAST(sum(duration_ns) AS BIGINT) AS v, CAST(sum(sum(duration_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n, row_number() OVER (PARTITION BY trace ORDER BY sum(duration_ns) DESC, coalesce(file_name, '')) AS place
  FROM page_faults WHERE kind = 'hard' AND duration_ns IS NOT NULL GROUP BY trace, file_name
),
disk_files AS (
  SELECT trace, file_name, count(*) AS n, CAST(sum(disk_ns) AS BIGINT) AS v, CAST(sum(sum(disk_ns)) OVER (PARTITION BY trace) AS BIGINT) AS whole,
    CAST(sum(count(*)) OVER (PARTITION BY trace) AS BIGINT) AS all_n, row_number() OVER (PARTITION BY trace ORDER BY sum(disk_ns) DESC, coalesce(file_name, '')) AS place
  FROM disk_io WHERE disk_ns IS NOT NULL GROUP BY trace, file_name
),
logged AS (
  SELECT trace, coalesce(provider_id, '') AS provider_id, coalesce(provider_name, provider_id, '?') AS provider, CAST(sum(events) AS BIGINT) AS v, min(first_event) AS first_event,
    row_number() OVER (PARTITION BY trace ORDER BY sum(events) DESC, coalesce(provider_name, provider_id, '?'), coalesce(provider_id, '')) AS place
  -- An exception of .NET is an event of level 2, which the kind exceptions has.
  FROM event_types WHERE level BETWEEN 1 AND 2 AND coalesce(provider_id, '') <> 'e13c0d23-ccbc-4e12-931b-d9cc2eee27e4'
  GROUP BY trace, coalesce(provider_id, ''), coalesce(provider_name, provider_id, '?')
),
raw AS (
  SELECT trace, coalesce(provider_id, '') AS provider_id, coalesce(provider_name, provider_id, '?') AS provider, CAST(sum(payloads_raw + payloads_in_part) AS BIGINT) AS v,
    CAST(sum(sum(payloads_raw + payloads_in_part)) OVER (PARTITION BY trace) AS BIGINT) AS missing,
    CAST(sum(sum(payloads_raw + payloads_in_part + payloads_whole)) OVER (PARTITION BY trace) AS BIGINT) AS n,
    row_number() OVER (PARTITION BY trace ORDER BY sum(payloads_raw + payloads_in_part) DESC, coalesce(provider_name, provider_id, '?'), coalesce(provider_id, '')) AS place
  FROM event_types GROUP BY trace, coalesce(provider_id, ''), coalesce(provider_name, provider_id, '?')
),
gaps AS (
  SELECT trace, count(*) AS n, CAST(sum(lost) AS BIGINT) AS v, max(duration_ns) AS longest, min(start_ns) AS start_ns FROM lost_time WHERE kind = 'samples' GROUP BY trace
),
failures AS (
  SELECT trace, code, min(message) AS message, CAST(sum(count) AS BIGINT) AS v FROM problems WHERE severity = 'error' GROUP BY trace, code
),
found AS (
  SELECT trace, 'processor' AS kind, 'info' AS severity, CAST(80 AS DOUBLE) AS weight, busy AS value, unit AS unit,
    CAST(CAST(busy AS DOUBLE) / whole AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'The processors were busy ' || CASE WHEN CAST(busy AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(busy AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(busy AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(busy AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the time (' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', busy) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE format('{:,}', whole) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN cpu_ns ELSE 0 END) AS BIGINT) AS busy_ns, CAST(sum(cpu_ns) AS BIGINT) AS all_ns FROM cpu_usage WHERE trace = {trace}'
      ELSE 'SELECT CAST(sum(CASE WHEN kind <> ~idle~ THEN samples ELSE 0 END) AS BIGINT) AS busy, CAST(sum(samples) AS BIGINT) AS samples FROM cpu_usage WHERE trace = {trace}' END AS sql
  FROM used
  WHERE busy < whole AND busy > 0
  UNION ALL SELECT trace, 'processor' AS kind, 'info' AS severity, CAST(79 - 2 * place AS DOUBLE) AS weight, v AS value, unit AS unit,
    CAST(CAST(v AS DOUBLE) / busy AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' used ' || CASE WHEN CAST(v AS DOUBLE) / busy < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / busy < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / busy) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / busy) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time (' || CASE unit WHEN 'ns' THEN CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', v) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE format('{:,}', busy) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used_ns DESC, process_name'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used, process_id, process_name FROM cpu_usage WHERE trace = {trace} AND kind = ~thread~ GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, used DESC, process_name' END AS sql
  FROM (SELECT b.*, u.unit, u.busy FROM busiest AS b JOIN used AS u ON u.trace = b.trace WHERE b.place <= 3 AND b.v >= 0.1 * u.busy) AS p
  WHERE true
  UNION ALL SELECT trace, 'function' AS kind, 'info' AS severity, CAST(78 - 2 * process_place AS DOUBLE) AS weight, v AS value, unit AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'In ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ', ' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time was in '
      || CASE WHEN module = '' AND function = '' THEN 'code of no known image' WHEN function = '' THEN module || ', whose functions have no names here' WHEN module = '' THEN function ELSE module || '!' || function END
      || ' (' || CASE unit WHEN 'ns' THEN CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', v) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN whole = 1 THEN '1 sample' ELSE format('{:,}', whole) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT exclusive_ns, module, function, inclusive_ns FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_ns DESC, module, function'
      ELSE 'SELECT exclusive_samples, module, function, inclusive_samples FROM hot_functions WHERE trace = {trace} AND {process} AND kind = ~thread~ ORDER BY exclusive_samples DESC, module, function' END AS sql
  FROM (SELECT h.*, u.unit, b.v AS whole, b.place AS process_place FROM hottest AS h JOIN used AS u ON u.trace = h.trace
    JOIN busiest AS b ON b.trace = h.trace AND coalesce(b.process_id, -1) = coalesce(h.process_id, -1) AND coalesce(b.process_name, '') = coalesce(h.process_name, '')
    WHERE h.place = 1 AND b.place <= 3 AND b.v >= 0.1 * u.busy AND h.v >= 0.1 * b.v) AS f
  WHERE true
  UNION ALL SELECT trace, 'interrupts' AS kind, 'warning' AS severity, CAST(72 AS DOUBLE) AS weight, interrupts AS value, unit AS unit,
    CAST(CAST(interrupts AS DOUBLE) / busy AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Interrupts and deferred procedure calls used ' || CASE WHEN CAST(interrupts AS DOUBLE) / busy < 0.0005 THEN 'less than 0.1 %' WHEN CAST(interrupts AS DOUBLE) / busy < 0.0995 THEN CAST(CAST(100 * (CAST(interrupts AS DOUBLE) / busy) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(interrupts AS DOUBLE) / busy) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the processor time (' || CASE unit WHEN 'ns' THEN CASE WHEN interrupts < 9995000 THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN interrupts < 999500000 THEN CAST(CAST(interrupts / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN interrupts < 599950000000 THEN CAST(CAST(interrupts / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(interrupts / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE format('{:,}', interrupts) END || ' of ' || CASE unit WHEN 'ns' THEN CASE WHEN busy < 9995000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN busy < 999500000 THEN CAST(CAST(busy / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN busy < 599950000000 THEN CAST(CAST(busy / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(busy / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE CASE WHEN busy = 1 THEN '1 sample' ELSE format('{:,}', busy) || ' samples' END END || ')' AS finding,
    CASE unit WHEN 'ns' THEN 'SELECT CAST(sum(cpu_ns) AS BIGINT) AS used_ns FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)'
      ELSE 'SELECT CAST(sum(samples) AS BIGINT) AS used FROM cpu_usage WHERE trace = {trace} AND kind IN (~dpc~, ~isr~)' END AS sql
  FROM used
  WHERE interrupts >= 0.1 * busy AND interrupts > 0
  UNION ALL SELECT trace, 'wait' AS kind, 'info' AS severity, CAST(70 - 0.1 * place AS DOUBLE) AS weight, wait_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    'Thread ' || CAST(thread_id AS STRING) || ' of ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE WHEN wait_ns < 9995000 THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN wait_ns < 999500000 THEN CAST(CAST(wait_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN wait_ns < 599950000000 THEN CAST(CAST(wait_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(wait_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(' (' || reason || ')', '')
      || CASE WHEN readied_from_dpc THEN ', until a device or a timer ended the wait'
        WHEN readied_by_thread_id IS NOT NULL THEN ', until thread ' || CAST(readied_by_thread_id AS STRING) || coalesce(' of ' || readied_by_process_name, '') || ' made it ready' ELSE '' END AS finding,
    'SELECT wait_ns, process_name, thread_id, reason, readied_by_process_name, readied_by_thread_id, readied_from_dpc, seconds, stack_id FROM waits WHERE trace = {trace} AND wait_ns <= {value} ORDER BY wait_ns DESC, event_ref' AS sql
  FROM longest
  WHERE place <= 3 AND thread_id IS NOT NULL AND wait_ns >= 1000000
  UNION ALL SELECT trace, 'request' AS kind, CASE WHEN duration_ns >= 1000000000 THEN 'warning' ELSE 'info' END AS severity, CAST(68 AS DOUBLE) AS weight, duration_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    CASE WHEN n = 1 THEN 'The only HTTP request' ELSE 'The slowest of ' || format('{:,}', n) || ' HTTP requests' END || ' took ' || CASE WHEN duration_ns < 9995000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN duration_ns < 999500000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN duration_ns < 599950000000 THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(': ' || coalesce(method || ' ', '') || substr(url, 1, 200), '') || coalesce(' (status ' || CAST(status AS STRING) || ')', '') AS finding,
    'SELECT duration_ns, method, url, status, process_name, seconds FROM http_requests WHERE trace = {trace} AND duration_ns IS NOT NULL ORDER BY duration_ns DESC, url' AS sql
  FROM slowest
  WHERE place = 1
  UNION ALL SELECT trace, 'status' AS kind, 'warning' AS severity, CAST(67 AS DOUBLE) AS weight, v AS value, 'requests' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    format('{:,}', v) || ' of ' || CASE WHEN n = 1 THEN '1 HTTP request' ELSE format('{:,}', n) || ' HTTP requests' END || ' ended with status ' || CAST(status AS STRING) AS finding,
    'SELECT count(*) AS requests, status FROM http_requests WHERE trace = {trace} AND status >= 400 GROUP BY status ORDER BY requests DESC, status' AS sql
  FROM statuses
  WHERE place = 1 AND status >= 400
  UNION ALL SELECT trace, 'errors' AS kind, 'warning' AS severity, CAST(66 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'events' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    provider || ' logged ' || CASE WHEN v = 1 THEN '1 error' ELSE format('{:,}', v) || ' errors' END AS finding,
    'SELECT CAST(sum(events) AS BIGINT) AS errors, provider_name, min(first_event) AS first_event FROM event_types WHERE trace = {trace} AND level BETWEEN 1 AND 2 GROUP BY provider_id, provider_name ORDER BY CASE WHEN coalesce(provider_id, ~~) = ~' || provider_id || '~ THEN 0 ELSE 1 END, errors DESC, provider_name' AS sql
  FROM logged
  WHERE place <= 5
  UNION ALL SELECT trace, 'exceptions' AS kind, 'info' AS severity, CAST(64 - 0.1 * process_place AS DOUBLE) AS weight, v AS value, 'exceptions' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' threw ' || coalesce(exception_type, 'exceptions without a type') || CASE WHEN v = 1 THEN ' once' ELSE ' ' || format('{:,}', v) || ' times' END || CASE WHEN n > v THEN ' (of ' || format('{:,}', n) || ' exceptions)' ELSE '' END AS finding,
    'SELECT count(*) AS exceptions, exception_type, min(exception_message) AS a_message, min(seconds) AS first_seconds FROM exceptions WHERE trace = {trace} AND {process} GROUP BY exception_type ORDER BY exceptions DESC, exception_type' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY n DESC, coalesce(process_name, ''), process_id) AS process_place FROM thrown WHERE place = 1) AS x
  WHERE process_place <= 3
  UNION ALL SELECT trace, 'collection' AS kind, CASE WHEN share >= 0.1 OR longest >= 200000000 THEN 'warning' ELSE 'info' END AS severity, CAST(62 + 30 * least(coalesce(share, 0), 1) - 0.1 * place AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(share AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Garbage collection stopped ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' for ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(' (' || CASE WHEN share < 0.0005 THEN 'less than 0.1 %' WHEN share < 0.0995 THEN CAST(CAST(100 * (share) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (share) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the time)', '') || ', in ' || CASE WHEN n = 1 THEN '1 pause' ELSE format('{:,}', n) || ' pauses' END
      || CASE WHEN n > 1 THEN ', of which the longest took ' || CASE WHEN longest < 9995000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN longest < 999500000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN longest < 599950000000 THEN CAST(CAST(longest / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END ELSE '' END AS finding,
    'SELECT CAST(sum(pause_ns) AS BIGINT) AS paused_ns, count(*) AS pauses, max(pause_ns) AS longest_ns, process_id, process_name FROM gc_pauses WHERE trace = {trace} AND is_gc AND pause_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, paused_ns DESC, process_name' AS sql
  FROM (SELECT p.*, p.v / s.span_ns AS share FROM pauses AS p LEFT JOIN spans AS s ON s.trace = p.trace) AS g
  WHERE place <= 3
  UNION ALL SELECT trace, 'compilation' AS kind, 'info' AS severity, CAST(60 AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' compiled ' || CASE WHEN n = 1 THEN '1 method' ELSE format('{:,}', n) || ' methods' END || ' while it ran, of which ' || coalesce(method, 'the slowest') || ' took longest: ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END AS finding,
    'SELECT jit_ns, method, tier, il_bytes, native_bytes, process_name, seconds FROM jit WHERE trace = {trace} AND jit_ns IS NOT NULL ORDER BY jit_ns DESC, method' AS sql
  FROM compiled
  WHERE place = 1 AND n > 1
  UNION ALL SELECT trace, 'faults' AS kind, 'info' AS severity, CAST(58 AS DOUBLE) AS weight, CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value, 'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v >= 0.1 * whole THEN 'Hard page faults that read ' || coalesce(file_name, 'unnamed files') || ' took ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || CASE WHEN v < whole THEN ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' of all)' ELSE '' END || ', in ' || format('{:,}', n) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'Hard page faults took ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE format('{:,}', all_n) || ' transfers' END || ' of many files' END AS finding,
    CASE WHEN v >= 0.1 * whole THEN 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(duration_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM page_faults WHERE trace = {trace} AND kind = ~hard~ AND duration_ns IS NOT NULL' END AS sql
  FROM read_files
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'disk' AS kind, 'info' AS severity, CAST(56 AS DOUBLE) AS weight, CASE WHEN v >= 0.1 * whole THEN v ELSE whole END AS value, 'ns' AS unit,
    CAST(CASE WHEN v >= 0.1 * whole THEN CAST(v AS DOUBLE) / whole END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v >= 0.1 * whole THEN 'The disk for ' || coalesce(file_name, 'unnamed files') || ' took ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || CASE WHEN v < whole THEN ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of the ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' of all)' ELSE '' END || ', in ' || format('{:,}', n) || CASE WHEN n = 1 THEN ' transfer' ELSE ' transfers' END
      ELSE 'The disks took ' || CASE WHEN whole < 9995000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN whole < 999500000 THEN CAST(CAST(whole / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN whole < 599950000000 THEN CAST(CAST(whole / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(whole / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ', in ' || CASE WHEN all_n = 1 THEN '1 transfer' ELSE format('{:,}', all_n) || ' transfers' END || ' of many files' END AS finding,
    CASE WHEN v >= 0.1 * whole THEN 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers, file_name FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL GROUP BY file_name ORDER BY total_ns DESC, file_name'
      ELSE 'SELECT CAST(sum(disk_ns) AS BIGINT) AS total_ns, count(*) AS transfers FROM disk_io WHERE trace = {trace} AND disk_ns IS NOT NULL' END AS sql
  FROM disk_files
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'locks' AS kind, 'info' AS severity, CAST(54 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'Threads of ' || coalesce(process_name, 'process ' || CAST(process_id AS STRING), 'an unknown process') || ' waited ' || CASE WHEN v < 9995000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN v < 999500000 THEN CAST(CAST(v / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN v < 599950000000 THEN CAST(CAST(v / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(v / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || ' for locks of .NET, in ' || CASE WHEN n = 1 THEN '1 wait' ELSE format('{:,}', n) || ' waits' END AS finding,
    'SELECT CAST(sum(wait_ns) AS BIGINT) AS waited_ns, count(*) AS waits, max(wait_ns) AS longest_ns, process_id, process_name FROM contention WHERE trace = {trace} AND wait_ns IS NOT NULL GROUP BY process_id, process_name ORDER BY CASE WHEN {process} THEN 0 ELSE 1 END, waited_ns DESC, process_name' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY v DESC, coalesce(process_name, ''), process_id) AS place FROM locks) AS l
  WHERE place <= 3 AND v >= 1000000
  UNION ALL SELECT trace, 'allocation' AS kind, 'info' AS severity, CAST(52 - 0.1 * process_place AS DOUBLE) AS weight, v AS value, 'bytes' AS unit,
    CAST(CAST(v AS DOUBLE) / whole AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    coalesce(process_name, 'Process ' || CAST(process_id AS STRING), 'An unknown process') || ' allocated about ' || CASE WHEN v < 1024 THEN CAST(v AS STRING) || ' bytes' WHEN v < 1048576 THEN CAST(CAST(v / 1024e0 AS DECIMAL(18,1)) AS STRING) || ' KiB' WHEN v < 1073741824 THEN CAST(CAST(v / 1048576e0 AS DECIMAL(18,1)) AS STRING) || ' MiB' ELSE CAST(CAST(v / 1073741824e0 AS DECIMAL(18,1)) AS STRING) || ' GiB' END || ' of ' || coalesce(type_name, 'objects of unknown types') || ' (' || CASE WHEN CAST(v AS DOUBLE) / whole < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / whole < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / whole) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of ' || CASE WHEN whole < 1024 THEN CAST(whole AS STRING) || ' bytes' WHEN whole < 1048576 THEN CAST(CAST(whole / 1024e0 AS DECIMAL(18,1)) AS STRING) || ' KiB' WHEN whole < 1073741824 THEN CAST(CAST(whole / 1048576e0 AS DECIMAL(18,1)) AS STRING) || ' MiB' ELSE CAST(CAST(whole / 1073741824e0 AS DECIMAL(18,1)) AS STRING) || ' GiB' END || ')' AS finding,
    'SELECT CAST(sum(bytes) AS BIGINT) AS allocated_bytes, type_name, count(*) AS ticks FROM allocations WHERE trace = {trace} AND {process} AND source = ~tick~ AND bytes IS NOT NULL GROUP BY type_name ORDER BY allocated_bytes DESC, type_name' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY whole DESC, coalesce(process_name, ''), process_id) AS process_place FROM allocated WHERE place = 1) AS a
  WHERE process_place <= 3 AND v >= 0.1 * whole AND v > 0 AND (process_place = 1 OR v >= 1048576)
  UNION ALL SELECT trace, 'activity' AS kind, 'info' AS severity, CAST(50 AS DOUBLE) AS weight, duration_ns AS value, 'ns' AS unit,
    CAST(NULL AS DOUBLE) AS share, process_id AS process_id, process_name AS process_name, CAST(time_ns AS BIGINT) AS start_ns,
    'The slowest of ' || format('{:,}', n) || ' activities took ' || CASE WHEN duration_ns < 9995000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN duration_ns < 999500000 THEN CAST(CAST(duration_ns / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN duration_ns < 599950000000 THEN CAST(CAST(duration_ns / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(duration_ns / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END || coalesce(': ' || activity, '') || coalesce(' of ' || provider_name, '') AS finding,
    'SELECT duration_ns, activity, provider_name, process_name, thread_id, seconds, activity_id FROM activities WHERE trace = {trace} AND state = ~complete~ ORDER BY duration_ns DESC, activity' AS sql
  FROM slow_activities
  WHERE place = 1 AND n > 1 AND duration_ns > 0
  UNION ALL SELECT trace, 'loss' AS kind, CASE kind WHEN 'overwritten buffers' THEN 'info' ELSE 'warning' END AS severity, CAST(CASE WHEN kind = 'events' AND share >= 0.01 OR kind = 'buffers' THEN 95 ELSE 40 END AS DOUBLE) AS weight, lost AS value, CASE WHEN kind IN ('events', 'session events') THEN 'events' ELSE 'buffers' END AS unit,
    CAST(CASE kind WHEN 'events' THEN share END AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE kind WHEN 'events' THEN CASE WHEN lost = 1 THEN '1 event was' ELSE format('{:,}', lost) || ' events were' END || ' lost while the trace was recorded' || coalesce(' (' || CASE WHEN share < 0.0005 THEN 'less than 0.1 %' WHEN share < 0.0995 THEN CAST(CAST(100 * (share) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (share) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of all)', '')
      WHEN 'buffers' THEN CASE WHEN lost = 1 THEN '1 buffer was' ELSE format('{:,}', lost) || ' buffers were' END || ' lost while the trace was recorded'
      WHEN 'session events' THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 event' ELSE format('{:,}', lost) || ' events' END || ' by the end of this file'
      WHEN 'session buffers' THEN 'The session had lost ' || CASE WHEN lost = 1 THEN '1 buffer' ELSE format('{:,}', lost) || ' buffers' END || ' by the end of this file'
      ELSE CASE WHEN lost = 1 THEN '1 older buffer was' ELSE format('{:,}', lost) || ' older buffers were' END || ' overwritten: the trace has only the end of the recording' END AS finding,
    'SELECT lost, kind FROM lost_time WHERE trace = {trace} AND kind = ~' || kind || '~' AS sql
  FROM (SELECT l.*, l.lost / nullif(CAST(l.lost + s.events AS DOUBLE), 0) AS share FROM lost_time AS l JOIN spans AS s ON s.trace = l.trace WHERE l.kind <> 'samples' AND l.lost > 0) AS l
  WHERE true
  UNION ALL SELECT trace, 'loss' AS kind, 'info' AS severity, CAST(39 AS DOUBLE) AS weight, v AS value, 'samples' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(start_ns AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 sample is' ELSE format('{:,}', v) || ' samples are' END || ' missing, in ' || CASE WHEN n = 1 THEN '1 gap' ELSE format('{:,}', n) || ' gaps' END || ' of a processor, of which the longest took ' || CASE WHEN longest < 9995000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN longest < 999500000 THEN CAST(CAST(longest / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN longest < 599950000000 THEN CAST(CAST(longest / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST(longest / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END AS finding,
    'SELECT CAST(sum(lost) AS BIGINT) AS lost, count(*) AS gaps, max(duration_ns) AS longest_ns, min(start_ns) AS first_ns FROM lost_time WHERE trace = {trace} AND kind = ~samples~' AS sql
  FROM gaps
  WHERE v > 0
  UNION ALL SELECT trace, 'decoding' AS kind, CASE WHEN missing >= 0.01 * n THEN 'warning' ELSE 'info' END AS severity, CAST(38 AS DOUBLE) AS weight, v AS value, 'events' AS unit,
    CAST(CAST(v AS DOUBLE) / n AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    CASE WHEN v = 1 THEN '1 event of ' || provider || ' is' ELSE format('{:,}', v) || ' events of ' || provider || ' are' END || ' not decoded, or only in part (' || CASE WHEN CAST(v AS DOUBLE) / n < 0.0005 THEN 'less than 0.1 %' WHEN CAST(v AS DOUBLE) / n < 0.0995 THEN CAST(CAST(100 * (CAST(v AS DOUBLE) / n) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * (CAST(v AS DOUBLE) / n) AS DECIMAL(18,0)) AS STRING) || ' %' END || ' of all payloads' || CASE WHEN missing > v THEN ', and ' || format('{:,}', missing - v) || ' of other providers' ELSE '' END || ')' AS finding,
    'SELECT CAST(sum(payloads_raw + payloads_in_part) AS BIGINT) AS not_whole, provider_name, provider_id FROM event_types WHERE trace = {trace} GROUP BY provider_id, provider_name ORDER BY not_whole DESC, provider_name' AS sql
  FROM raw
  WHERE place = 1 AND v > 0
  UNION ALL SELECT trace, 'reading' AS kind, 'error' AS severity, CAST(100 - 0.1 * place AS DOUBLE) AS weight, v AS value, 'problems' AS unit,
    CAST(NULL AS DOUBLE) AS share, CAST(NULL AS BIGINT) AS process_id, CAST(NULL AS STRING) AS process_name, CAST(NULL AS BIGINT) AS start_ns,
    'The trace could not be read in full, ' || CASE WHEN v = 1 THEN 'once' ELSE format('{:,}', v) || ' times' END || ': ' || substr(message, 1, 300) AS finding,
    'SELECT CAST(sum(count) AS BIGINT) AS problems, code, min(message) AS message FROM problems WHERE trace = {trace} AND severity = ~error~ AND code = ~' || code || '~ GROUP BY code' AS sql
  FROM (SELECT *, row_number() OVER (PARTITION BY trace ORDER BY v DESC, code) AS place FROM failures) AS f
  WHERE place <= 3
),
stated AS (
  SELECT *, row_number() OVER (PARTITION BY trace ORDER BY CASE severity WHEN 'error' THEN 0 ELSE 1 END, weight DESC, value DESC, finding) AS rank FROM found
)
SELECT trace, CAST(rank AS BIGINT) AS rank, kind, severity, finding, CAST(value AS BIGINT) AS value, unit, share, process_id, process_name, start_ns,
  -- The name of the process is last, so that nothing in it is filled in.
  replace(replace(replace(replace(sql, '~', chr(39)), '{value}', CAST(value AS STRING)), '{trace}', chr(39) || replace(trace, chr(39), chr(39) || chr(39)) || chr(39)),
    '{process}', 'process_id IS NOT DISTINCT FROM ' || coalesce(CAST(process_id AS STRING), 'NULL') || ' AND process_name IS NOT DISTINCT FROM ' || coalesce(chr(39) || replace(process_name, chr(39), chr(39) || chr(39)) || chr(39), 'NULL')) AS sql
FROM stated;
COMMENT ON VIEW what_stands_out IS 'Findings to begin with, one row per finding: a sentence, its number, and the statement that shows more. `SELECT finding, sql FROM what_stands_out ORDER BY trace, rank` is a summary of a trace.';

CREATE OR REPLACE MACRO search(text) AS TABLE
WITH found AS (
  SELECT * FROM events AS m WHERE CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN m.fields IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower(m.fields), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower(m.fields), lower(text)) END OR CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN 'message ' || m.message IS NOT NULL WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower('message ' || m.message), '"\: ', ''), translate(lower(text), '"\: ', '')) ELSE contains(lower('message ' || m.message), lower(text)) END
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
