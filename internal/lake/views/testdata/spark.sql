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

-- boot
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
  SELECT h.trace, h.event_ref, h.timestamp, h.time_ns, h.seconds, h.process_id, h.process_name, split_part(h.event_name, '/', 1) AS phase, d.detail,
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
  SELECT *, lead(time_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM steps
  WINDOW turns AS (PARTITION BY trace, component, phase, detail, process_id, step = 'moment' ORDER BY time_ns, event_ref)
),
measured AS (
  SELECT *, explode(slice(sequence(0, 12), 1, 12)) AS n FROM microsoft_windows_diagnostics_performance_bootperformancemonitoring_bootinformation
),
durations AS (
  SELECT *, CASE n WHEN 0 THEN 'boot' WHEN 1 THEN 'main path' WHEN 2 THEN 'kernel' WHEN 3 THEN 'drivers' WHEN 4 THEN 'devices' WHEN 5 THEN 'prefetch'
    WHEN 6 THEN 'sessions' WHEN 7 THEN 'critical services' WHEN 8 THEN 'machine profile' WHEN 9 THEN 'user profile' WHEN 10 THEN 'explorer' ELSE 'after boot' END AS phase,
    CASE n WHEN 0 THEN boot_time WHEN 1 THEN main_path_boot_time WHEN 2 THEN boot_kernel_init_time WHEN 3 THEN boot_driver_init_time WHEN 4 THEN boot_devices_init_time
      WHEN 5 THEN boot_prefetch_init_time WHEN 6 THEN boot_smss_init_time WHEN 7 THEN boot_critical_services_init_time
      WHEN 8 THEN boot_machine_profile_processing_time WHEN 9 THEN boot_user_profile_processing_time WHEN 10 THEN boot_explorer_init_time ELSE boot_post_boot_time END AS ms
  FROM measured
)
SELECT trace, event_ref, timestamp, time_ns, seconds, process_id, process_name, component, phase, detail,
  CASE WHEN step <> 'stop' THEN time_ns END AS start_ns, CASE WHEN step <> 'start' THEN time_ns WHEN next_step = 'stop' THEN next_ns END AS end_ns,
  CASE WHEN step = 'moment' THEN 0 WHEN step = 'start' AND next_step = 'stop' THEN next_ns - time_ns END AS duration_ns
FROM turns
WHERE step <> 'stop' OR coalesce(last_step, 'stop') = 'stop'
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, seconds, process_id, process_name, 'measured', phase, NULL, NULL, NULL, ms * 1000000
FROM durations
WHERE ms IS NOT NULL;

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
  r.process_id AS readied_by_process_id, r.process_name AS readied_by_process_name, r.thread_id AS readied_by_thread_id, (r.flag & 1) <> 0 AS readied_from_dpc, r.event_ref AS ready_ref,
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

-- cpu_usage
SELECT trace, CAST(floor(seconds) AS BIGINT) AS second, process_id, process_name,
  CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS samples, CAST(sum(interval_ns) AS BIGINT) AS cpu_ns
FROM cpu_samples
GROUP BY trace, CAST(floor(seconds) AS BIGINT), process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END;

-- cpu_usage_precise
WITH starts AS (SELECT trace, min(first_event_ns) AS start_ns FROM buffers GROUP BY trace),
runs AS (
  SELECT c.trace, c.process_id, c.process_name, c.thread_id, c.time_ns - s.start_ns AS from_ns, c.time_ns - s.start_ns + c.ran_ns AS until_ns,
    CAST(floor((c.time_ns - s.start_ns) / 1e9) AS BIGINT) AS first_second,
    CAST(floor((c.time_ns - s.start_ns + c.ran_ns - 1) / 1e9) AS BIGINT) - CAST(floor((c.time_ns - s.start_ns) / 1e9) AS BIGINT) + 1 AS in_seconds
  FROM context_switches AS c
  LEFT JOIN starts AS s ON s.trace = c.trace
  WHERE c.ran_ns > 0
),
parts AS (
  SELECT trace, process_id, process_name, thread_id, from_ns, until_ns, first_second, explode(slice(sequence(0, in_seconds), 1, in_seconds)) AS n
  FROM runs
  WHERE in_seconds <= 86400
)
SELECT trace, first_second + n AS second, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS runs, count(DISTINCT thread_id) AS threads,
  CAST(sum(least(until_ns, (first_second + n + 1) * 1000000000) - greatest(from_ns, (first_second + n) * 1000000000)) AS BIGINT) AS cpu_ns
