-- In which second did Test.x86.exe work most?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT second, samples
FROM cpu_usage
WHERE process_name = 'Test.x86.exe' AND kind = 'thread'
ORDER BY samples DESC, second
LIMIT 3;
