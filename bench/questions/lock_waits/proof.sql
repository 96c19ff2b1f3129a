SELECT process_name, thread_id, count(*) AS waits, sum(wait_ns) AS waited_ns, max(wait_ns) AS longest_ns
FROM (
  SELECT s.process_name, s.thread_id, min(e.time_ns) - s.time_ns AS wait_ns
  FROM microsoft_windows_dotnetruntime_contention_start AS s
  JOIN microsoft_windows_dotnetruntime_contention_stop AS e ON e.thread_id = s.thread_id AND e.time_ns >= s.time_ns
  GROUP BY s.event_ref, s.process_name, s.thread_id, s.time_ns
)
GROUP BY ALL
ORDER BY waited_ns DESC
LIMIT 3;
