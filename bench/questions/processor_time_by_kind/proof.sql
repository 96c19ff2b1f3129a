SELECT CASE WHEN flags & 2 <> 0 THEN 'isr' WHEN flags & 1 <> 0 THEN 'dpc' WHEN payload_thread_id = 0 THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS samples, count(*) * 1000000 AS cpu_ns
FROM perfinfo_sampleprof
GROUP BY kind
ORDER BY samples DESC;
