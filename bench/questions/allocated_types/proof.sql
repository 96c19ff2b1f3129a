SELECT type_name, sum(allocation_amount64) AS bytes, count(*) AS ticks
FROM microsoft_windows_dotnetruntime_gc_allocationtick
WHERE process_name = 'Test.x86.exe'
GROUP BY type_name
ORDER BY bytes DESC
LIMIT 3;
