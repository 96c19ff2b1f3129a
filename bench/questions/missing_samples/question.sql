-- Which processors were not sampled at times, and for how long?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT processor, count(*) AS gaps, sum(lost) AS samples, max(duration_ns) AS longest_ns
FROM lost_time
WHERE kind = 'samples'
GROUP BY processor
ORDER BY samples DESC, processor
LIMIT 3;