FROM parts
GROUP BY trace, first_second + n, process_id, process_name, CASE WHEN thread_id = 0 THEN 'idle' ELSE 'thread' END;

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

-- dpc_isr
WITH routines AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'DPC' AS kind, initial_time_ns, routine, routine_module, routine_function,
    CAST(NULL AS INT) AS vector, CAST(NULL AS INT) AS return_value FROM perfinfo_dpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'threaded DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_threadeddpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'timer DPC', initial_time_ns, routine, routine_module, routine_function,
    NULL, NULL FROM perfinfo_timerdpc
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, 'ISR', initial_time_ns, routine, routine_module, routine_function,
    vector, return_value FROM perfinfo_isr_msi
)
SELECT trace, event_ref, timestamp, time_ns, seconds, processor, kind, initial_time_ns AS start_ns, time_ns - initial_time_ns AS duration_ns,
  routine, routine_module AS module, routine_function AS function, vector, return_value <> 0 AS claimed
FROM routines;

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

-- hot_functions
WITH samples AS (
  SELECT trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind, stack_id, coalesce(module, '') AS module, coalesce(function, '') AS function,
    count(*) AS n, sum(interval_ns) AS ns
  FROM cpu_samples
  WHERE NOT coalesce(is_idle, false)
  GROUP BY trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END, stack_id, coalesce(module, ''), coalesce(function, '')
),
frames AS (
  SELECT trace, stack_id, modules, functions, explode(slice(sequence(0, size(addresses)), 1, size(addresses))) AS i
  FROM stacks
  WHERE size(addresses) > 0
),
functions AS (
  SELECT DISTINCT trace, stack_id, get(modules, CAST(i AS INT)) AS module, get(functions, CAST(i AS INT)) AS function
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

-- image_loads
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, e.seconds, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref, min(seconds) AS seconds FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL;

-- lost_time
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
),
samples AS (
  SELECT trace, processor, time_ns, lag(time_ns) OVER (PARTITION BY trace, processor ORDER BY time_ns) AS last_ns
  FROM perfinfo_sampleprof
)
SELECT s.trace, 'samples' AS kind, s.processor, s.last_ns AS start_ns, s.time_ns AS end_ns, s.time_ns - s.last_ns AS duration_ns,
  CAST(round(CAST(s.time_ns - s.last_ns AS DOUBLE) / v.interval_ns) AS BIGINT) - 1 AS lost
FROM samples AS s
JOIN intervals AS v ON v.trace = s.trace
WHERE v.interval_ns > 0 AND s.time_ns - s.last_ns > 3 * v.interval_ns
UNION ALL SELECT trace, 'events', NULL, NULL, NULL, NULL, events_lost FROM traces WHERE events_lost > 0
UNION ALL SELECT trace, 'buffers', NULL, NULL, NULL, NULL, buffers_lost FROM traces WHERE buffers_lost > 0
UNION ALL SELECT trace, 'overwritten buffers', NULL, NULL, NULL, NULL, overwritten_buffers FROM traces WHERE overwritten_buffers > 0;

-- marks
SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'kernel' AS kind, message FROM perfinfo_mark
UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'web page', payload_event_name
  FROM microsoft_ie_mshtml_dom_customsiteevent
UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, processor, process_id, process_name, thread_id, 'Direct3D', label
  FROM microsoft_windows_direct3d11_marker;

