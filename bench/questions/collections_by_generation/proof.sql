SELECT process_name, depth AS generation, reason_text AS reason, count(DISTINCT count) AS collections
FROM microsoft_windows_dotnetruntime_gc_start
GROUP BY ALL
ORDER BY ALL;
