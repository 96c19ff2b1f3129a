-- Which threads waited for locks of .NET, and how long?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, thread_id, count(*) AS waits, sum(wait_ns) AS waited_ns, max(wait_ns) AS longest_ns
FROM contention
GROUP BY ALL
ORDER BY waited_ns DESC
LIMIT 3;
