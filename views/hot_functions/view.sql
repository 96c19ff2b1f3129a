-- rows of cpu_samples
--   process_id
--   process_name
--   kind STRING not null: What the samples hit: thread, or dpc or isr, which merely interrupt the process.
--   module STRING nullable: Name of the image, or of that of the method. NULL if the trace does not record it.
--   function STRING nullable: Name of the function. NULL for all functions of the module whose names are unknown.
--   exclusive_samples INT64 not null: Samples whose instruction is in the function.
--   inclusive_samples INT64 not null: Samples with the function in their stack; one sample counts once, however often the function is in it.
--   exclusive_ns INT64 nullable: Time that the exclusive samples stand for, in ns. NULL if the trace does not record the interval.
--   inclusive_ns INT64 nullable: Time that the inclusive samples stand for, in ns. NULL like exclusive_ns.
WITH samples AS (
  SELECT trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END AS kind, stack_id, coalesce(module, '') AS module, coalesce(function, '') AS function,
    count(*) AS n, sum(interval_ns) AS ns
  FROM cpu_samples
  WHERE NOT coalesce(is_idle, false)
  GROUP BY trace, process_id, process_name, CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END, stack_id, coalesce(module, ''), coalesce(function, '')
),
frames AS (
  SELECT trace, stack_id, modules, functions, unnest(range(array_length(addresses))) AS i
  FROM stacks
  WHERE array_length(addresses) > 0
),
functions AS (
  SELECT DISTINCT trace, stack_id, modules[i + 1] AS module, functions[i + 1] AS function
  FROM frames
),
counted AS (
  SELECT trace, process_id, process_name, kind, module, function, n AS exclusive, n AS inclusive, ns AS exclusive_ns, ns AS inclusive_ns
  FROM samples
  UNION ALL
  SELECT s.trace, s.process_id, s.process_name, s.kind, f.module, f.function, 0, s.n, CASE WHEN s.ns IS NOT NULL THEN 0 END, s.ns
  FROM samples AS s
  JOIN functions AS f ON f.trace = s.trace AND f.stack_id = s.stack_id
  WHERE f.module <> s.module OR f.function <> s.function
)
SELECT trace, process_id, process_name, kind, nullif(module, '') AS module, nullif(function, '') AS function,
  CAST(sum(exclusive) AS BIGINT) AS exclusive_samples, CAST(sum(inclusive) AS BIGINT) AS inclusive_samples,
  CAST(sum(exclusive_ns) AS BIGINT) AS exclusive_ns, CAST(sum(inclusive_ns) AS BIGINT) AS inclusive_ns
FROM counted
GROUP BY trace, process_id, process_name, kind, module, function
