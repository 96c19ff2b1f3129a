-- Objects of which type did Test.x86.exe allocate?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT type_name, sum(bytes) AS bytes, count(*) AS ticks
FROM allocations
WHERE process_name = 'Test.x86.exe' AND source = 'tick'
GROUP BY type_name
ORDER BY bytes DESC
LIMIT 3;
