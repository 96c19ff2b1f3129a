-- A row per image that was loaded while the trace was recorded: when, into which process (0 is the kernel), from where, and what its symbols are called.
-- What was loaded before is in the table images. event_ref is of the event that says so, and joins stacks.
SELECT i.trace, e.event_ref, i.load_time AS timestamp, i.load_ns AS time_ns, i.process_id, i.process_name,
  i.image_name, i.image_path, i.image_base, i.image_size, i.unload_time, i.unload_ns,
  i.file_version, i.pdb_name, i.pdb_guid, i.pdb_age
FROM images AS i
LEFT JOIN (
  SELECT trace, process_id, image_base, time_ns, min(event_ref) AS event_ref FROM image_load GROUP BY trace, process_id, image_base, time_ns
) AS e ON e.trace = i.trace AND e.process_id = i.process_id AND e.image_base = i.image_base AND e.time_ns = i.load_ns
WHERE i.load_ns IS NOT NULL
