-- rows of system_trace_header, perfinfo_trace_header, event_trace_header, event_instance_header, event_header, message_trace_header, other_header
--   header_table STRING not null: Table of the event, by the type of its header.
--   common columns
--   summary columns
--   fields STRING nullable: The decoded payload as a JSON object: the columns that it fills in the table of the event, by the names of the fields, without NULLs. NULL where nothing describes the event.
--   message STRING nullable: The event's message, with the values in place. NULL where what describes the event has none, or the fields say the same (option messages).
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
