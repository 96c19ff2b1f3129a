-- rows of processes
--   place STRING not null: Sort key that puts a process below the one that started it.
--   depth INT32 not null: Number of processes above it in the tree.
--   tree STRING not null: Its name, indented by two spaces per level; ? if unknown.
--   process_id INT64 not null: Id of the process. A reused id has several rows.
--   process_name STRING nullable: Image name. NULL if unknown.
--   parent_process_id INT64 nullable: Id of the process that started it. NULL if unknown.
--   start_time TIMESTAMP nullable: When it began, UTC. NULL if the trace does not record it.
--   end_time TIMESTAMP nullable: When it ended, UTC. NULL if the trace does not record it.
--   exit_code INT64 nullable: Exit code, often an NTSTATUS. NULL if the trace does not record the end.
--   command_line STRING nullable: Command line. NULL if unknown.
--   user_sid STRING nullable: SID of the user. NULL if unknown.
--   session_id INT64 nullable: Terminal session. NULL if unknown.
--   image_path STRING nullable: Path of the image, with a drive letter if the trace maps the volume. NULL if unknown.
WITH RECURSIVE lives AS (
  SELECT *, coalesce(valid_from_ns, 0) AS born, lead(coalesce(valid_from_ns, 0), 1, 9223372036854775807) OVER (PARTITION BY trace, process_id ORDER BY coalesce(valid_from_ns, 0)) AS reborn
  FROM processes
),
mentions AS (
  SELECT trace, process_id, time_ns FROM process_start
  UNION ALL SELECT trace, process_id, time_ns FROM process_dcstart
  UNION ALL SELECT trace, process_id, time_ns FROM process_end
  UNION ALL SELECT trace, process_id, time_ns FROM process_dcend
),
listed AS (
  SELECT l.trace, l.process_id, l.born, coalesce(min(m.time_ns), min(l.start_ns), 0) AS listed_ns
  FROM lives AS l
  LEFT JOIN mentions AS m ON m.trace = l.trace AND m.process_id = l.process_id AND m.time_ns >= l.born AND m.time_ns < l.reborn
  GROUP BY l.trace, l.process_id, l.born
),
known AS (
  SELECT l.*, n.listed_ns, '/' || lpad(CAST(n.listed_ns AS STRING), 20, '0') || '-' || lpad(CAST(l.process_id AS STRING), 10, '0') AS step
  FROM lives AS l JOIN listed AS n ON n.trace = l.trace AND n.process_id = l.process_id AND n.born = l.born
),
children AS (
  SELECT c.*, p.process_id AS parent_id, p.born AS parent_born
  FROM known AS c
  LEFT JOIN known AS p ON p.trace = c.trace AND p.process_id = c.parent_process_id AND c.born >= p.born AND c.born < p.reborn
    AND (p.born < c.born OR p.listed_ns < c.listed_ns)
),
levels AS (
  SELECT trace, process_id, born, 0 AS depth, step AS place FROM children WHERE parent_id IS NULL
  UNION ALL
  SELECT c.trace, c.process_id, c.born, t.depth + 1, t.place || c.step
  FROM levels AS t JOIN children AS c ON c.trace = t.trace AND c.parent_id = t.process_id AND c.parent_born = t.born
)
SELECT t.trace, t.place, t.depth, repeat('  ', t.depth) || coalesce(c.process_name, '?') AS tree, t.process_id, c.process_name, c.parent_process_id,
  c.start_time, c.end_time, c.exit_code, c.command_line, c.user_sid, c.session_id, c.image_path
FROM levels AS t
JOIN children AS c ON c.trace = t.trace AND c.process_id = t.process_id AND c.born = t.born
