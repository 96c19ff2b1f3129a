SELECT regexp_extract(s.image_name, '[^\\]+$') AS process_name, s.payload_process_id AS process_id, s.parent_process_id,
  s.timestamp AS start_time, e.timestamp AS end_time, e.exit_code
FROM microsoft_windows_kernel_process_processstart_start AS s
LEFT JOIN microsoft_windows_kernel_process_processstop_stop AS e USING (payload_process_id)
ORDER BY start_time;
