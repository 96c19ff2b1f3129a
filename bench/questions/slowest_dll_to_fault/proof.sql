SELECT file_name, count(*) AS faults, sum(byte_count) AS bytes, sum(time_ns - initial_time_ns) AS waited_ns
FROM pagefault_hardfault
WHERE lower(file_name) LIKE '%.dll'
GROUP BY file_name
ORDER BY waited_ns DESC
LIMIT 3;
