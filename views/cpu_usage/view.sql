-- rows of cpu_samples
--   second INT64 nullable: Second of the session: seconds since its start, rounded down. NULL if that is unknown.
--   process_id
--   process_name
--   kind STRING not null: What the processor did: thread, dpc or isr for what interrupts a thread, or idle.
--   samples INT64 not null: Number of samples.
--   cpu_ns INT64 nullable: Time that they stand for, in ns: the samples, each one interval. NULL if the trace does not record the interval.
SELECT trace, CAST(floor(seconds) AS BIGINT) AS second, process_id, process_name,
  CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind,
  count(*) AS samples, CAST(sum(interval_ns) AS BIGINT) AS cpu_ns
FROM cpu_samples
GROUP BY trace, CAST(floor(seconds) AS BIGINT), process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END
