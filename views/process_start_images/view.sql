-- rows of processes
--   timestamp TIMESTAMP not null: When it began, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   process_id INT64 not null: Id of the process.
--   process_ref INT64 not null: Key of the process: joins processes, with trace.
--   process_name STRING nullable: Image name. NULL if unknown.
--   image_path STRING nullable: Path of the image, with a drive letter if the trace has it. NULL if unknown.
--   parent_process_id INT64 nullable: Id of the process that created it. NULL if unknown.
--   parent_process_name STRING nullable: Image name of that process. NULL if unknown.
--   to_first_image_ns INT64 nullable: From its start to its first image, in ns. NULL if the trace has none.
--   images INT64 not null: Images that it loaded in the trace.
--   images_10s INT64 not null: Those in its first 10 s.
--   largest_gap_ns INT64 nullable: The longest time between two images that follow each other, the second in its first 10 s, in ns. NULL if there are no two.
--   gap_start_ns INT64 nullable: When that began, in ns since 1970-01-01 UTC. NULL like largest_gap_ns.
--   gap_after STRING nullable: Path of the image before the gap. NULL like largest_gap_ns.
--   gap_before STRING nullable: Path of the image after the gap. NULL like largest_gap_ns.
--   lived_ns INT64 nullable: From its start to its end, in ns. NULL if the trace does not record the end.
WITH starts AS (
  SELECT trace, process_ref, process_id, process_name, image_path, parent_process_id, parent_process_name, start_time, start_ns, end_ns
  FROM processes
  WHERE start_ns IS NOT NULL AND list_contains(known_from, 'start')
),
loads AS (
  SELECT s.trace, s.process_ref, i.time_ns, i.image_path, i.time_ns <= s.start_ns + 10000000000 AS is_early,
    lag(i.time_ns) OVER one AS before_ns, lag(i.image_path) OVER one AS before_path
  FROM starts AS s
  JOIN image_loads AS i ON i.trace = s.trace AND i.process_id = s.process_id AND i.time_ns >= s.start_ns AND i.time_ns <= coalesce(s.end_ns, i.time_ns)
  WINDOW one AS (PARTITION BY s.trace, s.process_ref ORDER BY i.time_ns, i.event_ref, i.image_base)
),
gaps AS (
  SELECT *, CASE WHEN is_early THEN CASE /* ns of trace */ WHEN time_ns >= before_ns THEN time_ns - before_ns END END AS gap_ns FROM loads
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY trace, process_ref ORDER BY coalesce(gap_ns, -1) DESC, time_ns) AS place FROM gaps
),
images AS (
  SELECT trace, process_ref, min(time_ns) AS first_ns, count(*) AS images, count(CASE WHEN is_early THEN 1 END) AS images_10s, max(gap_ns) AS largest_gap_ns,
    max(CASE WHEN place = 1 AND gap_ns IS NOT NULL THEN before_ns END) AS gap_start_ns, max(CASE WHEN place = 1 AND gap_ns IS NOT NULL THEN before_path END) AS gap_after,
    max(CASE WHEN place = 1 AND gap_ns IS NOT NULL THEN image_path END) AS gap_before
  FROM ranked
  GROUP BY trace, process_ref
)
SELECT s.trace, s.start_time AS timestamp, s.start_ns AS time_ns, s.process_id, s.process_ref, s.process_name, s.image_path, s.parent_process_id, s.parent_process_name,
  CASE /* ns of s.trace */ WHEN i.first_ns >= s.start_ns THEN i.first_ns - s.start_ns END AS to_first_image_ns, coalesce(i.images, 0) AS images, coalesce(i.images_10s, 0) AS images_10s,
  i.largest_gap_ns, i.gap_start_ns, i.gap_after, i.gap_before, CASE /* ns of s.trace */ WHEN s.end_ns >= s.start_ns THEN s.end_ns - s.start_ns END AS lived_ns
FROM starts AS s
LEFT JOIN images AS i ON i.trace = s.trace AND i.process_ref = s.process_ref
