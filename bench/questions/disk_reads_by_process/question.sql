-- Which processes read most from the disk?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT process_name, count(*) AS transfers, sum(transfer_size) AS bytes, sum(disk_ns) AS disk_ns
FROM disk_io
WHERE operation = 'read'
GROUP BY process_name
ORDER BY bytes DESC
LIMIT 3;
