--   stack_id INT64 not null: The stack: joins stacks, stack_events, cpu_samples and context_switches, with trace.
--   process_id INT64 nullable: Process of the stack. NULL where the trace does not say it.
--   process_name STRING nullable: Image name of that process. NULL where the trace does not say it.
--   stack STRING not null: The text.
WITH frames AS (
  SELECT k.trace, k.stack_id, f.n, {{at "k.addresses" "f.n"}} AS address, {{at "k.modules" "f.n"}} AS module,
    {{at "k.functions" "f.n"}} AS function, {{at "k.offsets" "f.n"}} AS frame_offset
  FROM stacks AS k {{each (series (len "k.addresses")) "f(n)"}}
),
named AS (
  SELECT trace, stack_id, n,
    CASE WHEN function <> '' AND module <> '' THEN module || '!' || function
      WHEN function <> '' THEN function
      WHEN module <> '' THEN module || '+0x' || {{hex "frame_offset"}}
      ELSE '0x' || {{hex "address"}}
    END AS frame
  FROM frames
),
joined AS (
  SELECT trace, stack_id, {{join "replace(replace(frame, chr(59), ':'), chr(10), ' ')" "'\n'" "n DESC"}} AS text
  FROM named
  GROUP BY trace, stack_id
)
SELECT k.trace, k.stack_id, k.process_id, k.process_name,
  concat_ws(chr(59), replace(coalesce(k.process_name, 'process ' || CAST(k.process_id AS STRING), '?'), chr(59), ':'),
    replace(j.text, chr(10), chr(59))) AS stack
FROM stacks AS k
LEFT JOIN joined AS j ON j.trace = k.trace AND j.stack_id = k.stack_id