-- power
WITH steps AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, 'idle' AS kind, CAST(NULL AS INT) AS processor_group, processor, state, CAST(NULL AS BIGINT) AS speed, true AS begins
    FROM power_ppmidlestateenter
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, 'idle', NULL, processor, NULL, NULL, false FROM power_ppmidlestateexit
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.seconds, 'performance', p.group, p.number, p.state, p.speed, true
    FROM microsoft_windows_kernel_processor_power_processorperfstatechange_10 AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, true
    FROM microsoft_windows_kernel_processor_power_parkcore AS p
  UNION ALL SELECT p.trace, p.event_ref, p.timestamp, p.time_ns, p.seconds, 'parked', p.group, p.number, NULL, NULL, false
    FROM microsoft_windows_kernel_processor_power_unparkcore AS p
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, 'transition', NULL, NULL, reason, NULL, true FROM microsoft_windows_kernel_power_powertransition_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, 'transition', NULL, NULL, NULL, NULL, false FROM microsoft_windows_kernel_power_powertransition_stop
),
turns AS (
  SELECT *, lead(time_ns) OVER (PARTITION BY trace, kind, processor_group, processor ORDER BY time_ns, event_ref) AS next_ns
  FROM steps
)
SELECT trace, event_ref, timestamp, time_ns, seconds, kind, processor_group, processor, state, speed, time_ns AS start_ns, next_ns AS end_ns, next_ns - time_ns AS duration_ns
FROM turns
WHERE begins;

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

-- regions
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
  SELECT *, lead(step) OVER turns AS next_step, lead(time_ns) OVER turns AS next_ns, lead(event_ref) OVER turns AS next_ref, lag(step) OVER turns AS last_step
  FROM steps
  WINDOW turns AS (PARTITION BY trace, kind, within, region ORDER BY time_ns, event_ref)
)
SELECT trace, CASE WHEN step = 'start' THEN event_ref END AS event_ref, timestamp, time_ns, seconds, process_id, process_name, kind, region,
  CASE WHEN step = 'start' THEN time_ns END AS start_ns,
  CASE WHEN step = 'stop' THEN time_ns WHEN next_step = 'stop' THEN next_ns END AS end_ns,
  CASE WHEN step = 'start' AND next_step = 'stop' THEN next_ns - time_ns END AS duration_ns,
  CASE WHEN step = 'stop' THEN event_ref WHEN next_step = 'stop' THEN next_ref END AS end_ref
FROM turns
WHERE step = 'start' OR coalesce(last_step, 'stop') = 'stop';

-- services
WITH states AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, service_name, image_name, pid, start_type, current_state,
    CASE current_state WHEN 2 THEN 'start' WHEN 3 THEN 'stop' WHEN 5 THEN 'continue' WHEN 6 THEN 'pause' END AS pending,
    CASE current_state WHEN 1 THEN 'stopped' WHEN 4 THEN 'running' WHEN 7 THEN 'paused' END AS done,
    lag(current_state) OVER (PARTITION BY trace, service_name ORDER BY time_ns, event_ref) AS last_state
  FROM microsoft_windows_services_servicestatuschange_statuschange
),
changes AS (
  SELECT *, lead(time_ns) OVER changes AS next_ns, lead(done) OVER changes AS next_done, lead(pid) OVER changes AS next_pid
  FROM states
  WHERE (last_state IS NULL OR last_state <> current_state) AND current_state BETWEEN 1 AND 7
  WINDOW changes AS (PARTITION BY trace, service_name ORDER BY time_ns, event_ref)
),
group_steps AS (
  SELECT trace, event_ref, timestamp, time_ns, seconds, group_name, 'start' AS step FROM microsoft_windows_services_startinggroup_start
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, seconds, group_name, 'stop' FROM microsoft_windows_services_startinggroup_stop
),
group_turns AS (
  SELECT *, lead(time_ns) OVER turns AS next_ns, lead(step) OVER turns AS next_step, lag(step) OVER turns AS last_step
  FROM group_steps
  WINDOW turns AS (PARTITION BY trace, group_name ORDER BY time_ns, event_ref)
)
SELECT trace, event_ref, timestamp, time_ns, seconds,
  CASE WHEN pending IS NOT NULL THEN pending WHEN current_state = 1 THEN 'stop' WHEN current_state = 7 THEN 'pause' WHEN last_state = 7 THEN 'continue' ELSE 'start' END AS kind,
  service_name, image_name, CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN next_pid ELSE pid END AS service_process_id, start_type,
  CASE WHEN pending IS NOT NULL THEN time_ns END AS start_ns,
  CASE WHEN pending IS NULL THEN time_ns WHEN next_done IS NOT NULL THEN next_ns END AS end_ns,
  CASE WHEN pending IS NOT NULL AND next_done IS NOT NULL THEN next_ns - time_ns END AS duration_ns,
  CASE WHEN pending IS NULL THEN done ELSE next_done END AS ended_as
