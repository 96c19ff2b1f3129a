-- rows of event_header
--   event_ref INT64 not null: The event of the start, or of the end where the start is not in the trace.
--   timestamp TIMESTAMP nullable: Time of that event, UTC.
--   time_ns
--   clock_ns
--   seconds
--   process_id
--   process_name
--   thread_id
--   provider_name STRING nullable: Name of its provider. NULL if unknown.
--   span STRING not null: What the names of the two events have in common: Load of LoadBegin and LoadEnd. Empty if they are the words alone.
--   state STRING not null: complete, no stop or no start.
--   duration_ns INT64 nullable: How long it took, in ns. NULL unless it is complete.
--   end_ns INT64 nullable: When it ended, in ns since 1970-01-01 UTC. NULL if that is not in the trace.
--   paired_by STRING not null: activity, if start and stop have the same activity id; else thread.
--   ambiguous BOOLEAN not null: Whether several of one name and activity were open together on different threads, so that an end may belong to another one.
--   activity_id STRING nullable: Its activity id. NULL if it has none.
--   stop_ref INT64 nullable: The event of the end. NULL if that is not in the trace.
WITH split AS (
  SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, processor, process_id, process_name, thread_id, provider_id, provider_name, activity_id, event_name,
    regexp_extract(event_name, '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$', 1) AS last_word,
    regexp_extract(event_name, '^(Begin|Start|Enter|End|Stop|Leave)[A-Z]', 1) AS first_word
  FROM event_header
  WHERE coalesce(opcode, 0) NOT IN (1, 2)
    AND regexp_matches(event_name, '(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$|^(Begin|Start|Enter|End|Stop|Leave)[A-Z]')
),
named AS (
  SELECT *, CASE WHEN last_word <> '' THEN last_word ELSE first_word END AS word,
    CASE WHEN last_word <> '' THEN regexp_replace(event_name, '[_ ./]?(Begin|Starting|Started|Start|Enter|Open|End|Stop|Completed|Complete|Finished|Leave|Exit|Close)$', '')
      ELSE regexp_replace(event_name, '^(Begin|Start|Enter|End|Stop|Leave)', '') END AS span
  FROM split
),
counted AS (
  SELECT trace, provider_id, span, word, count(*) AS n FROM named GROUP BY trace, provider_id, span, word
),
words AS (
  SELECT 'Begin' AS begins, 'End' AS ends UNION ALL SELECT 'Start', 'Stop' UNION ALL SELECT 'Start', 'End' UNION ALL SELECT 'Starting', 'Completed' UNION ALL SELECT 'Starting', 'Complete'
  UNION ALL SELECT 'Started', 'Finished' UNION ALL SELECT 'Started', 'Completed' UNION ALL SELECT 'Start', 'Complete' UNION ALL SELECT 'Start', 'Completed' UNION ALL SELECT 'Start', 'Finished'
  UNION ALL SELECT 'Enter', 'Leave' UNION ALL SELECT 'Enter', 'Exit' UNION ALL SELECT 'Open', 'Close'
),
-- Of a name count the two words of which both are there, and of several pairs the most frequent one.
used AS (
  SELECT trace, provider_id, span, begins, ends
  FROM (
    SELECT a.trace, a.provider_id, a.span, w.begins, w.ends, row_number() OVER (PARTITION BY a.trace, a.provider_id, a.span ORDER BY least(a.n, b.n) DESC, w.begins, w.ends) AS place
    FROM counted AS a
    JOIN words AS w ON w.begins = a.word
    JOIN counted AS b ON b.trace = a.trace AND b.provider_id = a.provider_id AND b.span = a.span AND b.word = w.ends
  ) AS found
  WHERE place = 1
),
marked AS (
  SELECT n.*, CASE WHEN n.word = u.begins THEN 1 ELSE -1 END AS step
  FROM named AS n
  JOIN used AS u ON u.trace = n.trace AND u.provider_id = n.provider_id AND u.span = n.span AND (n.word = u.begins OR n.word = u.ends)
),
-- By activity where both a start and a stop have it, else by thread.
lines AS (
  SELECT *, activity_id IS NOT NULL AND min(step) OVER one <> max(step) OVER one AS by_activity
  FROM marked
  WINDOW one AS (PARTITION BY trace, process_id, provider_id, span, activity_id)
),
steps AS (
  SELECT *, CASE WHEN by_activity THEN activity_id END AS line, CASE WHEN NOT by_activity THEN thread_id END AS own_thread FROM lines
),
pairs AS (
/* pairs of steps by process_id, provider_id, span, line, own_thread: nested, with thread_id */
)
SELECT trace, event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, thread_id, provider_name, span, state,
  CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns, end_ns,
  CASE WHEN by_activity THEN 'activity' ELSE 'thread' END AS paired_by, by_activity AND ambiguous AS ambiguous, activity_id, stop_ref
FROM pairs
