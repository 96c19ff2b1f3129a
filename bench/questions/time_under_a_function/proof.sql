SELECT 'System.DateTime.get_Now' AS function,
  count(*) FILTER (instruction_pointer_function = 'System.DateTime.get_Now') AS exclusive_samples,
  count(*) FILTER (instruction_pointer_function = 'System.DateTime.get_Now' OR list_contains(functions, 'System.DateTime.get_Now')) AS inclusive_samples
FROM perfinfo_sampleprof
LEFT JOIN stack_events USING (trace, event_ref)
LEFT JOIN stacks USING (trace, stack_id)
WHERE perfinfo_sampleprof.process_name = 'Test.x86.exe' AND flags & 3 = 0;
