-- How busy were the processors, and how much of it was work of devices?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT kind, sum(samples) AS samples, sum(cpu_ns) AS cpu_ns
FROM cpu_usage
GROUP BY kind
ORDER BY samples DESC;
