-- rows of system_trace_header, perfinfo_trace_header, event_trace_header, event_instance_header, event_header, message_trace_header, other_header
--   header_table STRING not null: Table of the event, by the type of its header.
--   common columns
--   summary columns
SELECT e.trace, e.header_table, {{common "e."}}, e.id AS event_id,
  -- event_types has the level, opcode and task of the first event of a kind.
  CASE WHEN e.level IS NULL OR e.level = k.level THEN k.level_name END AS level_name,
  CASE WHEN e.opcode IS NULL OR e.opcode = k.opcode THEN k.opcode_name END AS opcode_name,
  CASE WHEN e.task IS NULL OR e.task = k.task THEN k.task_name END AS task_name
FROM (
  SELECT trace, 'system_trace_header' AS header_table, {{common ""}}, hook_id AS id, CAST(NULL AS INTEGER) AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM system_trace_header
  UNION ALL SELECT trace, 'perfinfo_trace_header' AS header_table, {{common ""}}, hook_id AS id, CAST(NULL AS INTEGER) AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM perfinfo_trace_header
  UNION ALL SELECT trace, 'event_trace_header' AS header_table, {{common ""}}, class_type AS id, class_level AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM event_trace_header
  UNION ALL SELECT trace, 'event_instance_header' AS header_table, {{common ""}}, class_type AS id, class_level AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM event_instance_header
  UNION ALL SELECT trace, 'event_header' AS header_table, {{common ""}}, event_id AS id, level AS level, opcode AS opcode, task AS task
    FROM event_header
  UNION ALL SELECT trace, 'message_trace_header' AS header_table, {{common ""}}, message_number AS id, CAST(NULL AS INTEGER) AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM message_trace_header
  UNION ALL SELECT trace, 'other_header' AS header_table, {{common ""}}, header_type AS id, CAST(NULL AS INTEGER) AS level, CAST(NULL AS INTEGER) AS opcode, CAST(NULL AS INTEGER) AS task
    FROM other_header
) AS e
LEFT JOIN event_types AS k ON k.trace = e.trace AND k.event_kind = e.event_kind
