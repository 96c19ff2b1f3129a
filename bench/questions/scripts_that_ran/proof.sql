SELECT split_part(fields ->> '$.engine', '_', 1) AS engine, trim(fields ->> '$.script', chr(13) || chr(10)) AS script, count(*) AS runs, min(timestamp) AS first
FROM events
WHERE event_name = 'AmsiScript' AND length(fields ->> '$.script') < 100
GROUP BY ALL
ORDER BY first, script;
