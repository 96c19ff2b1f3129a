SELECT processor, count(*) AS gaps, sum(CAST(round(gap / 1e6) AS BIGINT) - 1) AS samples, max(gap) AS longest_ns
FROM (SELECT processor, time_ns - lag(time_ns) OVER (PARTITION BY processor ORDER BY time_ns) AS gap FROM perfinfo_sampleprof)
WHERE gap > 3000000
GROUP BY processor
ORDER BY samples DESC, processor
LIMIT 3;
