-- rows of stacks
--   stack_id INT64 not null: The stack: joins stacks, stack_events, cpu_samples and context_switches, with trace.
--   process_id INT64 nullable: Process of the stack. NULL if the trace does not record it.
--   process_name STRING nullable: Image name of that process. NULL if the trace does not record it.
--   stack STRING not null: The text.
SELECT k.trace, k.stack_id, k.process_id, k.process_name,
  concat_ws(chr(59), replace(coalesce(k.process_name, 'process ' || CAST(k.process_id AS STRING), '?'), chr(59), ':'),
    -- No frame has a line feed, so a line feed stands in for the semicolon.
    nullif(replace(array_to_string(list_reverse(list_transform(k.addresses, lambda address, i: replace(replace(
      CASE WHEN k.functions[i] <> '' AND k.modules[i] <> '' THEN k.modules[i] || '!' || k.functions[i]
        WHEN k.functions[i] <> '' THEN k.functions[i]
        WHEN k.modules[i] <> '' THEN k.modules[i] || '+0x' || lower(hex(k.offsets[i]))
        ELSE '0x' || lower(hex(address))
      END, chr(59), ':'), chr(10), ' '))), '
'), chr(10), chr(59)), '')) AS stack
FROM stacks AS k
