-- Which DLL made programs wait longest for page faults?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT file_name, count(*) AS faults, sum(byte_count) AS bytes, sum(duration_ns) AS waited_ns
FROM page_faults
WHERE kind = 'hard' AND file_name ILIKE '%.dll'
GROUP BY file_name
ORDER BY waited_ns DESC
LIMIT 3;
