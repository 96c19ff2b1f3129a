-- rows of microsoft_windows_powershell_4104
--   event_ref INT64 not null: The event of its first part.
--   timestamp TIMESTAMP not null: When that was logged, UTC.
--   time_ns INT64 not null: The same instant in ns since 1970-01-01 UTC.
--   clock_ns INT64 nullable: The same by a clock that is never set, as in events.
--   seconds DOUBLE nullable: clock_ns in seconds since the start of the session.
--   process_id
--   process_name
--   thread_id INT64 nullable: Thread that compiled it. NULL if the trace does not record it.
--   level INT32 nullable: Level of its first part: 3 if PowerShell found the text suspicious, 5 otherwise.
--   script_block_id STRING nullable: GUID of the script block, as text.
--   path STRING nullable: Path of the script. Empty for text that is not from a file.
--   script STRING nullable: Text of the block: the parts that the trace has, in order.
--   parts INT64 not null: Number of parts that the trace has.
--   parts_total INT64 nullable: Number of parts that PowerShell logged.
--   missing_parts STRING nullable: The parts that the trace lacks, as 2, 5-7. NULL if none is missing.
WITH single AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY trace, process_id, script_block_id, message_number ORDER BY clock_ns, event_ref) AS copy
    FROM microsoft_windows_powershell_4104
  ) AS logged
  WHERE copy = 1
),
following AS (
  SELECT *, lead(message_number) OVER block AS next_number, lag(message_number) OVER block AS last_number
  FROM single
  WINDOW block AS (PARTITION BY trace, process_id, script_block_id ORDER BY message_number)
),
gaps AS (
  -- The parts that are missing before this part and, if it is the last one, those after it.
  SELECT *, coalesce(last_number, 0) + 1 AS from_before, message_number - 1 AS to_before,
    message_number + 1 AS from_after, CASE WHEN next_number IS NULL THEN message_total END AS to_after
  FROM following
),
texts AS (
  SELECT *, nullif(concat_ws(', ',
    CASE WHEN from_before < to_before THEN concat(from_before, '-', to_before) WHEN from_before = to_before THEN CAST(to_before AS STRING) END,
    CASE WHEN from_after < to_after THEN concat(from_after, '-', to_after) WHEN from_after = to_after THEN CAST(to_after AS STRING) END), '') AS missing
  FROM gaps
)
SELECT trace, min_by(event_ref, message_number) AS event_ref, min_by(timestamp, message_number) AS timestamp, min_by(time_ns, message_number) AS time_ns,
  min_by(clock_ns, message_number) AS clock_ns, min_by(seconds, message_number) AS seconds, process_id, max(process_name) AS process_name, min_by(thread_id, message_number) AS thread_id,
  min_by(level, message_number) AS level, script_block_id, min_by(path, message_number) AS path,
  string_agg(script_block_text, '' ORDER BY message_number) AS script, count(*) AS parts, CAST(max(message_total) AS BIGINT) AS parts_total,
  nullif(string_agg(missing, ', ' ORDER BY message_number), '') AS missing_parts
FROM texts
GROUP BY trace, process_id, script_block_id
