SELECT operation, process_name, file_name, transfer_size, ticks * 100 AS disk_ns
FROM (SELECT 'read' AS operation, process_name, file_name, transfer_size, high_res_response_time AS ticks FROM diskio_read
      UNION ALL SELECT 'write', process_name, file_name, transfer_size, high_res_response_time FROM diskio_write
      UNION ALL SELECT 'flush', process_name, NULL, NULL, high_res_response_time FROM diskio_flushbuffers)
ORDER BY ticks DESC
LIMIT 1;
