SELECT process_name, process_id, count(*) AS samples
FROM perfinfo_sampleprof
WHERE payload_thread_id <> 0 OR flags & 3 <> 0
GROUP BY ALL
ORDER BY samples DESC
LIMIT 5;
