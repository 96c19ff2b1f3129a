SELECT CAST(floor(seconds) AS BIGINT) AS second, count(*) AS samples
FROM perfinfo_sampleprof
WHERE process_name = 'Test.x86.exe' AND flags & 3 = 0
GROUP BY ALL
ORDER BY samples DESC, second
LIMIT 3;
