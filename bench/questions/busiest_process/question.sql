-- Which processes used the processors?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, process_id, count(*) AS samples
FROM cpu_samples
WHERE NOT is_idle
GROUP BY ALL
ORDER BY samples DESC
LIMIT 5;
