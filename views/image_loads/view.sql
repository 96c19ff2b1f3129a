-- rows of images
--   event_ref INT64 nullable: The event of the load. NULL if it is not of the kernel's class Image.
--   timestamp TIMESTAMP not null: When it was loaded, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session. NULL like event_ref.
--   process_id INT64 not null: Process that loaded it; 0 is the kernel.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   image_name STRING nullable: Last part of its path: the module. NULL if unknown.
--   image_path STRING nullable: Its path, with a drive letter if the trace maps the volume. NULL if unknown.
--   image_base UINT64 not null: Address of its first byte.
--   image_size UINT64 not null: Bytes it takes in memory.
--   unload_time TIMESTAMP nullable: When it was unloaded, UTC. NULL if the trace does not record it.
--   unload_ns INT64 nullable: The same instant in ns since 1970-01-01 UTC.
--   file_version STRING nullable: Version in its resources. NULL if the trace does not record it.
--   pdb_name STRING nullable: Name or path of its symbol file. NULL if the trace does not record it.
--   pdb_guid STRING nullable: GUID of that symbol file. NULL if the trace does not record it.
--   pdb_age INT64 nullable: Age of that symbol file. NULL if the trace does not record it.
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, e.clock_ns, e.seconds, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref, min(clock_ns) AS clock_ns, min(seconds) AS seconds FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL
