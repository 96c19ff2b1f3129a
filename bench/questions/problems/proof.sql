SELECT trace, 'warning' AS severity, 'events_lost' AS code, events_lost AS count
FROM traces
WHERE events_lost > 0
UNION ALL
SELECT trace, 'warning', 'session_events_lost', session_events_lost
FROM traces
WHERE events_lost IS NULL AND session_events_lost > 0
UNION ALL
SELECT trace, 'warning', 'payload_longer', payloads_in_part
FROM traces
WHERE payloads_in_part > 0
UNION ALL
SELECT trace, 'info', 'not_finalised', 1
FROM traces
WHERE end_time IS NULL
ORDER BY count DESC, trace;
