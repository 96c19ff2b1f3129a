SELECT timestamp, process_name, replace(payload_file_name, '\Device\Mup', '\') AS image_path
FROM image_load
WHERE payload_file_name NOT ILIKE '\SystemRoot\%' AND payload_file_name NOT ILIKE '%\Windows\%'
  AND payload_file_name NOT ILIKE '%\Program Files\%' AND payload_file_name NOT ILIKE '%\Program Files (x86)\%'
ORDER BY time_ns;