FROM changes
WHERE pending IS NOT NULL OR last_state IS NULL OR last_state IN (1, 4, 7)
UNION ALL
SELECT trace, event_ref, timestamp, time_ns, seconds, 'group', group_name, NULL, NULL, NULL,
  CASE WHEN step = 'start' THEN time_ns END, CASE WHEN step = 'stop' THEN time_ns WHEN next_step = 'stop' THEN next_ns END,
  CASE WHEN step = 'start' AND next_step = 'stop' THEN next_ns - time_ns END, NULL
FROM group_turns
WHERE step = 'start' OR coalesce(last_step, 'stop') = 'stop';

-- waits
SELECT c.trace, c.event_ref, c.timestamp, c.time_ns, c.seconds, c.processor, c.process_id, c.process_name, c.thread_id,
  c.time_ns - c.away_ns AS start_ns, c.time_ns AS end_ns, c.waited_for AS reason, c.away_ns AS wait_ns, c.away_ns - c.ready_ns AS blocked_ns, c.ready_ns,
  c.readied_by_process_id, c.readied_by_process_name, c.readied_by_thread_id, c.readied_from_dpc, c.ready_ref, c.stack_id, e.stack_id AS readied_by_stack_id
FROM context_switches AS c
LEFT JOIN stack_events AS e ON e.trace = c.trace AND e.event_ref = c.ready_ref
WHERE c.away_as = 'Waiting';

-- wait_chains
WITH steps AS (
  SELECT trace, thread_id, end_ns AS at_ns, 0 AS is_question, event_ref, end_ns, CAST(NULL AS BIGINT) AS start_ns
  FROM waits
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
numbered AS (SELECT *, explode(slice(sequence(0, 9), 1, 9)) AS step FROM chains),
members AS (
  SELECT trace, ref0 AS root_ref, step, CASE step WHEN 0 THEN ref0 WHEN 1 THEN ref1 WHEN 2 THEN ref2 WHEN 3 THEN ref3 WHEN 4 THEN ref4
    WHEN 5 THEN ref5 WHEN 6 THEN ref6 WHEN 7 THEN ref7 ELSE ref8 END AS event_ref
  FROM numbered
)
SELECT m.trace, m.root_ref, CAST(m.step AS INT) AS step, w.event_ref, w.timestamp, w.time_ns, w.seconds, w.process_id, w.process_name, w.thread_id,
  w.start_ns, w.end_ns, w.reason, w.wait_ns, w.readied_by_process_id, w.readied_by_process_name, w.readied_by_thread_id,
  CASE WHEN w.readied_from_dpc THEN 'dpc' WHEN w.readied_by_thread_id = 0 THEN 'idle' WHEN w.readied_by_thread_id IS NULL THEN 'unknown'
    WHEN l.next_ref IS NULL THEN 'running' WHEN m.step = 8 THEN 'steps' END AS ends_with,
  w.stack_id
FROM members AS m
JOIN waits AS w ON w.trace = m.trace AND w.event_ref = m.event_ref
LEFT JOIN links AS l ON l.trace = m.trace AND l.event_ref = m.event_ref;

