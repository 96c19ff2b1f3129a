SELECT s.method_namespace || '.' || s.method_name AS method, min(e.time_ns) - s.time_ns AS jit_ns,
  s.method_il_size AS il_bytes, min_by(e.method_size, e.time_ns) AS native_bytes
FROM microsoft_windows_dotnetruntime_method_jittingstarted AS s
JOIN microsoft_windows_dotnetruntime_method_loadverbose AS e
  ON e.method_id = s.method_id AND e.thread_id = s.thread_id AND e.time_ns >= s.time_ns
GROUP BY s.event_ref, method, s.time_ns, il_bytes
ORDER BY jit_ns DESC
LIMIT 3;
