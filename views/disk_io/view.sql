-- rows of diskio_read, diskio_write, diskio_flushbuffers, diskio_opticalread, diskio_opticalwrite, diskio_opticalflushbuffers
--   event_ref
--   timestamp TIMESTAMP not null: When the transfer was complete, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   operation STRING not null: read, write or flush; for optical drives optical read, optical write or optical flush.
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that requested it. NULL if the trace does not record it.
--   disk_number INT64 nullable: Number of the disk.
--   file_name STRING nullable: Path of the file, with a drive letter if the trace maps the volume. NULL for flushes, and if the trace does not record it.
--   byte_offset UINT64 nullable: Its start on the disk, in bytes. NULL for flushes.
--   transfer_size INT64 nullable: Bytes. NULL for flushes.
--   disk_ns INT64 nullable: How long the disk took, in ns. NULL if the event does not record it.
--   irp_flags STRING nullable: Flags of the request by name, joined by |.
--   irp_priority STRING nullable: Priority of the request by name.
WITH transfers AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'read' AS operation, process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_flushbuffers
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical read', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalread
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical write', process_id, process_name, thread_id,
    disk_number, file_name, byte_offset, transfer_size, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalwrite
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'optical flush', process_id, process_name, thread_id,
    disk_number, NULL, NULL, NULL, high_res_response_time, irp_flags_text, irp_priority_text FROM diskio_opticalflushbuffers
)
SELECT d.trace, d.event_ref, d.timestamp, d.time_ns, d.clock_ns, d.seconds, d.processor, d.operation, d.process_id, d.process_name, d.thread_id,
  d.disk_number, d.file_name, d.byte_offset, d.transfer_size,
  TRY_CAST(round(CAST(d.high_res_response_time AS DOUBLE) * 1000000000 / h.perf_freq) AS BIGINT) AS disk_ns,
  d.irp_flags_text AS irp_flags, d.irp_priority_text AS irp_priority
FROM transfers AS d
LEFT JOIN traces AS h ON h.trace = d.trace
