-- rows of fileio_create, fileio_cleanup, fileio_close, fileio_read, fileio_write, fileio_setinfo, fileio_delete, fileio_rename, fileio_direnum, fileio_dirnotify, fileio_flush, fileio_queryinfo, fileio_fscontrol
--   event_ref
--   timestamp TIMESTAMP not null: When the operation began, UTC.
--   time_ns
--   clock_ns
--   seconds
--   processor
--   operation STRING not null: create (which opens, too), cleanup, close, read, write, set info, delete, rename, list folder, watch folder, flush, query info or control.
--   process_id
--   process_name
--   thread_id
--   file_name STRING nullable: Path of the file, with a drive letter if the trace maps the volume. NULL if the trace does not record it.
--   file_offset UINT64 nullable: Offset in the file at which a read or write began, in bytes. NULL for other operations.
--   io_size INT64 nullable: Bytes that a read or write requested. NULL for other operations.
--   duration_ns INT64 nullable: How long it took, in ns. NULL if its end is not in the trace.
--   status INT64 nullable: NTSTATUS that it ended with. NULL like duration_ns.
--   status_text STRING nullable: Name of status. NULL if no name is known.
--   bytes_done INT64 nullable: Bytes that a read or write transferred. NULL for other operations, and like duration_ns.
--   state STRING not null: complete; no stop, if another operation of the request began before its end came; open at the end, if nothing of the request came later.
--   ambiguous BOOLEAN not null: False: a request has one operation at a time.
WITH operations AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'create' AS operation, process_id, process_name, thread_id, file_name, NULL AS file_offset, NULL AS io_size, irp_ptr FROM fileio_create
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'cleanup', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_cleanup
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'close', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_close
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'read', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_read
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'write', process_id, process_name, thread_id, file_name, file_offset, io_size, irp_ptr FROM fileio_write
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'set info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_setinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'delete', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_delete
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'rename', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_rename
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'list folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_direnum
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'watch folder', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_dirnotify
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'flush', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_flush
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'query info', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_queryinfo
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, 'control', process_id, process_name, thread_id, file_name, NULL, NULL, irp_ptr FROM fileio_fscontrol
),
steps AS (
  SELECT *, 1 AS step, NULL AS nt_status, NULL AS nt_status_text, NULL AS extra_info FROM operations
  UNION ALL SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, NULL, NULL, NULL, NULL, NULL, NULL, NULL, irp_ptr,
    -1, nt_status, nt_status_text, extra_info FROM fileio_operationend
),
paired AS (/* pairs of steps by irp_ptr: single, with nt_status, nt_status_text, extra_info */)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, operation, process_id, process_name, thread_id, file_name, file_offset, io_size,
  CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns,
  stop_nt_status AS status, stop_nt_status_text AS status_text,
  CASE WHEN operation IN ('read', 'write') THEN TRY_CAST(stop_extra_info AS BIGINT) END AS bytes_done, state, ambiguous
FROM paired
WHERE step = 1
