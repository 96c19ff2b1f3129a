-- A row per distinct call stack, as a line of text that programs for flame graphs take: its process, then the frames, outermost first, joined by semicolons.
-- A frame is module!function, module+0xoffset without a function, or 0xaddress without either; it has colons for semicolons.
--   stack_id INT64 not null: The stack: joins stacks, stack_events, cpu_samples and context_switches, with trace.
--   process_id INT64 nullable: Process of the stack. NULL where the trace does not say it.
--   process_name STRING nullable: Image name of that process. NULL where the trace does not say it.
--   stack STRING not null: The text.
WITH frames AS (
  -- Lists begin with 0 in Spark and with 1 in DuckDB. An event has room for fewer than 128 * 128 frames.
  SELECT k.trace, k.stack_id, high.n * 128 + low.n AS n,
    k.addresses[high.n * 128 + low.n + CAST(split('1,0', ',')[1] AS INT)] AS address,
    k.modules[high.n * 128 + low.n + CAST(split('1,0', ',')[1] AS INT)] AS module,
    k.functions[high.n * 128 + low.n + CAST(split('1,0', ',')[1] AS INT)] AS function,
    k.offsets[high.n * 128 + low.n + CAST(split('1,0', ',')[1] AS INT)] AS frame_offset
  FROM stacks AS k
  JOIN range(0, 128) AS high(n) ON high.n * 128 < cardinality(k.addresses)
  JOIN range(0, 128) AS low(n) ON high.n * 128 + low.n < cardinality(k.addresses)
),
named AS (
  SELECT trace, stack_id, n,
    CASE WHEN function <> '' AND module <> '' THEN module || '!' || function
      WHEN function <> '' THEN function
      WHEN module <> '' THEN module || '+0x' || lower(hex(CAST(frame_offset AS BIGINT)))
      ELSE '0x' || lower(hex(CAST(CASE WHEN address >= 9223372036854775808 THEN CAST(address AS DECIMAL(20,0)) - 18446744073709551616 ELSE address END AS BIGINT)))
    END AS frame
  FROM frames
),
joined AS (
  SELECT trace, stack_id,
    -- DuckDB before version 2 wants a literal to join with, here and below a line feed.
    array_join(array_sort(array_agg(lpad(CAST(99999 - n AS STRING), 5, '0') || '|' || replace(replace(frame, chr(59), ':'), chr(10), ' '))), '
') AS text
  FROM named
  GROUP BY trace, stack_id
)
SELECT k.trace, k.stack_id, k.process_id, k.process_name,
  concat_ws(chr(59), replace(coalesce(k.process_name, 'process ' || CAST(k.process_id AS STRING), '?'), chr(59), ':'),
    nullif(replace(array_join(regexp_extract_all(j.text, '(?:^|\n)[0-9]{5}[|]([^\n]*)', 1), '
'), chr(10), chr(59)), '')) AS stack
FROM stacks AS k
LEFT JOIN joined AS j ON j.trace = k.trace AND j.stack_id = k.stack_id
