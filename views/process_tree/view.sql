-- rows of processes
--   depth INT32 not null: Number of processes above it in the tree.
--   tree STRING not null: Its name, indented by two spaces per level; ? if unknown.
--   process_id INT64 not null: Id of the process. A reused id has several rows.
--   process_name STRING nullable: Image name. NULL if unknown.
--   parent_process_id INT64 nullable: Id of the process that started it. NULL if unknown.
--   parent_process_name STRING nullable: Image name of that process. NULL if the trace does not have it.
--   start_time TIMESTAMP nullable: When it began, UTC. NULL if the trace does not record it.
--   end_time TIMESTAMP nullable: When it ended, UTC. NULL if the trace does not record it.
--   exit_code INT64 nullable: Exit code, often an NTSTATUS. NULL if the trace does not record the end.
--   command_line STRING nullable: Command line. NULL if unknown.
--   user_sid STRING nullable: SID of the user. NULL if unknown.
--   session_id INT64 nullable: Terminal session. NULL if unknown.
--   image_path STRING nullable: Path of the image, with a drive letter if the trace maps the volume. NULL if unknown.
--   process_ref INT64 not null: Key of the process, as in the table processes.
--   parent_process_ref INT64 nullable: Key of the process that started it. NULL if the trace does not have it.
--   place STRING not null: Sort key that puts a process below the one that started it.
WITH RECURSIVE steps AS (
  SELECT *, '/' || lpad(CAST(first_seen_ns AS STRING), 20, '0') || '-' || lpad(CAST(process_id AS STRING), 10, '0') AS step
  FROM processes
),
levels AS (
  SELECT trace, process_ref, 0 AS depth, step AS place FROM steps WHERE parent_process_ref IS NULL
  UNION ALL
  SELECT c.trace, c.process_ref, t.depth + 1, t.place || c.step
  FROM levels AS t JOIN steps AS c ON c.trace = t.trace AND c.parent_process_ref = t.process_ref
)
SELECT t.trace, t.depth, repeat('  ', t.depth) || coalesce(c.process_name, '?') AS tree, c.process_id, c.process_name, c.parent_process_id, c.parent_process_name,
  c.start_time, c.end_time, c.exit_code, c.command_line, c.user_sid, c.session_id, c.image_path, t.process_ref, c.parent_process_ref, t.place
FROM levels AS t
JOIN processes AS c ON c.trace = t.trace AND c.process_ref = t.process_ref
ORDER BY t.trace, t.place
