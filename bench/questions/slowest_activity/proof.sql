SELECT regexp_extract(s.event_name, '^Activity[0-9]+') AS activity, regexp_extract(p.event_name, '^Activity[0-9]+') AS parent,
  e.time_ns - s.time_ns AS duration_ns
FROM events AS s
JOIN events AS e ON e.activity_id = s.activity_id AND e.opcode = 2
LEFT JOIN events AS p ON p.activity_id = s.related_activity_id AND p.opcode = 1
WHERE s.provider_name = 'Microsoft-Diagnostics-DiagnosticSource' AND s.opcode = 1
ORDER BY duration_ns DESC
LIMIT 4;
