-- rows of perfinfo_sampleprof, traces
--   kind STRING not null: samples, for a gap in the samples of a processor; events or buffers, which the session lost while it wrote the file; session events or session buffers, which it had lost by the end of a file of a series whose own losses are unknown; overwritten buffers, of a circular file.
--   processor INT32 nullable: Processor with the gap. NULL for losses, which the file states as a whole.
--   start_ns INT64 nullable: Last sample before the gap, in ns since 1970-01-01 UTC. NULL for losses.
--   end_ns INT64 nullable: First sample after the gap, in the same way. NULL for losses.
--   duration_ns INT64 nullable: Length of the gap, in ns. NULL for losses.
--   lost INT64 not null: Number of samples that the gap lacks, or of lost events or buffers.
WITH intervals AS (
  SELECT trace, max(new_interval) * 100 AS interval_ns FROM perfinfo_collectionstart WHERE source = 0 GROUP BY trace
),
samples AS (
  SELECT trace, processor, clock_ns, lag(clock_ns) OVER (PARTITION BY trace, processor ORDER BY clock_ns) AS last_ns
  FROM perfinfo_sampleprof
)
SELECT s.trace, 'samples' AS kind, s.processor, s.last_ns AS start_ns, s.clock_ns AS end_ns, CASE /* ns of s.trace */ WHEN s.clock_ns >= s.last_ns THEN s.clock_ns - s.last_ns END AS duration_ns,
  CAST(round(CAST(s.clock_ns - s.last_ns AS DOUBLE) / v.interval_ns) AS BIGINT) - 1 AS lost
FROM samples AS s
JOIN intervals AS v ON v.trace = s.trace
WHERE v.interval_ns > 0 AND s.clock_ns - s.last_ns > 3 * v.interval_ns
UNION ALL SELECT trace, 'events', NULL, NULL, NULL, NULL, events_lost FROM traces WHERE events_lost > 0
UNION ALL SELECT trace, 'buffers', NULL, NULL, NULL, NULL, buffers_lost FROM traces WHERE buffers_lost > 0
UNION ALL SELECT trace, 'session events', NULL, NULL, NULL, NULL, session_events_lost FROM traces WHERE events_lost IS NULL AND session_events_lost > 0
UNION ALL SELECT trace, 'session buffers', NULL, NULL, NULL, NULL, session_buffers_lost FROM traces WHERE buffers_lost IS NULL AND session_buffers_lost > 0
UNION ALL SELECT trace, 'overwritten buffers', NULL, NULL, NULL, NULL, overwritten_buffers FROM traces WHERE overwritten_buffers > 0
