-- Which single transfer kept the disk busy longest, and for which file?
-- asked by a performance engineer, of net.4.5.2.x86.etl
SELECT operation, process_name, file_name, transfer_size, disk_ns
FROM disk_io
ORDER BY disk_ns DESC
LIMIT 1;
