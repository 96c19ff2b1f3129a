SELECT process_name, count(*) AS pauses, sum(pause_ns) AS total_ns, max(pause_ns) AS longest_ns
FROM (
  SELECT s.process_name, s.reason, min(r.time_ns) - s.time_ns AS pause_ns
  FROM microsoft_windows_dotnetruntime_gc_suspendeestart AS s
  JOIN microsoft_windows_dotnetruntime_gc_restarteestop AS r ON r.thread_id = s.thread_id AND r.time_ns >= s.time_ns
  GROUP BY s.event_ref, s.process_name, s.reason, s.time_ns
)
WHERE reason IN (1, 6)
GROUP BY process_name;
