-- Which scripts ran, and in which engine?
-- asked by an incident responder, of AMSITrace.etl
SELECT split_part(engine, '_', 1) AS engine, trim(script, chr(13) || chr(10)) AS script, count(*) AS runs, min(timestamp) AS first
FROM amsitrace_amsiscript
WHERE length(script) < 100
GROUP BY ALL
ORDER BY first, script;
