SELECT process_name, count(*) AS transfers, sum(transfer_size) AS bytes, sum(high_res_response_time) * 100 AS disk_ns
FROM diskio_read
GROUP BY process_name
ORDER BY bytes DESC
LIMIT 3;
