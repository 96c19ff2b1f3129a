-- rows of marks
--   event_ref INT64 nullable: The mark that begins the region. NULL if it is not in the trace.
--   timestamp TIMESTAMP not null: Time of that mark, UTC; if it is not in the trace, of the one that ends the region.
--   time_ns
--   clock_ns
--   seconds
--   process_id INT64 nullable: Process that wrote the mark. NULL if the trace does not record it.
--   process_name
--   kind STRING not null: Where the marks come from, as in marks.
--   region STRING not null: Name of the region: the text of the marks without the words for start and stop.
--   start_ns INT64 nullable: When it began, in ns since 1970-01-01 UTC. NULL like event_ref.
--   end_ns INT64 nullable: When it ended, in the same way. NULL if that mark is not in the trace.
--   duration_ns INT64 nullable: How long it took, in ns. NULL if one of the two is.
--   end_ref INT64 nullable: The mark that ends the region. NULL like end_ns.
--   state STRING not null: complete, no stop or no start.
--   ambiguous BOOLEAN not null: True if several regions of the name were open together, so that each may have another's end.
WITH begun AS (
  SELECT *, regexp_replace(regexp_replace(message, '(?i)^(start|begin)[ _.:/-]+', ''), '(?i)[ _.:/-]+(start|begin)$', '') AS begins,
    regexp_replace(regexp_replace(message, '(?i)^(stop|end)[ _.:/-]+', ''), '(?i)[ _.:/-]+(stop|end)$', '') AS ends
  FROM marks
),
steps AS (
  SELECT *, CASE WHEN begins <> message THEN 1 ELSE -1 END AS step, CASE WHEN begins <> message THEN begins ELSE ends END AS region,
    CASE WHEN kind <> 'kernel' THEN process_id END AS within
  FROM begun
  WHERE (begins <> message) <> (ends <> message)
),
paired AS (/* pairs of steps by kind, within, region: nested */)
SELECT trace, CASE WHEN step = 1 THEN event_ref END AS event_ref, timestamp, time_ns, clock_ns, seconds, process_id, process_name, kind, region,
  CASE WHEN step = 1 THEN clock_ns END AS start_ns, end_ns,
  CASE WHEN state = 'complete' THEN CASE /* ns of trace */ WHEN end_ns >= clock_ns THEN end_ns - clock_ns END END AS duration_ns,
  stop_ref AS end_ref, state, ambiguous
FROM paired
